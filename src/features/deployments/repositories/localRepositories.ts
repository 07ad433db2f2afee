import { Disposable, EventEmitter, type Uri, workspace } from 'vscode';
import {
  findGit,
  type Git,
  type GitExtensionState,
  gitAppeared,
  gitInitialized,
  type GitRepository,
  isGitRepository,
  onDidChangeGitExtension,
} from '../../../files/gitExtension';
import { LocalRepository } from './localRepository';
import { sameRepository } from './repositoryUrl';

const gitSetting = 'git.enabled';

/** Reads the setting, because the Git extension fires no event when it's disabled in an open window. */
function isSwitchedOn(): boolean {
  return workspace.getConfiguration().get(gitSetting) !== false;
}

/** The Git repositories open in this window, from VS Code's Git extension. */
export class LocalRepositories implements Disposable {
  /** Milliseconds to wait for VS Code to load the Git extension, and then for the extension to find repositories. */
  patience = 5_000;
  private git: Git | undefined;
  private found: GitExtensionState = 'absent';
  private subscriptions: Disposable[] = [];
  private readonly changed = new EventEmitter<void>();
  /** Fires, often, when a repository is opened or closed, or changes. */
  readonly onDidChange = this.changed.event;
  private readonly availabilityChanged = new EventEmitter<void>();
  /** Fires when the Git extension becomes available or unavailable. */
  readonly onDidChangeAvailability = this.availabilityChanged.event;
  private wasAvailable = false;
  private connecting: Promise<void>;
  private readonly listeners: readonly Disposable[];

  constructor() {
    this.connecting = this.connect();
    this.listeners = [
      // The extension isn't available until the window is trusted.
      workspace.onDidGrantWorkspaceTrust(() => this.connectAgain(gitAppeared(this.patience))),
      onDidChangeGitExtension(() => this.connectAgain()),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(gitSetting)) {
          this.notify();
        }
      }),
    ];
  }

  /** Resolves when the Git extension, if there is one, has searched for repositories. */
  get ready(): Promise<void> {
    return this.connecting;
  }

  get available(): boolean {
    return this.git !== undefined && isSwitchedOn();
  }

  get state(): GitExtensionState {
    return isSwitchedOn() ? this.found : 'disabled';
  }

  get all(): readonly LocalRepository[] {
    const { git } = this;
    return git === undefined || !isSwitchedOn()
      ? []
      : git.repositories.filter(isGitRepository).map((repository) => new LocalRepository(repository, git));
  }

  withAddress(url: string | undefined): LocalRepository | undefined {
    return this.all.find(({ urls }) => urls.some((one) => sameRepository(one, url)));
  }

  at(root: Uri): LocalRepository | undefined {
    return this.all.find((repository) => repository.root.toString() === root.toString());
  }

  dispose(): void {
    Disposable.from(...this.listeners, ...this.subscriptions, this.changed, this.availabilityChanged).dispose();
  }

  private notify(): void {
    const { available, wasAvailable } = this;
    this.wasAvailable = available;
    this.changed.fire();
    if (available !== wasAvailable) {
      this.availabilityChanged.fire();
    }
  }

  private connectAgain(first = Promise.resolve()): void {
    this.connecting = Promise.all([this.connecting, first]).then(() => this.connect());
  }

  private async connect(): Promise<void> {
    const { state, git, onDidChangeEnablement } = await findGit();
    this.git = git;
    this.found = state;
    Disposable.from(...this.subscriptions).dispose();
    this.subscriptions = git === undefined ? [] : this.follow(git);
    if (onDidChangeEnablement !== undefined) {
      this.subscriptions.push(onDidChangeEnablement(() => this.connectAgain()));
    }
    this.notify();
    if (git !== undefined) {
      await gitInitialized(git, this.patience);
    }
  }

  private follow(git: Git): Disposable[] {
    const followed = new Map<GitRepository, Disposable>();
    const follow = (repository: GitRepository) => {
      if (isGitRepository(repository)) {
        followed.set(
          repository,
          repository.state.onDidChange(() => this.notify()),
        );
      }
      this.notify();
    };
    git.repositories.forEach(follow);
    return [
      git.onDidOpenRepository(follow),
      git.onDidCloseRepository((repository) => {
        followed.get(repository)?.dispose();
        followed.delete(repository);
        this.notify();
      }),
      new Disposable(() => {
        Disposable.from(...followed.values()).dispose();
      }),
    ];
  }
}
