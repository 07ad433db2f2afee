import { homedir } from 'node:os';
import { commands, FileChangeType, l10n, Uri, window, workspace } from 'vscode';
import { ExpectedError } from '../ui/expectedError';
import { localFolder, localSource } from '../files/transfers/localFolder';
import { productionSentence } from '../containers/protectedEnvironments';
import { childOf, type FilePlace, nameOf } from '../containers/place';
import { findReadable } from '../files/transfers/containerFolder';
import { type Plan, planTransfer } from '../files/transfers/plan';
import { runPlan } from '../files/transfers/runPlan';
import type { Source, TransferReport, TransferTarget } from '../files/transfers/transfer';
import { isCanceled, isPlatformError } from '../platform/errors';
import { failureText, isExpected, reasonText } from '../ui/failureMessages';
import { modalLines } from '../ui/modalLines';
import { confirm, copyDiagnostics, showErrorMessage, showFailure } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import type { ShownTexts } from '../ui/shownTexts';
import type { CommandTarget } from './commandTargets';
import type { FileTreeDeps } from './fileTreeDeps';
import { type TransferKind, transferText } from './transferText';

export function transferCommands(deps: FileTreeDeps) {
  const { targets } = deps;
  const upload = (kind: 'files' | 'folder') =>
    targets.onFolder(async (folder) => {
      const chosen = await window.showOpenDialog(openDialog(kind, folder));
      if (chosen !== undefined) {
        await uploadInto(folder, await Promise.all(chosen.map(localSource)), deps);
      }
    });
  return {
    'gantry.folder.uploadFiles': upload('files'),

    'gantry.folder.uploadFolder': upload('folder'),

    'gantry.file.download': targets.onAll((wanted) => {
      const [first, ...others] = wanted;
      return others.length === 0 && !first.isFolder ? downloadAs(first.place, deps) : downloadInto(wanted, deps);
    }),
  };
}

export async function uploadInto(
  folder: FilePlace,
  sources: readonly Source[],
  { folders, texts, announce, environments }: FileTreeDeps,
): Promise<TransferReport | undefined> {
  const production = await productionSentence([folder], environments);
  try {
    return await runTransfer(
      { kind: 'upload', folder: folder.path, sources, destination: folders.destination(folder), production },
      texts,
    );
  } finally {
    announce(sources.map(({ name }) => ({ place: childOf(folder, name), type: FileChangeType.Created })));
  }
}

/** Returns sources for the places. Leaves out those that no longer exist. */
export async function sourcesOf(places: readonly FilePlace[], { listings, folders }: FileTreeDeps): Promise<Source[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      // The cached listing may be old, so list the folder again before treating it as deleted.
      const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
      return entry && folders.source(place, entry);
    }),
  );
  return found.filter((source) => source !== undefined);
}

/** Reads the file before it asks where to save it, because the platform may not return it exactly. */
async function downloadAs(file: FilePlace, deps: FileTreeDeps): Promise<void> {
  const title = l10n.t('Downloading {0}', file.path);
  const [source] = await sourcesOf([file], deps);
  if (source?.kind === 'unreadable') {
    throw noExactBytes(file, source.reason);
  }
  if (source?.kind !== 'file') {
    return;
  }
  const bytes = await withProgress(title, ({ signal }) => source.read(signal)).catch((error: unknown) => {
    throw isPlatformError(error) ? error : noExactBytes(file, error);
  });
  const defaultUri = Uri.joinPath(downloadFolder(), nameOf(file));
  const chosen = await window.showSaveDialog({ defaultUri, title: l10n.t('Download {0}', file.path) });
  if (chosen === undefined) {
    return;
  }
  const name = chosen.path.slice(chosen.path.lastIndexOf('/') + 1);
  const folder = Uri.joinPath(chosen, '..');
  // Another attempt writes what was read, too.
  const read = { kind: 'file' as const, name, read: () => Promise.resolve(bytes) };
  const transfer: Transfer = {
    ...{ kind: 'download', folder: folder.fsPath, destination: localFolder(folder) },
    ...{ sources: [read], replaceKnown: true },
  };
  await runTransfer(transfer, deps.texts);
}

