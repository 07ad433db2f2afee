import { type FilePlace, keyOf } from '../../../containers/place';
import type { Entry } from '../../../files/journal/entry';
import { digestOfText } from '../../../files/journal/journalFiles';
import type { LocalState } from '../repositories/localRepository';

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

/** Leaves out later edits of a file that was edited through several accounts: the first says what it was before. */
export function firstEdits<T extends { readonly place: FilePlace; readonly edit: NodeEdit }>(
  all: readonly T[],
): readonly T[] {
  const latestFirst = all.toReversed().sort((one, other) => other.edit.at - one.edit.at);
  const firsts = new Map(latestFirst.map((one) => [keyFor(one.place, one.edit.archive), one]));
  return all.filter((one) => firsts.get(keyFor(one.place, one.edit.archive)) === one);
}

/** What a node has at the path of an edit. */
export type CurrentFile =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'absent' | 'folder' | 'unreadable' };

/** Whether the edit is gone, so that a deployment has nothing to undo. */
export function isOver(edit: NodeEdit, now: CurrentFile, committed: LocalState | undefined): boolean {
  const { what } = edit;
  switch (now.kind) {
    case 'text':
      return isAsBefore(edit, now.text) || (committed?.kind === 'text' && committed.text === now.text);
    case 'absent':
      // A deployment doesn't restore a file that isn't in the commit.
      return what !== 'removed' || committed?.kind === 'absent';
    case 'folder':
    case 'unreadable':
      return what === 'removed';
  }
}

function isAsBefore({ what, before, digest }: NodeEdit, text: string): boolean {
  // Deleting it may have failed: then it is as it was edited before.
  const mayBe = what === 'removed' && before === undefined && digest === undefined;
  return mayBe || before === text || digest === digestOfText(text);
}
