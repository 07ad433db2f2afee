import type { LocalRepositories } from '../repositories/localRepositories';
import { normaliseRepositoryUrl, sameRepository } from '../repositories/repositoryUrl';

/** What the open repositories suggest for a project. */
export interface RepositorySuggestions {
  readonly addresses: readonly string[];
  readonly branchesOf: (url: string) => readonly string[];
}

/** No login of the developer's goes along: the platform has credentials of its own. */
export async function repositorySuggestions(repositories: LocalRepositories): Promise<RepositorySuggestions> {
  await repositories.ready;
  const known = await Promise.all(
    repositories.all.map(async (repository) => ({
      urls: repository.remotes.flatMap(({ fetchUrl, pushUrl }) => [fetchUrl ?? [], pushUrl ?? []].flat()),
      branches: await repository.branches(),
    })),
  );
  const addresses = known.flatMap(({ urls }) => urls.flatMap(addressesFor));
  return {
    addresses: [...new Set(addresses)],
    branchesOf: (url) => known.find(({ urls }) => urls.some((one) => sameRepository(one, url)))?.branches ?? [],
  };
}

/** A remote over ssh is offered over https as well: a platform has no ssh key unless it is given one. */
function addressesFor(remote: string): readonly string[] {
  const plain = remote.replace(/^(\w[\w+.-]*:\/\/)(?:[^/@\s]*:[^/@\s]*|(?!git@)[^/@\s]+)@/, '$1');
  const normal = normaliseRepositoryUrl(remote);
  if (normal === undefined) {
    return [];
  }
  return /^(?:ssh|git\+ssh):|^[^/]+@[^/]+:/.test(plain)
    ? [`https://${normal.replace(/:\d+\//, '/')}.git`, plain]
    : [plain];
}
