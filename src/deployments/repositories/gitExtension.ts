import { Disposable, type Event, extensions, type Uri } from 'vscode';

// The part of the built-in Git extension's interface that is used here. It is another extension's object: what is not
// as written here counts as not there.

export interface GitChange {
  readonly uri: Uri;
  readonly originalUri: Uri;
  readonly renameUri: Uri | undefined;
}

export interface GitBranch {
  readonly name?: string;
  readonly commit?: string;
  readonly upstream?: { readonly remote: string; readonly name: string };
  readonly ahead?: number;
  readonly behind?: number;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
}

export interface GitRemote {
  readonly name: string;
  readonly fetchUrl?: string;
  readonly pushUrl?: string;
}

export interface GitRepository {
  readonly rootUri: Uri;
  readonly state: {
    readonly HEAD: GitBranch | undefined;
    readonly remotes: readonly GitRemote[];
    readonly mergeChanges: readonly GitChange[];
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
    readonly onDidChange: Event<void>;
  };
  getBranch(name: string): Promise<GitBranch>;
  getBranches(query: { remote?: boolean }): Promise<readonly GitBranch[]>;
  getCommit(reference: string): Promise<GitCommit>;
  log(options: { range: string; maxEntries?: number }): Promise<readonly GitCommit[]>;
  diffBetween(from: string, to: string): Promise<readonly GitChange[]>;
  show(reference: string, path: string): Promise<string>;
  fetch(options: { remote?: string; ref?: string }): Promise<void>;
  push(remote?: string, branch?: string, setUpstream?: boolean): Promise<void>;
}

export interface Git {
  /** `uninitialized` until it has looked for repositories in the folders that are open. */
  readonly state?: string;
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: Event<GitRepository>;
  readonly onDidCloseRepository: Event<GitRepository>;
  readonly onDidChangeState: Event<unknown>;
  toGitUri(uri: Uri, reference: string): Uri;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: Event<boolean>;
  getAPI(version: 1): unknown;
}

/** Without `git`, it's switched off, not installed, or kept from running, as in windows that are not trusted. */
export interface FoundGit {
  readonly git?: Git;
  readonly onDidChangeEnablement?: Event<boolean>;
}

const extensionId = 'vscode.git';
/** Milliseconds to wait for VS Code to load the extension, and then for the extension to find repositories. */
const patience = 5000;

/** Asks VS Code for its Git extension, and waits until that is ready to be asked. */
export async function findGit(): Promise<FoundGit> {
  // The extension itself reports why it couldn't start.
  const activate = async () => extensions.getExtension<unknown>(extensionId)?.activate();
  const exported = await activate().catch(() => undefined);
  if (!isGitExtension(exported)) {
    return {};
  }
  const { onDidChangeEnablement } = exported;
  const git = exported.enabled ? exported.getAPI(1) : undefined;
  return isGit(git) ? { git, onDidChangeEnablement } : { onDidChangeEnablement };
}

/** Calls back when the extension appears or disappears, as when the person enables it. */
export function onDidChangeGitExtension(changed: () => void): Disposable {
  let isThere = extensions.getExtension(extensionId) !== undefined;
  return extensions.onDidChange(() => {
    const wasThere = isThere;
    isThere = extensions.getExtension(extensionId) !== undefined;
    if (isThere !== wasThere) {
      changed();
    }
  });
}

/** Settles when the extension is available, which takes a moment after the window is trusted. */
export function gitAppeared(): Promise<void> {
  return until(extensions.onDidChange, () => extensions.getExtension(extensionId) !== undefined);
}

/** Settles when the extension has looked for repositories. */
export function gitInitialized(git: Git): Promise<void> {
  return until(git.onDidChangeState, () => git.state !== 'uninitialized');
}

/** Settles when the condition is true after an event, or when the wait times out. */
async function until(event: Event<unknown>, isSo: () => boolean): Promise<void> {
  const listeners: Disposable[] = [];
  await new Promise<void>((resolve) => {
    const look = () => {
      if (isSo()) {
        resolve();
      }
    };
    const timer = setTimeout(resolve, patience);
    listeners.push(event(look), new Disposable(() => clearTimeout(timer)));
    look();
  });
  Disposable.from(...listeners).dispose();
}

function isGitExtension(value: unknown): value is GitExtension {
  return has(value, { enabled: 'boolean', onDidChangeEnablement: 'function', getAPI: 'function' });
}

function isGit(value: unknown): value is Git {
  return has(value, {
    repositories: 'object',
    onDidOpenRepository: 'function',
    onDidCloseRepository: 'function',
    onDidChangeState: 'function',
    toGitUri: 'function',
  });
}

export function isGitRepository(value: unknown): value is GitRepository {
  const methods = ['getBranch', 'getBranches', 'getCommit', 'log', 'diffBetween', 'show', 'fetch', 'push'];
  return (
    has(value, {
      rootUri: 'object',
      state: 'object',
      ...Object.fromEntries(methods.map((name) => [name, 'function'])),
    }) && has(field(value, 'state'), { remotes: 'object', workingTreeChanges: 'object', indexChanges: 'object' })
  );
}

function has(value: unknown, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, type]) => typeof field(value, name) === type);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
