import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { after, before } from 'mocha';
import type { Account } from '../../../src/accounts/accounts';
import type { ProjectParts } from './parts';
import type { EnvironmentPlace } from '../../../src/containers/place';
import { redeployMessage } from '../../../src/features/deployments/redeploy/redeployResultText';
import { type Decide, plainly } from '../../../src/features/deployments/redeploy/ask';
import type { RedeployFlow } from '../../../src/features/deployments/redeploy/redeploy';
import type { DeployRecord } from '../../../src/features/deployments/redeploy/redeployResult';
import type { PollInterval } from '../../../src/features/deployments/redeploy/watchLostUpdate';
import { newProject, type ProjectFields } from '../../../src/features/deployments/settings/projectFields';
import type { ProjectPlace } from '../../../src/features/deployments/projectPlace';
import type { Behaviour } from '../../localPlatform/behaviour';
import { commitIn } from '../../localPlatform/vcs/gitClone';
import { credentials, VcsSetUp, webroot } from '../../unit/localPlatform/vcsSetUp';
import { gantry, signedIn } from './gantry';
import { Person } from './person';

const run = promisify(execFile);

/** After how many polls a wait for a deployment gives up: `many` is enough for any deployment to finish, even on a busy machine. */
export const maxPolls = { few: 25, many: 5_000 } as const;

/** Polls without pauses and counts polls instead of time. Only the log shows the end, and there may be many polls between two of its lines. */
export const quickPace = (limit: number = maxPolls.many): PollInterval => {
  let count = 0;
  return {
    pauses: [0],
    limit,
    stableChecks: { withLog: 2, withoutLog: Infinity },
    now: () => count++,
    wait: () => new Promise((resolve) => setImmediate(resolve)),
  };
};

/** Shortens the follow-up of a lost response in this suite. */
export function inAHurry(): void {
  const usual: Partial<PollInterval> = {};
  before(async () => {
    const { pace } = (await gantry()).projects;
    Object.assign(usual, pace);
    Object.assign(pace, quickPace());
  });
  after(async () => {
    Object.assign((await gantry()).projects.pace, usual);
  });
}

/** The setup for tests of projects. Each test creates its own project. */
export interface ProjectSetUp {
  readonly setUp: VcsSetUp;
  readonly account: Account;
  readonly place: ProjectPlace;
}

/** Starts a platform and a repository, and signs in. */
export async function startProject(behaviour: Partial<Behaviour> = {}): Promise<ProjectSetUp> {
  const setUp = await VcsSetUp.start(behaviour);
  const account = await signedIn(setUp.platform);
  return { setUp, account, place: placeOfShop(account) };
}

export async function endProject({ setUp, account, place }: ProjectSetUp): Promise<void> {
  const { accounts, projects } = await gantry();
  await projects.history.forget(place);
  await accounts.remove(account.slug);
  await setUp.stop();
}

/** The setup with a user who answers questions. */
export interface PeopledProject extends ProjectSetUp {
  readonly parts: ProjectParts;
  readonly person: Person;
}

export async function startPeopledProject(behaviour: Partial<Behaviour> = {}): Promise<PeopledProject> {
  return { ...(await startProject(behaviour)), parts: (await gantry()).projects, person: new Person() };
}

export async function endPeopledProject(at: PeopledProject): Promise<void> {
  at.person.leave();
  await endProject(at);
}

/** The input for a new project from the repository. */
export function wantedFrom({ url }: VcsSetUp): ProjectFields {
  return { ...newProject, ...credentials, url };
}

/** Returns the project's fields as the settings page shows them. */
export async function fieldsNow(place: ProjectPlace): Promise<ProjectFields> {
  return (await (await gantry()).projects.projectOperations.current(place)).fields;
}

/** Redeploys, and returns the result if there is one. Goes on whatever is at stake, unless `decide` says otherwise. */
export async function redeployed(
  { flow }: Pick<ProjectParts, 'flow'>,
  request: Parameters<RedeployFlow['perform']>[0],
  decide: Decide = () => Promise.resolve(plainly),
  options?: Parameters<RedeployFlow['perform']>[2],
): Promise<DeployRecord | undefined> {
  const ended = await flow.perform(request, decide, options);
  return ended.kind === 'ended' ? ended.record : undefined;
}

/** Resolves when something can't take a project, because something else holds it. */
export function refusedTake({ lock }: Pick<ProjectParts, 'lock'>): Promise<void> {
  const take = lock.take.bind(lock);
  return new Promise((resolve) => {
    lock.take = (...args) => {
      const held = take(...args);
      if (held === undefined) {
        lock.take = take;
        resolve();
      }
      return held;
    };
  });
}

/** Makes Gantry roll back by the commit in the settings, as on a platform that was seen to deploy it. */
export async function trustPins({ account }: ProjectPlace, kind: 'GIT' | 'SVN' = 'GIT'): Promise<void> {
  await (await gantry()).projects.pins.keep({ account, kind });
}

export function placeOfShop(account: Account, context = 'ROOT'): ProjectPlace {
  return { account: account.slug, environment: 'shop', layer: 'cp', context };
}

/**
 * Returns how often all nodes were inspected before the Update was sent, and the requests for that. A row of the Deployments
 * view may inspect them at the same time, which doesn't count.
 */
export async function inspectionsBeforeUpdate(
  { setUp, parts: { inspector, deployedStates } }: Pick<PeopledProject, 'setUp' | 'parts'>,
  work: () => PromiseLike<unknown>,
): Promise<{ readonly heads: number; readonly sent: readonly string[] }> {
  const { journal } = setUp.platform;
  const forRow = new AsyncLocalStorage<true>();
  const heads = inspector.heads.bind(inspector);
  const look = deployedStates.look.bind(deployedStates);
  let count = 0;
  const sent = () => {
    const operations = journal.arrivals.map(({ operation }) => operation);
    const end = operations.indexOf('Update');
    return end < 0 ? operations : operations.slice(0, end);
  };
  journal.reset();
  deployedStates.look = (...looked) => forRow.run(true, () => look(...looked));
  inspector.heads = (...inspected) => {
    count += forRow.getStore() === undefined && sent().length === journal.arrivals.length ? 1 : 0;
    return heads(...inspected);
  };
  try {
    await work();
  } finally {
    inspector.heads = heads;
    deployedStates.look = look;
  }
  return {
    heads: count,
    sent: sent()
      .filter((operation) => ['GetProject', 'Read'].includes(operation))
      .sort(),
  };
}

/** Returns the commit on a node's disk, or `undefined` without a clone. */
export async function commitOnDisk(setUp: VcsSetUp, node: number, context = 'ROOT'): Promise<string | undefined> {
  const folder = setUp.file(`${webroot}/${context}`, { node });
  const commit = await commitIn(folder);
  if (commit !== undefined) {
    return commit;
  }
  try {
    const { stdout } = await run('git', ['-c', 'safe.directory=*', '-C', folder, 'rev-parse', 'HEAD']);
    return stdout.trim();
  } catch {
    // Git fails if there is no clone.
    return undefined;
  }
}

/** What a redeploy's message says, with the environment's display name. */
export function messageOf(record: DeployRecord): string {
  const titleOf = ({ environment }: EnvironmentPlace) => (environment === 'shop' ? 'Saltmarsh Tea' : environment);
  return redeployMessage(record, { titleOf });
}

/** Asserts that the message to the user matches the disks, whatever went wrong. */
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
  if (verdict.kind === 'answerLost' && verdict.commit !== undefined) {
    assert.deepEqual(disks, [verdict.commit, verdict.commit], 'told to stand on every node');
  }
}
