import { Disposable, type Event, EventEmitter, window } from 'vscode';
import { childOf, type FilePlace, keyOf, wholeLayer, parentOrSelf } from '../../../containers/place';
import type { DeploymentParts } from '../parts';
import { foldersOf, placeOn, projectKey } from '../projectPlace';
import type { KnownProject } from '../projects';
import { firstEdits, type NodeEdit, placeOfEdit } from './nodeEdit';

export interface EditInProject {
  readonly edit: NodeEdit;
  readonly place: FilePlace;
  readonly project: KnownProject;
}

interface ChangingProjects {
  /** Fire when projects may have become known. */
  readonly onDidChangeProjects: readonly Event<unknown>[];
}

/** The edits in the folders of projects, in memory, so that VS Code can ask for each file that it shows. */
export class EditedFiles implements Disposable {
  private edits: readonly EditInProject[] = [];
  /** The same in each account that reaches the node. */
  private marks: readonly EditInProject[] = [];
  private byKey: ReadonlyMap<string, EditInProject> = new Map();
  private folders: ReadonlySet<string> = new Set();
  private isReading = false;
  private isStale = false;
  private readonly changed = new EventEmitter<readonly FilePlace[]>();
  private readonly subscriptions: Disposable;
  /** Fires with the files that were edited, or no longer are. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly deps: Pick<DeploymentParts, 'accounts' | 'finder' | 'nodeEditLog'> & ChangingProjects) {
    const refresh = () => void this.refresh();
    const { nodeEditLog, accounts, onDidChangeProjects } = deps;
    this.subscriptions = Disposable.from(
      ...[nodeEditLog.onDidChange, accounts.onDidChange, ...onDidChangeProjects].map((event: Event<unknown>) =>
        event(refresh),
      ),
      // Another window may have edited files, too.
      window.onDidChangeWindowState(({ focused }) => focused && refresh()),
    );
    refresh();
  }

  get all(): readonly EditInProject[] {
    return this.edits;
  }

  /**
   * Finds the edit of a file, which may be open through its node or through the whole layer, and in an account that
   * doesn't know the project.
   */
  find(place: FilePlace): EditInProject | undefined {
    const onLayer = this.byKey.get(keyOf(wholeLayer(place)));
    return this.byKey.get(keyOf(place)) ?? (onLayer?.edit.nodeId === undefined ? onLayer : undefined);
  }

  /** Whether any file of this very folder was edited. */
  isAnyIn(folder: FilePlace): boolean {
    return this.folders.has(keyOf(folder));
  }

  /** Reads the records. All changes during that time lead to only one more read. */
  private async refresh(): Promise<void> {
    this.isStale = true;
    if (this.isReading) {
      return;
    }
    this.isReading = true;
    try {
      while (this.isStale) {
        const { accounts, nodeEditLog } = this.deps;
        // Otherwise, a hundred files that are written at once would be read a hundred times.
        await nodeEditLog.settled();
        this.isStale = false;
        // The question before a redeploy says so if they can't be read.
        this.take((await Promise.all(accounts.list.map(({ slug }) => nodeEditLog.of(slug).catch(() => [])))).flat());
      }
    } finally {
      this.isReading = false;
    }
  }

  dispose(): void {
    Disposable.from(this.subscriptions, this.changed).dispose();
  }

  private take(all: readonly NodeEdit[]): void {
    const before = this.marks;
    this.edits = firstEdits(all.flatMap((edit) => this.inProject(edit) ?? []));
    // An account's own edit of a file comes last, and so is the one that is found.
    this.marks = [...this.edits.flatMap((one) => this.inOtherAccounts(one)), ...this.edits];
    const files = this.marks.filter(({ edit }) => edit.what !== 'unpacked');
    this.byKey = new Map([
      ...files.map((one) => [keyOf(wholeLayer(one.place)), one] as const),
      ...files.map((one) => [keyOf(one.place), one] as const),
    ]);
    this.folders = new Set(files.map(({ place }) => keyOf(parentOrSelf(place))));
    const changed = onlyInOne(this.marks, before, identityOf);
    if (changed.length > 0) {
      this.changed.fire(changed.map(({ place }) => place));
    }
  }

  /** The project may be known only for another account of the same platform. Then the edit is shown as that one's. */
  private inProject(edit: NodeEdit): EditInProject | undefined {
    const { nodeEditLog, finder } = this.deps;
    for (const account of nodeEditLog.accountsBeside(edit.account)) {
      const place = { ...placeOfEdit(edit), account };
      const project = finder.projectAt(place);
      if (project !== undefined) {
        return { edit, place, project };
      }
    }
    return undefined;
  }

  private inOtherAccounts(one: EditInProject): readonly EditInProject[] {
    const others = this.deps.nodeEditLog.accountsBeside(one.edit.account).filter((slug) => slug !== one.place.account);
    return others.map((account) => ({ ...one, place: { ...one.place, account } }));
  }
}

function identityOf({ edit, place }: EditInProject): string {
  return [keyOf(place), edit.what, edit.at, edit.archive].join('\n');
}

function onlyInOne<T>(one: readonly T[], other: readonly T[], identity: (element: T) => string): readonly T[] {
  const [inOne, inOther] = [new Set(one.map(identity)), new Set(other.map(identity))];
  return [
    ...one.filter((element) => !inOther.has(identity(element))),
    ...other.filter((element) => !inOne.has(identity(element))),
  ];
}

/** The folders whose files can be compared with what was deployed. */
export class DeployedFolders implements Disposable {
  /** The projects whose repository is open here, by key. */
  private cloned: ReadonlyMap<string, KnownProject> = new Map();
  private readonly changed = new EventEmitter<readonly FilePlace[]>();
  private readonly subscriptions: Disposable;
  /** Fires with the topmost folders that changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly deps: Pick<DeploymentParts, 'finder' | 'repositories' | 'environments' | 'versions'> &
      ChangingProjects & { readonly edited: EditedFiles },
  ) {
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
    const changed = onlyInOne([...this.cloned.values()], [...before.values()], identityOf);
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
