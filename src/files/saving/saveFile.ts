import { setTimeout as pause } from 'node:timers/promises';
import { raceAbort } from '../../async/waiting';
import { timeToSend } from '../../platform/sending/request';
import { Canceled, isCanceled, isPlatformError } from '../../platform/errors';
import { resultCodes } from '../../platform/resultCodes';
import { type FilePlace, keyOf } from '../../containers/place';
import { normalizeText, utf8Length } from '../text';
import {
  type BaseVersion,
  type ServerVersion,
  holdsText,
  isSameVersion,
  readNodeVersions,
  mayBeWhole,
  type NodeVersion,
  type ReadFiles,
  type SavingFiles,
} from './serverFiles';

export interface SaveRequest {
  /** The place to write to: one node or a whole layer. */
  readonly place: FilePlace;
  /** The same file on each node that the write reaches. */
  readonly nodes: readonly FilePlace[];
  readonly text: string;
  readonly base: BaseVersion;
  /** Other versions that may be overwritten: from our own saves whose results weren't seen, or those that the user agreed to overwrite. */
  readonly accepted: readonly ServerVersion[];
  /** Whether a node only has an earlier version of the file that's open on another node. */
  readonly hasOutdatedVersion?: ((node: FilePlace, text: string) => boolean) | undefined;
  /** Called with what the nodes have, before anything is written. */
  readonly onDidCheck?: (found: readonly NodeVersion[]) => void;
}

export interface SaveLimits {
  /** The pauses between checks, in milliseconds, after a write without a response that may still be running. */
  readonly pauses: readonly number[];
  /** Milliseconds without a response after which the user can stop waiting. */
  readonly patience: number;
  /** The pauses between checks of a save with an unknown result, in milliseconds; the last one repeats. */
  readonly recheckPauses: readonly number[];
}

export const defaultSaveLimits: SaveLimits = {
  pauses: [1_000, 3_000],
  patience: 10_000,
  recheckPauses: [2_000, 5_000, 10_000, 30_000],
};

/** Checks, writes and verifies. Never throws: every result is an outcome, and only `saved` is safe. */
export async function saveFile(
  request: SaveRequest,
  files: SavingFiles,
  limits: Pick<SaveLimits, 'pauses'> = defaultSaveLimits,
): Promise<SaveOutcome> {
  // Compares even long texts, because a change can keep the length, and a node's clock can be wrong.
  const before = await settle(async () => readBefore(request, files));
  if ('error' in before) {
    return { kind: 'failed', cause: before.error };
  }
  request.onDidCheck?.(before.value);
  const conflicts = conflictsIn(request, before.value);
  if (conflicts.length > 0) {
    return { kind: 'conflict', nodes: conflicts };
  }
  if (before.value.length > 0 && before.value.every(({ found }) => holdsText(found, request.text))) {
    return { kind: 'saved', nodes: before.value, before: before.value };
  }
  // A change between the check and the write is overwritten, because the platform can't write on a condition.
  const written = await settle(() => files.write(request.place, request.text));
  return 'error' in written
    ? afterFailure(request, files, { before: before.value, cause: written.error, pauses: limits.pauses })
    : verify(request, files, before.value);
}

/** Detects that the platform stopped responding during a save, and lets the user stop sending anything. */
export function watchSilence(
  files: SavingFiles,
  patience: number,
  person: { readonly isAsking: () => boolean; readonly onSilence: (stop: () => void) => void },
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const state: { timer?: NodeJS.Timeout; isOver: boolean } = { isOver: false };
  const wait = (milliseconds: number): void => {
    clearTimeout(state.timer);
    if (state.isOver) {
      return;
    }
    state.timer = setTimeout(() => {
      if (person.isAsking()) {
        wait(patience);
      } else {
        // Notify the user only once.
        state.isOver = true;
        person.onSilence(() => stopping.abort());
      }
    }, milliseconds);
  };
  const answered = async <T>(work: () => Promise<T>, bytes = 0): Promise<T> => {
    if (signal.aborted) {
      throw notSent();
    }
    wait(patience + timeToSend(bytes));
    try {
      return await work();
    } finally {
      wait(patience);
    }
  };
  wait(patience);
  const watched: SavingFiles = {
    read: (file) => answered(() => files.read(file, { signal })),
    // Other callers may share this listing, so stop only this wait.
    lookUp: (file) => answered(() => raceAbort(files.lookUp(file), signal, notSent())),
    write: (file, text) => answered(() => files.write(file, text, { signal }), utf8Length(text)),
  };
  return {
    files: watched,
    /** Waits for work that doesn't write to the file. Rejects when the user stops waiting. */
    waitFor: <T>(work: Promise<T>): Promise<T> => raceAbort(work, signal, notSent()),
    end: () => {
      state.isOver = true;
      clearTimeout(state.timer);
      // Releases the waits; nothing is in progress anymore.
      stopping.abort();
    },
  };
}

