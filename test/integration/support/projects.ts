import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Account } from '../../../src/accounts/accounts';
import type { DeployRecord } from '../../../src/projects/deployRecord';
import type { Pace } from '../../../src/projects/followUp';
import type { ProjectPlace } from '../../../src/projects/projectPlace';
import { webroot, type VcsSetUp } from '../../unit/localPlatform/vcsSetUp';
import { gantry } from './gantry';

const run = promisify(execFile);

/** Quick looks: the local platform is never silent between two steps. */
const quickPace: Pace = {
  pauses: [0],
  limit: 3_000,
  restful: { told: 2, untold: 20 },
  now: Date.now,
  wait: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Lets a lost answer be followed up quickly until the returned function is called. */
export async function inAHurry(): Promise<() => void> {
  const { pace } = (await gantry()).projects;
  const usual = { ...pace };
  Object.assign(pace, quickPace);
  return () => {
    Object.assign(pace, usual);
  };
}

export function placeOfShop(account: Account, context = 'ROOT'): ProjectPlace {
  return { account: account.slug, environment: 'shop', layer: 'cp', context };
}

/** The commit that really stands on a node's disk; `undefined` where there is no clone. */
export async function commitOnDisk(setUp: VcsSetUp, node: number, context = 'ROOT'): Promise<string | undefined> {
  const folder = setUp.file(`${webroot}/${context}`, { node });
  try {
    const { stdout } = await run('git', ['-c', 'safe.directory=*', '-C', folder, 'rev-parse', 'HEAD']);
    return stdout.trim();
  } catch {
    // git says so by failing.
    return undefined;
  }
}

/** What the person is told must be what the disks say, whatever went wrong on the way. */
export async function assertTruthful(setUp: VcsSetUp, record: DeployRecord): Promise<void> {
  const disks = await Promise.all([commitOnDisk(setUp, 0), commitOnDisk(setUp, 1)]);
  const { verdict } = record;
  for (const [index, { after, name }] of record.nodes.entries()) {
    if (after !== undefined) {
      assert.equal(after, disks[index], `what is told of ${name}`);
    }
  }
  if (verdict.kind === 'deployed') {
    assert.deepEqual(disks, [verdict.commit, verdict.commit], 'told to be deployed');
  }
  if (verdict.kind === 'answerLost' && verdict.stands !== undefined) {
    assert.deepEqual(disks, [verdict.stands, verdict.stands], 'told to stand on every node');
  }
}
