import type { Environment, Layer, Node } from '../containers/environment';

export interface FoundNode {
  readonly environment: Environment;
  readonly layer: Layer;
  readonly node: Node;
}

export function nodeIn(id: number, environments: readonly Environment[]): FoundNode | undefined {
  for (const environment of environments) {
    for (const layer of environment.layers) {
      const node = layer.nodes.find((candidate) => candidate.id === id);
      if (node !== undefined) {
        return { environment, layer, node };
      }
    }
  }
  return undefined;
}

/** A node as a person tells it from all others, or from those of one environment. */
export function nodeLabel({ name, id }: Node, environment: Environment, within?: Environment): string {
  const text = `${name} (${id})`;
  return environment.name === within?.name ? text : `${environment.title} · ${text}`;
}
