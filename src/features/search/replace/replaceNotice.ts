import { commands, l10n } from 'vscode';
import { pathNaming } from '../../../containers/locationText';
import { type FilePlace, keyOf, nameOf } from '../../../containers/place';
import { uriOf } from '../../../containers/uris';
import { outcomeLine, outcomeText } from '../../../files/saving/outcomeTexts';
import { compareButton, foundInstead } from '../../../files/saving/restoreTexts';
import { NeedsSeveralWritesError } from '../../../files/saving/serverFiles';
import type { CommandId } from '../../../manifest';
import type { Services } from '../../../services';
import { showBatchReport } from '../../../ui/batchOutcomes';
import { fileCount } from '../../../ui/countText';
import { confirm, type OtherButtons, showInformationMessage } from '../../../ui/notifications';
import { withProgress } from '../../../ui/progress';
import { type FileOutcome, type ReplacedFile, type ReplaceInFilesDeps, replaceOnAllNodes } from './replaceInFiles';

const restartCommand: CommandId = 'gantry.service.restart';
/** The most files that a message or a row names. */
const maxNamed = 3;

interface ReplaceReport {
  readonly outcomes: readonly ReplacedFile[];
  readonly isCanceled: boolean;
  /** What can follow if a file was changed, by its button. */
  readonly next: OtherButtons;
}

/** Says what was replaced, and offers what can follow, such as undoing it. */
export function reportReplaced(replaced: ReplaceReport): void {
  const { outcomes, isCanceled } = replaced;
  const files = outcomes.length;
  const done = outcomes.flatMap(({ outcome }) => (isReplaced(outcome) ? [outcome] : []));
  const matches = done.reduce((sum, { count }) => sum + count, 0);
  const rest = unsavedText(outcomes);
  const [first] = outcomes;
  const some = l10n.t('Replaced text in {0} of {1} files.', done.length, files);
  const several = isCanceled ? `${l10n.t('Replacement canceled.')} ${some}` : some;
  report(replaced, {
    all: [
      l10n.t('Replaced {0}.', amountText(matches, files)),
      rest || l10n.t('To undo this later, run Undo Replacement.'),
    ].join(' '),
    some: `${files === 1 && first !== undefined ? oneFileText(first, 'replaced') : several} ${rest}`.trim(),
  });
}

/** Says nothing if the person canceled before anything was changed. */
function report(
  { outcomes, isCanceled, next }: ReplaceReport,
  text: { readonly all: string; readonly some: string },
): void {
  const done = outcomes.filter(({ outcome }) => isReplaced(outcome)).length;
  const offered: OtherButtons = done > 0 ? next : new Map();
  if (done === outcomes.length) {
    void showInformationMessage(text.all, ...offered.keys()).then((chosen) => offered.get(chosen ?? '')?.());
  } else if (done > 0 || !isCanceled || hasProblem(outcomes)) {
    void showDetails(text.some, outcomes, 'replaced', offered);
  }
}

/** What a save offers: undoing it, saving to the other nodes, and a restart that reads a configuration again. */
export function nextAfter(
  { name, outcomes }: { readonly name: string; readonly outcomes: readonly ReplacedFile[] },
  services: Services,
  work: ReplaceInFilesDeps,
  undoIt: () => Promise<void>,
): OtherButtons {
  const saved = outcomes.flatMap(({ file, outcome }) => (outcome.kind === 'saved' ? [file] : []));
  const isReplacedToo = new Set(saved.map(keyOf));
  const others = new Map(
    saved.flatMap((file) => {
      const nodes = otherNodes(file, services).filter((node) => !isReplacedToo.has(keyOf(node)));
      return nodes.length === 0 ? [] : [[keyOf(file), nodes] as const];
    }),
  );
  const { savedConfigurations, accounts } = services;
  const configuration = saved.find(
    (file) => savedConfigurations.has(file) && accounts.find(file.account)?.lacks('RestartServices') === false,
  );
  const restart: (readonly [string, () => unknown])[] = configuration
    ? [[l10n.t('Restart Service…'), () => commands.executeCommand(restartCommand, uriOf(configuration))]]
    : [];
  const saveToAll = async () => {
    const title = l10n.t('Saving {0} on all nodes', fileCount(others.size));
    const done = await withProgress(title, async ({ signal }) => ({
      outcomes: await replaceOnAllNodes(name, others, work, { signal }),
      isCanceled: signal.aborted,
    }));
    reportOnAllNodes({ ...done, next: new Map(restart) });
  };
  return new Map([
    [l10n.t('Undo'), () => undoIt().catch(services.report)],
    ...(others.size === 0 ? [] : [[l10n.t('Save to All Nodes'), () => saveToAll().catch(services.report)] as const]),
    ...restart,
  ]);
}

