import type { ProblemElement } from '../../trees/sharedElement';
import type { FilePlace } from '../../containers/place';
import type { FoundFile, Skipped } from './folderSearch';
import type { FoundLine } from './searchQuery';

/** The rows of the Search Results view. */
export type SearchElement =
  | FoundFileElement
  | FoundLineElement
  | NotSearchedElement
  | SkippedElement
  /** Shown first if the search couldn't go on. */
  | ProblemElement;

export interface FoundFileElement {
  readonly kind: 'foundFile';
  readonly found: FoundFile;
  /** The searched folder. */
  readonly folder: FilePlace;
  readonly isUnfolded: boolean;
}

export interface FoundLineElement {
  readonly kind: 'foundLine';
  readonly file: FilePlace;
  readonly found: FoundLine;
}

/** Leads to everything that wasn't searched. */
export interface NotSearchedElement {
  readonly kind: 'notSearched';
  readonly skipped: readonly Skipped[];
  readonly folder: FilePlace;
}

export interface SkippedElement {
  readonly kind: 'skipped';
  readonly skipped: Skipped;
  readonly folder: FilePlace;
}
