import type { EnvironmentTitles } from '../../../containers/locationText';
import { projectText } from '../projectText';
import { l10n } from 'vscode';
import type { KnownProject } from '../projects';
import type { LocalRepositories } from './localRepositories';
import { normalizeRepositoryUrl, sameRepository, withoutSecret } from './repositoryUrl';

interface SuggestedRepository {
  readonly url: string;
  readonly type: 'GIT' | 'SVN';
  /** Where the URL is known from. */
  readonly description: string;
}

export interface RepositorySuggestions {
  readonly repositories: readonly SuggestedRepository[];
  /** The branches of the repository, the most likely one first; empty if they aren't known. */
  readonly branchesOf: (url: string) => readonly string[];
}

/** Suggests the remotes of the repositories that are open here, and the repositories of known projects. */
export async function suggestRepositories(
  local: LocalRepositories,
  known: readonly KnownProject[],
  titles: EnvironmentTitles,
): Promise<RepositorySuggestions> {
  await local.ready;
  const remotes = await Promise.all(
    local.all.flatMap((repository) =>
      repository.urls.map(async (url) => ({
        name: repository.name,
        url,
        branches: await repository.branchesOf(url),
      })),
    ),
  );
  const fromHere = remotes.flatMap(({ name, url: remote }) =>
    addressesFor(remote).map((url): SuggestedRepository => {
      return { url, type: 'GIT', description: l10n.t('{0}, open in this window', name) };
    }),
  );
  const fromProjects = known.flatMap((project): SuggestedRepository[] => {
    const { url, kind = 'GIT' } = project;
    return url === undefined || url.includes('•••')
      ? []
      : [{ url, type: kind, description: l10n.t('deployed to {0}', projectText(project, titles)) }];
  });
  const branches = [
    ...remotes,
    ...known.map(({ url = '', branch = '' }) => ({ url, branches: branch === '' ? [] : [branch] })),
  ];
  const all = [...fromHere, ...fromProjects];
  return {
    repositories: all.filter(({ url }, index) => all.findIndex((other) => other.url === url) === index),
    branchesOf: (url) => {
      const found = branches.filter((one) => sameRepository(one.url, url));
      return [...new Set(found.flatMap((one) => one.branches))];
    },
  };
}

/**
 * Leaves out the developer's login, because the platform has its own credentials. Suggests https for an ssh remote too,
 * because the platform has an ssh key only if it's given one.
 */
function addressesFor(remote: string): readonly string[] {
  const plain = withoutSecret(remote, '').replace(/^(\w[\w+.-]*:\/\/)(?!git@)[^/\s]+@/, '$1');
  const normal = normalizeRepositoryUrl(remote);
  if (normal === undefined) {
    return [];
  }
  return /^(?:ssh|git\+ssh):|^[^/]+@[^/]+:/.test(plain)
    ? [`https://${normal.replace(/:\d+\//, '/')}.git`, plain]
    : [plain];
}

export function repositoryPrompt(known: readonly unknown[], type: SuggestedRepository['type'] = 'GIT'): string {
  const example = type === 'GIT' ? 'https://git.example.com/shop.git' : 'https://svn.example.com/shop/trunk';
  return known.length === 0
    ? l10n.t('Enter the repository URL, for example {0}', example)
    : l10n.t('Select a repository, or enter the URL of another one');
}
