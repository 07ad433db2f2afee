import {
  commands,
  Disposable,
  EventEmitter,
  l10n,
  Range,
  Selection,
  type TextDocument,
  type TextDocumentContentProvider,
  type TextEditor,
  TextEditorRevealType,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { withoutLogins } from '../../../containers/secretFiles';
import type { Containers } from '../../../containers/containers';
import { mustBeStarted } from '../../../containers/environment';
import type { Environments } from '../../../containers/environments';
import { type CommandId, deployScheme } from '../../../manifest';
import { undefinedIf } from '../../../platform/errors';
import type { DeployLogs } from '../deployedState/deployLogs';
import type { NodeInspector } from '../deployedState/nodeInspector';
import { placeOn } from '../projectPlace';
import { type DeployRecord, failedHook } from '../redeploy/redeployResult';
import { redeployMessage, sectionText } from '../redeploy/redeployResultText';
import type { Redeploys } from '../redeploy/redeploys';
import type { LocalCommit } from '../repositories/localRepository';
import { decisiveIndex, LiveDeployLog, splitLines } from './deployLog';
import { type DeployHistory, deployLogUri, type FindDeployedCommits } from './deployHistory';
import { formatDuration, formatExactTime } from '../../../ui/relativeTime';
import { short } from '../commits';
import { nodesNow } from '../deployedState/deployedState';

/** Opens the log of a redeploy, at the line that most likely says why it failed. */
export async function showDeployLog(record: DeployRecord): Promise<void> {
  const editor = await window.showTextDocument(deployLogUri(record), { preview: true });
  const { text, decisive } = shownLog(record);
  if (decisive >= 0) {
    const line = editor.document.lineCount - splitLines(text).length + decisive;
    editor.selection = new Selection(line, 0, line, 0);
    editor.revealRange(editor.selection, TextEditorRevealType.InCenter);
  }
}

/** A redeploy's log as it's shown, and the index of the line that most likely says why it failed, or -1. */
export function shownLog(record: DeployRecord): { readonly text: string; readonly decisive: number } {
  const { logsBeside = [], verdict } = record;
  const log = withoutLogins(record.log);
  const failed = failedHook(record);
  let text = log === '' ? l10n.t("The platform didn't return a log.") : log;
  let decisive = verdict.kind === 'failed' && failed === undefined ? decisiveIndex(splitLines(log)) : -1;
  for (const section of logsBeside) {
    text += text.endsWith('\n') ? '\n' : '\n\n';
    if (section === failed?.section) {
      decisive = splitLines(text).length + failed.index;
    }
    text += sectionText(section);
  }
  return { text, decisive };
}

/** Opens the log on a node that most likely says what happened during a redeploy that left no log itself. */
export async function showNodeLog(
  { account, environment: name, layer, startedAt }: DeployRecord,
  id: number,
): Promise<void> {
  const row = { environment: { account, name }, layer: { id: layer }, node: { id } };
  await commands.executeCommand('gantry.logs.open' satisfies CommandId, row, startedAt, 'deployment');
}

interface Followed {
  readonly uri: Uri;
  readonly record: DeployRecord;
  readonly log: LiveDeployLog;
  /** The number of lines that the document had last. */
  lines: number;
  hasEnded: boolean;
}

/** The first line that was visible in an editor, and the line that it was told to show, until it shows it. */
interface Scrolled {
  readonly top: number;
  readonly goingTo?: number | undefined;
}

/**
 * Shows a redeploy's details as a document, so that it can be searched and saved. Follows the nodes' logs while the redeploy
 * runs and the document is visible.
 */
export class DeployDocuments implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly listening: Disposable;
  private readonly followed = new Map<string, Followed>();
  /** Each editor of a log is scrolled by itself. */
  private readonly scrolled = new WeakMap<TextEditor, Scrolled>();
  /** The redeploys whose other logs are being read. */
  private readonly asked = new Set<string>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly deps: {
      readonly history: DeployHistory;
      readonly redeploys: Redeploys;
      readonly logs: DeployLogs;
      readonly inspector: NodeInspector;
      readonly containers: Containers;
      readonly environments: Environments;
      readonly findDeployedCommits: FindDeployedCommits;
    },
  ) {
    this.listening = Disposable.from(
      deps.history.onDidChange(({ id, ...place }) => {
        if (id !== undefined) {
          this.changed.fire(deployLogUri({ ...place, id }));
        }
      }),
      deps.redeploys.onDidChange(() => this.stopEnded()),
      window.onDidChangeVisibleTextEditors(() => this.noteVisible()),
      workspace.onDidChangeTextDocument(({ document }) => this.scroll(document)),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) =>
        this.noteScrolled(textEditor, visibleRanges),
      ),
      // What changed before VS Code knew the document went unnoticed.
      workspace.onDidOpenTextDocument(({ uri }) => {
        if (uri.scheme === deployScheme) {
          this.changed.fire(uri);
        }
      }),
      workspace.onDidCloseTextDocument(({ uri }) => this.stop(uri)),
    );
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const { history, environments } = this.deps;
    const record = await history.shownIn(uri);
    if (record === undefined) {
      return l10n.t('This redeploy is no longer in the history.');
    }
    if (this.isRunning(record)) {
      const { sections } = this.follow(uri, record).log;
      const title = [l10n.t('The redeploy is running.'), ...timesAndCommit(record, undefined)];
      const none = l10n.t('No lines from the platform yet.');
      return `${commented(title)}\n\n${sections.map((section) => sectionText(section)).join('\n') || none}`;
    }
    if (workspace.textDocuments.some((document) => document.uri.toString() === uri.toString())) {
      void this.readBeside(record);
    }
    const commits = await this.deps.findDeployedCommits(record, [record]);
    const message = redeployMessage(record, environments);
    const head = headOf(record, message, commits.get(nodesNow(record.nodes).commit ?? ''));
    return `${head}\n\n${shownLog(record).text}`;
  }

  dispose(): void {
    this.followed.forEach(({ log }) => log.hide());
    Disposable.from(this.listening, this.changed).dispose();
  }

  private isRunning(record: DeployRecord): boolean {
    return this.deps.redeploys.running(record)?.startedAt === record.startedAt;
  }

  private follow(uri: Uri, record: DeployRecord): Followed {
    const key = uri.toString();
    const known = this.followed.get(key);
    if (known !== undefined) {
      return known;
    }
    const read = (node: string, path: string) => {
      const { nodeId } = record.nodes.find(({ name }) => name === node) ?? {};
      const target = { nodeGroup: record.layer, ...(nodeId === undefined ? {} : { nodeId }) };
      return undefinedIf('any', this.deps.containers.read(placeOn(record, target, path), { unattended: true }));
    };
    const log = new LiveDeployLog(record, read, () => this.changed.fire(uri));
    const followed: Followed = { uri, record, log, lines: 0, hasEnded: false };
    this.followed.set(key, followed);
    this.noteVisible();
    return followed;
  }

  private noteVisible(): void {
    for (const { uri, log, hasEnded } of this.followed.values()) {
      if (!hasEnded && editorsOf(uri).length > 0) {
        log.show();
      } else {
        log.hide();
      }
    }
  }

  /** Reads nothing more, but still scrolls to what the result and the other logs add. */
  private stopEnded(): void {
    for (const followed of this.followed.values()) {
      if (!followed.hasEnded && !this.isRunning(followed.record)) {
        followed.hasEnded = true;
        followed.log.hide();
        this.changed.fire(followed.uri);
      }
    }
  }

  private stop(uri: Uri): void {
    this.followed.get(uri.toString())?.log.hide();
    this.followed.delete(uri.toString());
  }

  /** Shows new lines if the last one was visible before. Once it ended, a cursor in the middle is at the line that matters. */
  private scroll({ uri, lineCount }: TextDocument): void {
    const followed = this.followed.get(uri.toString());
    if (followed !== undefined) {
      const last = followed.lines - 1;
      followed.lines = lineCount;
      for (const editor of editorsOf(uri)) {
        const { visibleRanges, selection } = editor;
        const { top, goingTo } = this.scrolled.get(editor) ?? { top: 0 };
        const isRead = followed.hasEnded && selection.active.line > 0 && selection.active.line < last;
        if (!isRead && (goingTo !== undefined || lastLine(visibleRanges) >= last)) {
          this.scrolled.set(editor, { top, goingTo: lineCount - 1 });
          editor.revealRange(new Range(lineCount - 1, 0, lineCount - 1, 0));
        }
      }
    }
  }

  /** Until the editor shows the end, the next lines may come: only a person scrolls up. */
  private noteScrolled(editor: TextEditor, ranges: readonly Range[]): void {
    if (this.followed.has(editor.document.uri.toString())) {
      const before = this.scrolled.get(editor);
      const top = ranges[0]?.start.line ?? 0;
      const isGoing = top >= (before?.top ?? 0) && lastLine(ranges) < (before?.goingTo ?? 0);
      this.scrolled.set(editor, { top, goingTo: isGoing ? before?.goingTo : undefined });
    }
  }

  /**
   * Reads what hooks and resets wrote during a redeploy when its log is shown first. It isn't read if there may be more of later
   * redeploys than of this one, or if the environment may have to wake up for that.
   */
  private async readBeside(record: DeployRecord): Promise<void> {
    const { environments } = this.deps;
    const key = deployLogUri(record).toString();
    const isKnown = record.logsBeside !== undefined || record.logLengths === undefined || this.asked.has(key);
    if (isKnown || mustBeStarted(environments.known(record.account, record.environment)?.status)) {
      return;
    }
    this.asked.add(key);
    try {
      await this.keepBeside(record);
    } catch {
      // The log that is shown says the same without them.
    } finally {
      this.asked.delete(key);
    }
  }

  /** Puts what can be read beside the log of the last redeploy into its record. */
  private async keepBeside(record: DeployRecord): Promise<void> {
    const { history, inspector, logs } = this.deps;
    if ((await history.last(record))?.id !== record.id) {
      return;
    }
    const nodes = await inspector.nodesOf({ place: record, nodeId: record.nodeId });
    const logsBeside = await logs.beside(record, nodes, { ...record, isLongAgo: true });
    const now = logsBeside && (await history.find(record, record.id));
    if (logsBeside && now) {
      await history.keep({ ...now, logsBeside: [...logsBeside] });
    }
  }
}

