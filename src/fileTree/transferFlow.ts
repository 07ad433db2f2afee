import { commands, l10n, window } from 'vscode';
import { type Plan, planTransfer } from '../files/transfers/plan';
import { runPlan } from '../files/transfers/runPlan';
import type { TransferTarget, Source, TransferReport } from '../files/transfers/transfer';
import { isCancelled } from '../platform/errors';
import { showErrorMessage, showFailure, showWarningMessage } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import type { ShownTexts } from '../ui/shownTexts';
import { modalLines } from '../ui/modalLines';
import { failureText } from '../ui/failureMessages';

export interface Transfer {
  /** What goes on, such as “Uploading to /var/www”. */
  readonly title: string;
  readonly sources: readonly Source[];
  readonly destination: TransferTarget;
  /** The person has already agreed that what exists is replaced. */
  readonly replaceKnown?: boolean;
}

type Existing = 'replace' | 'skip';

/** Plans, asks, carries out and reports. `undefined` when the person gave up before anything was touched. */
export async function runTransfer(transfer: Transfer, texts: ShownTexts): Promise<TransferReport | undefined> {
  const plan = await withProgress(transfer.title, ({ signal, say }) => {
    say(l10n.t('Looking at what there is to do…'));
    return planTransfer(transfer.sources, transfer.destination, signal);
  });
  const existing = transfer.replaceKnown === true ? 'replace' : await askAboutExisting(plan);
  if (existing === undefined) {
    return undefined;
  }
  const report = await run(transfer, plan, existing);
  const mayReplace = plan.files.filter(({ exists }) => exists && existing === 'replace').map(({ path }) => path);
  tell({ transfer, report, mayReplace }, texts).catch((error: unknown) => {
    if (!isCancelled(error)) {
      void showFailure(`${transfer.title}:`, error);
    }
  });
  return report;
}

function run(transfer: Transfer, plan: Plan, existing: Existing): Promise<TransferReport> {
  return withProgress(transfer.title, ({ signal, say }) => runPlan(plan, { existing, signal, onProgress: say }));
}

async function askAboutExisting(
  plan: Pick<Plan, 'files'>,
  isAgreed: readonly string[] = [],
): Promise<Existing | undefined> {
  const existing = plan.files.filter(({ exists, path }) => exists && !isAgreed.includes(path)).map(({ path }) => path);
  if (existing.length === 0) {
    return 'skip';
  }
  const question =
    existing.length === 1
      ? l10n.t('“{0}” is already there. Replace it?', existing.join())
      : l10n.t('{0} of {1} files are already there. Replace them?', existing.length, plan.files.length);
  const [replace, skip] = [l10n.t('Replace'), l10n.t('Leave Them and Do the Rest')];
  const choices = existing.length < plan.files.length ? [replace, skip] : [replace];
  const detail = existing.length === 1 ? '' : modalLines(existing);
  const chosen = await showWarningMessage(question, { modal: true, detail }, ...choices);
  return chosen === undefined ? undefined : chosen === replace ? 'replace' : 'skip';
}

/** What came of a transfer. */
interface Outcome {
  readonly transfer: Transfer;
  readonly report: TransferReport;
  /** Paths of files that were there before, which the person wants replaced. */
  readonly mayReplace: readonly string[];
}

async function tell(outcome: Outcome, texts: ShownTexts): Promise<void> {
  const { transfer, report } = outcome;
  const { done, failures } = report;
  if (failures.length === 0) {
    const said =
      done.length === 1
        ? l10n.t('$(check) {0}: done, one file', transfer.title)
        : l10n.t('$(check) {0}: done, {1} files', transfer.title, done.length);
    window.setStatusBarMessage(said, 5000);
    return;
  }
  const [show, again] = [l10n.t('Show What Failed'), l10n.t('Try Again')];
  const chosen = await showSummary(transfer, report, [show, again]);
  if (chosen === show) {
    const uri = texts.add(l10n.t('What failed.md'), reportText(transfer, report));
    await commands.executeCommand('vscode.open', uri);
  } else if (chosen === again) {
    await tryAgain(outcome, texts);
  }
}

function showSummary(
  { title }: Transfer,
  { done, failures }: TransferReport,
  buttons: readonly string[],
): Thenable<string | undefined> {
  const [first] = failures;
  if (failures.length === 1 && first !== undefined) {
    return showFailure(`${title}: ${first.path}:`, first.error, ...buttons);
  }
  return showErrorMessage(l10n.t('{0}: {1} failed, {2} done.', title, failures.length, done.length), ...buttons);
}

function reportText({ title }: Transfer, { done, skipped, failures }: TransferReport): string {
  const list = (paths: readonly string[]) => paths.map((path) => `- ${path}`).join('\n');
  const parts = [
    `# ${title}`,
    `## ${l10n.t('Failed')} (${failures.length})\n\n${list(failures.map(({ path, error }) => `${path}: ${failureText(error)}`))}`,
    skipped.length > 0 && `## ${l10n.t('Left as they were')} (${skipped.length})\n\n${list(skipped)}`,
    done.length > 0 && `## ${l10n.t('Done')} (${done.length})\n\n${list(done)}`,
  ];
  return `${parts.filter((part) => part !== false).join('\n\n')}\n`;
}

/** Only what failed, looked at anew. A file that got there in part is replaced; one that came from elsewhere is asked about. */
async function tryAgain({ transfer, report, mayReplace }: Outcome, texts: ShownTexts): Promise<void> {
  const { failures } = report;
  const failed = (path: string) => failures.some((one) => path === one.path || path.startsWith(`${one.path}/`));
  const isAbove = (path: string) => failures.some((one) => one.path.startsWith(`${path}/`));
  const whole = await withProgress(transfer.title, ({ signal }) =>
    planTransfer(transfer.sources, transfer.destination, signal),
  );
  const files = whole.files.filter(({ path }) => failed(path));
  const ours = failures.filter(({ wasSent }) => wasSent === true).map(({ path }) => path);
  const agreed = [...ours, ...mayReplace];
  const others = transfer.replaceKnown === true ? 'replace' : await askAboutExisting({ files }, agreed);
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
