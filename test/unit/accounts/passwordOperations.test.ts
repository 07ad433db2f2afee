import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import { type PasswordOperations, passwordOperations } from '../../../src/accounts/tokens';
import { createClient } from '../../../src/platform/client';
import { openPool } from '../../../src/platform/sending/undiciPool';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';

const end = '2031-02-03 04:05:06';

describe('changing an access token when the response is lost', () => {
  const pool = openPool({ proxyFor: () => undefined, checkCertificates: true });
  let platform: LocalPlatform;
  let work: PasswordOperations;
  let id: number;

  beforeEach(async () => {
    platform = await startPlatform({ withoutProject: true });
    const client = createClient({
      address: { baseUrl: platform.origin, host: new URL(platform.origin).host },
      transport: 'form',
      send: pool.send,
      retryPause: 1,
    });
    const opened = { session: await platform.createSession(), password: platform.sample.password };
    work = passwordOperations(client, opened, (perform) => perform());
    ({ id } = await work.createToken({ description: 'ci', apiList: 'environment.file.Read', expiresAt: end }));
  });

  afterEach(() => platform.dispose());

  after(() => pool.close());

  const lose = (when: 'before' | 'after') =>
    platform.faults.add({ operation: 'EditToken', fault: { kind: 'reset', when } });

  const changes = {
    'a template that the list leaves out': { description: 'ci', tokenTemplate: 'Marketplace' },
    'other methods': { description: 'ci', tokenTemplate: 'Custom', apiList: 'environment.file.Write' },
    'another name': { description: 'cd' },
    'another expiration date': { expiresAt: '2032-02-03 04:05:06' },
    'no expiration date': { expiresAt: '' },
  } as const;
  for (const [name, change] of Object.entries(changes)) {
    it(`fails if the change to ${name} never arrived`, async () => {
      lose('before');
      await assert.rejects(work.editToken({ id, ...change }), { operation: 'EditToken', isOutcomeUnknown: true });
    });

    it(`succeeds if the change to ${name} was made`, async () => {
      lose('after');
      await work.editToken({ id, ...change });
      assert.equal(
        platform.journal.count(({ operation }) => operation === 'EditToken'),
        1,
      );
    });
  }

  it("fails if the platform doesn't list the new template", async () => {
    platform.faults.add({
      operation: 'GetTokenTemplates',
      times: 'always',
      fault: { kind: 'answer', status: 200, body: '{"result":0,"templates":[]}' },
    });
    lose('after');
    await assert.rejects(work.editToken({ id, tokenTemplate: 'Marketplace' }), { operation: 'EditToken' });
  });
});
