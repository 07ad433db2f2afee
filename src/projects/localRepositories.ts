import { Disposable, EventEmitter, type Uri, workspace } from 'vscode';
import { findGit, type Git, type GitRepository, type GitState, isGitRepository } from './gitExtension';
import { LocalRepository } from './localRepository';
import { sameRepository } from './repositoryUrl';

const gitSetting = 'git.enabled';

/** The Git extension does not tell when it is switched off in a window that is open. */
function isSwitchedOn(): boolean {
  return workspace.getConfiguration().get(gitSetting) !== false;
}

/** The Git repositories that are open in this window, as far as VS Code's Git extension tells. */
export class LocalRepositories implements Disposable {
  private state: GitState = { kind: 'off' };
  private subscriptions: Disposable[] = [];
  private readonly changed = new EventEmitter<void>();
  /** A repository was opened or closed, or something in one is another now. Comes often. */
  readonly onDidChange = this.changed.event;
  /** Settles when the Git extension has been asked for the first time. */
  readonly ready: Promise<void>;

  constructor() {
    this.ready = this.connect();
  }

  /** Whether the Git extension can be asked at all. */
  get available(): boolean {
    return this.state.kind === 'on' && isSwitchedOn();
  }

  get all(): readonly LocalRepository[] {
    const { state } = this;
    return state.kind === 'on' && isSwitchedOn()
      ? state.git.repositories.filter(isGitRepository).map((repository) => new LocalRepository(repository, state.git))
      : [];
  }

  /** The open repository that the address names, through whichever of its remotes. */
  withAddress(url: string): LocalRepository | undefined {
    return this.all.find(({ remotes }) =>
      remotes.some(({ fetchUrl, pushUrl }) => sameRepository(fetchUrl, url) || sameRepository(pushUrl, url)),
    );
  }

  at(root: Uri): LocalRepository | undefined {
    return this.all.find((repository) => repository.root.toString() === root.toString());
  }

  /** Editors of the repository's files that were not saved. */
  unsavedIn({ root }: LocalRepository): readonly Uri[] {
    return workspace.textDocuments
      .filter(({ isDirty, uri }) => isDirty && uri.scheme === root.scheme && uri.path.startsWith(`${root.path}/`))
      .map(({ uri }) => uri);
  }

  dispose(): void {
    Disposable.from(...this.subscriptions, this.changed).dispose();
  }

  private async connect(): Promise<void> {
    const { onDidChange, ...state } = await findGit();
    this.state = state;
    Disposable.from(...this.subscriptions).dispose();
    const again = onDidChange?.(() => void this.connect());
    this.subscriptions = [
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(gitSetting)) {
          this.changed.fire();
        }
      }),
      ...(again === undefined ? [] : [again]),
      ...(state.kind === 'on' ? this.follow(state.git) : []),
    ];
    this.changed.fire();
  }

  private follow(git: Git): Disposable[] {
    const followed = new Map<GitRepository, Disposable>();
    const follow = (repository: GitRepository) => {
      if (isGitRepository(repository)) {
        followed.set(
          repository,
          repository.state.onDidChange(() => this.changed.fire()),
        );
      }
      this.changed.fire();
    };
    git.repositories.forEach(follow);
    return [
      git.onDidOpenRepository(follow),
      git.onDidCloseRepository((repository) => {
        followed.get(repository)?.dispose();
        followed.delete(repository);
        this.changed.fire();
      }),
      new Disposable(() => {
        Disposable.from(...followed.values()).dispose();
      }),
    ];
  }
}
