import type { KnownProjects } from '../projects';
import type { ProjectPlace } from '../projectPlace';
import type { DeployRecord } from '../redeploy/redeployResult';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalCommit } from '../repositories/localRepository';
import { nodesNow } from '../deployedState/nodesNow';

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
