// What package.json declares, as types: a wrong id does not compile, and a test proves both equal.

export const scheme = 'gantry';

export const commandIds = [
  'gantry.account.signIn',
  'gantry.account.lock',
  'gantry.account.renewToken',
  'gantry.account.signInAgain',
  'gantry.account.signOut',
  'gantry.account.unlock',
  'gantry.environment.add',
  'gantry.environment.forget',
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
  'gantry.folder.open',
  'gantry.folder.openInNewWindow',
  'gantry.folder.refresh',
  'gantry.environments.retry',
  'gantry.log.show',
  'gantry.deployments.refresh',
  'gantry.project.add',
  'gantry.project.forget',
  'gantry.project.redeploy',
  'gantry.project.redeployWith',
  'gantry.project.checkDrift',
  'gantry.project.showLog',
  'gantry.project.showChanges',
  'gantry.project.lookAgain',
  'gantry.link.copy',
  'gantry.log.showStatistics',
  'gantry.favorite.add',
  'gantry.favorite.addByPath',
  'gantry.favorite.open',
  'gantry.favorite.reveal',
  'gantry.favorite.rename',
  'gantry.favorite.editFilter',
  'gantry.favorite.remove',
  'gantry.favorites.sort',
  'gantry.favorites.refresh',
  'gantry.favorites.retry',
  'gantry.access.refresh',
  'gantry.access.showPolicies',
  'gantry.token.create',
  'gantry.token.edit',
  'gantry.token.regenerate',
  'gantry.token.delete',
  'gantry.token.signOutSessions',
  'gantry.session.signOutAll',
  'gantry.file.saveToAllNodes',
  'gantry.file.readAgain',
  'gantry.file.tryWriting',
  'gantry.conflict.compare',
  'gantry.conflict.merge',
  'gantry.conflict.overwrite',
  'gantry.conflict.saveElsewhere',
  'gantry.recovery.show',
] as const;
export type CommandId = (typeof commandIds)[number];

export const viewIds = ['gantry.environments', 'gantry.favorites', 'gantry.deployments', 'gantry.access'] as const;
export type ViewId = (typeof viewIds)[number];

/** Context keys and the values that `when` clauses compare them with. */
export interface ContextKeys {
  'gantry.accounts': 'unknown' | 'none' | 'some';
  'gantry.clipboard': 'empty' | 'filled';
  'gantry.unlocked': 'none' | 'some';
}
