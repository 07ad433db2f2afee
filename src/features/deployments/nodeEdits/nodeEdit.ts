import { type FilePlace, keyOf } from '../../../containers/place';
import type { Entry } from '../../../files/journal/entry';
import { digestOfText } from '../../../files/journal/journalFiles';

/** A file or folder below a project's folder that was edited through Gantry since the last deployment. */
export interface NodeEdit extends NonNullable<Entry['deployed']> {
  readonly account: string;
  readonly environment: string;
  readonly layer: string;
  readonly nodeId: number | undefined;
  readonly path: string;
  /** The file's text before the first edit, if it was read, and this window has it. `withText` also looks for it in the versions. */
  readonly before?: string | undefined;
  /** The digest of that text, also if no one has it anymore. */
  readonly digest?: string | undefined;
}
export type NodeEditKind = Pick<NodeEdit, 'what' | 'before' | 'digest' | 'archive'> & {
  /** The file's text now. */
  readonly after?: string | undefined;
};

export function placeOfEdit({ account, environment, layer, nodeId, path }: NodeEdit): FilePlace {
  const target = nodeId === undefined ? { nodeGroup: layer } : { nodeGroup: layer, nodeId };
  return { kind: 'file', account, environment, target, path };
}

export function mergeNodeEdits<T extends NodeEditKind>(
  earlier: T | undefined,
  doing: NodeEditKind,
): T | NodeEditKind | 'nothing' {
  const { what } = doing;
  if (earlier === undefined) {
    return doing;
  }
  const { before, digest } = earlier;
  if (isUndone(earlier, doing)) {
    return 'nothing';
  }
  switch (earlier.what) {
    case 'added':
      return what === 'removed' ? 'nothing' : earlier;
    case 'changed':
      return what === 'removed' ? { what, before, digest } : earlier;
    case 'removed':
      return what === 'removed' ? earlier : { what: 'changed', before, digest };
    case 'unpacked':
      return earlier;
  }
}

function isUndone({ what, digest }: NodeEditKind, { after }: NodeEditKind): boolean {
  return what !== 'unpacked' && after !== undefined && digestOfText(after) === digest;
}

/** Tells the record of a file from others. An unpacked archive has one of its own. */
export function keyFor(place: FilePlace, archive: string | undefined): string {
  return archive === undefined ? keyOf(place) : `${keyOf(place)}\n${archive}`;
}

export function withoutNode({ environment, layer, path, archive = '' }: NodeEdit): string {
  return `${environment}/${layer}${path}\n${archive}`;
}
