import { openSettings, settingsButton } from './rollBackPrompt';
import type { EnvironmentTitles } from '../../containers/locationText';
import { commands, l10n, Selection, TextEditorRevealType, type Uri, window } from 'vscode';
import { splitLines } from '../history/deployLog';
import { deployLogUri, shownLog } from '../history/deployLogDocuments';
import { type DeployRecord, hasMoved } from './redeployResult';
import { isFailed, isFolderUnknown, type RedeployResult, severityOf } from '../results';
import { kindOfResult } from '../../platform/resultCodes';
import { short } from '../commits';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository } from '../repositories/localRepository';
import { placeOfProject } from '../projectPlace';
import type { Projects } from '../projects';
import { type CommitSubjects, redeployMessage } from './redeployResultText';
import type { CommandId } from '../../manifest';
import { copyDiagnostics, showErrorMessage, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { nodesNow } from '../deployedState/nodesNow';

/** What a person may do after a redeploy. */
export interface NextSteps {
  readonly redeploy: () => Promise<void>;
  readonly lookAgain: () => Promise<void>;
  readonly askForFolder: () => Promise<void>;
  /** Undoes the change of settings that the redeploy was for. */
  readonly restoreSettings?: (() => Promise<void>) | undefined;
}

export interface RedeployResultDeps {
  readonly projects: Projects;
  readonly repositories: LocalRepositories;
  readonly environments: EnvironmentTitles;
}

const messages = {
  success: showInformationMessage,
  warning: showWarningMessage,
  error: showErrorMessage,
} as const;

/** Shows how a redeploy ended, never more than is known, with what a person may do next. */
export async function showRedeployResult(
  record: DeployRecord,
  deps: RedeployResultDeps,
  next: NextSteps,
): Promise<void> {
  const changes = await deployedChanges(record, deps);
  const steps = stepsAfter(record, changes, next);
  const text = redeployMessage(record, deps.environments, changes?.subjects);
  const chosen = await messages[severityOf(record.verdict)](text, ...steps.keys());
  await steps.get(chosen ?? '')?.();
}

/** What to do by the title of a button. */
function stepsAfter(
  record: DeployRecord,
  changes: DeployedChanges | undefined,
  next: NextSteps,
): ReadonlyMap<string, () => Promise<void>> {
  const { verdict, isFirst, pinnedTo } = record;
  const steps = new Map<string, () => Promise<void>>();
  if (changes !== undefined) {
    steps.set(l10n.t('Show Changes'), () => changes.show());
  }
  if (verdict.kind === 'answerLost') {
    steps.set(l10n.t('Check Result'), next.lookAgain);
  }
  if (isFolderUnknown(verdict)) {
    steps.set(l10n.t('Select Project Folder…'), next.askForFolder);
  }
  steps.set(l10n.t('Show Log'), () => showDeployLog(record));
  const node = nodeThatFailed(record);
  if (node !== undefined && record.log.trim() === '' && (record.logsBeside ?? []).length === 0) {
    steps.set(l10n.t('Show Node Log'), () => showNodeLog(record, node));
  }
  if (isFailed(verdict)) {
    steps.set(isFirst === true ? l10n.t('Deploy') : l10n.t('Redeploy'), next.redeploy);
  }
  if (next.restoreSettings !== undefined && isFailed(verdict)) {
    steps.set(l10n.t('Restore Settings'), next.restoreSettings);
  } else if (verdict.kind === 'failed') {
    // A failure is often caused by the address, the branch or the login, which are set there.
    steps.set(settingsButton(), () => openSettings(record));
  } else if (pinnedTo !== undefined) {
    steps.set(l10n.t('Deploy Newest Commit'), () => run('gantry.project.deployNewest', record));
  }
  if (isSurprising(verdict)) {
    steps.set(l10n.t('Copy Diagnostics'), () => copyDiagnostics([]));
  }
  return steps;
}

/** Whether the platform failed for a reason that neither the log nor its code explains, or contradicts itself. */
function isSurprising(verdict: RedeployResult): boolean {
  const { kind } = verdict;
  return kind === 'contradicted' || (kind === 'failed' && kindOfResult(verdict.code ?? 0) === 'platform');
}

/** The node that a failed redeploy most likely failed on: the first one that runs nothing new. */
function nodeThatFailed({ verdict, nodes }: DeployRecord): number | undefined {
  const known = nodes.filter(({ nodeId }) => nodeId !== undefined);
  const unchanged = known.find((node) => !hasMoved(node));
  return verdict.kind === 'failed' ? (unchanged ?? known[0])?.nodeId : undefined;
}

/** Opens the log on a node that most likely says what happened during a redeploy that left no log itself. */
async function showNodeLog({ account, environment: name, layer, startedAt }: DeployRecord, id: number): Promise<void> {
  const row = { environment: { account, name }, layer: { id: layer }, node: { id } };
  await commands.executeCommand('gantry.logs.open' satisfies CommandId, row, startedAt, 'deployment');
}

async function run(command: CommandId, record: DeployRecord): Promise<void> {
  await commands.executeCommand(command, placeOfProject(record));
}

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

/** What a redeploy changed, from one commit to another. */
interface DeployedChanges {
  /** The two commits' subjects. */
  readonly subjects: CommitSubjects;
  show(): Promise<void>;
}

/** Returns a redeploy's changes if the repository is open here and has both commits. */
export async function deployedChanges(
  { nodes, ...record }: DeployRecord,
  { projects, repositories }: Pick<RedeployResultDeps, 'projects' | 'repositories'>,
): Promise<DeployedChanges | undefined> {
  const from = nodes[0]?.before;
  const to = nodesNow(nodes).commit;
  const settings = projects.last(record)?.settings;
  const repository = repositories.withAddress(settings?.url);
  if (from === undefined || to === undefined || from === to || settings === undefined || repository === undefined) {
    return undefined;
  }
  const found = await repository.find([from, to], settings);
  const [before, after] = [found.get(from), found.get(to)];
  return before && after
    ? { subjects: { before: before.subject, after: after.subject }, show: () => showChanges(repository, from, to) }
    : undefined;
}

async function showChanges(repository: LocalRepository, from: string, to: string): Promise<void> {
  const changes = await repository.changes(from, to);
  const title = l10n.t('Deployed: {0} → {1}', short(from), short(to));
  const resources = changes.map(({ originalUri, renameUri, uri }): [Uri, Uri, Uri] => {
    const after = renameUri ?? uri;
    return [after, repository.uriAt(originalUri, from), repository.uriAt(after, to)];
  });
  await commands.executeCommand('vscode.changes', title, resources);
}
