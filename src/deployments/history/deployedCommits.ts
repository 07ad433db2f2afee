import { commands, l10n, type Uri } from 'vscode';
import { short } from '../commits';
import { nodesNow } from '../deployedState/nodesNow';
import type { KnownProjects, Projects } from '../projects';
import type { ProjectPlace } from '../projectPlace';
import type { DeployRecord } from '../redeploy/redeployResult';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { CommitSubjects } from '../redeploy/redeployResultText';
import type { LocalCommit, LocalRepository } from '../repositories/localRepository';

/** Finds the commits that redeploys of a project deployed, by their hash, if its repository is open here. */
export type FindDeployedCommits = (
  place: ProjectPlace,
  records: readonly DeployRecord[],
) => Promise<ReadonlyMap<string, LocalCommit>>;

export function findDeployedCommits(known: KnownProjects, repositories: LocalRepositories): FindDeployedCommits {
  return async (place, records) => {
    await repositories.ready;
    const { url, branch } = known.find(place) ?? {};
    const hashes = records.flatMap(({ nodes }) => nodesNow(nodes).commit ?? []);
    return (await repositories.withAddress(url)?.find(hashes, { url, branch })) ?? new Map<string, LocalCommit>();
  };
}

/** Returns a redeploy's changes if the repository is open here and has both commits. */
export async function deployedChanges(
  { nodes, ...record }: DeployRecord,
  { projects, repositories }: { readonly projects: Projects; readonly repositories: LocalRepositories },
): Promise<{ readonly subjects: CommitSubjects; show(): Promise<void> } | undefined> {
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
