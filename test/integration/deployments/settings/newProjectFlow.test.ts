import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { newProjectFields, newProjectQuestions } from '../../../../src/deployments/settings/newProjectFlow';
import type { ProjectLayer } from '../../../../src/deployments/settings/layersForProjects';
import { newProject } from '../../../../src/deployments/settings/projectFields';
import type { Entered, Question } from '../../../../src/ui/prompts';

const homes: readonly ProjectLayer[] = ['shop', 'blog'].map((name) => ({
  environment: {
    account: 'marit',
    name,
    title: name,
    domain: undefined,
    status: undefined,
    isAdded: false,
    layers: [],
  },
  layer: { id: 'cp', name: 'Application Servers', nodes: [], isComplete: true, contexts: [] },
}));
const offers = {
  addresses: ['https://git.example.com/tea.git', 'git@git.example.com:tea.git'],
  branchesOf: (url: string) => (url.includes('tea') ? ['main', 'release'] : []),
};
const freely = { contextPattern: '^[A-Za-z0-9_.]{1,50}$', singleContext: false, taken: ['ROOT'] };
const questions = (entered: Entered, rules = freely) => newProjectQuestions(homes, { offers, rules }, entered);
const keys = (entered: Entered, rules = freely) => questions(entered, rules).map(({ key }) => key);
const asked = (key: string, entered: Entered, rules = freely): Question => {
  const question = questions(entered, rules).find((one) => one.key === key);
  assert.ok(question, key);
  return question;
};
const refusal = (key: string, text: string, entered: Entered = {}, rules = freely) => {
  const question = asked(key, entered, rules);
  assert.ok(question.kind === undefined, key);
  return question.problem?.(text);
};
const choices = (key: string, entered: Entered = {}) => {
  const question = asked(key, entered);
  assert.ok(question.kind === 'choice', key);
  return question.choices.map(({ label }) => label);
};

describe('the steps of New Project', () => {
  const around = ['layer', 'type', 'url', 'branch', 'access'];
  const rest = ['context', 'autoupdate', 'autoResolveConflict', 'zdt'];

  it('ask for the place, the repository, the access, and the deployment options', () => {
    assert.deepEqual(keys({}), [...around, ...rest]);
    assert.deepEqual(keys({ access: 'password' }), [...around, 'login', 'password', ...rest]);
    assert.deepEqual(keys({ access: 'key' }), [...around, 'login', 'keyId', ...rest]);
    assert.ok(keys({ autoupdate: 'true' }).includes('interval'));
    assert.ok(!keys({ type: 'SVN' }).includes('branch'));
    assert.equal(newProjectQuestions(homes.slice(0, 1), { offers, rules: freely }, {})[0]?.key, 'type');
  });

  it('offer the remotes and branches of the open repositories, or accept typed input', () => {
    assert.deepEqual(choices('url').slice(0, 2), offers.addresses);
    const url = offers.addresses[0] ?? '';
    assert.deepEqual(choices('branch', { url }).slice(0, 2), ['main', 'release']);
    assert.notEqual(asked('branch', { url: 'https://elsewhere.example/x.git' }).kind, 'choice');
    assert.notEqual(asked('url', { type: 'SVN' }).kind, 'choice', "the open repositories are Git's");
  });

  it('hide a typed password', () => {
    const password = asked('password', { access: 'password' });
    assert.ok(password.kind === undefined && password.masked === true);
  });

  it('reject what the platform would reject, in the same step', () => {
    assert.match(refusal('login', 'ma#rit', { access: 'password' }) ?? '', /A username can't contain/);
    assert.match(refusal('interval', '0', { autoupdate: 'true' }) ?? '', /at least 1/);
    assert.match(refusal('interval', 'often', { autoupdate: 'true' }) ?? '', /at least 1/);
    assert.match(refusal('keyId', 'mine', { access: 'key' }) ?? '', /numeric ID/);
    assert.match(refusal('context', 'ROOT') ?? '', /already/);
    assert.match(refusal('context', 'my shop') ?? '', /\^\[A-Za-z0-9_.\]/);
    assert.match(refusal('url', 'ext::sh -c touch% /tmp/x', { type: 'SVN' }) ?? '', /full URL/);
    assert.equal(refusal('context', 'shop2'), undefined);
  });

  it("don't ask for a context if only ROOT is possible", () => {
    assert.ok(!keys({}, { ...freely, singleContext: true, taken: [] }).includes('context'));
  });

  it('send no secret that was entered before the user went back to another access method', () => {
    const entered = { url: 'https://x.example/y', login: 'marit', password: 'tea', keyId: '7' };
    assert.equal(newProjectFields({ ...entered, access: 'key' }).password, undefined);
    assert.equal(newProjectFields({ ...entered, access: 'password' }).keyId, undefined);
    assert.equal(refusal('password', 'tea', { ...entered, access: 'password' }), undefined);
    assert.deepEqual(newProjectFields({ ...entered, access: 'none' }), { ...newProject, url: entered.url });
  });

  it('use a URL unchanged, whatever it would mean to a shell', () => {
    const url = 'https://git.example.com/$(touch%20x)/`id`;tea.git';
    assert.equal(newProjectFields({ url }).url, url);
  });
});
