/**
 * What a command acts on. How rows, a selection, a URI, the active editor, or an answer lead to it, its resolver knows, so
 * no handler gets what VS Code passes.
 */
export type TargetKind =
  | 'none'
  | 'account'
  | 'file'
  | 'folder'
  /** A file or folder. */
  | 'entry'
  | 'entries'
  /** Rows of one view. */
  | 'rows'
  /** An environment, one of its layers, or a node. */
  | 'environment'
  | 'project'
  /** The document of an editor. */
  | 'editor'
  /** Something of its own, such as the errors of a message. */
  | 'raw';

/** The commands of each feature, of the files that are being edited (`files`), and of the log, with what each acts on. */
export const commandsOf = {
  signIn: {
    'gantry.account.signIn': 'none',
    'gantry.account.lock': 'account',
    'gantry.account.renewToken': 'account',
    'gantry.account.signInAgain': 'account',
    'gantry.account.signOut': 'account',
    'gantry.account.unlock': 'account',
  },
  tree: {
    'gantry.environments.refresh': 'none',
    'gantry.view.retry': 'rows',
  },
  treeCommands: {
    'gantry.environment.add': 'account',
    'gantry.environment.remove': 'rows',
    'gantry.environment.openInBrowser': 'environment',
    'gantry.environment.openDashboard': 'account',
    'gantry.environment.markAsProduction': 'rows',
    'gantry.environment.unmarkAsProduction': 'rows',
    'gantry.environment.goTo': 'none',
    'gantry.layer.enterNodes': 'rows',
    'gantry.file.open': 'entries',
    'gantry.file.openToSide': 'entries',
    'gantry.file.create': 'folder',
    'gantry.folder.create': 'folder',
    'gantry.file.rename': 'entries',
    'gantry.file.delete': 'entries',
    'gantry.file.cut': 'entries',
    'gantry.file.copy': 'entries',
    'gantry.folder.paste': 'folder',
    'gantry.file.duplicate': 'entry',
    'gantry.file.copyPath': 'entries',
    'gantry.file.copyRelativePath': 'entries',
    'gantry.folder.uploadFiles': 'folder',
    'gantry.folder.uploadFolder': 'folder',
    'gantry.folder.uploadFromUrl': 'folder',
    'gantry.archive.unpack': 'file',
    'gantry.archive.unpackOnType': 'file',
    'gantry.file.download': 'entries',
    'gantry.file.append': 'file',
    'gantry.file.replace': 'file',
    'gantry.file.selectForCompare': 'file',
    'gantry.file.compareWithSelected': 'file',
    'gantry.file.compareSelected': 'entries',
    'gantry.file.compareWithLocal': 'file',
    'gantry.file.compareNodes': 'file',
    'gantry.file.showAsText': 'file',
    'gantry.file.replaceByUpload': 'file',
    'gantry.file.reveal': 'entry',
    'gantry.folder.open': 'folder',
    'gantry.folder.openInNewWindow': 'folder',
    'gantry.folder.refresh': 'folder',
    'gantry.link.copy': 'raw',
  },
  files: {
    'gantry.file.saveToAllNodes': 'editor',
    'gantry.file.reload': 'none',
    'gantry.file.saveInPieces': 'editor',
    'gantry.file.allowEditing': 'editor',
    'gantry.conflict.compare': 'editor',
    'gantry.conflict.merge': 'editor',
    'gantry.conflict.overwrite': 'editor',
    'gantry.conflict.accept': 'editor',
    'gantry.conflict.saveElsewhere': 'editor',
    'gantry.conflict.acceptSide': 'editor',
    'gantry.recovery.show': 'none',
  },
  search: {
    'gantry.search.findInFolder': 'folder',
    'gantry.search.again': 'none',
    'gantry.search.edit': 'none',
    'gantry.search.replace': 'rows',
    'gantry.search.undoReplace': 'none',
    'gantry.search.cancel': 'none',
    'gantry.search.clear': 'none',
    'gantry.search.remove': 'rows',
    'gantry.search.copy': 'rows',
    'gantry.search.copyLink': 'none',
    'gantry.search.openEditor': 'none',
  },
  goToFile: {
    'gantry.search.goToFile': 'folder',
  },
  favorites: {
    'gantry.favorite.add': 'entries',
    'gantry.favorite.addByPath': 'environment',
    'gantry.favorite.open': 'rows',
    'gantry.favorite.reveal': 'rows',
    'gantry.favorite.rename': 'rows',
    'gantry.favorite.editFilter': 'rows',
    'gantry.favorite.remove': 'rows',
    'gantry.favorites.sort': 'none',
    'gantry.favorites.refresh': 'none',
  },
  mounts: {
    'gantry.mount.add': 'environment',
    'gantry.mount.reveal': 'rows',
    'gantry.mount.remove': 'rows',
    'gantry.export.remove': 'rows',
    'gantry.mounts.refresh': 'none',
  },
  access: {
    'gantry.access.show': 'none',
    'gantry.access.refresh': 'none',
    'gantry.token.create': 'account',
    'gantry.token.edit': 'rows',
    'gantry.token.regenerate': 'rows',
    'gantry.token.delete': 'rows',
    'gantry.token.signOutSessions': 'rows',
    'gantry.session.signOutAll': 'account',
  },
  deployments: {
    'gantry.deployments.refresh': 'none',
    'gantry.project.add': 'environment',
    'gantry.project.remove': 'rows',
    'gantry.project.showActions': 'project',
    'gantry.project.redeploy': 'project',
    'gantry.project.redeployWith': 'project',
    'gantry.project.checkDrift': 'project',
    'gantry.project.showLog': 'project',
    'gantry.project.showChanges': 'project',
    'gantry.project.checkResult': 'project',
    'gantry.project.selectFolder': 'project',
    'gantry.project.create': 'environment',
    'gantry.project.edit': 'project',
    'gantry.hook.apply': 'editor',
    'gantry.project.rollBack': 'project',
    'gantry.project.deployNewest': 'project',
    'gantry.project.clone': 'project',
    'gantry.project.delete': 'project',
    'gantry.project.applyEdits': 'project',
    'gantry.edits.compare': 'raw',
    'gantry.edits.apply': 'raw',
  },
  logs: {
    'gantry.logs.open': 'raw',
    'gantry.logs.follow': 'editor',
    'gantry.logs.pause': 'editor',
    'gantry.logs.filter': 'editor',
    'gantry.logs.loadEarlier': 'editor',
    'gantry.logs.openWholeFile': 'editor',
    'gantry.logs.download': 'editor',
  },
  restart: {
    'gantry.service.restart': 'environment',
  },
  terminal: {
    'gantry.terminal.open': 'environment',
    'gantry.terminal.copyCommand': 'environment',
  },
  variables: {
    'gantry.variables.edit': 'environment',
    'gantry.variables.showSecrets': 'editor',
    'gantry.variables.hideSecrets': 'editor',
    'gantry.variables.compare': 'editor',
    'gantry.variables.merge': 'editor',
    'gantry.variables.overwrite': 'editor',
  },
  versions: {
    'gantry.version.history': 'file',
    'gantry.version.restore': 'file',
    'gantry.version.showDeleted': 'folder',
  },
  compatibility: {
    'gantry.platform.checkCompatibility': 'account',
    'gantry.platform.copyReport': 'account',
  },
  diagnostics: {
    'gantry.diagnostics.copy': 'raw',
  },
  log: {
    'gantry.log.show': 'none',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TargetKind>>>>;

export type CommandTables = typeof commandsOf;

export type CommandId = { readonly [F in keyof CommandTables]: keyof CommandTables[F] }[keyof CommandTables];

export type TargetOf<Id extends CommandId> = {
  readonly [F in keyof CommandTables]: Id extends keyof CommandTables[F] ? CommandTables[F][Id] : never;
}[keyof CommandTables];

/** Returns the commands in a table, or none if there's no table of this name. */
export function commandIdsIn(table: string): readonly CommandId[] {
  const tables: Readonly<Record<string, Readonly<Partial<Record<CommandId, TargetKind>>>>> = commandsOf;
  const found = tables[table] ?? {};
  return Object.keys(found).filter((id): id is CommandId => id in found);
}