function noExactBytes({ path }: FilePlace, cause: unknown): Error {
  return new ExpectedError(
    l10n.t(
      "Couldn't download {0}. {1} Use SFTP or the platform's dashboard to get the exact file.",
      path,
      failureText(cause),
    ),
    { cause },
  );
}

/** Asks for a folder only if at least one file can be downloaded. */
async function downloadInto(wanted: readonly CommandTarget[], deps: FileTreeDeps): Promise<void> {
  const places = wanted.map(({ place }) => place);
  const found = await withProgress(l10n.t('Preparing the download'), async ({ signal }) =>
    findReadable(await sourcesOf(places, deps), signal),
  );
  if (!found.isAnyReadable) {
    throw nothingExact(found.failures);
  }
  const [folder] =
    (await window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: downloadFolder(),
      title: l10n.t('Select Download Folder'),
      openLabel: l10n.t('Download Here'),
    })) ?? [];
  if (folder !== undefined) {
    const { sources } = found;
    const destination = localFolder(folder);
    await runTransfer({ kind: 'download', folder: folder.fsPath, sources, destination }, deps.texts);
  }
}

/** A platform's error, such as a lost connection, says more than that no file is exact. */
function nothingExact(failures: readonly unknown[]): unknown {
  const text = l10n.t(
    "Couldn't download the selection: the platform can't return any of its files exactly. Use SFTP or the platform's dashboard to get them.",
  );
  return failures.find(isPlatformError) ?? new ExpectedError(text, { cause: failures[0] });
}

/** Returns the workspace folder on this computer, or else the home directory. */
function downloadFolder(): Uri {
  const local = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' || uri.scheme === 'vscode-remote');
  return local?.uri ?? Uri.file(homedir());
}

function openDialog(kind: 'files' | 'folder', { path }: FilePlace) {
  const openLabel = l10n.t('Upload');
  return kind === 'files'
    ? { canSelectMany: true, openLabel, title: l10n.t('Select Files to Upload to {0}', path) }
    : {
        canSelectFiles: false,
        canSelectFolders: true,
        openLabel,
        title: l10n.t('Select Folder to Upload to {0}', path),
      };
}

interface Transfer {
  readonly kind: TransferKind;
  /** The destination, as the user knows it. */
  readonly folder: string;
  readonly sources: readonly Source[];
  readonly destination: TransferTarget;
  /** Names the destination in questions, if it's a production environment. */
  readonly production?: string | undefined;
  /** The user has already agreed to replace existing files. */
  readonly replaceKnown?: boolean;
}

type Existing = 'replace' | 'skip';

/** Plans, confirms, runs and reports a transfer. Returns `undefined` if the user cancels before anything changes. */
export async function runTransfer(transfer: Transfer, texts: ShownTexts): Promise<TransferReport | undefined> {
  const plan = await withProgress(textOf(transfer).progress, ({ signal, say }) => {
    say(l10n.t('Preparing…'));
    return planTransfer(transfer.sources, transfer.destination, signal);
  });
  const existing = transfer.replaceKnown === true ? 'replace' : await askAboutExisting(plan, transfer);
  if (existing === undefined) {
    return undefined;
  }
  const report = await run(transfer, plan, existing);
  const mayReplace = plan.files.filter(({ exists }) => exists && existing === 'replace').map(({ path }) => path);
  tell({ transfer, report, mayReplace }, texts).catch((error: unknown) => {
    if (!isCanceled(error)) {
      void showFailure('', error);
    }
  });
  return report;
}

function run(transfer: Transfer, plan: Plan, existing: Existing): Promise<TransferReport> {
  return withProgress(textOf(transfer).progress, ({ signal, say }) =>
    runPlan(plan, { existing, signal, onProgress: say }),
  );
}

async function askAboutExisting(
  plan: Pick<Plan, 'files'>,
  { production }: Pick<Transfer, 'production'>,
  isAgreed: readonly string[] = [],
): Promise<Existing | undefined> {
  const existing = plan.files.filter(({ exists, path }) => exists && !isAgreed.includes(path)).map(({ path }) => path);
  if (existing.length === 0) {
    return 'skip';
  }
  const question =
    existing.length === 1
      ? l10n.t('“{0}” already exists. Replace it?', existing.join())
      : l10n.t('{0} of {1} files already exist. Replace them?', existing.length, plan.files.length);
  let others: Existing | undefined;
  const skip = () => (others = 'skip');
  const mayReplace = await confirm(
    question,
    [production, existing.length === 1 ? undefined : modalLines(existing)],
    l10n.t('Replace'),
    new Map(existing.length < plan.files.length ? [[l10n.t('Skip Existing'), skip]] : []),
  );
  return mayReplace ? 'replace' : others;
}