function notSent(): Canceled {
  return new Canceled('Save', { isOutcomeUnknown: false });
}

type Expectation = Pick<SaveRequest, 'text' | 'base' | 'accepted' | 'hasOutdatedVersion'>;
type Check = Expectation & Pick<SaveRequest, 'nodes'>;

/** Returns the nodes whose versions a save would refuse to overwrite, without writing anything. */
export async function findConflicts(check: Check, files: ReadFiles): Promise<readonly NodeVersion[]> {
  return conflictsIn(check, await readBefore(check, files));
}

async function readBefore({ base, nodes }: Check, files: ReadFiles): Promise<readonly NodeVersion[]> {
  return base.kind === 'anything' ? [] : readNodeVersions(files, nodes);
}

function conflictsIn(expected: Expectation, versions: readonly NodeVersion[]): readonly NodeVersion[] {
  return versions.filter((version) => !isExpected(expected, version));
}

function isExpected({ base, text, accepted, hasOutdatedVersion }: Expectation, { node, found }: NodeVersion): boolean {
  if (holdsText(found, text) || accepted.some((known) => isSameVersion(known, found))) {
    return true;
  }
  if (found.kind === 'text' && mayBeWhole(found) && hasOutdatedVersion?.(node, found.text) === true) {
    return true;
  }
  if (base.kind !== 'version') {
    return base.kind === 'anything';
  }
  const { version, approximate = false } = base;
  return (
    found.kind === 'text' &&
    mayBeWhole(found) &&
    (approximate ? normalizeText(found.text) === normalizeText(version.text) : found.text === version.text)
  );
}

/** Reads the whole text, however long, because a wrong text can have the same length. */
async function verify(request: SaveRequest, files: SavingFiles, before: readonly NodeVersion[]): Promise<SaveOutcome> {
  const after = await settle(() => readResults(request, files, before));
  return 'error' in after ? { kind: 'unknown', cause: after.error } : conclude(after.value, before);
}

interface Failure {
  readonly before: readonly NodeVersion[];
  readonly cause: unknown;
  readonly pauses: readonly number[];
}

/** Never repeats a failed write. Reads the current content to determine the outcome. */
async function afterFailure(
  request: SaveRequest,
  files: SavingFiles,
  { before, cause, pauses }: Failure,
): Promise<SaveOutcome> {
  if (isCertain(cause) && isTurnedAway(cause)) {
    return { kind: 'failed', cause };
  }
  for (let look = 0; ; look++) {
    const now = await settle(() => readResults(request, files, before));
    if ('error' in now) {
      return hasNotBegun(cause, request) ? { kind: 'failed', cause } : { kind: 'unknown', cause };
    }
    const outcome = before.length > 0 ? conclude(now.value, before, cause) : concludeUnseen(now.value, cause);
    const wait = isCertain(cause) ? undefined : pauses[look];
    if (outcome.kind === 'saved' || wait === undefined) {
      return outcome;
    }
    await pause(wait);
  }
}

/** Whether the platform rejected the write, so that it isn't running. Some of several nodes may have written it. */
function isCertain(error: unknown): boolean {
  return isPlatformError(error) && !error.isOutcomeUnknown;
}

