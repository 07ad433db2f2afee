import assert from 'node:assert/strict';
import { commitOfRollback } from '../../src/deployments/commits';
import type { DeployRecord } from '../../src/deployments/redeploy/redeployResult';
import { type Files, hasCommit, type NodeState } from './nodeStates';
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
  readonly hasUpdated: boolean;
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
  for (const [node, now] of result.after.entries()) {
    const then = result.before[node];
    assert.ok(then);
    const [committedThen, committedNow] = [
      await at.committed.of(then.commit, at.onNode(node)),
      await at.committed.of(now.commit, at.onNode(node)),
    ];
    const one = { node, then, now, committedThen, committedNow };
    assertCanPull(at, result, one);
    assertFiles(at, result, one);
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
  { node, then: { branch: before }, now: { branch } }: NodeResult,
): void {
  const isSetBySomeone = at.foreignCommit !== undefined && at.settings.branch === at.foreignCommit;
  if (isBySomeone(step) || before === undefined || !tipsBefore.has(before) || isSetBySomeone) {
    return;
  }
  assert.ok(branch !== undefined, `HEAD on node ${node} is detached, which was on ${before}`);
  assert.ok(tips.has(branch) || at.deleted.has(branch), `${branch} is on node ${node}, but not in the repository`);
}

/** The files of the commit are as in the repository, or as they were edited; all others stay. */
function assertFiles(at: ProjectUnderTest, { step, hasUpdated }: StepResult, one: NodeResult): void {
  const { node, then, now, committedThen, committedNow } = one;
  if (step.do !== 'edit' && !hasUpdated) {
    assert.deepEqual(now.files, then.files, `node ${node} has other files, although nothing was redeployed`);
  }
  for (const [path, text] of committedNow) {
    const file = now.files.get(path);
    const isEdit = file === at.editsOn(node).get(path) || (at.repair === 'attach' && file === then.files.get(path));
    assert.ok(isEdit || file === text, `${path} on node ${node} isn't as in ${now.commit}: ${file ?? 'absent'}`);
  }
  for (const [path, text] of then.files) {
    const isLoose = !committedThen.has(path) && !committedNow.has(path);
    if (isLoose && at.repair === undefined && step.do !== 'edit') {
      assert.equal(now.files.get(path), text, `${path} on node ${node}, which the repository doesn't have`);
    }
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
  const heads = await at.parts.inspector.heads({ place: at.place });
  assert.deepEqual(
    heads.map(({ head }) => (head.kind === 'commit' ? [head.commit, head.branch] : [head.kind])),
    after.map(({ commit, branch }) => [commit, branch]),
    'what Gantry shows as deployed',
  );
  const { branch = '', repoHash = '' } = at.settings;
  for (const { nodeId, name, after: commit } of record?.nodes ?? []) {
    const state = after[at.nodeWithId(nodeId)];
    assert.equal(commit, state?.commit, `what the record says of ${name}`);
    if (record?.verdict.kind === 'deployed') {
      assert.equal(state?.commit, record.verdict.commit, `what is said to be deployed to ${name}`);
      const isOn = state.branch === branch || !tips.has(branch);
      assert.ok(repoHash !== '' || isOn, `${name} has ${state.branch ?? ''}, not ${branch}`);
    }
  }
}

/** A roll back that seems to have worked deployed its commit, and never the newest one. Deploy Newest Commit did. */
async function assertTarget(
  at: ProjectUnderTest,
  { step, before, after, tips, tipsBefore, record }: StepResult,
): Promise<void> {
  if (record === undefined || (step.do !== 'rollBack' && step.do !== 'newest')) {
    return;
  }
  const wanted = step.do === 'rollBack' ? at.commitBack(step.back) : tips.get(at.settings.branch ?? '');
  // Someone may have put a commit, or a branch that's gone, into the settings.
  for (const [node, { commit }] of record.verdict.kind === 'deployed' && wanted !== undefined ? after.entries() : []) {
    // A platform that keeps edits may merge what was rolled back to another branch.
    const isMerged = step.do === 'newest' && !(await hasCommit(at.repository, commit));
    const isThere = isMerged ? await hasCommit(at.onNode(node), commit, wanted) : commit === wanted;
    assert.ok(isThere, `node ${node} has ${commit} after the step ${step.do}, not ${wanted}`);
  }
  const newest = [...tipsBefore].flatMap(([name, tip]) => (commitOfRollback(name) === undefined ? [tip] : []));
  for (const [node, { commit }] of after.entries()) {
    const isForward = commit !== wanted && commit !== before[node]?.commit && newest.includes(commit);
    assert.ok(step.do === 'newest' || !isForward, `the roll back deployed the newest commit to node ${node}`);
  }
}