interface Outcome {
  readonly transfer: Transfer;
  readonly report: TransferReport;
  /** Paths of existing files that the user agreed to replace. */
  readonly mayReplace: readonly string[];
}

async function tell(outcome: Outcome, texts: ShownTexts): Promise<void> {
  const { transfer, report } = outcome;
  const { done, failures } = report;
  if (failures.length === 0) {
    window.setStatusBarMessage(`$(check) ${textOf(transfer).done(done.length)}`, 5000);
    return;
  }
  const [show, again] = [l10n.t('Show Details'), l10n.t('Retry')];
  const copy = l10n.t('Copy Diagnostics');
  const isBug = failures.some(({ error }) => !isExpected(error));
  const chosen = await showSummary(transfer, report, [show, again, ...(isBug ? [copy] : [])]);
  if (chosen === show) {
    const uri = texts.add(l10n.t('Transfer details.md'), reportText(transfer, report));
    await commands.executeCommand('vscode.open', uri);
  } else if (chosen === again) {
    await tryAgain(outcome, texts);
  } else if (chosen === copy) {
    await copyDiagnostics(failures.map(({ error }) => error));
  }
}

function showSummary(
  transfer: Transfer,
  { done, failures }: TransferReport,
  buttons: readonly string[],
): Thenable<string | undefined> {
  const [first, ...others] = failures;
  const text = textOf(transfer);
  const all = done.length + failures.length;
  return first !== undefined && others.length === 0 && all === 1
    ? showErrorMessage(text.failedOne(first.path, reasonText(first.error)), ...buttons)
    : showErrorMessage(text.failed(failures.length, all), ...buttons);
}

function textOf({ kind, folder }: Transfer) {
  return transferText(kind, folder);
}

function reportText(transfer: Transfer, { done, skipped, failures }: TransferReport): string {
  const list = (paths: readonly string[]) => paths.map((path) => `- ${path}`).join('\n');
  const parts = [
    `# ${textOf(transfer).heading}`,
    `## ${l10n.t('Failed')} (${failures.length})\n\n${list(failures.map(({ path, error }) => `${path}: ${reasonText(error)}`))}`,
    skipped.length > 0 && `## ${l10n.t('Skipped')} (${skipped.length})\n\n${list(skipped)}`,
    done.length > 0 && `## ${l10n.t('Done')} (${done.length})\n\n${list(done)}`,
  ];
  return `${parts.filter((part) => part !== false).join('\n\n')}\n`;
}

/** Retries only what failed. Replaces partly transferred files, and asks about files from elsewhere. */
async function tryAgain({ transfer, report, mayReplace }: Outcome, texts: ShownTexts): Promise<void> {
  const { failures } = report;
  const failed = (path: string) => failures.some((one) => path === one.path || path.startsWith(`${one.path}/`));
  const isAbove = (path: string) => failures.some((one) => one.path.startsWith(`${path}/`));
  const whole = await withProgress(textOf(transfer).progress, ({ signal }) =>
    planTransfer(transfer.sources, transfer.destination, signal),
  );
  const files = whole.files.filter(({ path }) => failed(path));
  const ours = failures.filter(({ wasSent }) => wasSent === true).map(({ path }) => path);
  const agreed = [...ours, ...mayReplace];
  const others = transfer.replaceKnown === true ? 'replace' : await askAboutExisting({ files }, transfer, agreed);
  if (others === undefined) {
    return;
  }
  const plan = {
    folders: whole.folders.filter(({ path }) => failed(path) || isAbove(path)),
    files: others === 'replace' ? files : files.filter(({ exists, path }) => !exists || agreed.includes(path)),
    failures: whole.failures,
  };
  const replaced = plan.files.filter(({ exists }) => exists).map(({ path }) => path);
  await tell({ transfer, report: await run(transfer, plan, 'replace'), mayReplace: replaced }, texts);
}
