import type { Uri } from 'vscode';
import type { Account, Accounts, SignInAgainEvent } from './accounts/accounts';
import type { SecretStorageState } from './accounts/accountStore';
import type { Connections } from './accounts/connections';
import type { Unlocked } from './accounts/unlocking';
import type { CompatibilityStore } from './compatibility/compatibilityStore';
import type { Container } from './containers/environmentPart';
import type { ContainerWords } from './containers/namedContainer';
import type { LinkOptions } from './containers/containerLink';
import type { FilePlace, Place } from './containers/place';
import type { ChangeQuestion } from './ui/commands/protectedPrompt';
import type { PlatformAddress } from './platform/address';
import type { Dropped } from './trees/dropped';
import type { LinkTarget } from './trees/links';
import type { CommandTarget, SharedElement } from './trees/sharedElement';
import type { TaskRun } from './ui/taskTerminal';
import type { FailedRequest } from './ui/trafficLog';

/**
 * What features do for each other. A feature isn't imported by another one, so that its code is loaded when it's used:
 * something to do loads it (`features.tree.use`), something to refresh only reaches what is loaded (`features.tree.loaded`).
 */
export interface FeatureApis {
  readonly accounts: {
    readonly accounts: Accounts;
    readonly connections: Connections;
    /** The last ones, oldest first. */
    readonly failedRequests: readonly FailedRequest[];
    /** Whether VS Code stores secrets. */
    readonly secretStorage: () => SecretStorageState;
  };
  readonly signIn: {
    /** Returns the account, or `undefined` if the user cancels. */
    readonly signIn: () => Promise<Account | undefined>;
    readonly signInAgain: (event: SignInAgainEvent) => Promise<'signedIn' | 'dismissed'>;
    /** Signs out after asking for confirmation. Returns whether the account was removed. */
    readonly signOut: (account: Account) => Promise<boolean>;
    /** Returns what the password permits, asking for it if necessary; `undefined` if the user cancels. */
    readonly unlock: (account: Account, purpose: string) => Promise<Unlocked | undefined>;
    /** Returns whether VS Code's network stack is now used. */
    readonly offerVsCodeNetwork: (address: PlatformAddress) => Promise<boolean>;
  };
  readonly files: {
    readonly compatibility: CompatibilityStore;
  };
  readonly tree: {
    /** Returns the row if it's one of the Environments view. */
    readonly find: (row: object | undefined) => SharedElement | undefined;
    /** Returns the file or folder that a row leads to. */
    readonly targetOf: (row: object | undefined) => CommandTarget | undefined;
    /** Returns the selected rows. */
    readonly selection: () => readonly SharedElement[];
    /** Shows a place in the Environments view. Returns whether it exists. */
    readonly show: (place: Place) => Promise<boolean>;
    /** Selects a file or folder if its folder has a row and the view is visible. */
    readonly reveal: (place: FilePlace) => Promise<void>;
    readonly refreshFolders: (folders: readonly FilePlace[]) => void;
    /** Shows a folder again after the user asked to list it again. */
    readonly readAgain: (folder: FilePlace) => Promise<void>;
  };
  readonly treeCommands: {
    /** Moves, copies, or uploads to a folder what was dropped on it. */
    readonly drop: (folder: FilePlace, dropped: Dropped) => Promise<void>;
  };
  readonly favorites: {
    readonly refreshFolders: (folders: readonly FilePlace[]) => void;
    /** Returns the file or folder that a Favorites row leads to. */
    readonly targetOf: (row: object | undefined) => CommandTarget | undefined;
    /** Returns the file or folder that the row leads to that a key is for. */
    readonly selectedTarget: () => Promise<CommandTarget | undefined>;
  };
  readonly logs: {
    /** Opens a log at its end. */
    readonly open: (log: Uri) => Promise<void>;
    /** Returns the end of a log: at least so many lines or characters. */
    readonly endOfLog: (
      log: FilePlace,
      least: { readonly lines: number; readonly characters: number },
      signal: AbortSignal,
    ) => Promise<{ readonly text: string; readonly isWhole: boolean }>;
    /** Returns the last line of the log that most likely says how a service started. `node` is the root of its node. */
    readonly lastLine: (
      starting: { readonly node: FilePlace; readonly type: string | undefined; readonly moment: number },
      signal: AbortSignal,
    ) => Promise<string | undefined>;
    /** Prints a log's new lines until the task is stopped, or until a line contains a text. Returns whether one did. */
    readonly followTask: (
      task: ContainerWords & { readonly path: string; readonly until?: string | undefined },
      run: TaskRun,
    ) => Promise<boolean>;
  };
  readonly versions: {
    /** Keeps texts that were written otherwise than by a save, if the person agreed to that. Asks nothing. */
    readonly noteWritten: (texts: readonly ReplacedText[], cause: 'replaceInFile' | 'append') => Promise<void>;
    /** Notes what happened on a node, or on a layer, after files were saved: now, or at a moment in milliseconds since the epoch. */
    readonly noteFollowed: (
      place: FilePlace,
      what: 'restart' | 'failedRestart' | 'redeploy' | 'failedRedeploy',
      at?: number,
    ) => Promise<void>;
    /** Says what of something can be restored once it's deleted. `undefined`: nothing. */
    readonly restorableText: (targets: readonly CommandTarget[]) => Promise<string | undefined>;
    /** Offers to restore what was deleted since a moment, if there are versions of it. */
    readonly offerDeleted: (places: readonly FilePlace[], since: number) => Promise<void>;
  };
  readonly restart: {
    readonly forTools: {
      /** Returns the layer or node as the platform lists it now, and what to ask before its restart. */
      question(container: Container): Promise<{ readonly container: Container; readonly question: ChangeQuestion }>;
      /** Returns whether all nodes were restarted, and what they said. */
      run(container: Container, stopping: AbortSignal): Promise<{ readonly outcome: string; readonly text: string }>;
    };
    /** Returns whether every service was restarted. Stopping it ends it after the current node. */
    readonly restartTask: (
      task: ContainerWords & { readonly delay?: number | undefined },
      run: TaskRun,
    ) => Promise<boolean>;
  };
  readonly deployments: {
    /** Redeploys for a build. Stopping the task prevents a redeploy that hasn't started. */
    readonly redeployTask: (
      task: ContainerWords & {
        readonly context: string;
        readonly delay?: number | undefined;
        readonly onDataLoss: 'ask' | 'stop' | 'continue';
      },
      run: TaskRun,
    ) => Promise<'deployed' | 'notDeployed'>;
    /** Returns every project, without those of accounts that couldn't be read. */
    readonly allProjects: () => Promise<readonly ProjectName[]>;
    /** Returns the projects that were used on this computer. Sends no request. */
    readonly knownProjects: () => readonly ProjectName[];
    /** Selects a project's row. Returns whether it has one. */
    readonly show: (project: ProjectName) => Promise<boolean>;
    /** Whether a redeploy writes what is in the folder, as far as it's known. */
    readonly isDeployed: (folder: FilePlace) => boolean;
    readonly forTools: {
      /** Returns facts about each project with these names and what its nodes run, one a line. */
      describe(names: ProjectNames): Promise<readonly string[]>;
      /** Returns the only project with these names in these accounts. Rejects otherwise, and says which there are. */
      find(names: ProjectNames & { readonly accounts: readonly string[] }): Promise<ProjectName>;
      outlook(project: ProjectName): Promise<RedeployOutlook>;
      /**
       * Redeploys if `isAsShown` accepts what it would do now, unless the signal is aborted first. Asks in production, and if
       * something would be lost or missed.
       * Returns how it ended, and facts, one a line.
       */
      redeploy(
        project: ProjectName,
        options: {
          readonly isAsShown: (outlook: RedeployOutlook) => boolean;
          /** Called after the person's answer. Rejects if tools may not do that anymore. */
          readonly demand: () => void;
          readonly signal: AbortSignal;
        },
      ): Promise<{ readonly outcome: string; readonly lines: readonly string[] }>;
    };
  };
  readonly search: {
    /** Returns what a link to a row of the Search Results view leads to. */
    readonly linkTarget: (row: object | undefined) => LinkTarget | undefined;
    /** Asks whether to search a folder for what a link says. */
    readonly findLinked: (folder: FilePlace, options: LinkOptions) => Promise<void>;
    /**
     * Searches the files on the node, not unsaved texts. Returns what was found, in the order of the paths.
     * @param view which files are searched, and what instead of a file's text
     */
    readonly findInFolder: (
      folder: FilePlace,
      query: SearchWords,
      signal: AbortSignal,
      view?: { readonly reads: (file: FilePlace) => boolean; readonly text: (file: FilePlace, text: string) => string },
    ) => Promise<FoundInFolder>;
    /** Prints what a search finds as `grep -rn` does. Returns its exit codes, too. */
    readonly findTask: (
      task: ContainerWords & SearchWords & { readonly path: string },
      run: TaskRun,
    ) => Promise<number>;
    /** Keeps what a replacement changed, so that it can be undone, even in another window. Returns what undoes it. */
    readonly keepReplaced: (texts: readonly ReplacedText[]) => Promise<() => Promise<void>>;
  };
}

/** A file's text before and after a replacement. */
export interface ReplacedText {
  readonly place: FilePlace;
  readonly before: string;
  readonly after: string;
}

interface SearchWords {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly include: string;
  readonly exclude: string;
}

interface FoundInFolder {
  readonly files: readonly {
    readonly file: FilePlace;
    readonly lines: readonly { readonly line: number; readonly preview: string }[];
  }[];
  readonly skipped: readonly { readonly reason: string }[];
  readonly state: { readonly kind: string; readonly error?: unknown };
}

export interface ProjectName {
  readonly account: string;
  readonly environment: string;
  readonly layer: string;
  readonly context: string;
}

/** What a caller says of a project, as far as it says it. */
export type ProjectNames = { readonly [K in keyof ProjectName]?: string | undefined };

/** What a redeploy would do now. */
export interface RedeployOutlook {
  readonly question: string;
  /** What it deploys, and what would be lost or missed. */
  readonly paragraphs: readonly (string | undefined)[];
  /** What it depends on, of which the question names only a part. Isn't shown. */
  readonly settings: unknown;
}
