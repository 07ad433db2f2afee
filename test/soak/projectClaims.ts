import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import { commitOfRollback } from '../../src/features/deployments/commits';
import type { DeployRecord } from '../../src/features/deployments/redeploy/redeployResult';
import { filesBelow, type Files, type NodeState } from './nodeStates';
import type { Step } from './projectSteps';
import type { ProjectUnderTest } from './projectUnderTest';

/** What a step began with, and what came of it. */
export interface StepResult {
  readonly step: Step;
  readonly before: readonly NodeState[];
  readonly after: readonly NodeState[];
  /** The branches of the repository, with their commits. */
  readonly tipsBefore: ReadonlyMap<string, string>;
  readonly tips: ReadonlyMap<string, string>;
  /** The last redeploy that Gantry recorded during the step. */
  readonly record: DeployRecord | undefined;
  /** How many Updates the platform was sent, also by someone else. */
  readonly updates: number;
}

/** What a step did to one node. */
interface NodeResult {
  readonly node: number;
  readonly then: NodeState;
  readonly now: NodeState;
  /** The files of the commits before and after it. */
  readonly committedThen: Files;
  readonly committedNow: Files;
}

/** Asserts what holds after every step. */
export async function assertClaims(at: ProjectUnderTest, result: StepResult): Promise<void> {
  assert.equal(at.parts.lock.holder(at.place), undefined, 'something still holds the project');
  for (const [node, now] of result.after.entries()) {
    const then = result.before[node];
    assert.ok(then);
    const [committedThen, committedNow] = [
      await at.repository.filesOf(then.commit, then.tree),
      await at.repository.filesOf(now.commit, now.tree),
    ];
    const one = { node, then, now, committedThen, committedNow };
    assertCanPull(at, result, one);
    assertFiles(at, result, one);
    await assertKeptTree(result, one);
    if (!isBySomeone(result.step)) {
      await assertLossesWereNamed(at, one);
    }
    at.forgetEditsExcept(node, now.files);
  }
  await assertTruthful(at, result);
  await assertTarget(at, result);
}

const isBySomeone = ({ do: what }: Step) => what.startsWith('someone');

/** A node that could pull still can, unless someone else made its branch useless. */
function assertCanPull(
  at: ProjectUnderTest,
  { step, tips, tipsBefore }: StepResult,
  { node, then: { branch: before }, now }: NodeResult,
): void {
  const isSetBySomeone = at.foreignCommit !== undefined && at.settings.branch === at.foreignCommit;
  // A clone that's gone is made again: after its repair, or if the first Update behind a link moved it, and failed then.
  const isGone = now.commit === '' && (at.repair === 'cloneAgain' || at.settings.atomicDeploy === true);
  if (isGone || isBySomeone(step) || before === undefined || !tipsBefore.has(before) || isSetBySomeone) {
    return;
  }
  const { branch } = now;
  assert.ok(branch !== undefined, `HEAD on node ${node} is detached, which was on ${before}`);
  assert.ok(tips.has(branch) || at.deleted.has(branch), `${branch} is on node ${node}, but not in the repository`);
}

/** The files of the commit are as in the repository, or as they were edited; all others stay. */
function assertFiles(at: ProjectUnderTest, { step, updates }: StepResult, one: NodeResult): void {
  const { node, then, now, committedThen, committedNow } = one;
  if (step.do !== 'edit' && updates === 0) {
    assert.deepEqual(now.files, then.files, `node ${node} has other files, although nothing was redeployed`);
  }
  for (const [path, text] of committedNow) {
    const file = now.files.get(path);
    const isEdit = file === at.editsOn(node).get(path) || (at.repair === 'attach' && file === then.files.get(path));
    assert.ok(isEdit || file === text, `${path} on node ${node} isn't as in ${now.commit}: ${file ?? 'absent'}`);
  }
  for (const [path, text] of then.files) {
    const isLoose = !committedThen.has(path) && !committedNow.has(path);
    if (isLoose && then.commit !== '' && now.commit !== '' && at.repair === undefined && step.do !== 'edit') {
      assert.equal(now.files.get(path), text, `${path} on node ${node}, which the repository doesn't have`);
    }
  }
}

/** A zero-downtime deployment keeps the tree of the one before as it was. */
async function assertKeptTree({ updates }: StepResult, { node, then, now }: NodeResult): Promise<void> {
  const isFolder = lstatSync(then.tree, { throwIfNoEntry: false })?.isDirectory() === true;
  if (then.tree !== now.tree && updates === 1 && isFolder) {
    assert.deepEqual(await filesBelow(then.tree), then.files, `the tree before on node ${node}`);
  }
}

