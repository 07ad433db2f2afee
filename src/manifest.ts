export type { CommandId } from './commands';

// The declarations of package.json as types, so that a wrong ID doesn't compile. A test compares the two.

/** Files in containers. */
export const scheme = 'gantry';
/** Drafts of a project's hook scripts. */
export const hookScheme = 'gantry-hook';
/** Logs of past redeploys. */
export const deployScheme = 'gantry-deployment';
/** The variables of containers. */
export const variablesScheme = 'gantry-variables';
/** The ends of logs on nodes. */
export const logScheme = 'gantry-log';
/** Files as they were before they were edited through Gantry. */
export const beforeEditScheme = 'gantry-before';

/** The page of a file whose bytes the platform can't return. */
export const binaryFileViewType = 'gantry.binaryFile';

export const authenticationId = 'gantry';
/** The list of edited files in the Source Control view. */
export const sourceControlId = 'gantry';
/** Not empty, because VS Code withdraws a session request only once a session with the same scopes exists. */
export const sessionScopes = ['account'];

/** The tools for language models. */
export const toolNames = [
  'gantry_list_environments',
  'gantry_list_folder',
  'gantry_read_file',
  'gantry_search_files',
  'gantry_edit_file',
  'gantry_redeploy',
  'gantry_restart_service',
  'gantry_read_log',
] as const;
export type ToolName = (typeof toolNames)[number];

export const viewIds = [
  'gantry.environments',
  'gantry.favorites',
  'gantry.deployments',
  'gantry.mounts',
  'gantry.access',
  'gantry.searchResults',
] as const;
export type ViewId = (typeof viewIds)[number];

/** VS Code's MIME type for dragged rows of the Environments view. */
export const environmentRowMimeType = 'application/vnd.code.tree.gantry.environments';

/** Context keys and their values in `when` clauses. */
export interface ContextKeys {
  /** Unreadable while the computer's keychain is locked. Not set until the accounts are read. */
  'gantry.accounts': 'unreadable' | 'none' | 'some';
  /** The state of the account if there's only one. Its views have no rows while it's signed out. */
  'gantry.onlyAccount': 'none' | 'signedIn' | 'signedOut';
  /** Whether any account has to sign in again. */
  'gantry.signedOut': 'none' | 'some';
  /** Whether the Access view has no rows because its only account is locked. */
  'gantry.accessView': 'open' | 'locked';
  'gantry.clipboard': 'empty' | 'filled';
  /** Whether the platforms have listed any environment. Unknown until the first one has answered. */
  'gantry.listedEnvironments': 'unknown' | 'none' | 'some';
  'gantry.unlocked': 'none' | 'some';
  /** How many nodes the layer of the file in the active editor has. A file of the whole layer counts as one. */
  'gantry.layerNodes': 'one' | 'several';
  /** The folders of open files, and those in the Explorer, that are in layers with several nodes, or may be: the paths of their URIs. */
  'gantry.foldersOnSeveralNodes': readonly string[];
  /** Of those folders, the ones whose accounts are known to lack what a command needs. */
  'gantry.foldersWithoutWrite': readonly string[];
  'gantry.foldersWithoutUpload': readonly string[];
  'gantry.foldersWithoutUnpackById': readonly string[];
  'gantry.foldersWithoutUnpackByType': readonly string[];
  'gantry.foldersWithoutAddFavorite': readonly string[];
  /** What the account of the file in the active editor is known to lack, as words: `noWrite`, for example. */
  'gantry.editorLacks': string;
  /** Of the folders of open files, and those in the Explorer, the ones whose files can be compared with what was deployed. */
  'gantry.deployedFolders': readonly string[];
  /** Whether any project that was read is pinned to a commit. */
  'gantry.pinnedProjects': 'none' | 'some';
  /** Whether a container folder is open in the Explorer. */
  'gantry.containerFolders': 'none' | 'some';
  /** The search whose results are shown. */
  'gantry.search': 'none' | 'running' | 'ended';
  /** What the account of this search is known to lack, as words: `noWrite`, for example. */
  'gantry.searchLacks': string;
  /** Whether the active document of variables shows secret values. */
  'gantry.secretValues': 'shown' | 'masked';
  /** The log in the active editor. */
  'gantry.logState': 'none' | 'following' | 'paused';
  /** The unresolved save problem of the file in the active editor. */
  'gantry.saveProblem': 'none' | 'conflict' | 'pieces';
  /** Whether this window has saved a file of a container, and redeployed a project. They complete steps of the walkthrough. */
  'gantry.saves': 'some';
  'gantry.redeploys': 'some';
  /** Whether the text in the active editor has conflicts that a merge left. */
  'gantry.mergeConflicts': 'none' | 'some';
}