/** Whether the write was refused before anything was done, so that checking would fail too. */
function isTurnedAway(error: unknown): boolean {
  if (!isPlatformError(error)) {
    return false;
  }
  const { kind, result, nodes } = error;
  const isWrongState = result === resultCodes.wrongState && nodes.every((node) => node.result !== 0);
  return kind === 'unauthenticated' || kind === 'tokenLacksMethod' || isWrongState;
}

/** Whether the write was never sent, or was rejected by its only node. */
function hasNotBegun(error: unknown, { nodes }: SaveRequest): boolean {
  if (isCanceled(error)) {
    return !error.isOutcomeUnknown;
  }
  if (!isPlatformError(error) || error.isOutcomeUnknown) {
    return false;
  }
  const wasSent = error.result !== undefined || error.status !== undefined;
  return !wasSent || (error.kind === 'forbidden' && nodes.length === 1);
}

/** Without a check before the write, it isn't known what it changed. */
function concludeUnseen(nodes: readonly NodeResult[], cause: unknown): SaveOutcome {
  if (nodes.every(({ state }) => state === 'saved')) {
    return { kind: 'saved', nodes, before: [] };
  }
  return isCertain(cause) ? { kind: 'failed', cause } : { kind: 'unknown', cause };
}

function conclude(nodes: readonly NodeResult[], before: readonly NodeVersion[], cause?: unknown): SaveOutcome {
  if (nodes.every(({ state }) => state === 'saved')) {
    return { kind: 'saved', nodes, before };
  }
  return nodes.every(({ state }) => state === 'unchanged')
    ? { kind: 'failed', cause }
    : { kind: 'incomplete', nodes, cause };
}

async function readResults(
  { nodes, text }: SaveRequest,
  files: SavingFiles,
  before: readonly NodeVersion[],
): Promise<readonly NodeResult[]> {
  const stateOf = ({ node, found }: NodeVersion): NodeState => {
    const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
    const isUnchanged = earlier !== undefined && isSameVersion(earlier, found);
    return holdsText(found, text) ? 'saved' : isUnchanged ? 'unchanged' : 'other';
  };
  return (await readNodeVersions(files, nodes)).map((finding) => ({ ...finding, state: stateOf(finding) }));
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    // Not swallowed: it becomes the cause of the outcome.
    return { error };
  }
}

/** A node's content after a save: the new text, the previous content, or something else. */
type NodeState = 'saved' | 'unchanged' | 'other';

export interface NodeResult extends NodeVersion {
  readonly state: NodeState;
}

/** The outcome of a save. Only `saved` discards an editor's backup. */
export type SaveOutcome =
  /** Every node was verified to have exactly the text. `before`: what they had, unless any content could be overwritten. */
  | { readonly kind: 'saved'; readonly nodes: readonly NodeVersion[]; readonly before: readonly NodeVersion[] }
  /** Nothing was written, because these nodes don't have the base version. */
  | { readonly kind: 'conflict'; readonly nodes: readonly NodeVersion[] }
  /**
   * Nothing has changed. Without a cause, the platform reported success anyway. If the response to the write was lost
   * (`mayHaveHappened`), the write may still arrive.
   */
  | { readonly kind: 'failed'; readonly cause?: unknown }
  /** Some nodes don't have the text, or one has other content. */
  | { readonly kind: 'incomplete'; readonly nodes: readonly NodeResult[]; readonly cause?: unknown }
  /** The text may have been written, but the platform couldn't be asked for the current content. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** Why a text is saved, unless a person typed it. `batch`: the replacement that it's a part of. */
export type SaveReason = { readonly cause: 'restore' } | { readonly cause: 'replace'; readonly batch: string };

/** What each node has after a verified save, and had before. */
export type SavedFiles = Extract<SaveOutcome, { kind: 'saved' }> & {
  readonly reason?: SaveReason | { readonly cause: 'append' };
  /** When it was made, if that was only found out now. */
  readonly madeAt?: number;
  /** The file system doesn't announce it: it reached only some of its nodes, or its result was found out later. */
  readonly isUnannounced?: true;
};