/** Edits are lost only if Gantry said so before, as far as it could know. */
async function assertLossesWereNamed(at: ProjectUnderTest, one: NodeResult): Promise<void> {
  const { node, then, now, committedThen, committedNow } = one;
  const lost = [...at.editsOn(node)].filter(
    ([path, text]) => then.files.get(path) === text && now.files.get(path) !== text && committedThen.get(path) !== text,
  );
  for (const [path] of lost) {
    const named = at.said
      .flatMap(({ edits }) => edits)
      .filter(({ path: other, edit }) => other === path && [undefined, at.nodeId(node)].includes(edit.nodeId));
    // Only a clone shows which files a newer commit brings.
    const isNews = !committedThen.has(path) && committedNow.has(path) && !(await at.knows(now.commit));
    const isNamed = named.some(({ fate }) => fate !== 'stops') || at.repair === 'cloneAgain' || isNews;
    assert.ok(isNamed, `nothing said that the edit of ${path} on node ${node} would be lost`);
  }
}

/** What Gantry says of the nodes is what they have. */
async function assertTruthful(at: ProjectUnderTest, { after, tips, record }: StepResult): Promise<void> {
  const heads = at.isSubversion ? [] : await at.parts.inspector.heads({ place: at.place });
  assert.deepEqual(
    heads.map(({ head }) => (head.kind === 'commit' ? [head.commit, head.branch] : [head.kind])),
    at.isSubversion ? [] : after.map(({ commit, branch }) => (commit === '' ? ['absent'] : [commit, branch])),
    'what Gantry shows as deployed',
  );
  for (const { nodeId, name, after: commit = '', unreadable } of record?.nodes ?? []) {
    const state = after[at.nodeWithId(nodeId)];
    // The logs may not show which revision a node has.
    if (unreadable === undefined && (commit !== '' || !at.isSubversion)) {
      assert.equal(commit, state?.commit, `what the record says of ${name}`);
    }
  }
  const said = record === undefined ? undefined : commitSaid(record);
  for (const { nodeId, name } of said === undefined ? [] : (record?.nodes ?? [])) {
    assert.equal(after[at.nodeWithId(nodeId)]?.commit, said, `what is said to be on ${name}`);
  }
  const { branch = '', pinnedTo } = record ?? {};
  const isByCommit = pinnedTo !== undefined && commitOfRollback(branch) === undefined;
  for (const { nodeId, name } of record?.verdict.kind === 'deployed' && !isByCommit ? record.nodes : []) {
    const on = after[at.nodeWithId(nodeId)]?.branch;
    assert.ok(on === branch || !tips.has(branch), `${name} has ${on ?? 'no branch'}, not ${branch}`);
  }
}

/** The commit that all nodes have, according to a result. */
function commitSaid({ verdict }: DeployRecord): string | undefined {
  switch (verdict.kind) {
    case 'deployed':
    case 'answerLost':
      return verdict.commit;
    case 'unverified':
      return verdict.because === 'subversion' ? `r${verdict.revision ?? ''}` : undefined;
    default:
      return undefined;
  }
}

/**
 * What seems to have worked deployed the newest commit of the branch, or the one that was wanted. A roll back never deployed
 * the newest one.
 */
async function assertTarget(at: ProjectUnderTest, result: StepResult): Promise<void> {
  const { step, before, after, tips, tipsBefore, record } = result;
  if (record === undefined) {
    return;
  }
  const { kind } = record.verdict;
  const hasWorked = kind === 'deployed' || (kind === 'unverified' && record.verdict.because === 'subversion');
  // If someone changes the branch in the middle, Gantry asks before it deploys that.
  const isSwitched = at.between !== undefined && step.trouble?.what === 'someone' && step.trouble.does === 'switches';
  const isRollBack = step.do === 'rollBack' && !isSwitched;
  const wanted = isRollBack ? at.rollsBackTo : tipWanted(at, record, tips);
  // Someone may have put a commit, or a branch that's gone, into the settings.
  for (const { nodeId } of hasWorked && wanted !== undefined ? record.nodes : []) {
    const { commit = '', tree = '' } = after[at.nodeWithId(nodeId)] ?? {};
    // A platform that keeps edits may merge what was rolled back to another branch.
    const isThere = isRollBack ? commit === wanted : await at.repository.includes(commit, wanted ?? '', tree);
    assert.ok(isThere, `node ${nodeId ?? ''} has ${commit} after the step ${step.do}, not ${wanted ?? ''}`);
  }
  if (!isRollBack) {
    return;
  }
  const newest = [...tipsBefore, ...tips].flatMap(([name, tip]) => (commitOfRollback(name) === undefined ? [tip] : []));
  for (const [node, { commit }] of after.entries()) {
    const isForward = commit !== at.rollsBackTo && commit !== before[node]?.commit && newest.includes(commit);
    assert.ok(!isForward, `the roll back deployed the newest commit to node ${node}`);
  }
}

/** The newest commit, if a redeploy should have deployed that. */
function tipWanted(
  at: ProjectUnderTest,
  { pinnedTo, branch = '' }: DeployRecord,
  tips: ReadonlyMap<string, string>,
): string | undefined {
  return pinnedTo === undefined ? tips.get(at.isSubversion ? '' : branch) : undefined;
}
