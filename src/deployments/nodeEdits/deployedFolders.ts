import { Disposable, type Event, EventEmitter } from 'vscode';
import type { Environments } from '../../containers/environments';
import { childOf, type FilePlace } from '../../containers/place';
import type { ProjectFinder } from '../projectFinder';
import { foldersOf, placeOn, projectKey } from '../projectPlace';
import type { KnownProject } from '../projects';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { DeployedVersions } from './deployedVersions';
import type { EditedFiles } from './editedFiles';

interface DeployedFoldersDeps {
  readonly finder: ProjectFinder;
  readonly repositories: LocalRepositories;
  readonly environments: Pick<Environments, 'knownLayer'>;
  readonly versions: DeployedVersions;
  readonly edited: EditedFiles;
  /** Fire when projects may have become known. */
  readonly onDidChangeProjects: readonly Event<unknown>[];
}

/** The folders whose files can be compared with what was deployed. */
export class DeployedFolders implements Disposable {
  /** The projects whose repository is open here, by key. */
  private cloned: ReadonlyMap<string, KnownProject> = new Map();
  private readonly changed = new EventEmitter<readonly FilePlace[]>();
  private readonly subscriptions: Disposable;
  /** Fires with the topmost folders that changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: DeployedFoldersDeps) {
    const update = () => this.update();
    this.subscriptions = Disposable.from(
      ...[deps.repositories.onDidChange, ...deps.onDidChangeProjects].map((event: Event<unknown>) => event(update)),
      deps.edited.onDidChange((files) => this.changed.fire(files)),
    );
    this.update();
  }

  has(folder: FilePlace): boolean {
    const project = this.deps.versions.locate(childOf(folder, '-'))?.project;
    return project !== undefined && (this.cloned.has(projectKey(project)) || this.deps.edited.isAnyIn(folder));
  }

  dispose(): void {
    Disposable.from(this.subscriptions, this.changed).dispose();
  }

  /** The Git extension reports every changed file, and few of its events matter here. */
  private update(): void {
    const { finder, repositories } = this.deps;
    const before = this.cloned;
    const identityOf = (project: KnownProject) => `${projectKey(project)} ${project.folder ?? ''}`;
    this.cloned = new Map(finder.deploying(repositories.all).map((project) => [projectKey(project), project]));
    const [earlier, now] = [before, this.cloned].map((projects) => new Set([...projects.values()].map(identityOf)));
    const changed = [...before.values(), ...this.cloned.values()].filter(
      (project) => earlier?.has(identityOf(project)) !== now?.has(identityOf(project)),
    );
    if (changed.length > 0) {
      this.changed.fire(changed.flatMap((project) => this.rootsOf(project)));
    }
  }

  private rootsOf(project: KnownProject): readonly FilePlace[] {
    const { account, environment, layer: nodeGroup } = project;
    const nodes = this.deps.environments.knownLayer(account, environment, nodeGroup)?.nodes ?? [];
    const targets = [{ nodeGroup }, ...nodes.map(({ id: nodeId }) => ({ nodeGroup, nodeId }))];
    return foldersOf(project).flatMap((folder) => targets.map((target) => placeOn(project, target, folder)));
  }
}
