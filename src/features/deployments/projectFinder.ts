import type { Accounts } from '../../accounts/accounts';
import { type AllEnvironments, allEnvironments } from '../../containers/environmentIndex';
import type { Environments } from '../../containers/environments';
import { type FilePlace, isPathWithin } from '../../containers/place';
import type { ProjectNames } from '../../featureApis';
import type { KnownProject, KnownProjects, Projects } from './projects';
import type { LocalRepository } from './repositories/localRepository';
import { foldersOf, isInLayer, projectKey, type ProjectPlace } from './projectPlace';
import { sameRepository } from './repositories/repositoryUrl';

export function matchesNames(place: ProjectPlace, words: ProjectNames): boolean {
  const keys = ['account', 'environment', 'layer', 'context'] as const;
  return keys.every((key) => words[key] === undefined || words[key] === place[key]);
}

interface FoundProjects {
  readonly places: readonly ProjectPlace[];
  readonly failures: AllEnvironments['failures'];
}

/** Finds the project that a file, a repository or a caller's words belong to. */
export class ProjectFinder {
  constructor(
    private readonly signedIn: Accounts,
    private readonly environments: Environments,
    private readonly projects: Projects,
    private readonly known: KnownProjects,
  ) {}

  /** The known projects that deploy one of these repositories. Sends no request. */
  deploying(repositories: readonly LocalRepository[]): readonly KnownProject[] {
    const addresses = repositories.flatMap(({ urls }) => urls);
    return this.usable.filter(({ url }) => addresses.some((address) => sameRepository(address, url)));
  }

  /** The known project whose folder this is, or contains this file. Sends no request. */
  projectAt(place: FilePlace): KnownProject | undefined {
    return this.usable.find(
      (project) =>
        isInLayer(place, project) && foldersOf(project).some((folder) => `${place.path}/`.startsWith(`${folder}/`)),
    );
  }

  /**
   * Whether a file is in a project's folder, or may be in one that is unknown. Sends no request.
   * @param options.isAbove whether a folder above one counts, too
   */
  mayAffect(place: FilePlace, { isAbove }: { readonly isAbove: boolean }): boolean {
    return this.usable.some(
      (project) =>
        isInLayer(place, project) &&
        (project.folder === undefined ||
          isPathWithin(place.path, project.folder) ||
          (isAbove && isPathWithin(project.folder, place.path))),
    );
  }

  named(words: ProjectNames): readonly KnownProject[] {
    return this.usable.filter((project) => matchesNames(project, words));
  }

  /** Returns the signed-in accounts' slugs, as tasks and URIs use them. */
  async accounts(): Promise<readonly string[]> {
    await this.signedIn.firstRead;
    return this.signedIn.list.map(({ slug }) => slug);
  }

  /**
   * Returns all projects. If none of them is wanted, the environments are listed again first, because the project may be
   * newer than what is cached. An account that just failed to list them isn't asked a second time.
   */
  async all(isWanted?: (place: ProjectPlace) => boolean): Promise<FoundProjects> {
    const begin = Date.now();
    await this.signedIn.demandRead();
    const { list } = this.signedIn;
    const known = await this.listed(list, (account) => this.environments.of(account));
    if (isWanted === undefined || known.places.some(isWanted)) {
      return known;
    }
    const answering = list.filter((account) => known.failures.every((failure) => failure.account !== account));
    const now = await this.listed(answering, (account) => this.environments.now(account, Date.now() - begin + 1));
    return { places: now.places, failures: [...known.failures, ...now.failures] };
  }

  private async listed(list: Accounts['list'], of: Environments['of']): Promise<FoundProjects> {
    const { environments, failures } = await allEnvironments({ list }, { of });
    const places = [...environments.flatMap((environment) => this.projects.of(environment)), ...this.usable];
    return { places: [...new Map(places.map((place) => [projectKey(place), place])).values()], failures };
  }

  /** The known projects of signed-in accounts. */
  private get usable(): readonly KnownProject[] {
    return this.known.all.filter(({ account }) => this.signedIn.find(account) !== undefined);
  }
}
