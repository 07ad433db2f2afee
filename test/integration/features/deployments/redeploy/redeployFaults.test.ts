import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, workspace } from 'vscode';
import { limit } from '../../../../host/limits';
import type { Account } from '../../../../../src/accounts/accounts';
import type { ProjectParts } from '../../../support/parts';
import type { DeployRecord } from '../../../../../src/features/deployments/redeploy/redeployResult';
import { type RedeployResult, severityOf } from '../../../../../src/features/deployments/results';
import type { Fault, FaultRule } from '../../../../localPlatform/faults/fault';
import type { VcsSetUp } from '../../../../unit/localPlatform/vcsSetUp';
import { nextEvent } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import {
  messageOf,
  assertTruthful,
  commitOnDisk,
  endProject,
  inAHurry,
  maxPolls,
  placeOfShop,
  startProject,
} from '../../../support/projects';

type FaultOf<Kind> = Omit<Extract<FaultRule['fault'], { kind: Kind }>, 'kind'>;

/** A problem with one Update, and what the user must be told. */
interface Trouble<Kind> {
  readonly fault: (setUp: VcsSetUp) => FaultOf<Kind>;
  readonly told: RedeployResult['kind'] | 'refused';
  /** Whether the end of the log was seen. */
  readonly ended?: boolean;
  /** A hook of the project fails, so the deployment fails even if the response doesn't say so. */
  readonly failing?: boolean;
  /** An action of the user without which the redeploy doesn't end. */
  readonly meanwhile?: (setUp: VcsSetUp, account: Account) => Promise<void>;
}

const lost = (ended: boolean) => ({ told: 'answerLost', ended }) as const;
const lie = JSON.stringify({ result: 0, log: 'deployed' });

/** Every fault of the platform. A fault that is added there doesn't compile until it is listed here. */
const troubles: { readonly [Kind in Fault['kind']]: Readonly<Record<string, Trouble<Kind>>> } = {
  delay: {
    'a slow response': { fault: () => ({ milliseconds: 50 }), told: 'deployed' },
    'a late response after success': { fault: () => ({ milliseconds: 50, when: 'after' }), told: 'deployed' },
  },
  distance: { 'a distant platform': { fault: () => ({ milliseconds: 100 }), told: 'deployed' } },
  bandwidth: { 'a response that arrives slowly': { fault: () => ({ bytesPerSecond: 20_000 }), told: 'deployed' } },
  drip: { 'a response that drips': { fault: () => ({ milliseconds: 1_000 }), ...lost(true) } },
  reset: {
    'a connection reset before the operation': { fault: () => ({}), ...lost(false) },
    'a connection reset after success': { fault: () => ({ when: 'after' }), ...lost(true) },
    'a connection reset after failure': { fault: () => ({ when: 'after' }), failing: true, ...lost(true) },
  },
  truncate: {
    'a truncated response': { fault: () => ({ bytes: 20 }), ...lost(true) },
    'a response without a body': { fault: () => ({ bytes: 0 }), ...lost(true) },
    'a truncated response after failure': { fault: () => ({ bytes: 20 }), failing: true, ...lost(true) },
  },
  gatewayError: {
    '504 after success': { fault: () => ({ status: 504, when: 'after' }), ...lost(true) },
    '504 after failure': { fault: () => ({ status: 504, when: 'after' }), failing: true, ...lost(true) },
    '504 before the operation': { fault: () => ({ status: 504 }), ...lost(false) },
    '502 after success': { fault: () => ({ status: 502, when: 'after' }), ...lost(true) },
    '502 after failure': { fault: () => ({ status: 502, when: 'after' }), failing: true, ...lost(true) },
    '502 before the operation': { fault: () => ({ status: 502 }), ...lost(false) },
  },
  wrongText: { 'a parameter garbled in transit': { fault: () => ({ text: 'wrong' }), told: 'refused' } },
  textResult: { 'success as a string': { fault: () => ({}), told: 'deployed' } },
  nestedFailure: {
    'a nested failure': { fault: () => ({ shape: 'response' }), told: 'failed' },
    'a nested failure of one node': {
      fault: (setUp) => ({ shape: 'responses', nodeId: setUp.nodeId(1) }),
      told: 'failed',
    },
    'a nested failure after the operation': { fault: () => ({ shape: 'response', when: 'after' }), told: 'failed' },
    'a nested failure of one node after the operation': {
      fault: (setUp) => ({ shape: 'responses', nodeId: setUp.nodeId(1), when: 'after' }),
      told: 'failed',
    },
  },
  expireSession: {
    'a session that ended just before': { fault: () => ({}), told: 'deployed', meanwhile: signInAgain },
  },
  failNode: {
    'a failure of the first node': { fault: (setUp) => ({ nodeId: setUp.nodeId(0) }), told: 'failed' },
    'a failure of the last node': { fault: (setUp) => ({ nodeId: setUp.nodeId(1) }), told: 'failed' },
  },
  diskFull: {
    'a full disk': { fault: () => ({}), told: 'failed' },
    'a full disk that empties files': { fault: () => ({ leaves: 'empty' }), told: 'failed' },
    'a full disk that leaves partial files': { fault: () => ({ leaves: 'partial' }), told: 'failed' },
  },
  hang: {
    'no response and no operation': { fault: () => ({}), ...lost(false) },
    'no response after success': { fault: () => ({ when: 'after' }), ...lost(true) },
    'no response after failure': { fault: () => ({ when: 'after' }), failing: true, ...lost(true) },
  },
  swallow: { 'a network that drops everything': { fault: () => ({}), ...lost(false) } },
  refuse: {
    'a rejection': { fault: () => ({ result: 4000, error: 'no' }), told: 'failed' },
    'a rejection after the operation': { fault: () => ({ result: 4000, error: 'no', when: 'after' }), told: 'failed' },
    'a timeout inside the platform': {
      fault: () => ({ result: 17, error: 'timeout', when: 'after' }),
      ...lost(true),
    },
    'a missing permission': { fault: () => ({ result: 8202, error: 'no' }), told: 'refused' },
    'an unknown code': { fault: () => ({ result: 99, error: 'no' }), told: 'failed' },
  },
  answer: {
    'a false success': { fault: () => ({ body: lie }), told: 'deployed' },
    'a web page with status 200': {
      fault: () => ({ body: '<html>ok</html>', contentType: 'text/html' }),
      ...lost(false),
    },
    'JSON without a result': { fault: () => ({ body: '{"log":"deployed"}', when: 'after' }), ...lost(true) },
    'an empty response': { fault: () => ({ body: '', when: 'after' }), ...lost(true) },
  },
};

