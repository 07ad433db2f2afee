import { commands, FileChangeType, l10n } from 'vscode';
import { childOf, type FilePlace, isPathWithin, nameOf } from '../../containers/place';
import type { FileChange } from '../../files/provider/containerFileSystem';
import { likenessOfPlaces } from '../../files/provider/moves';
import { type Plan, type PlannedFile, planTransfer } from '../../files/transfers/plan';
import { runPlan } from '../../files/transfers/runPlan';
import type { ListedVersion, Source, TransferReport, TransferTarget } from '../../files/transfers/transfer';
import { isCanceled } from '../../platform/errors';
import { mayHaveHappened } from '../../platform/lostReply';
import { showBatchReport } from '../../ui/batchOutcomes';
import { reasonText } from '../../ui/failureMessages';
import { confirm, modalLines, showFailure, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import type { ShownTexts } from '../../ui/shownTexts';
import { showStatusMessage } from '../../ui/statusBar';
import type { Services } from '../../services';

export interface Transfer {
  readonly kind: TransferKind;
  /** The destination, as the user knows it. */
  readonly folder: string;
  readonly sources: readonly Source[];
  readonly destination: TransferTarget;
  /** Names the destination in questions, if it's a production environment. */
  readonly production?: string | undefined;
  /** What the user has seen of existing files. */
  readonly seen?: Versions;
  /** The user has already agreed to replace these versions. */
  readonly replaceSeen?: boolean;
  /** Called each time it has run, also for a retry. Without a report, it isn't known what arrived. */
  readonly onDidRun?: (plan: Plan, report: TransferReport | undefined) => void;
  /** Called with what was transferred so far, also after a retry. */
  readonly onDidTransfer?: ((transferred: Transferred) => Promise<void>) | undefined;
}

/** The versions of existing files, by their paths. */
type Versions = ReadonlyMap<string, ListedVersion>;

/** What all attempts have transferred, and what existed before the first. */
export type Transferred = TransferReport & Pick<Plan, 'existing'>;

/** Plans, confirms, runs and reports a transfer. */
export async function runTransfer(transfer: Transfer, texts: ShownTexts): Promise<void> {
  const plan = await withProgress(transferText(transfer).progress, ({ signal, say }) => {
    say(l10n.t('Preparing…'));
    return planTransfer(transfer.sources, transfer.destination, signal);
  });
  const agreed = await askAboutExisting(plan, transfer, transfer.replaceSeen === true ? transfer.seen : undefined);
  if (agreed === undefined) {
    return;
  }
  const report = await run(transfer, plan, agreed);
  const transferred = { ...report, existing: plan.existing };
  tell({ transfer, report, agreed, transferred }, texts).catch((error: unknown) => {
    if (!isCanceled(error)) {
      void showFailure({}, error);
    }
  });
  await transfer.onDidTransfer?.(transferred);
}

/** Transfers to a folder of a container, and announces what arrived there. */
export function transferInto(
  folder: FilePlace,
  transfer: Omit<Transfer, 'destination' | 'onDidRun'>,
  { folders, texts, announce }: Services,
): Promise<void> {
  const onDidRun = (plan: Plan, report: TransferReport | undefined) => {
    const tell = (paths: readonly string[], isCertain: boolean) => {
      if (paths.length > 0) {
        announce(changesIn(folder, paths, plan), { isCertain });
      }
    };
    // A part of what failed may have arrived.
    const failed: readonly Failed[] = report?.failures ?? [...plan.folders, ...plan.files];
    tell(pathsOf(failed.filter((one) => !mayHaveReplaced(one))), false);
    tell([...pathsOf(failed.filter(mayHaveReplaced)), ...(report === undefined ? [] : arrivedOf(plan, report))], true);
  };
  return runTransfer({ ...transfer, destination: folders.destination(folder), onDidRun }, texts);
}

type Failed = Partial<TransferReport['failures'][number]> & { readonly path: string };

/** Whether the file may have other content now, which a redeploy must not discard without a question. */
function mayHaveReplaced({ error, isSent }: Failed): boolean {
  return isSent === true || mayHaveHappened(error);
}

function arrivedOf({ folders, existing }: Plan, { done, failures }: TransferReport): readonly string[] {
  const made = pathsOf(folders).filter(
    (path) => !existing.has(path) && !failures.some((failure) => isPathWithin(path, failure.path)),
  );
  return [...made, ...done];
}

function pathsOf(all: readonly { readonly path: string }[]): readonly string[] {
  return all.map(({ path }) => path);
}

/** Of a new folder with what is in it, the folder is the change. */
function changesIn(folder: FilePlace, paths: readonly string[], { existing }: Pick<Plan, 'existing'>): FileChange[] {
  const changes = new Map<string, FileChangeType>();
  for (const path of paths) {
    const names = path.split('/');
    const created = names.map((_, index) => names.slice(0, index + 1).join('/')).find((one) => !existing.has(one));
    changes.set(created ?? path, created === undefined ? FileChangeType.Changed : FileChangeType.Created);
  }
  return [...changes].map(([path, type]) => ({ place: childOf(folder, path), type }));
}

async function run(transfer: Transfer, plan: Plan, agreed: Versions): Promise<TransferReport> {
  let report: TransferReport | undefined;
  try {
    report = await withProgress(transferText(transfer).progress, ({ signal, say }) =>
      runPlan(plan, { mayReplace: (file) => isAgreed(file, agreed), signal, onProgress: say }),
    );
    return report;
  } finally {
    transfer.onDidRun?.(plan, report);
  }
}

function isAgreed({ path, existing }: PlannedFile, agreed: Versions): boolean {
  return agreed.has(path) && agreed.get(path) === existing?.version;
}

/** Returns which files may be replaced, or `undefined` if canceled. */
async function askAboutExisting(
  plan: Pick<Plan, 'files'>,
  { production, seen = new Map() }: Pick<Transfer, 'production' | 'seen'>,
  agreed: Versions = new Map(),
): Promise<Versions | undefined> {
  const asked = plan.files.filter((file) => file.existing !== undefined && !isAgreed(file, agreed));
  const existing = asked.map(({ path }) => path);
  if (existing.length === 0) {
    return agreed;
  }
  const question =
    existing.length === 1
      ? l10n.t('“{0}” already exists. Replace it?', existing.join())
      : l10n.t('{0} of {1} files already exist. Replace them?', existing.length, plan.files.length);
  let others: Versions | undefined;
  const skip = () => (others = agreed);
  const mayReplace = await confirm(
    question,
    [
      production,
      changedText(asked, new Map([...seen, ...agreed])),
      existing.length === 1 ? undefined : modalLines(existing),
    ],
    l10n.t('Replace'),
    new Map(existing.length < plan.files.length ? [[l10n.t('Skip Existing'), skip]] : []),
  );
  return mayReplace
    ? new Map([...agreed, ...asked.map(({ path, existing: at }) => [path, at?.version] as const)])
    : others;
}

/** Says which files the user knows in another version. */
function changedText(asked: readonly PlannedFile[], known: Versions): string | undefined {
  const changed = asked.filter(({ path, existing }) => known.has(path) && known.get(path) !== existing?.version);
  if (changed.length === 0) {
    return undefined;
  }
  return asked.length === 1
    ? l10n.t('It was changed in the meantime.')
    : l10n.t('Changed in the meantime: {0}', changed.map(({ path }) => path).join(', '));
}

interface Outcome {
  readonly transfer: Transfer;
  readonly report: TransferReport;
  readonly agreed: Versions;
  readonly transferred: Transferred;
}

async function tell(outcome: Outcome, texts: ShownTexts): Promise<void> {
  const { transfer, report } = outcome;
  const { done, failures } = report;
  if (failures.length === 0) {
    if (report.isCanceled) void showInformationMessage(headlineOf(transfer, report));
    else showStatusMessage('check', transferText(transfer).done(done.length), 5000);
    return;
  }
  await showBatchReport({
    headline: headlineOf(transfer, report),
    errors: failures.map(({ error }) => error),
    details: async () => {
      const uri = texts.add(l10n.t('Transfer details.md'), reportText(transfer, report));
      await commands.executeCommand('vscode.open', uri);
    },
    next: new Map([[l10n.t('Retry'), () => tryAgain(outcome, texts)]]),
  });
}

function headlineOf(transfer: Transfer, report: TransferReport): string {
  const { done, skipped, failures } = report;
  const [first, ...others] = failures;
  const text = transferText(transfer);
  if (report.isCanceled) {
    if (failures.some(({ error }) => mayHaveHappened(error))) {
      return l10n.t('Canceled. The platform may still make the change.');
    }
    return text.canceled(done.length, done.length + skipped.length + failures.length);
  }
  return first !== undefined && others.length === 0 && done.length === 0
    ? text.failedOne(first.path, reasonText(first.error))
    : text.failed(failures.length, done.length + failures.length);
}

function reportText(transfer: Transfer, { done, skipped, failures }: TransferReport): string {
  const list = (paths: readonly string[]) => paths.map((path) => `- ${path}`).join('\n');
  const parts = [
    `# ${transferText(transfer).heading}`,
    `## ${l10n.t('Failed')} (${failures.length})\n\n${list(failures.map(({ path, error }) => `${path}: ${reasonText(error)}`))}`,
    skipped.length > 0 && `## ${l10n.t('Skipped')} (${skipped.length})\n\n${list(skipped)}`,
    done.length > 0 && `## ${l10n.t('Done')} (${done.length})\n\n${list(done)}`,
  ];
  return `${parts.filter((part) => part !== false).join('\n\n')}\n`;
}

/**
 * Retries only what failed. Asks about every file that the person hasn't agreed to replace, even if it was transferred in
 * part: what a listing shows may be someone else's.
 */
async function tryAgain({ transfer, report, agreed, transferred }: Outcome, texts: ShownTexts): Promise<void> {
  const { failures } = report;
  const failed = (path: string) => failures.some((one) => path === one.path || path.startsWith(`${one.path}/`));
  const isAbove = (path: string) => failures.some((one) => one.path.startsWith(`${path}/`));
  const whole = await withProgress(transferText(transfer).progress, ({ signal }) =>
    planTransfer(transfer.sources, transfer.destination, signal),
  );
  const plan: Plan = {
    ...whole,
    folders: whole.folders.filter(({ path }) => failed(path) || isAbove(path)),
    files: whole.files.filter(({ path }) => failed(path)),
    // What was moved completely is gone by now.
    failures: whole.failures.filter(({ path }) => failed(path) || isAbove(path)),
  };
  const mayReplace = await askAboutExisting(plan, transfer, agreed);
  if (mayReplace !== undefined) {
    const again = await run(transfer, plan, mayReplace);
    const all = together(transferred, again);
    await Promise.all([
      tell({ transfer, report: again, agreed: mayReplace, transferred: all }, texts),
      transfer.onDidTransfer?.(all),
    ]);
  }
}

/** The second attempt is what failed in the first one. */
function together(first: Transferred, second: TransferReport): Transferred {
  const done = new Set([...first.done, ...second.done]);
  const skipped = [...first.skipped, ...second.skipped].filter((path) => !done.has(path));
  return { ...second, done: [...done], skipped, existing: first.existing };
}

/**
 * Deletes the originals of what was copied to a free name, unless an original differs from its copy. If something had the
 * name, it may be the original, such as on a shared mount: equal texts don't prove that there are two.
 */
export async function deleteArrived(
  folder: FilePlace,
  places: readonly FilePlace[],
  { existing }: Transferred,
  services: Services,
): Promise<void> {
  for (const place of places) {
    const copy = childOf(folder, nameOf(place));
    const outcome = existing.has(nameOf(place))
      ? 'existed'
      : await services.queue.take([place, copy], () => deleteIfSame(place, copy, services));
    if (typeof outcome === 'object') {
      services.announce([outcome]);
    } else {
      void showWarningMessage(keptTexts[outcome](place.path));
    }
  }
}

const keptTexts: Readonly<Record<'existed' | 'different' | 'unproven', (path: string) => string>> = {
  existed: (path) =>
    l10n.t(
      '{0} was copied over something that already existed, so the original was kept: on a shared mount, both may be the same file. Check that before you delete the original.',
      path,
    ),
  different: (path) => l10n.t('{0} was copied, but the copy differs, so the original was kept. Compare both.', path),
  unproven: (path) =>
    l10n.t(
      "{0} was copied, but the copy can't be verified byte for byte, so the original was kept. Compare both, then delete the original.",
      path,
    ),
};

/** Returns what to announce, or how the copy differs. */
function deleteIfSame(place: FilePlace, copy: FilePlace, services: Services) {
  return withProgress(l10n.t('Deleting {0}', place.path), async ({ signal }) => {
    const likeness = await likenessOfPlaces(place, copy, services, { signal });
    return likeness === 'same' ? services.fileSystem.deleteInTurn(place, { signal }) : likeness;
  });
}

type TransferKind = 'upload' | 'download' | 'copy';

/** What a user reads about a transfer. */
interface TransferText {
  /** The title of the progress. */
  readonly progress: string;
  /** The heading of its report. */
  readonly heading: string;
  done(files: number): string;
  canceled(files: number, all: number): string;
  failedOne(file: string, reason: string): string;
  failed(files: number, all: number): string;
}

export function transferText({ kind, folder }: { readonly kind: TransferKind; readonly folder: string }): TransferText {
  return texts[kind](folder);
}

const texts: Readonly<Record<TransferKind, (folder: string) => TransferText>> = {
  upload: (folder) => ({
    progress: l10n.t('Uploading to {0}', folder),
    heading: l10n.t('Upload to {0}', folder),
    done: (files) =>
      files === 1 ? l10n.t('Uploaded 1 file to {0}', folder) : l10n.t('Uploaded {0} files to {1}', files, folder),
    canceled: (files, all) => l10n.t('Canceled. Uploaded {0} of {1} files to {2}.', files, all, folder),
    failedOne: (file, reason) => l10n.t("Couldn't upload {0} to {1}: {2}.", file, folder, reason),
    failed: (files, all) => l10n.t("Couldn't upload {0} of {1} files to {2}.", files, all, folder),
  }),
  download: (folder) => ({
    progress: l10n.t('Downloading to {0}', folder),
    heading: l10n.t('Download to {0}', folder),
    done: (files) =>
      files === 1 ? l10n.t('Downloaded 1 file to {0}', folder) : l10n.t('Downloaded {0} files to {1}', files, folder),
    canceled: (files, all) => l10n.t('Canceled. Downloaded {0} of {1} files to {2}.', files, all, folder),
    failedOne: (file, reason) => l10n.t("Couldn't download {0} to {1}: {2}.", file, folder, reason),
    failed: (files, all) => l10n.t("Couldn't download {0} of {1} files to {2}.", files, all, folder),
  }),
  copy: (folder) => ({
    progress: l10n.t('Copying to {0}', folder),
    heading: l10n.t('Copy to {0}', folder),
    done: (files) =>
      files === 1 ? l10n.t('Copied 1 file to {0}', folder) : l10n.t('Copied {0} files to {1}', files, folder),
    canceled: (files, all) => l10n.t('Canceled. Copied {0} of {1} files to {2}.', files, all, folder),
    failedOne: (file, reason) => l10n.t("Couldn't copy {0} to {1}: {2}.", file, folder, reason),
    failed: (files, all) => l10n.t("Couldn't copy {0} of {1} files to {2}.", files, all, folder),
  }),
};
