import { commands, l10n, type Uri, window } from 'vscode';
import { deployLogUri } from '../history/deployLogDocuments';
import { linesThatMatter } from '../history/deployLog';
import type { DeployRecord } from '../history/deployRecord';
import { short } from '../deployedState/gitHeadLog';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository } from '../repositories/localRepository';
import type { Projects } from '../projects';
import { commitsOnNodes } from './redeployResult';
import { type Severity, severityOf, sentencesOf } from './redeployResultText';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../../ui/notifications';

/** What a person may want next. */
export interface NextSteps {
  readonly redeploy: (record: DeployRecord) => Promise<void>;
  readonly lookAgain: (record: DeployRecord) => Promise<void>;
  readonly askForFolder: (record: DeployRecord) => Promise<void>;
}

export interface RedeployResultDeps {
  readonly projects: Projects;
  readonly repositories: LocalRepositories;
}

interface Reporting extends RedeployResultDeps {
  /** Something that is to be said besides. */
  readonly remark?: string | undefined;
}

interface Step {
  readonly title: string;
  run(): Promise<void>;
}

/** Tells how a redeploy ended, never more than is known, with what a person may want next. */
export async function showRedeployResult(record: DeployRecord, parts: Reporting, next: NextSteps): Promise<void> {
  const steps = await stepsAfter(record, parts, next);
  const chosen = await tell(
    [text(record), parts.remark].join(' ').trim(),
    severityOf(record),
    steps.map(({ title }) => title),
  );
  await steps.find(({ title }) => title === chosen)?.run();
}

function tell(said: string, gravity: Severity, titles: readonly string[]): Thenable<string | undefined> {
  switch (gravity) {
    case 'success':
      return showInformationMessage(said, ...titles);
    case 'doubt':
      return showWarningMessage(said, ...titles);
    case 'trouble':
      return showErrorMessage(said, ...titles);
  }
}

function text(record: DeployRecord): string {
  const lines = severityOf(record) === 'success' ? [] : linesThatMatter(record.log);
  return sentencesOf(record, lines.length === 0 ? '' : l10n.t('Its log says: “{0}”.', lines.slice(-2).join(' / ')));
}

async function stepsAfter(record: DeployRecord, parts: RedeployResultDeps, next: NextSteps): Promise<readonly Step[]> {
  const changes = await deployedChanges(record, parts);
  return [
    ...(changes === undefined ? [] : [{ title: l10n.t('Show Changes'), run: () => changes.show() }]),
    ...(record.verdict.kind === 'answerLost'
      ? [{ title: l10n.t('Look Again'), run: () => next.lookAgain(record) }]
      : []),
    ...(isLost(record) ? [{ title: l10n.t('Say Where It Lies'), run: () => next.askForFolder(record) }] : []),
    { title: l10n.t('Show Log'), run: () => showDeployLog(record) },
    ...(severityOf(record) === 'trouble'
      ? [{ title: record.isFirst === true ? l10n.t('Deploy') : l10n.t('Redeploy'), run: () => next.redeploy(record) }]
      : []),
    ...(record.verdict.kind === 'failed' || record.pinnedTo !== undefined
      ? [{ title: l10n.t('Project Settings'), run: () => changeSettings(record) }]
      : []),
  ];
}

/** A failure is often caused by the address, the branch or the login, which are set there, as is a pinned commit. */
async function changeSettings({ account, environment, layer, context }: DeployRecord): Promise<void> {
  await commands.executeCommand('gantry.project.edit', { account, environment, layer, context });
}

/** The platform deployed it to a folder that nobody here knows. */
function isLost({ verdict }: DeployRecord): boolean {
  return verdict.kind === 'unverified' && verdict.because === 'folderUnknown';
}

export async function showDeployLog(record: DeployRecord): Promise<void> {
  await window.showTextDocument(deployLogUri(record), { preview: true });
}

/** What a redeploy changed, where the repository is open here and knows both commits. */
export async function deployedChanges(
  { nodes, ...record }: DeployRecord,
  { projects, repositories }: RedeployResultDeps,
): Promise<{ show(): Promise<void> } | undefined> {
  const from = nodes[0]?.before;
  const to = commitsOnNodes(nodes);
  const url = projects.last(record)?.settings.url;
  const repository = url === undefined ? undefined : repositories.withAddress(url);
  if (from === undefined || to === undefined || from === to || repository === undefined) {
    return undefined;
  }
  return (await repository.knows(from)) && (await repository.knows(to))
    ? { show: () => showChanges(repository, from, to) }
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