function editorsOf(uri: Uri) {
  return window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri.toString());
}

function lastLine(visible: readonly Range[]): number {
  return visible.at(-1)?.end.line ?? 0;
}

function headOf(record: DeployRecord, message: string, commit: LocalCommit | undefined): string {
  const { nodes, branch, verdict } = record;
  return commented([
    message,
    ...(verdict.kind === 'failed' ? [l10n.t('The platform reports: {0}', withoutLogins(verdict.sentence))] : []),
    ...timesAndCommit(record, commit),
    ...(branch === undefined ? [] : [l10n.t('Branch: {0}', branch)]),
    ...nodes.map(({ name, before, after, unreadable }) => `${name}: ${before ?? '–'} → ${unreadable ?? after ?? '–'}`),
  ]);
}

function commented(rows: readonly string[]): string {
  return rows.map((row) => `# ${row}`).join('\n');
}

export function timesAndCommit({ startedAt, milliseconds }: DeployRecord, commit: LocalCommit | undefined): string[] {
  const start = formatExactTime(startedAt);
  return [
    // It isn't known how long a redeploy took that never ended. Less than half a second would be rounded to 0 s.
    milliseconds < 500
      ? l10n.t('Started: {0}', start)
      : l10n.t('Started: {0} (took {1})', start, formatDuration(milliseconds)),
    ...(commit === undefined ? [] : [l10n.t('Commit: {0} {1}', short(commit.hash), commit.subject)]),
  ];
}
