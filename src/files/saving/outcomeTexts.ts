import { l10n, FileSystemError, type Uri } from 'vscode';
import { mayHaveHappened } from '../../platform/lostReply';
import { isCanceled, isPlatformError } from '../../platform/errors';
import { reasonText, diagnosticsLink, failureMessage, isExpected } from '../../ui/failureMessages';
import type { NodeResult, SaveOutcome } from './saveFile';
import { type NodeVersion, NeedsSeveralWritesError, type ServerVersion } from './serverFiles';
import type { CommandId } from '../../manifest';
import { type FilePlace, nameOf } from '../../containers/place';
import { escapeLinks } from '../../ui/escapeMarkup';
import { fileSystemError, isNotAFolder } from '../provider/fileSystemErrors';
import type { SaveProblem } from './saveProblems';
import type { SaveScope } from './saves';
import { normalizeText } from '../text';

/** The outcome of a save that failed, or that couldn't be confirmed. */
export type Unsaved = Exclude<SaveOutcome, { readonly kind: 'saved' }>;

/** What the save was for. */
type Work = 'saved' | 'replaced' | 'restored';

const failedTexts: Readonly<Record<Work, (file: string, why: string) => string>> = {
  saved: (file, why) => l10n.t("Couldn't save {0}: {1}.", file, why),
  replaced: (file, why) => l10n.t("Couldn't replace text in {0}: {1}.", file, why),
  restored: (file, why) => l10n.t("Couldn't restore {0}: {1}.", file, why),
};

/** For a change that may have been made, although nothing confirms it. */
const unconfirmedTexts: typeof failedTexts = {
  saved: (file, why) => l10n.t("Couldn't confirm that {0} was saved: {1}.", file, why),
  replaced: (file, why) => l10n.t("Couldn't confirm that text was replaced in {0}: {1}.", file, why),
  restored: (file, why) => l10n.t("Couldn't confirm that {0} was restored: {1}.", file, why),
};

/** Says what happened, as a sentence, and what to do next, if there's something. */
export function outcomeText(outcome: Unsaved, file: string, work: Work, next = adviceFor(outcome)): string {
  const texts = isUnconfirmed(outcome) ? unconfirmedTexts : failedTexts;
  return `${texts[work](file, outcomeReason(outcome))} ${next}`.trim();
}

/** Says the same in a line of a list. */
export function outcomeLine(outcome: Unsaved): string {
  const reason = outcomeReason(outcome);
  return isUnconfirmed(outcome) ? l10n.t("couldn't confirm the change: {0}", reason) : reason;
}

/** Whether the text may be there, or may still arrive. */
function isUnconfirmed(outcome: Unsaved): boolean {
  return outcome.kind === 'unknown' || ('cause' in outcome && mayHaveHappened(outcome.cause));
}

/** Without a period, to follow a colon. */
function outcomeReason(outcome: Unsaved): string {
  switch (outcome.kind) {
    case 'conflict':
      return l10n.t('it changed in the meantime, so nothing was written');
    case 'failed':
      return outcome.cause === undefined
        ? l10n.t("the platform reported success, but the file didn't change")
        : causeText(outcome.cause);
    case 'incomplete': {
      const nodes = nodesText(outcome.nodes);
      return outcome.cause === undefined ? nodes : l10n.t('{0} ({1})', nodes, causeText(outcome.cause));
    }
    case 'unknown':
      return causeText(outcome.cause);
  }
}

function causeText(cause: unknown): string {
  return isCanceled(cause) ? l10n.t('you stopped waiting for the platform') : reasonText(cause);
}

/** Says which nodes have the text, and what the others have. */
function nodesText(nodes: readonly NodeResult[]): string {
  const texts: Readonly<Record<NodeResult['state'], (where: string) => string>> = {
    saved: (where) => l10n.t('saved on {0}', where),
    unchanged: (where) => l10n.t('not changed on {0}', where),
    other: (where) => l10n.t('other content on {0}', where),
  };
  return (['saved', 'unchanged', 'other'] as const)
    .map((wanted) => ({ text: texts[wanted], some: nodes.filter(({ state }) => state === wanted) }))
    .flatMap(({ text, some }) => (some.length > 0 ? [text(nodeNames(some))] : []))
    .join(', ');
}

function adviceFor(outcome: Unsaved): string {
  switch (outcome.kind) {
    case 'conflict':
      return l10n.t('Check the file, then try again.');
    case 'failed':
      if (mayHaveHappened(outcome.cause)) {
        return l10n.t('Check the file.');
      }
      return outcome.cause === undefined ? l10n.t('Try again.') : '';
    case 'incomplete':
    case 'unknown':
      return l10n.t('Check the file.');
  }
}

const mostNodes = 4;

export function nodeNames(nodes: readonly NodeVersion[]): string {
  const names = nodes
    .slice(0, mostNodes)
    .map(({ node: { target } }) =>
      target.nodeId === undefined ? l10n.t('the layer') : l10n.t('node {0}', target.nodeId),
    )
    .join(', ');
  const more = nodes.length - mostNodes;
  return more > 0 ? l10n.t('{0} and {1} more', names, more) : names;
}

