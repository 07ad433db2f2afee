import type { Accounts } from '../accounts/accounts';
import { allEnvironments } from '../containers/environmentIndex';
import type { Environments } from '../containers/environments';
import type { FilePlace } from '../containers/place';
import { likelyFolders } from './deployedState/clonesOnNodes';
import type { KnownProject, KnownProjects } from './knownProjects';
import type { LocalRepository } from './repositories/localRepository';
import { projectKey, type ProjectPlace } from './projectPlace';
import type { Projects } from './projects';
import { sameRepository } from './repositories/repositoryUrl';

/** Which project somebody means. */
export class ProjectFinder {
  constructor(
    private readonly deps: {
      readonly accounts: Accounts;
      readonly environments: Environments;
      readonly projects: Projects;
      readonly known: KnownProjects;
    },
  ) {}

  /** The projects that deploy one of these repositories, as far as they were seen before. Asks nobody. */
  deploying(repositories: readonly LocalRepository[]): readonly KnownProject[] {
    const addresses = repositories.flatMap(({ remotes }) =>
      remotes.flatMap(({ fetchUrl, pushUrl }) => [fetchUrl ?? [], pushUrl ?? []].flat()),
    );
    return this.usable.filter(({ url }) => addresses.some((address) => sameRepository(address, url)));
  }

  /** The project in whose folder a file lies, or whose folder it is. Asks nobody. */
  holding({ account, environment, target, path }: FilePlace): KnownProject | undefined {
    return this.usable.find(
      (project) =>
        project.account === account &&
        project.environment === environment &&
        project.layer === target.nodeGroup &&
        foldersOf(project).some((folder) => `${path}/`.startsWith(`${folder}/`)),
    );
  }

  /** Whether a file may lie in the folder of a project of which nobody knows where it lies. Asks nobody. */
  mayHold({ account, environment, target }: FilePlace): boolean {
    return this.usable.some(
      (project) =>
        project.account === account &&
        project.environment === environment &&
        project.layer === target.nodeGroup &&
        project.folder === undefined,
    );
  }

  /** The known projects that a caller's words fit, such as those of a task. */
  named(words: { readonly [K in keyof ProjectPlace]?: string | undefined }): readonly KnownProject[] {
    const fits = (project: KnownProject, key: keyof ProjectPlace) =>
      words[key] === undefined || words[key] === project[key];
    return this.usable.filter((project) =>
      (['account', 'environment', 'layer', 'context'] as const).every((key) => fits(project, key)),
    );
  }

  /** The accounts that are signed in, by the names that tasks and addresses have for them. */
  async accounts(): Promise<readonly string[]> {
    await this.deps.accounts.loaded;
    return this.deps.accounts.list.map(({ slug }) => slug);
  }

  /** Every project of every account, with what kept one from being asked. */
  async all(): Promise<{ readonly places: readonly ProjectPlace[]; readonly failures: readonly unknown[] }> {
    const { accounts, environments, projects } = this.deps;
    await accounts.demandRead();
    const { environments: listed, failures } = await allEnvironments(accounts, environments);
    const places = [...listed.flatMap((environment) => projects.of(environment)), ...this.usable];
    return {
      places: [...new Map(places.map((place) => [projectKey(place), place])).values()],
      failures: failures.map(({ error }) => error),
    };
  }

  /** Those of accounts that are signed in. */
  private get usable(): readonly KnownProject[] {
    return this.deps.known.all.filter(({ account }) => this.deps.accounts.find(account) !== undefined);
  }
}

/** The folder of a context where it is known, else where it may be. */
export function foldersOf(project: KnownProject): readonly string[] {
  return project.folder === undefined ? likelyFolders(project, undefined) : [project.folder];
}
