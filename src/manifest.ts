// What package.json declares, as types: a wrong id does not compile, and a test proves both equal.

/** Files in containers. */
export const scheme = 'gantry';
/** Scripts of a project's hooks, as drafts. */
export const hookScheme = 'gantry-hook';
/** Logs of past redeploys. */
export const deployScheme = 'gantry-deployment';
/** What files held before they were edited through Gantry. */
export const beforeEditScheme = 'gantry-before';

export const authenticationId = 'gantry';
/** Not empty: VS Code withdraws a request for a session only when there is a session with the same scopes. */
export const sessionScopes = ['account'];

/** The commands of each feature, whose code is loaded by the first of them that is used. */
export const commandsByFeature = {
  accounts: [
    'gantry.account.signIn',
    'gantry.account.lock',
    'gantry.account.renewToken',
    'gantry.account.signInAgain',
    'gantry.account.signOut',
    'gantry.account.unlock',
    'gantry.log.showStatistics',
  ],
  fileTree: [
    'gantry.environment.add',
    'gantry.environment.forget',
    'gantry.layer.enterNodes',
    'gantry.environments.refresh',
    'gantry.file.open',
    'gantry.file.create',
    'gantry.folder.create',
    'gantry.file.rename',
    'gantry.file.delete',
    'gantry.file.cut',
    'gantry.file.copy',
    'gantry.folder.paste',
    'gantry.file.copyPath',
    'gantry.folder.uploadFiles',
    'gantry.folder.uploadFolder',
    'gantry.folder.uploadFromUrl',
    'gantry.archive.unpack',
    'gantry.archive.unpackOnType',
    'gantry.file.download',
    'gantry.file.append',
    'gantry.file.replace',
    'gantry.file.compareWithLocal',
    'gantry.file.compareNodes',
    'gantry.file.showAsText',
    'gantry.folder.open',
    'gantry.folder.openInNewWindow',
    'gantry.folder.refresh',
    'gantry.link.copy',
    'gantry.view.retry',
  ],
  files: [
    'gantry.file.saveToAllNodes',
    'gantry.file.readAgain',
    'gantry.file.saveInPieces',
    'gantry.file.tryWriting',
    'gantry.conflict.compare',
    'gantry.conflict.merge',
    'gantry.conflict.overwrite',
    'gantry.conflict.saveElsewhere',
    'gantry.recovery.show',
  ],
  favorites: [
    'gantry.favorite.add',
    'gantry.favorite.addByPath',
    'gantry.favorite.open',
    'gantry.favorite.reveal',
    'gantry.favorite.rename',
    'gantry.favorite.editFilter',
    'gantry.favorite.remove',
    'gantry.favorites.sort',
    'gantry.favorites.refresh',
  ],
  mounts: [
    'gantry.mount.add',
    'gantry.mount.reveal',
    'gantry.mount.remove',
    'gantry.export.remove',
    'gantry.mounts.refresh',
  ],
  deployments: [
    'gantry.deployments.refresh',
    'gantry.project.add',
    'gantry.project.forget',
    'gantry.project.redeploy',
    'gantry.project.redeployWith',
    'gantry.project.checkDrift',
    'gantry.project.showLog',
    'gantry.project.showChanges',
    'gantry.project.lookAgain',
    'gantry.project.tellFolder',
    'gantry.project.create',
    'gantry.project.edit',
    'gantry.hook.apply',
    'gantry.project.rollBack',
    'gantry.project.delete',
  ],
  access: [
    'gantry.access.refresh',
    'gantry.access.showPolicies',
    'gantry.token.create',
    'gantry.token.edit',
    'gantry.token.regenerate',
    'gantry.token.delete',
    'gantry.token.signOutSessions',
    'gantry.session.signOutAll',
  ],
  log: ['gantry.log.show'],
} as const;
export type FeatureName = keyof typeof commandsByFeature;
export type CommandId<F extends FeatureName = FeatureName> = (typeof commandsByFeature)[F][number];
export const commandIds: readonly CommandId[] = Object.values(commandsByFeature).flat();

export const viewIds = [
  'gantry.environments',
  'gantry.favorites',
  'gantry.deployments',
  'gantry.mounts',
  'gantry.access',
] as const;
export type ViewId = (typeof viewIds)[number];

/** What VS Code calls a dragged row of the Environments view, by the view's id. */
export const environmentRowMimeType = 'application/vnd.code.tree.gantry.environments';

/** Context keys and the values that `when` clauses compare them with. */
export interface ContextKeys {
  'gantry.accounts': 'unknown' | 'none' | 'some';
  'gantry.clipboard': 'empty' | 'filled';
  'gantry.unlocked': 'none' | 'some';
  /** The unresolved save problem of the file in the active editor. */
  'gantry.saveProblem': 'none' | 'conflict' | 'pieces';
}