export interface FailedSave {
  readonly place: FilePlace;
  readonly uri: Uri;
  readonly scope: SaveScope;
  readonly text: string;
  /** Whether Gantry knows which version the text is based on. */
  readonly isBaseKnown: boolean;
  /** Whether the text is on this computer. */
  readonly isKept: boolean;
  /** Whether Gantry checks the result of an uncertain save later. */
  readonly isLookedUp: boolean;
  /** What the links in the text are for, if the user can resolve something. */
  readonly problem: SaveProblem | undefined;
}

/** Returns what the user can resolve after a save. */
export function problemIn(outcome: SaveOutcome): SaveProblem['kind'] | undefined {
  switch (outcome.kind) {
    case 'conflict':
      return 'conflict';
    case 'incomplete':
      return outcome.nodes.some(({ state }) => state === 'other') ? 'conflict' : undefined;
    case 'failed':
      return outcome.cause instanceof NeedsSeveralWritesError && outcome.cause.pieces > 0 ? 'pieces' : undefined;
    case 'saved':
    case 'unknown':
      return undefined;
  }
}

/** VS Code truncates messages to this many characters. */
const longestMessage = 1_000;
/** The approximate length of VS Code's own text in this message, without the file's name and URI. */
const wordsOfVsCode = 80;
const longest = { path: 120, cause: 250 };

/** The error that VS Code shows when a save fails: what happened, with links to possible actions. */
export function saveError(save: FailedSave, outcome: Unsaved): unknown {
  const path = shortened(save.place.path, longest.path);
  switch (outcome.kind) {
    case 'conflict': {
      const text = l10n.t('{0} Nothing was written.', conflictText(save, outcome.nodes));
      return withChoices(text, choices(save, outcome.nodes), save);
    }
    case 'failed':
      return outcome.cause === undefined
        ? unavailable(outcomeText(outcome, path, 'saved', l10n.t('Save it again.')))
        : failed(outcome.cause, save);
    case 'incomplete':
      return incompleteError(save, outcome);
    case 'unknown':
      return unconfirmed(
        outcome,
        save,
        save.isLookedUp && save.isKept
          ? l10n.t('Gantry kept your text, and checks the file as soon as the platform responds.')
          : l10n.t('When the platform responds, save it again, and Gantry checks the file first.'),
      );
  }
}

/** How a merge names the user's own text. */
export function ownSide(): string {
  return l10n.t('Yours');
}

function failed(cause: unknown, save: FailedSave): unknown {
  if (cause instanceof NeedsSeveralWritesError) {
    return piecesError(cause, save);
  }
  if (isCanceled(cause)) {
    return unavailable(l10n.t("{0} wasn't saved: you stopped waiting for the platform.", nameOf(save.place)));
  }
  if (!isPlatformError(cause)) {
    return fileSystemError(cause, save.uri);
  }
  if (!isExpected(cause) && !cause.isOutcomeUnknown && !isNotAFolder(cause)) {
    return withChoices(textOf(cause), diagnosticsLink(), save);
  }
  if (cause.isOutcomeUnknown) {
    const keptText = l10n.t("The file hasn't changed yet, and Gantry kept your text, so save it again.");
    return unconfirmed({ kind: 'unknown', cause }, save, save.isKept ? keptText : l10n.t('Save it again.'));
  }
  if (cause.kind !== 'unreachable') {
    return fileSystemError(cause, save.uri);
  }
  return save.isKept
    ? unavailable(l10n.t('{0} Nothing was written, and Gantry kept your text.', textOf(cause)))
    : unavailable(l10n.t('{0} Nothing was written.', textOf(cause)));
}

function unconfirmed(outcome: Unsaved, { place }: FailedSave, next: string): FileSystemError {
  return unavailable(outcomeText(outcome, shortened(place.path, longest.path), 'saved', next));
}

/** The error of a save whose text still has the markers of a merge, which would break the file in the container. */
export function unresolvedError(place: FilePlace, conflicts: number): FileSystemError {
  const name = nameOf(place);
  const text =
    conflicts === 1
      ? l10n.t('Nothing was written: {0} still has 1 unresolved conflict. Accept a change for it, then save.', name)
      : l10n.t(
          'Nothing was written: {0} still has {1} unresolved conflicts. Accept a change for each, then save.',
          name,
          conflicts,
        );
  return unavailable(text);
}

function unavailable(text: string): FileSystemError {
  return FileSystemError.Unavailable(escapeLinks(text));
}

/** Keeps the links intact, and shortens the text to fit. */
export function withChoices(
  text: string,
  links: string,
  { place, uri }: Pick<FailedSave, 'place' | 'uri'>,
): FileSystemError {
  const room = longestMessage - wordsOfVsCode - nameOf(place).length - uri.toString().length - links.length;
  return FileSystemError.Unavailable(`${shortened(escapeLinks(text), Math.max(room, 1))} ${links}`);
}

