import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { env } from 'vscode';
import { type OperationName, operationsByName } from '../../../src/platform/contract';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import { gantry } from '../support/gantry';
import { accessPerformances } from '../support/operations/accounts';
import { filePerformances } from '../support/operations/files';
import { projectPerformances } from '../support/operations/projects';
import { sharingPerformances } from '../support/operations/sharing';
import { Stage } from '../support/operations/stage';

/**
 * Results that the platform doesn't show afterwards: a new token's value, open sessions of other tokens, an archive's
 * contents.
 */
const unseen = ['CreateToken', 'RegenerateToken', 'SignoutSessions', 'UnpackById', 'UnpackByType'];
/** Redeploys are followed up separately, see redeployFaults. */
const followedUp = ['Update'];

const changing = [...filePerformances, ...sharingPerformances, ...projectPerformances, ...accessPerformances].filter(
  ({ operation }) => operationsByName[operation].effect === 'write' && !followedUp.includes(operation),
);

describe('a change whose response is lost', () => {
  let platform: LocalPlatform;
  let stage: Stage;
  let told: string[];

  before(async () => {
    platform = await startPlatform();
    const parts = await gantry();
    stage = await Stage.set(platform, { ...parts, ...parts.sharing });
    stage.person.onDidSee(() => told.push(stage.person.seen.at(-1) ?? ''));
  });

  beforeEach(async () => {
    await stage.begin();
    told = [];
  });

  afterEach(async () => {
    platform.faults.clear();
    await stage.clear();
  });

  after(async () => {
    await stage.end();
    await platform.dispose();
  });

  /** Drops the response to the account's next request, not to a request that sets up the platform. */
  const loseAnswerOf = async (operation: OperationName) => {
    const { token = '' } = (await stage.parts.accounts.stored(stage.account.slug)) ?? {};
    const parameters = operationsByName[operation].area === 'file' ? { session: token } : {};
    return platform.faults.add({ operation, parameters, fault: { kind: 'reset', when: 'after' } });
  };

  for (const { operation, play } of changing.filter((one) => !unseen.includes(one.operation))) {
    it(`is checked and made only once: ${operation}`, async () => {
      const lost = await loseAnswerOf(operation);
      await play(stage);
      assert.equal(lost.hits, 1);
      assert.deepEqual(told.filter(isFailure), []);
    });
  }

  it('warns that a file fetched from a URL exists but may be incomplete', async () => {
    const web = createServer((_, response) => response.end('fetched\n'));
    const port = await listenOnLoopback(web);
    const fetching = async (name: string, when: 'before' | 'after') => {
      platform.faults.add({ operation: 'Upload', fault: { kind: 'reset', when } });
      const url = `http://127.0.0.1:${port}/site.zip`;
      await stage.does('gantry.folder.uploadFromUrl', [stage.uri('cp', '/home/nginx')], [url, name]);
    };
    try {
      await fetching('arrived.zip', 'after');
      assert.match(told.join('\n'), /didn't confirm the upload of arrived\.zip\. The file exists \(8 B\)/);
      told = [];
      await fetching('lost.zip', 'before');
      assert.match(
        told.join('\n'),
        /the connection was lost before the platform responded.*check whether the change was made/,
      );
    } finally {
      web.close();
    }
  });

  it('is not reported as done if it was never made: Append to a file that already ended with the same line', async () => {
    const path = '/home/nginx/same.txt';
    await writeFile(stage.disk('cp', path), 'line\n');
    stage.parts.listings.forgetAll();
    await env.clipboard.writeText('line');
    platform.faults.add({ operation: 'Append', fault: { kind: 'reset' } });
    await stage.does('gantry.file.append', [stage.uri('cp', path)], ['From clipboard']);
    assert.match(told.join('\n'), /the connection was lost before the platform responded/);
    assert.equal(await readFile(stage.disk('cp', path), 'utf8'), 'line\n');
  });

  for (const { operation, play } of changing.filter((one) => unseen.includes(one.operation))) {
    it(`is reported as unconfirmed if the platform shows no result: ${operation}`, async () => {
      const lost = await loseAnswerOf(operation);
      // The result that this case expects after a success may be missing.
      const problem = await play(stage).then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.equal(lost.hits, 1);
      const said = [...told, problem instanceof Error ? problem.message : ''].join('\n');
      assert.match(
        said,
        /the connection was lost before the platform responded.*Before you try again, check whether the change was made/,
      );
      assert.doesNotMatch(said, /can't be reached/);
    });
  }
});

function isFailure(message: string): boolean {
  return /didn't confirm|can't be reached|could not|couldn't|failed/i.test(message);
}
