import type { FileChangeType } from 'vscode';
import type { FilePlace } from '../../containers/place';

export interface FileChange {
  readonly place: FilePlace;
  readonly type: FileChangeType;
  /** The unpacked archive's path. The place then means everything unpacked to its folder. */
  readonly unpacked?: string | undefined;
}

/** A file after a verified write. */
export interface Saved {
  readonly place: FilePlace;
  /** The file didn't exist before. */
  readonly isNew: boolean;
  /** The file's text before the change, if the editor had read it. */
  readonly before: string | undefined;
}

/** A change that has started and may still fail. */
export interface PendingChange {
  readonly place: FilePlace;
  readonly done: Promise<unknown>;
}
