import type { FilePlace } from '../../src/containers/place';

/** A file on a node, where no platform is needed. */
export function fileAt(path: string, { account = 'a', node = 1 } = {}): FilePlace {
  return { ...fileOnLayer(path), account, target: { nodeGroup: 'cp', nodeId: node } };
}

/** The same on the layer as a whole. */
export function fileOnLayer(path: string): FilePlace {
  return { kind: 'file', account: 'a', environment: 'shop', target: { nodeGroup: 'cp' }, path };
}
