import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limit } from '../../../../host/limits';
import type { LayerRules } from '../../../../../src/features/deployments/settings/fieldChecks';
import { problemsIn, problemWith } from '../../../../../src/features/deployments/settings/fieldChanges';
import { newProject, type ProjectFields } from '../../../../../src/features/deployments/settings/projectFields';

const project: ProjectFields = {
  ...newProject,
  url: 'https://git.example.com/shop.git',
  branch: 'main',
  login: 'marit',
  interval: '5',
};
const rules: LayerRules = { contextPattern: '^[A-Za-z0-9_.]{1,50}$', singleContext: false };
const problem = (name: keyof ProjectFields, fields: Partial<ProjectFields>, at = rules) =>
  problemWith(name, { ...project, ...fields }, at);

const says = {
  urlMissing: 'Enter the repository URL.',
  urlWithoutProtocol: 'Enter the full URL, such as https://git.example.com/shop.git.',
  urlWithLogin: 'Enter the URL without a username or password. You can enter them separately.',
  branch: 'Enter a valid branch name.',
  loginCharacters: "A username can't contain any of these characters: ~ ! # $ % ^ & * ( ) { } \\ / =",
  passwordAndKey: "The platform doesn't accept both a password and an SSH key. Remove one of them.",
  keyId: 'Enter the numeric ID of an SSH key in your account.',
  contextPattern: "The layer's nodes don't accept this name. Allowed pattern: ^[A-Za-z0-9_.]{1,50}$",
  contextTaken: 'The layer already has a project with this name.',
  rootOnly: 'This layer allows only one project, named ROOT.',
  interval: 'Enter a number of minutes, at least 1.',
  delay: 'Enter a number of seconds.',
  commit: 'Enter at least the first seven characters of a commit hash.',
  revision: 'Enter a revision number.',
  zdtUnknown: "The platform doesn't report whether this project uses zero-downtime deployment. Select an option.",
};

describe('problems that the platform would reject', () => {
  it('are found for every invalid character in a user name', () => {
    for (const character of '~!#$%^&*(){}\\/=') {
      assert.equal(problem('login', { login: `ma${character}rit` }), says.loginCharacters, character);
    }
    for (const login of ['', 'marit', 'marit@example.com', 'marit.holm_7', 'x+y', 'marit-holm', 'märit', "o'hara"]) {
      assert.equal(problem('login', { login }), undefined, login);
    }
  });

  it('are found in URLs', () => {
    assert.equal(problem('url', { url: '' }), says.urlMissing);
    for (const url of [
      'git.example.com/shop.git',
      '/srv/shop.git',
      'C:\\shop',
      'file:///srv/shop',
      'https://',
      'ftp://x/y',
      'ext::sh -c id',
      '--upload-pack=id',
      '-oProxyCommand=id@git.example.com:tea',
    ]) {
      assert.equal(problem('url', { url }), says.urlWithoutProtocol, url);
    }
    assert.equal(problem('url', { url: 'https://marit:tea@git.example.com/shop.git' }), says.urlWithLogin);
    const token = 'ghp_'.padEnd(40, 'x');
    assert.equal(problem('url', { url: `https://${token}@git.example.com/shop.git` }), says.urlWithLogin);
    assert.equal(problem('url', { url: 'https://marit@git.example.com/shop.git' }), undefined);
    for (const url of [
      'https://git.example.com/shop.git',
      'ssh://git@git.example.com/shop.git',
      'git@git.example.com:tea/shop.git',
      'ma-rit+tea@git.example.com:tea/shop.git',
    ]) {
      assert.equal(problem('url', { url }), undefined, url);
    }
    assert.equal(problem('url', { type: 'SVN', url: 'svn://svn.example.com/tea' }), undefined);
    assert.equal(problem('url', { type: 'SVN', url: 'git@git.example.com:tea/shop.git' }), says.urlWithoutProtocol);
    assert.equal(problem('url', { url: 'svn://svn.example.com/tea' }), says.urlWithoutProtocol);
  });

  it('are found in a password together with a key', () => {
    assert.equal(problem('password', { password: 'tea', keyId: 7 }), says.passwordAndKey);
    assert.equal(problem('password', { password: 'tea' }), undefined);
    assert.equal(problem('password', { keyId: 7 }), undefined);
    assert.equal(problem('keyId', { password: 'tea', keyId: 7 }), says.passwordAndKey);
  });

  it('are found in intervals', () => {
    for (const interval of ['0', '-1', '1.5', 'five', ' ', '00']) {
      assert.equal(problem('interval', { interval, autoupdate: true }), says.interval, interval);
    }
    assert.equal(problem('interval', { interval: '', autoupdate: true }), says.interval);
    assert.equal(problem('interval', { interval: '', autoupdate: false }), undefined);
    assert.equal(problem('interval', { interval: '15', autoupdate: true }), undefined);
  });

  it('are found in contexts, with the pattern of the nodes if it can be read', () => {
    assert.equal(problem('context', { context: 'my shop' }), says.contextPattern);
    assert.equal(problem('context', { context: '../etc' }), says.contextPattern);
    assert.equal(problem('context', { context: 'shop' }), undefined);
    assert.equal(problem('context', { context: 'shop' }, { ...rules, taken: ['shop'] }), says.contextTaken);
    assert.equal(
      problem('context', { context: 'shop' }, { contextPattern: '(?P<broken', singleContext: false }),
      undefined,
    );
    assert.equal(
      problem('context', { context: 'shop' }, { contextPattern: undefined, singleContext: true }),
      says.rootOnly,
    );
    assert.equal(
      problem('context', { context: 'ROOT' }, { contextPattern: undefined, singleContext: true }),
      undefined,
    );
  });

  it('are found in contexts in no time, whatever the pattern of the nodes', () => {
    const began = performance.now();
    for (const contextPattern of ['^(a+)+$', '^(a|a)*$']) {
      const at = { contextPattern, singleContext: false };
      assert.equal(problem('context', { context: `${'a'.repeat(60)}_` }, at), undefined, contextPattern);
    }
    assert.ok(performance.now() - began < limit(2_000));
  });

  it('are found in branches, commits, revisions, keys, and delays', () => {
    for (const branch of ['', '-x', '/x', 'a b', 'a..b', 'a:b', 'a^']) {
      assert.equal(problem('branch', { branch }), says.branch, branch);
    }
    assert.equal(problem('branch', { branch: 'feature/tea-2' }), undefined);
    assert.equal(problem('repoHash', { repoHash: 'abc' }), says.commit);
    assert.equal(problem('repoHash', { repoHash: 'abcdef1' }), undefined);
    assert.equal(problem('repoHash', { type: 'SVN', repoHash: 'abcdef1' }), says.revision);
    assert.equal(problem('repoHash', { type: 'SVN', repoHash: '17' }), undefined);
    assert.equal(problem('keyId', { keyId: 0 }), says.keyId);
    assert.equal(problem('keyId', { keyId: Number.NaN }), says.keyId);
    assert.equal(problem('delay', { delay: -1 }), says.delay);
    assert.equal(problem('delay', { delay: 0 }), undefined);
  });

  it('are found in an unknown choice about zero-downtime deployment', () => {
    assert.deepEqual(problemsIn({ ...project, zdt: undefined }, rules), [{ name: 'zdt', problem: says.zdtUnknown }]);
    assert.deepEqual(problemsIn(project, rules), []);
  });
});
