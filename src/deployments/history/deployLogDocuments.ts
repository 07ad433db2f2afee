import type { EnvironmentTitles } from '../../containers/locationText';
import { deployScheme } from '../../manifest';
import * as v from 'valibot';
import { Disposable, EventEmitter, l10n, type TextDocumentContentProvider, Uri } from 'vscode';
import type { DeployHistory } from './deployHistory';
import { commitsOnNodes, type DeployRecord } from '../redeploy/redeployResult';
import type { LocalCommit } from '../repositories/localRepository';
import type { FindDeployedCommits } from './deployedCommits';
import { timesAndCommit } from './redeployRow';
import { placeEntries, placeOfProject, type ProjectPlace } from '../projectPlace';
import { redeployMessage } from '../redeploy/redeployResultText';

const recordName = v.pipe(v.string(), v.parseJson(), v.object({ ...placeEntries, id: v.string() }));

export function deployLogUri({ id, ...project }: ProjectPlace & { id: string }): Uri {
  const place = placeOfProject(project);
  const query = JSON.stringify({ ...place, id });
  return Uri.from({ scheme: deployScheme, path: `/${place.environment} ${place.context} ${id}.log`, query });
}

/** Shows a redeploy's details as a document, so that it can be searched and saved. */
export class DeployDocuments implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly following: Disposable;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly history: DeployHistory,
    private readonly findDeployedCommits: FindDeployedCommits,
    private readonly titles: EnvironmentTitles,
  ) {
    this.following = history.onDidChange(({ id, ...place }) => {
      if (id !== undefined) {
        this.changed.fire(deployLogUri({ ...place, id }));
      }
    });
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const parsed = v.safeParse(recordName, uri.query);
    const record = parsed.success ? await this.history.find(parsed.output, parsed.output.id) : undefined;
    if (record === undefined) {
      return l10n.t('This redeploy is no longer in the history.');
    }
    const commits = await this.findDeployedCommits(record, [record]);
    const message = redeployMessage(record, this.titles);
    const head = headOf(record, message, commits.get(commitsOnNodes(record.nodes) ?? ''));
    return `${head}\n\n${record.log === '' ? l10n.t("The platform didn't return a log.") : record.log}`;
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }
}

function headOf(record: DeployRecord, message: string, commit: LocalCommit | undefined): string {
  const { nodes, branch, verdict } = record;
  const rows = [
    message,
    ...(verdict.kind === 'failed' ? [l10n.t('The platform reports: {0}', verdict.sentence)] : []),
    ...timesAndCommit(record, commit),
    ...(branch === undefined ? [] : [l10n.t('Branch: {0}', branch)]),
    ...nodes.map(({ name, before, after, unreadable }) => `${name}: ${before ?? '–'} → ${unreadable ?? after ?? '–'}`),
  ];
  return rows.map((row) => `# ${row}`).join('\n');
}