function otherNodes(file: FilePlace, { environments }: Services): readonly FilePlace[] {
  const { account, environment, target } = file;
  const { nodes = [] } = environments.knownLayer(account, environment, target.nodeGroup) ?? {};
  return target.nodeId === undefined
    ? []
    : nodes.flatMap(({ id }) => (id === target.nodeId ? [] : [{ ...file, target: { ...target, nodeId: id } }]));
}

/** Says which files all nodes have now. */
function reportOnAllNodes(saved: ReplaceReport): void {
  const files = fileCount(saved.outcomes.length);
  const done = saved.outcomes.filter(({ outcome }) => isReplaced(outcome)).length;
  report(saved, {
    all: l10n.t('Saved {0} on all nodes.', files),
    some: l10n.t('Saved {0} of {1} on all nodes.', done, files),
  });
}

/** Whether a file that was started wasn't changed as wanted. */
function hasProblem(outcomes: readonly ReplacedFile[]): boolean {
  return outcomes.some(({ outcome }) => !isReplaced(outcome) && outcome.kind !== 'notTried');
}

/** Says that changes in editors still have to be saved. */
function unsavedText(outcomes: readonly ReplacedFile[]): string {
  const unsaved = outcomes.filter(({ outcome }) => outcome.kind === 'unsaved').length;
  if (unsaved === 0) {
    return '';
  }
  return unsaved === 1
    ? l10n.t('1 file has unsaved changes. Save it to finish.')
    : l10n.t('{0} files have unsaved changes. Save them to finish.', unsaved);
}

/** Says which files weren't restored because of what was typed in them. */
function editedText(outcomes: readonly ReplacedFile[]): string {
  const files = outcomes.flatMap(({ file, outcome }) => (outcome.kind === 'edited' ? [file] : []));
  return files.length === 0
    ? ''
    : l10n.t(
        'Skipped {0} because of unsaved changes: undo or revert them, then run Undo Replacement again.',
        fileNamesText(files),
      );
}

/** The names of the first files. */
export function fileNamesText(files: readonly FilePlace[]): string {
  return files.slice(0, maxNamed).map(nameOf).join(', ') + (files.length > maxNamed ? ', …' : '');
}

type ReplacedOutcome = Extract<FileOutcome, { readonly count: number }>;

export function isReplaced(outcome: FileOutcome): outcome is ReplacedOutcome {
  return outcome.kind === 'saved' || outcome.kind === 'unsaved';
}

/** Says how many files have problems, and which on request. */
async function showDetails(
  text: string,
  outcomes: readonly ReplacedFile[],
  work: 'replaced' | 'restored',
  next: OtherButtons,
): Promise<void> {
  const nameFor = pathNaming(outcomes.map(({ file }) => file));
  await showBatchReport({
    headline: text,
    severity: 'warning',
    next,
    errors: outcomes.flatMap(({ outcome }) => ('cause' in outcome ? (outcome.cause ?? []) : [])),
    details: outcomes.map(({ file, outcome }) => `${nameFor(file)}: ${detailText(outcome, work)}`),
  });
}

/** Returns the outcome for a single file that wasn't changed as wanted, as a sentence. */
function oneFileText({ file, outcome }: ReplacedFile, work: 'replaced' | 'restored'): string {
  if (outcome.kind === 'edited') {
    return editedText([{ file, outcome }]);
  }
  // A file that changed since isn't restored by another try.
  const next = work === 'restored' && outcome.kind === 'conflict' ? l10n.t('Check the file.') : undefined;
  return isReplaced(outcome) || outcome.kind === 'notTried'
    ? `${nameOf(file)}: ${detailText(outcome, work)}`
    : outcomeText(outcome, nameOf(file), work, next);
}

