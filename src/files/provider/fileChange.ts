import type { FileChangeType } from 'vscode';
import type { FilePlace } from '../../containers/place';

/** Something that happened to a place in a container. */
export interface FileChange {
  readonly place: FilePlace;
  readonly type: FileChangeType;
  /** The path of an archive that was unpacked: the place stands for all that came of it in its folder. */
  readonly unpacked?: string | undefined;
}

/** A file that was written and seen to hold what was written. */
export interface Saved {
  readonly place: FilePlace;
  /** Nothing was there before. */
  readonly isNew: boolean;
  /** The file's text before the change, if the editor had read it. */
  readonly before: string | undefined;
}

/** A place that is about to be changed, until it is or is not. */
export interface PendingChange {
  readonly place: FilePlace;
  readonly done: Promise<unknown>;
}
