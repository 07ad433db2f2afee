import type { Head, NodeHead } from './nodeInspector';

export interface HeadState {
  /** A commit, or `r` and a Subversion revision. */
  readonly after?: string | undefined;
  readonly unreadable?: string | undefined;
}

/** What a project's nodes run, and the commit if they all have the same. */
type NodesNow =
  | { readonly kind: 'same'; readonly commit: string }
  | { readonly kind: 'unreadable'; readonly why: string; readonly commit?: undefined }
  | { readonly kind: 'differ'; readonly commit?: undefined }
  /** No node has a clone, or there's no node. */
  | { readonly kind: 'absent'; readonly commit?: undefined; readonly why?: undefined };

export function nodesNow(nodes: readonly HeadState[]): NodesNow {
  const [commit, ...others] = new Set(nodes.map(({ after }) => after));
  // The log on a node may show the revision of a checkout, which can't be read.
  if (commit !== undefined && others.length === 0) {
    return { kind: 'same', commit };
  }
  const why = nodes.find(({ unreadable }) => unreadable !== undefined)?.unreadable;
  return why === undefined ? { kind: others.length > 0 ? 'differ' : 'absent' } : { kind: 'unreadable', why };
}

export function headState(head: Head): HeadState {
  return {
    after: head.kind === 'commit' ? head.commit : undefined,
    ...(head.kind === 'unreadable' ? { unreadable: head.why } : {}),
  };
}

export function headsNow(heads: readonly NodeHead[]): NodesNow {
  return nodesNow(heads.map(({ head }) => headState(head)));
}
