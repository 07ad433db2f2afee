import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ContextRules, problemsIn, problemWith } from '../../../../src/deployments/settings/fieldProblems';
import {
  changedFields,
  fieldsOf,
  newProject,
  noWriteOnlySettings,
  notTaken,
  type ProjectFields,
  rebase,
  sentFields,
} from '../../../../src/deployments/settings/projectFields';

const project: ProjectFields = {
  ...newProject,
  url: 'https://git.example.com/shop.git',
  branch: 'main',
  login: 'marit',
  interval: '5',
};
const rules: ContextRules = { contextPattern: '^[A-Za-z0-9_.]{1,50}$', singleContext: false };
const problem = (name: keyof ProjectFields, fields: Partial<ProjectFields>, at = rules) =>
  problemWith(name, { ...project, ...fields }, at);

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

  it('send a removed value as an empty one, and leave out a missing one', () => {
    assert.equal(sentFields({ ...project, login: '' }, project).login, '');
    assert.equal(sentFields({ ...project, login: '' }, { ...project, login: '' }).login, undefined);
    assert.equal(sentFields({ ...project, repoHash: '' }, { ...project, repoHash: 'abcdef1' }).repoHash, '');
  });

  it('take over changes by others, except in fields that were changed here', () => {
    const mine = { ...project, branch: 'release', autoupdate: true };
    const now = { ...project, branch: 'develop', login: 'nils' };
    const { fields, theirs } = rebase(project, mine, now);
    assert.deepEqual(fields, { ...project, branch: 'release', autoupdate: true, login: 'nils' });
    assert.deepEqual(theirs, ['branch', 'login']);
    assert.deepEqual(changedFields(now, fields), ['branch', 'autoupdate']);
  });

  it('know whether the platform reported zero-downtime deployment', () => {
    const said = fieldsOf('ROOT', { type: 'GIT', url: project.url, branch: 'main' }, noWriteOnlySettings);
    assert.equal(said.zdt, undefined);
    assert.deepEqual(problemsIn(said, rules), [{ name: 'zdt', problem: 'zdtUnknown' }]);
    assert.equal(fieldsOf('ROOT', { atomicDeploy: true }, noWriteOnlySettings).zdt, true);
  });
});

describe("the fields that the platform didn't accept", () => {
  const taken = { type: 'GIT', url: project.url, branch: 'main', login: 'marit', interval: '5' } as const;

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

describe('problems that the platform would reject', () => {
  it('are found for every invalid character in a user name', () => {
    for (const character of '~!#$%^&*(){}\\/=-') {
      assert.equal(problem('login', { login: `ma${character}rit` }), 'loginCharacters', character);
    }
    for (const login of ['', 'marit', 'marit@example.com', 'marit.holm_7', 'x+y']) {
      assert.equal(problem('login', { login }), undefined, login);
    }
  });

  it('are found in URLs', () => {
    assert.equal(problem('url', { url: '' }), 'urlMissing');
    for (const url of [
      'git.example.com/shop.git',
      '/srv/shop.git',
      'C:\\shop',
      'file:///srv/shop',
      'https://',
      'ftp://x/y',
      'ext::sh -c id',
      '--upload-pack=id',
    ]) {
      assert.equal(problem('url', { url }), 'urlWithoutProtocol', url);
    }
    assert.equal(problem('url', { url: 'https://marit:tea@git.example.com/shop.git' }), 'urlWithLogin');
    const token = 'ghp_'.padEnd(40, 'x');
    assert.equal(problem('url', { url: `https://${token}@git.example.com/shop.git` }), 'urlWithLogin');
    assert.equal(problem('url', { url: 'https://marit@git.example.com/shop.git' }), undefined);
    for (const url of [
      'https://git.example.com/shop.git',
      'ssh://git@git.example.com/shop.git',
      'git@git.example.com:tea/shop.git',
    ]) {
      assert.equal(problem('url', { url }), undefined, url);
    }
    assert.equal(problem('url', { type: 'SVN', url: 'svn://svn.example.com/tea' }), undefined);
    assert.equal(problem('url', { type: 'SVN', url: 'git@git.example.com:tea/shop.git' }), 'urlWithoutProtocol');
    assert.equal(problem('url', { url: 'svn://svn.example.com/tea' }), 'urlWithoutProtocol');
  });

  it('are found in a password together with a key', () => {
    assert.equal(problem('password', { password: 'tea', keyId: 7 }), 'passwordAndKey');
    assert.equal(problem('password', { password: 'tea' }), undefined);
    assert.equal(problem('password', { keyId: 7 }), undefined);
    assert.equal(problem('keyId', { password: 'tea', keyId: 7 }), 'passwordAndKey');
  });

  it('are found in intervals', () => {
    for (const interval of ['0', '-1', '1.5', 'five', ' ', '00']) {
      assert.equal(problem('interval', { interval, autoupdate: true }), 'interval', interval);
    }
    assert.equal(problem('interval', { interval: '', autoupdate: true }), 'interval');
    assert.equal(problem('interval', { interval: '', autoupdate: false }), undefined);
    assert.equal(problem('interval', { interval: '15', autoupdate: true }), undefined);
  });

  it('are found in contexts, with the pattern of the nodes if it can be read', () => {
    assert.equal(problem('context', { context: 'my shop' }), 'contextPattern');
    assert.equal(problem('context', { context: '../etc' }), 'contextPattern');
    assert.equal(problem('context', { context: 'shop' }), undefined);
    assert.equal(problem('context', { context: 'shop' }, { ...rules, taken: ['shop'] }), 'contextTaken');
    assert.equal(
      problem('context', { context: 'shop' }, { contextPattern: '(?P<broken', singleContext: false }),
      undefined,
    );
    assert.equal(
      problem('context', { context: 'shop' }, { contextPattern: undefined, singleContext: true }),
      'rootOnly',
    );
    assert.equal(
      problem('context', { context: 'ROOT' }, { contextPattern: undefined, singleContext: true }),
      undefined,
    );
  });

  it('are found in branches, commits, revisions, keys, and delays', () => {
    for (const branch of ['', '-x', '/x', 'a b', 'a..b', 'a:b', 'a^']) {
      assert.equal(problem('branch', { branch }), 'branch', branch);
    }
    assert.equal(problem('branch', { branch: 'feature/tea-2' }), undefined);
    assert.equal(problem('repoHash', { repoHash: 'abc' }), 'commit');
    assert.equal(problem('repoHash', { repoHash: 'abcdef1' }), undefined);
    assert.equal(problem('repoHash', { type: 'SVN', repoHash: 'abcdef1' }), 'revision');
    assert.equal(problem('repoHash', { type: 'SVN', repoHash: '17' }), undefined);
    assert.equal(problem('keyId', { keyId: 0 }), 'keyId');
    assert.equal(problem('keyId', { keyId: Number.NaN }), 'keyId');
    assert.equal(problem('delay', { delay: -1 }), 'delay');
    assert.equal(problem('delay', { delay: 0 }), undefined);
  });
});
