import { nodeLabel, type Node } from '../containers/environment';
import type { Container } from '../containers/environmentPart';

/** One request: for a node, or for a layer whose nodes aren't all known. */
export interface RestartStep {
  readonly name: string;
  readonly at: { readonly nodeId: number } | { readonly nodeGroup: string; readonly isSequential: true };
}

export function stepsFor({ environment, layer, node }: Container): readonly RestartStep[] {
  // The user may have left out a node. The platform knows all of them.
  const isListed = node !== undefined || layer.isComplete;
  return isListed
    ? nodeSteps(environment, node === undefined ? layer.nodes : [node])
    : [{ name: layer.name, at: { nodeGroup: layer.id, isSequential: true } }];
}

export function nodeSteps(environment: Container['environment'], nodes: readonly Node[]): readonly RestartStep[] {
  return nodes.map((each) => ({ name: nodeLabel(each, environment, environment), at: { nodeId: each.id } }));
}
