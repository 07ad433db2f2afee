import type { NodeVersion } from './serverVersion';

/** How a node fared: it holds the new text, what it held before, or something else. */
export type NodeState = 'saved' | 'unchanged' | 'other';

export interface NodeResult extends NodeVersion {
  readonly state: NodeState;
}

/** What became of a save. Only `saved` lets go of the text. */
export type SaveOutcome =
  /** Every node was seen to hold exactly the text. */
  | { readonly kind: 'saved'; readonly nodes: readonly NodeVersion[] }
  /** Nothing was written, because these nodes hold something else than the edit began with. */
  | { readonly kind: 'conflict'; readonly nodes: readonly NodeVersion[] }
  /** Nothing was changed. Without a cause the platform said that it saved, and did not. */
  | { readonly kind: 'failed'; readonly cause?: unknown }
  /** Some nodes hold the text and some do not, or one holds a third thing. */
  | { readonly kind: 'incomplete'; readonly nodes: readonly NodeResult[]; readonly cause?: unknown }
  /** It was written, or perhaps was, and the platform could not be asked what is there now. */
  | { readonly kind: 'unknown'; readonly cause: unknown };
