import { commands, l10n } from 'vscode';
import { ChangedMeanwhile, type Plan, planTransfer } from '../files/transfers/plan';
import { runPlan } from '../files/transfers/runPlan';
import type { Source, TransferReport, TransferTarget } from '../files/transfers/transfer';
import { isCanceled } from '../platform/errors';
import { isExpected, reasonText } from '../ui/failureMessages';
import { modalLines } from '../ui/modalLines';
import { confirm, copyDiagnostics, showErrorMessage, showFailure } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import type { ShownTexts } from '../ui/shownTexts';
import { type TransferKind, transferText } from './transferText';
import { showStatusMessage } from '../ui/statusBar';

/** What to transfer, and to where. */
export interface Transfer {
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
    showStatusMessage('check', textOf(transfer).done(done.length), 5000);
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
  // The person agreed to replace an earlier version of these.
  const changed = failures.filter(({ error }) => error instanceof ChangedMeanwhile).map(({ path }) => path);
  const known = transfer.replaceKnown === true ? files.map(({ path }) => path) : [...ours, ...mayReplace];
  const agreed = known.filter((path) => !changed.includes(path));
  const others = await askAboutExisting({ files }, transfer, agreed);
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
