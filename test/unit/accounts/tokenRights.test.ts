import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import {
  barredMethods,
  byService,
  countEffects,
  lackedOperations,
  effectOf,
  lostMethods,
  methodsForTask,
  partsOf,
  templateOf,
  tokenTasks,
} from '../../../src/accounts/tokens';

describe('the details of a token', () => {
  const templates = [
    { name: 'Marketplace', id: 1, apiList: ['environment.file.Read'] },
    { name: 'IDE Plugins', id: 2, apiList: ['environment.file.Read', 'environment.file.Write'] },
  ];

  it('include the template that the platform reports', () => {
    assert.equal(templateOf({ tokenTemplate: 'Custom', apiList: ['environment.file.Read'] }, templates), 'Custom');
  });

  it('include the template with the same permissions, whatever their spelling and order', () => {
    const apiList = ['env.file.write', 'platform.env.file.Read'];
    assert.equal(templateOf({ tokenTemplate: undefined, apiList }, templates), 'IDE Plugins');
    assert.equal(templateOf({ tokenTemplate: undefined, apiList: ['environment.vcs.Update'] }, templates), undefined);
  });

  it('include the needed methods that a change removes', () => {
    const before = ['environment.file.Read', 'environment.file.Write', 'environment.some.Thing'];
    assert.deepEqual(lostMethods(before, ['env.file.read']), ['environment.file.Write']);
    assert.deepEqual(lostMethods(before, [...before, 'environment.file.GetList']), []);
    assert.deepEqual(lostMethods([], []), []);
  });

  it('for reading hold no method that changes anything, and each further task holds the ones before', () => {
    const [read, edit, redeploy] = tokenTasks.map((task) => methodsForTask(task, []));
    for (const method of read ?? []) assert.match(method, /\.(Get\w+|Read|getenvs|getenvinfo)$/i);
    assert.ok(read?.every((method) => edit?.includes(method)));
    assert.ok(edit?.every((method) => redeploy?.includes(method)));
    assert.deepEqual(
      redeploy?.filter((method) => !edit?.includes(method)).map((method) => partsOf(method).name.toLowerCase()),
      ['update'],
    );
  });

  it('mark what a policy bars only if it and the list of methods can be compared', () => {
    const methods = ['environment.file.Read', 'environment.file.Write'];
    const barred = (behavior: 'ALLOW' | 'DENY' | undefined, ...listed: readonly string[]) =>
      barredMethods({ behavior, tokenPermissions: listed.map((method) => ({ method })) }, methods);
    assert.deepEqual(barred('ALLOW', 'env.file.read'), ['environment.file.Write']);
    assert.deepEqual(barred('DENY', 'env.file.read'), ['environment.file.Read']);
    for (const behavior of ['ALLOW', 'DENY', undefined] as const) {
      assert.deepEqual(barred(behavior), []);
      assert.deepEqual(barred(behavior, 'file/read', 'file/write'), []);
    }
    assert.deepEqual(barred(undefined, 'env.file.read'), []);
  });

  it('tell whether a method reads or changes something, whatever its spelling, if Gantry knows it', () => {
    assert.equal(effectOf('environment.file.Read'), 'read');
    assert.equal(effectOf('platform.env.file.getlist'), 'read');
    assert.equal(effectOf('environment.vcs.Update'), 'write');
    assert.equal(effectOf('storage.uploader.Upload'), 'write');
    assert.equal(effectOf('environment.some.Read'), undefined);
  });

  it('count what reads, what changes, and what Gantry does not know, each method once', () => {
    const methods = ['environment.file.Read', 'env.file.read', 'environment.file.Write', 'environment.some.Thing'];
    assert.deepEqual(countEffects(methods), { all: 3, read: 1, write: 1, unknown: 1 });
  });

  it('leave out optional methods that the platform does not offer', () => {
    const without = methodsForTask('read', ['environment.file.Read']);
    assert.ok(without.every((method) => !/GetEnvs|GetEnvInfo/i.test(method)));
    assert.ok(without.some((method) => method.endsWith('GetList')));
  });

  it('include its methods by service, each once', () => {
    const methods = ['environment.file.Write', 'users.authentication.GetTokens', 'environment.file.Read'];
    assert.deepEqual(
      [...byService([...methods, ...methods])],
      [
        ['environment.file', ['environment.file.Read', 'environment.file.Write']],
        ['users.authentication', ['users.authentication.GetTokens']],
      ],
    );
    assert.deepEqual(
      [...byService(['env.file.read', 'environment.vcs.Update']).keys()],
      ['environment.file', 'environment.vcs'],
    );
    assert.deepEqual(partsOf('Read'), { service: '', name: 'Read' });
  });

  it("show nothing about a value that isn't a token: a session may do everything", () => {
    const apiList = ['environment.file.Read', 'users.authentication.GetTokens'];
    const tokens = [{ id: 1, apiList, expiresAt: undefined }];
    for (const token of [randomUUID(), 'pasted']) assert.equal(lackedOperations(tokens, { token }), undefined);
    const byToken = lackedOperations(tokens, { token: randomBytes(20).toString('hex') });
    assert.ok(byToken?.includes('Write'));
    // The ID comes from the platform, with the token.
    assert.deepEqual(lackedOperations(tokens, { token: 'created', tokenId: 1 }), byToken);
  });

  it('show what the token of a request lacks, as far as the list of all tokens proves it', () => {
    const listing = 'users.authentication.GetTokens';
    const entry = (id: number, apiList: readonly string[], expiresAt?: Date) => ({
      id,
      apiList: [...apiList],
      expiresAt,
    });
    const reader = entry(1, ['env.file.read', listing]);
    const writer = entry(2, ['environment.file.Read', 'environment.file.Write', listing]);
    const lacks = (tokens: Parameters<typeof lackedOperations>[0], id?: number) => {
      const found = lackedOperations(tokens, { token: '0f'.repeat(20), tokenId: id });
      return found && (['Read', 'Write', 'Delete'] as const).filter((operation) => found.includes(operation));
    };
    assert.deepEqual(lacks([reader]), ['Write', 'Delete']);
    assert.deepEqual(lacks([reader, writer]), ['Delete']);
    assert.deepEqual(lacks([reader, writer], 1), ['Write', 'Delete']);
    assert.deepEqual(lacks([reader, entry(3, ['environment.file.Write', 'environment.file.Delete'])]), [
      'Write',
      'Delete',
    ]);
    // This computer's clock may be wrong.
    assert.deepEqual(lacks([reader, entry(3, writer.apiList, new Date(0))]), ['Delete']);
    const strange = entry(1, ['/environment/file/rest/read', '/environment/file/rest/write']);
    for (const unknown of [[], [writer], [entry(1, [])], [entry(1, ['environment.file.*'])], [strange]]) {
      assert.equal(lacks(unknown, 1), undefined);
    }
    assert.equal(lacks([entry(1, ['environment.file.Read'])]), undefined);
  });
});
