import { Disposable, type Event, extensions, type Uri, workspace } from 'vscode';

// The part of the Git extension's API that is used here. It's another extension's object, so anything that doesn't
// match these types counts as missing.

export interface GitChange {
  readonly uri: Uri;
  readonly originalUri: Uri;
  readonly renameUri: Uri | undefined;
}

interface GitBranch {
  /** 0 is a branch of the clone itself, 2 a tag. */
  readonly type?: number;
  readonly name?: string;
  /** Only if it's a remote's branch. */
  readonly remote?: string;
  readonly commit?: string;
  readonly upstream?: { readonly remote: string; readonly name: string };
  readonly ahead?: number;
  readonly behind?: number;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly authorDate?: Date;
  readonly commitDate?: Date;
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
  /** The references to a commit or to later ones. Those whose type isn't 0 were fetched. */
  getRefs(query: { contains: string }): Promise<readonly { readonly type: number }[]>;
  log(options: { range: string; maxEntries?: number }): Promise<readonly GitCommit[]>;
  diffBetween(from: string, to: string): Promise<readonly GitChange[]>;
  /** What Git keeps of a path in a commit. Rejects with the code `UnknownPath` if the commit doesn't have it. */
  getObjectDetails(reference: string, path: string): Promise<{ readonly mode: string; readonly object: string }>;
  /** The bytes of a file in a commit, as Git's converters show it (textconv). `show` would decode them. */
  buffer(reference: string, path: string): Promise<Uint8Array>;
  /** Looks for changes in the working tree. */
  status(): Promise<void>;
  fetch(options: { remote?: string; ref?: string }): Promise<void>;
  push(remote?: string, branch?: string, setUpstream?: boolean): Promise<void>;
}

export interface Git {
  /** `uninitialized` until the extension has searched the open folders for repositories. */
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

/**
 * `disabled` by the setting `git.enabled`, `untrusted` in Restricted Mode, where VS Code doesn't load it, `absent` if the
 * host doesn't have it or the user disabled it, or `unusable` if it doesn't start or its API differs.
 */
export type GitExtensionState = 'works' | 'disabled' | 'untrusted' | 'absent' | 'unusable';

const extensionId = 'vscode.git';
/** Gets VS Code's Git extension and waits until it's ready. Every host may lack it. */
export async function findGit(): Promise<{
  readonly state: GitExtensionState;
  readonly git?: Git;
  readonly onDidChangeEnablement?: Event<boolean>;
}> {
  const extension = extensions.getExtension<unknown>(extensionId);
  if (extension === undefined) {
    return { state: workspace.isTrusted ? 'absent' : 'untrusted' };
  }
  // The extension itself reports why it couldn't start.
  const activate = async () => extension.activate();
  const exported = await activate().catch(() => undefined);
  if (!isGitExtension(exported)) {
    return { state: 'unusable' };
  }
  const { onDidChangeEnablement } = exported;
  if (!exported.enabled) {
    return { state: 'disabled', onDidChangeEnablement };
  }
  const git = exported.getAPI(1);
  return isGit(git) ? { state: 'works', git, onDidChangeEnablement } : { state: 'unusable', onDidChangeEnablement };
}

/** Calls back when the extension becomes available or unavailable, for example after the user enables it. */
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

/** Resolves when the extension is available, which takes a moment after the window becomes trusted, or after a while. */
export function gitAppeared(patience: number): Promise<void> {
  return until(extensions.onDidChange, () => extensions.getExtension(extensionId) !== undefined, patience);
}

/** Resolves when the extension has searched for repositories, or after a while. */
export function gitInitialized(git: Git, patience: number): Promise<void> {
  return until(git.onDidChangeState, () => git.state !== 'uninitialized', patience);
}

/** Resolves when the condition is true after an event, or when the wait times out. */
async function until(event: Event<unknown>, isSo: () => boolean, patience: number): Promise<void> {
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
  const reading = ['getBranch', 'getBranches', 'getCommit', 'getRefs', 'log', 'diffBetween', 'getObjectDetails'];
  const methods = [...reading, 'buffer', 'status', 'fetch', 'push'];
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
