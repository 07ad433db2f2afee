import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  changedFields,
  fieldOrder,
  fieldsOf,
  hasEdits,
  notTaken,
  rebase,
  sentFields,
  settingsOf,
  storableFields,
} from '../../../../../src/features/deployments/settings/fieldChanges';
import { differingHooks, sameHooks } from '../../../../../src/features/deployments/settings/hooks';
import {
  fieldValue,
  newProject,
  noWriteOnlySettings,
  type ProjectFields,
  projectFields,
} from '../../../../../src/features/deployments/settings/projectFields';

const project: ProjectFields = {
  ...newProject,
  url: 'https://git.example.com/shop.git',
  branch: 'main',
  login: 'marit',
  interval: '5',
};

describe('the fields of a project', () => {
  it('are all sent, but hidden ones only if they were set here', () => {
    assert.deepEqual(sentFields(project, project), {
      type: 'GIT',
      url: 'https://git.example.com/shop.git',
      branch: 'main',
      login: 'marit',
      password: undefined,
      keyId: undefined,
      autoupdate: false,
      interval: '5',
      autoResolveConflict: false,
      zdt: false,
      hooks: undefined,
      delay: undefined,
      repoHash: undefined,
    });
    const here = { keyId: 7, hooks: { preDeploy: 'make' }, delay: 30 };
    const { keyId, hooks, delay } = sentFields({ ...project, ...here }, project);
    assert.deepEqual({ keyId, hooks, delay }, { keyId: 7, hooks: '{"preDeploy":"make"}', delay: 30 });
  });

  it('are sent, shown, and kept out of texts and files by their row in one table', () => {
    assert.deepEqual(Object.keys(projectFields), fieldOrder);
    const sent = fieldOrder.filter((name) => name !== 'context').sort();
    assert.deepEqual(Object.keys(sentFields(project, project)).sort(), sent);
    const shown = fieldOrder.filter((name) => projectFields[name].shown !== undefined);
    assert.deepEqual(fieldsOf('other', settingsOf(project), noWriteOnlySettings), project);
    const secret = fieldOrder.filter((name) => projectFields[name].isSecret);
    assert.deepEqual([secret, shown.includes('password')], [['password'], false]);
    const entered = { ...project, password: 'tea', url: 'https://marit:tea@git.example.com/shop.git' };
    assert.doesNotMatch(JSON.stringify(storableFields(entered)), /tea/);
    assert.doesNotMatch(fieldOrder.map((name) => fieldValue(name, entered)).join(), /tea/);
  });

  it('send a removed value as an empty one, and leave out a missing one', () => {
    assert.equal(sentFields({ ...project, login: '' }, project).login, '');
    assert.equal(sentFields({ ...project, login: '' }, { ...project, login: '' }).login, undefined);
    assert.equal(sentFields({ ...project, repoHash: '' }, { ...project, repoHash: 'abcdef1' }).repoHash, '');
  });

  it('take over changes by others, except in fields that were changed here', () => {
    const mine = { ...project, branch: 'release', autoupdate: true };
    const now = { ...project, branch: 'develop', login: 'nils' };
    const fields = rebase(project, mine, now);
    assert.deepEqual(fields, { ...project, branch: 'release', autoupdate: true, login: 'nils' });
    assert.deepEqual(changedFields(project, now), ['branch', 'login']);
    assert.deepEqual(changedFields(now, fields), ['branch', 'autoupdate']);
  });

  it('merge hooks one by one: a change of one keeps those of others', () => {
    const base = { ...project, hooks: { preDeploy: 'true\n', postBuild: 'make\n' } };
    const mine = { ...base, hooks: { ...base.hooks, preDeploy: 'mine\n' } };
    const now = { ...base, hooks: { preDeploy: 'true', postDeploy: 'theirs\n' } };
    const fields = rebase(base, mine, now);
    assert.deepEqual(fields.hooks, { preDeploy: 'mine\n', postDeploy: 'theirs\n' });
    assert.deepEqual(changedFields(base, now), ['hooks']);
    assert.deepEqual(differingHooks(base.hooks, now.hooks), ['postDeploy', 'postBuild']);
    assert.deepEqual(rebase(base, base, now).hooks, now.hooks);
    assert.deepEqual(rebase(base, { ...base, hooks: {} }, { ...now, hooks: undefined }).hooks, {});
  });

  it("aren't changed by hooks that run the same scripts, but the user's own line ends are sent", () => {
    const base = { ...project, hooks: { preDeploy: 'a\r\n' } };
    const stored = { ...project, hooks: { preDeploy: 'a\n', postBuild: '' } };
    assert.deepEqual(changedFields(base, stored), []);
    assert.deepEqual(changedFields({ ...project, hooks: undefined }, { ...project, hooks: {} }), []);
    const mine = { ...base, hooks: { preDeploy: 'a\n' } };
    assert.ok(hasEdits(base, mine));
    assert.deepEqual(rebase(base, mine, base).hooks, mine.hooks);
  });

  it('hold the same hooks whatever the line ends, and whether an empty one is left out', () => {
    assert.ok(sameHooks({ preDeploy: 'a\r\nb\n', postBuild: '' }, { preDeploy: 'a\nb' }));
    assert.ok(sameHooks(undefined, {}));
    assert.equal(sameHooks({ preDeploy: 'a' }, { postDeploy: 'a' }), false);
  });

  it('know whether the platform reported zero-downtime deployment', () => {
    const said = fieldsOf('ROOT', { type: 'GIT', url: project.url, branch: 'main' }, noWriteOnlySettings);
    assert.equal(said.zdt, undefined);
    assert.equal(fieldsOf('ROOT', { atomicDeploy: true }, noWriteOnlySettings).zdt, true);
  });
});

describe("the fields that the platform didn't accept", () => {
  const shown = { url: project.url, branch: 'main', login: 'marit', interval: '5' };
  const taken = { type: 'GIT', ...shown, autoResolveConflict: false } as const;

  it("don't include fields that it shows as set, even in another spelling", () => {
    assert.deepEqual(notTaken(project, taken), []);
    assert.deepEqual(notTaken(project, { ...taken, url: 'https://git.example.com/shop' }), []);
    assert.deepEqual(notTaken({ ...project, branch: '', interval: '' }, taken), []);
    assert.deepEqual(notTaken({ ...project, zdt: true, password: 'tea', keyId: 7, delay: 3 }, taken), []);
  });

  it('include fields that it shows with another value', () => {
    assert.deepEqual(notTaken({ ...project, login: '' }, taken), ['login']);
    assert.deepEqual(notTaken({ ...project, repoHash: 'abcdef1' }, taken), ['repoHash']);
    assert.deepEqual(notTaken({ ...project, zdt: true }, { ...taken, atomicDeploy: false }), ['zdt']);
    assert.deepEqual(notTaken({ ...project, context: 'shop' }, { ...taken, context: 'ROOT' }), ['context']);
    assert.deepEqual(notTaken({ ...project, autoupdate: true, interval: '9' }, taken), ['autoupdate', 'interval']);
  });
});
