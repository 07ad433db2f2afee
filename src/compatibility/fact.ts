import type { l10n } from 'vscode';
import type { PlannedChange } from '../containers/containers';
import type { Transport } from '../platform/sending/request';
import type { JsonObject } from '../platform/wire/scalars';

export type Localizer = Pick<typeof l10n, 't'>;

/** A text for a person. Its language is a parameter, because unit tests have no VS Code. */
export type Text = (l10n: Localizer) => string;

/** A change, and where it's made. */
export interface ChangeAt extends PlannedChange {
  /** Whether its layer has other nodes than the one that it names, or may have. */
  readonly hasSeveralNodes: boolean;
}

/** What a word of a fact means for Gantry. */
export interface Verdict {
  readonly level: 'works' | 'limited' | 'unsafe';
  /** Explains an unexpected word, and how Gantry behaves because of it. */
  readonly consequence: Text;
  /** Whether a change isn't safe, so that Gantry refuses it. */
  readonly refuses: (change: ChangeAt) => boolean;
  /** The changes that replace what exists without a warning, so that Gantry looks at their target first. */
  readonly replaces: PlannedChange['kind'] | undefined;
}

const nothing = { consequence: () => '', refuses: () => false, replaces: undefined };

export const works: Verdict = { ...nothing, level: 'works' };

export function limited(consequence: Text, replaces?: Verdict['replaces']): Verdict {
  return { ...nothing, level: 'limited', consequence, replaces };
}

export function unsafe(consequence: Text, refuses: Verdict['refuses']): Verdict {
  return { ...nothing, level: 'unsafe', consequence, refuses };
}

/** Something that can be found out about a platform, as one of a few words. */
export interface Fact<W extends string> {
  readonly label: Text;
  /** The first word is what Gantry expects. */
  readonly words: Readonly<Record<W, Verdict>>;
  /** Reads the word from the results of a check. Undefined if they don't show it. */
  readonly probe: (results: StepResults) => NoInfer<W> | undefined;
}

export function fact<W extends string>(entry: Fact<W>): Fact<W> {
  return entry;
}

/** A response, parsed as far as possible. */
export interface Reply {
  /** 0 for success. Undefined if the response has none. */
  readonly code: number | undefined;
  readonly words: string | undefined;
  readonly body: JsonObject | undefined;
  readonly date: string | undefined;
  /** When it arrived, in milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** A text that was written to a new file, and what the platform then had. */
export interface StoredText {
  readonly sent: string;
  readonly text: string;
  /** As listed. */
  readonly length: number | undefined;
  readonly lastModified: unknown;
  /** When it was listed, in milliseconds since the epoch. */
  readonly listedAt: number;
}

/** What a file's text was after another one was sent. */
export interface ChangedText {
  readonly before: string;
  readonly sent: string;
  readonly after: string;
}

/** What the steps of a check got: first by reading, then by writing. A step that wasn't taken or got nothing has no result. */
export type StepResults = { readonly [S in keyof Steps]?: Steps[S] | undefined };

interface Steps {
  /** How the account's parameters are sent. */
  readonly transport: Transport;
  /** Whether a made-up session gets another response than none, in the body and in the URL. */
  readonly takesForm: boolean;
  readonly takesQuery: boolean;
  readonly longUrl: Reply;
  /** With its parameter in upper case. */
  readonly upperCase: Reply;
  /** An upload with a made-up session. */
  readonly uploader: {
    readonly code?: number | undefined;
    readonly status?: number | undefined;
    readonly failure?: string | undefined;
  };
  readonly tokens: Reply;
  readonly sessions: Reply;
  /** Without private methods. */
  readonly methods: Reply;
  readonly policies: Reply;
  /** GetEnvs and GetEnvInfo. */
  readonly environments: readonly (Reply | undefined)[];
  readonly listing: { readonly folder: string; readonly keywords: unknown; readonly rows: readonly JsonObject[] };
  /** A listing, filtered by a part of a file's name. */
  readonly filtered: {
    readonly name: string;
    readonly part: string;
    /** The names of the files in the whole folder. */
    readonly all: readonly string[];
    readonly found: readonly string[];
  };
  /** Requests for a path that doesn't exist. */
  readonly missing: readonly (Reply | undefined)[];
  readonly smallFile: { readonly text: string; readonly length: number };

  readonly lineEnds: StoredText;
  readonly mark: StoredText;
  readonly nonAscii: StoredText;
  readonly long: StoredText;
  readonly overwritten: ChangedText;
  /** Written in append mode. */
  readonly added: ChangedText;
  readonly appended: ChangedText;
  /** Creating a file that exists, and its text afterward. */
  readonly created: { readonly isDone: boolean; readonly isKept: boolean };
  /** Whether a file still has its text after another one was renamed or copied onto it. */
  readonly isKeptByRename: boolean;
  readonly isKeptByCopy: boolean;
  readonly isMoved: boolean;
  /** Whether a file is gone that the platform reported as deleted. */
  readonly isDeleted: boolean;
  /** On how many nodes changes of their layer arrived, by the value of `masterOnly`. */
  readonly reached: { readonly true: number | undefined; readonly false: number | undefined; readonly nodes: number };
  readonly oneNode: 'honored' | 'everyNode' | 'ignored' | 'sameFolder';
  /** Creating a file on all nodes that exists on one of them. */
  readonly nodeFailure: Reply;
}

/** Reads a word from a result, if there is one. */
export function given<T, W>(result: T | undefined, read: (result: T) => W): W | undefined {
  return result === undefined ? undefined : read(result);
}

/** What a listed length counts. */
export function lengthWord(text: string | undefined, length: number | undefined) {
  if (text === undefined || length === undefined) {
    return undefined;
  }
  return length === Buffer.byteLength(text) ? 'bytes' : length === text.length ? 'characters' : 'other';
}

const longestDifference = 5 * 60 * 1000;

/** Whether a clock showed about the same as this computer's. */
export function clockWord(there: Date | undefined, here: number | undefined) {
  if (there === undefined || here === undefined || Number.isNaN(there.getTime())) {
    return undefined;
  }
  return Math.abs(there.getTime() - here) > longestDifference ? 'differs' : 'same';
}
