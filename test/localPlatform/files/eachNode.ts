import type { Node } from '../environments/environment';
import type { Mounts } from '../mounts/mounts';
import type { Answer, Call } from '../operation';
import { Refusal } from '../refusal';
import type { Container } from './place';

/** The result of an operation on one node. */
export type NodeOutcome =
  | { readonly node: Node; readonly kind: 'done'; readonly fields: Answer }
  | { readonly node: Node; readonly kind: 'refused'; readonly refusal: Refusal };

export const containerOf = (call: Call, mounts: Mounts, node: Node): Container => {
  const failure = call.disk.failing.get(node.id);
  if (failure !== undefined) throw new Refusal(failure.result, failure.error);
  return { node, mounts, environments: call.platform.environments, disk: call.disk, as: 'containerUser' };
};

/** Returns the node for operations that read from only one of several: the master. */
export const answeringContainer = (call: Call, mounts: Mounts): Container => {
  const nodes = call.nodes();
  const node = nodes.find(({ ismaster }) => ismaster) ?? nodes[0];
  if (node === undefined) throw new Error('a call has at least one node');
  return containerOf(call, mounts, node);
};

/** Runs on one node after another, and continues after failures. */
export const onEachNode = async (
  call: Call,
  mounts: Mounts,
  nodes: readonly Node[],
  act: (container: Container) => Promise<Answer>,
): Promise<readonly NodeOutcome[]> => {
  const outcomes: NodeOutcome[] = [];
  for (const node of nodes) {
    try {
      outcomes.push({ node, kind: 'done', fields: await act(containerOf(call, mounts, node)) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ node, kind: 'refused', refusal: error });
    }
  }
  await call.platform.environments.save();
  return outcomes;
};

const firstRefusal = (outcomes: readonly NodeOutcome[]): { node: Node; refusal: Refusal } | undefined =>
  outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome] : []))[0];

/** For responses without rows per node: the first failure is the result. */
export const plainAnswer = (outcomes: readonly NodeOutcome[]): Answer => {
  const failed = firstRefusal(outcomes);
  if (failed !== undefined) {
    const where = outcomes.length > 1 ? ` on node ${failed.node.id}` : '';
    throw new Refusal(failed.refusal.result, failed.refusal.message + where);
  }
  return { source: 'JEL' };
};

const rowOf = (outcome: NodeOutcome): Answer => {
  if (outcome.kind === 'done') {
    const out = outcome.fields['out'] ?? '';
    return { nodeid: outcome.node.id, result: 0, exitStatus: 0, out, errOut: '', source: 'JEL' };
  }
  const { result, message, source, details } = outcome.refusal;
  return {
    nodeid: outcome.node.id,
    result,
    error: message,
    source,
    exitStatus: 1,
    out: '',
    errOut: message,
    ...details,
  };
};

/**
 * For responses with a row per node: a failure on every node is also the outer result. With failures on some nodes, the
 * switch decides whether the outer result is 0.
 */
export const answerWithRows = (outcomes: readonly NodeOutcome[], nodeFailures: 'nested' | 'outer'): Answer => {
  const responses = outcomes.map(rowOf);
  const failed = firstRefusal(outcomes);
  const everywhere = outcomes.every(({ kind }) => kind === 'refused');
  if (failed !== undefined && (everywhere || nodeFailures === 'outer')) {
    throw new Refusal(failed.refusal.result, failed.refusal.message, { responses });
  }
  return { source: 'JEL', responses };
};