/** Signs in again, so that the pending work continues. */
async function signInAgain({ platform }: VcsSetUp, account: Account): Promise<void> {
  const { accounts } = await gantry();
  if (!account.isSignedOut) {
    await nextEvent(accounts.onDidChange, () => account.isSignedOut);
  }
  await accounts.replaceToken(account.slug, { token: await platform.createSession() });
}

/** Sets the timeout for a redeploy response in seconds, or the default if undefined. */
async function giveUpAfter(long: number | undefined): Promise<void> {
  const requestTimeouts = long === undefined ? undefined : { long };
  await workspace.getConfiguration('gantry').update('requestTimeouts', requestTimeouts, ConfigurationTarget.Global);
}

describe('a redeploy during each fault of the platform', function () {
  this.timeout(limit(60_000));
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;
  /** The newest commit. `undefined` if the next test needs a new project. */
  let newest: string | undefined;
  const place = () => placeOfShop(account);
  const onDisks = () => Promise.all([commitOnDisk(setUp, 0), commitOnDisk(setUp, 1)]);
  const end = () => endProject({ setUp, account, place: place() });

  inAHurry();
  before(async () => {
    parts = (await gantry()).projects;
    ({ setUp, account } = await startProject());
    await setUp.create({ updateNow: true });
    newest = setUp.first;
  });
  // All tests share a platform. Each starts without faults and hooks, with the newest commit on both nodes.
  beforeEach(async () => {
    if (newest === undefined) {
      await end();
      ({ setUp, account } = await startProject());
      await setUp.create({ updateNow: true });
      newest = setUp.first;
    }
    setUp.platform.faults.clear();
    await setUp.succeed('EditProject', { ...setUp.editWishes, hooks: '{}' });
    if ((await onDisks()).some((commit) => commit !== newest)) {
      await setUp.succeed('Update', { context: 'ROOT' });
    }
    await parts.history.forget(place());
  });
  afterEach(() => giveUpAfter(undefined));
  after(() => end());

  for (const [kind, cases] of Object.entries(troubles)) {
    for (const [when, trouble] of Object.entries(cases)) {
      it(`reports nothing that isn't true: ${when}`, async () => {
        const first = newest;
        newest = undefined;
        // Wait only briefly for a response that never comes. Others may take as long as a busy machine needs.
        await giveUpAfter(['hang', 'swallow', 'drip'].includes(kind) ? 1 : undefined);
        const second = await setUp.repository.commit({ message: when, files: { 'index.php': `${when}\n` } });
        if (trouble.failing === true) {
          const hooks = JSON.stringify({ preBuild: 'exit 1' });
          await setUp.succeed('EditProject', { ...setUp.editWishes, hooks });
        }
        const fault = { kind, ...trouble.fault(setUp) } as FaultRule['fault'];
        parts.pace.limit = trouble.ended === false ? maxPolls.few : maxPolls.many;
        const rule = setUp.platform.faults.add({ operation: 'Update', fault });
        const running = parts.redeploys.start(await parts.plans.prepare({ place: place() }));
        await trouble.meanwhile?.(setUp, account);
        if (trouble.told === 'refused') {
          await assert.rejects(running.ended, /nothing was deployed/);
          assert.deepEqual(await onDisks(), [first, first]);
          assert.deepEqual(await parts.history.of(place()), []);
          newest = second;
          return;
        }
        const record = await running.ended;
        assert.equal(rule.hits, 1);
        assert.equal(record.verdict.kind, trouble.told, messageOf(record));
        if (record.verdict.kind === 'answerLost') {
          assert.equal(record.verdict.ended, trouble.ended);
        }
        await assertTruthful(setUp, record);
        assertToldByDisks(record, { first, second }, await onDisks());
        assert.deepEqual((await parts.history.last(place()))?.verdict, record.verdict);
        // A sign-in during the test has replaced the session.
        newest = trouble.meanwhile === undefined ? second : undefined;
      });
    }
  }
});

/** Checks the sentence itself: it may name the new commit only for nodes that have it. */
function assertToldByDisks(
  record: DeployRecord,
  { first, second }: { readonly first: string | undefined; readonly second: string },
  disks: readonly (string | undefined)[],
): void {
  const sentence = messageOf(record);
  const isEverywhere = disks.every((commit) => commit === second);
  if (/^Deployed [0-9a-f]{7} to .+? on shop( \(was [0-9a-f]{7}\))?\.|All nodes now run/.test(sentence)) {
    assert.ok(isEverywhere && sentence.includes(second.slice(0, 7)), sentence);
  }
  if (!disks.includes(second)) {
    assert.ok(!sentence.includes(second.slice(0, 7)), sentence);
  }
  if (severityOf(record.verdict) === 'success') {
    assert.ok(isEverywhere || sentence.includes(`still runs ${(first ?? '').slice(0, 7)}.`), sentence);
  }
}