function detailText(outcome: FileOutcome, work: 'replaced' | 'restored'): string {
  switch (outcome.kind) {
    case 'saved':
      return work === 'replaced' ? l10n.t('replaced') : l10n.t('restored');
    case 'unsaved':
      return l10n.t('changed in the editor, not saved yet');
    case 'edited':
      return l10n.t('skipped because of unsaved changes');
    case 'notTried':
      return l10n.t('not attempted');
    default:
      return outcomeLine(outcome);
  }
}

interface Run {
  readonly outcomes: readonly ReplacedFile[];
  readonly isCanceled: boolean;
}

/** Runs again for texts that the platform takes only in several requests, if the person agrees. */
export async function withPieces<R extends Run>(
  first: R,
  { agreeToPieces }: { readonly agreeToPieces: (file: FilePlace) => void },
  run: (files: readonly FilePlace[]) => Promise<Run>,
): Promise<R> {
  const tooLong = first.outcomes.flatMap(({ file, outcome }) =>
    outcome.kind === 'failed' && outcome.cause instanceof NeedsSeveralWritesError && outcome.cause.pieces > 0
      ? [file]
      : [],
  );
  if (first.isCanceled || tooLong.length === 0) {
    return first;
  }
  const question =
    tooLong.length === 1
      ? l10n.t('Save {0} in pieces?', fileNamesText(tooLong))
      : l10n.t('Save {0} files in pieces?', tooLong.length);
  const paragraphs = [
    tooLong.length === 1 ? undefined : fileNamesText(tooLong),
    l10n.t(
      'The text is too long for one request to this platform. A file in the container is incomplete until its last piece arrives.',
    ),
  ];
  if (!(await confirm(question, paragraphs, l10n.t('Save in Pieces')))) {
    return first;
  }
  tooLong.forEach(agreeToPieces);
  const { outcomes, isCanceled } = await run(tooLong);
  // The others may have been tried again as well, but their first outcome is the one that counts.
  const again = new Set(tooLong.map(keyOf));
  const newer = new Map(
    outcomes.flatMap(({ file, outcome }) => (again.has(keyOf(file)) ? [[keyOf(file), outcome] as const] : [])),
  );
  return {
    ...first,
    isCanceled,
    outcomes: first.outcomes.map(({ file, outcome }) => ({ file, outcome: newer.get(keyOf(file)) ?? outcome })),
  };
}

/** How many matches in how many files. */
export function amountText(matches: number, files: number): string {
  if (matches === 1) {
    return l10n.t('1 match in 1 file');
  }
  return files === 1 ? l10n.t('{0} matches in 1 file', matches) : l10n.t('{0} matches in {1} files', matches, files);
}

/**
 * Says which files have their earlier texts again.
 * @param compare shows the others beside these texts
 */
export async function reportUndone(
  outcomes: readonly ReplacedFile[],
  isCanceled: boolean,
  compare: (others: readonly ReplacedFile[]) => Promise<void>,
): Promise<void> {
  const restored = outcomes.filter(({ outcome }) => isReplaced(outcome)).length;
  const rest = unsavedText(outcomes);
  const [first] = outcomes;
  const canceled = l10n.t('Undo canceled. Restored {0} of {1}.', restored, fileCount(outcomes.length));
  if (isCanceled && restored < outcomes.length && !hasProblem(outcomes)) {
    if (restored > 0) {
      void showInformationMessage(canceled);
    }
    return;
  }
  if (restored === outcomes.length) {
    const text = restored === 1 ? l10n.t('Restored 1 file.') : l10n.t('Restored {0} files.', restored);
    void showInformationMessage(`${text} ${rest}`.trim());
    return;
  }
  const several = isCanceled ? canceled : l10n.t('Restored {0} of {1} files.', restored, outcomes.length);
  const text =
    outcomes.length === 1 && first !== undefined
      ? oneFileText(first, 'restored')
      : [several, editedText(outcomes), rest].filter(Boolean).join(' ');
  const others = outcomes.filter(({ outcome }) => isOther(outcome));
  const comparing = [compareButton(), () => compare(others)] as const;
  await showDetails(text, outcomes, 'restored', new Map(others.length > 0 ? [comparing] : []));
}

/** Whether the file, or its editor, has something else than what was replaced there. */
function isOther(outcome: ReplacedFile['outcome']): boolean {
  return outcome.kind === 'edited' || (outcome.kind === 'conflict' && foundInstead(outcome).length > 0);
}