function piecesError({ pieces }: NeedsSeveralWritesError, save: FailedSave): FileSystemError {
  if (pieces === 0) {
    return unavailable(
      l10n.t(
        "Nothing was written: the path is too long for this platform's URLs. Use SFTP or the platform's dashboard.",
      ),
    );
  }
  const text = l10n.t(
    'The text is too long for one request to this platform, so nothing was written. Gantry can send it in {0} pieces, but the file in the container is incomplete until the last one arrives.',
    pieces,
  );
  return withChoices(text, link(l10n.t('Save in Pieces'), 'gantry.file.saveInPieces', save), save);
}

/** Only claims a change for the open file, because another node may always have had a different version. */
export function conflictText(
  { place, isBaseKnown }: Pick<FailedSave, 'place' | 'isBaseKnown'>,
  nodes: readonly NodeVersion[],
): string {
  const isOther = ({ node }: NodeVersion) =>
    place.target.nodeId !== undefined && node.target.nodeId !== place.target.nodeId;
  const is = (kind: ServerVersion['kind'], other: boolean) =>
    nodes.filter((finding) => finding.found.kind === kind && isOther(finding) === other);
  return sentences([
    [
      is('text', false),
      (where) =>
        isBaseKnown
          ? l10n.t('The file has changed on {0} since you opened it.', where)
          : l10n.t("The file on {0} may have changed: Gantry doesn't know which version your text is based on.", where),
    ],
    [
      is('absent', false),
      (where) =>
        isBaseKnown
          ? l10n.t('The file was deleted on {0} after you opened it.', where)
          : l10n.t("The file doesn't exist on {0}.", where),
    ],
    [is('text', true), (where) => l10n.t('The file is different on {0}.', where)],
    [is('absent', true), (where) => l10n.t("The file doesn't exist on {0}.", where)],
    [nodes.filter(({ found }) => found.kind === 'noFile'), (where) => l10n.t("The path isn't a file on {0}.", where)],
  ]).join(' ');
}

type NodesSentence = readonly [nodes: readonly NodeVersion[], text: (where: string) => string];

function sentences(all: readonly NodesSentence[]): readonly string[] {
  return all.filter(([nodes]) => nodes.length > 0).map(([nodes, text]) => text(nodeNames(nodes)));
}

function incompleteError(
  save: FailedSave,
  { nodes, cause }: Extract<Unsaved, { kind: 'incomplete' }>,
): FileSystemError {
  const done = nodes.filter(({ state }) => state === 'saved');
  const others = nodes.filter(({ state }) => state === 'other');
  const unchanged = nodes.filter(({ state }) => state === 'unchanged');
  const missing = others.filter(({ found }) => found.kind === 'absent');
  const isAlmost = ({ found }: NodeResult) =>
    found.kind === 'text' && normalizeText(found.text) === normalizeText(save.text);
  const altered = others.filter(isAlmost);
  const different = others.filter((result) => result.found.kind !== 'absent' && !isAlmost(result));
  const text = [
    ...(cause === undefined ? [] : [textOf(cause)]),
    ...sentences([
      [done, (where) => l10n.t('Saved on {0}.', where)],
      [unchanged, (where) => l10n.t('Not changed on {0}.', where)],
      [missing, (where) => l10n.t('The file is missing on {0} after the save.', where)],
      [
        altered,
        (where) =>
          l10n.t(
            'The file on {0} differs from your text only in its line endings or byte-order mark, which the platform may not preserve.',
            where,
          ),
      ],
      [different, (where) => l10n.t("The file on {0} doesn't match your text after the save.", where)],
    ]),
  ].join(' ');
  return others.length === 0
    ? unavailable(`${text} ${l10n.t('Save it again.')}`)
    : withChoices(text, choices(save, others), save);
}

function choices(save: FailedSave, nodes: readonly NodeVersion[]): string {
  const isText = nodes.some(({ found }) => found.kind === 'text');
  const isFile = !nodes.some(({ found }) => found.kind === 'noFile');
  const overwrite = isText ? l10n.t('Overwrite') : l10n.t('Recreate');
  return [
    ...(isText ? [link(l10n.t('Compare'), 'gantry.conflict.compare', save)] : []),
    ...(isText && save.isBaseKnown ? [link(l10n.t('Merge'), 'gantry.conflict.merge', save)] : []),
    ...(isFile ? [link(overwrite, 'gantry.conflict.overwrite', save)] : []),
    link(l10n.t('Save As…'), 'gantry.conflict.saveElsewhere', save),
  ].join(' · ');
}

function link(label: string, command: CommandId, { problem }: FailedSave): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([problem?.id]))})`;
}

function textOf(cause: unknown): string {
  const text = isPlatformError(cause) ? failureMessage(cause) : cause instanceof Error ? cause.message : String(cause);
  return shortened(text, longest.cause);
}

/** Leaves out the middle of a long text. */
function shortened(text: string, length: number): string {
  const half = Math.floor((length - 1) / 2);
  return text.length <= length ? text : `${text.slice(0, length - 1 - half)}…${half === 0 ? '' : text.slice(-half)}`;
}
