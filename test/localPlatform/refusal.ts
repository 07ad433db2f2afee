import type { Answer } from './operation';

/** A rejection by the platform: HTTP 200 with this `result`, the message in `error`, and any other fields. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly result: number,
    text: string,
    readonly details: Answer = {},
    readonly source = 'JEL',
  ) {
    super(text);
  }
}

/** The publicly known result codes by their meaning. */
export const codes = {
  invalidParameter: 3,
  notFound: 5,
  denied: 8,
  noEnvironment: 11,
  platformTimeout: 17,
  unknown: 99,
  badCredentials: 701,
  badSession: 702,
  noSuchFile: 2002,
  renameAcrossFolders: 2333,
  noProject: 2500,
  deployFailed: 4000,
  createProjectFailed: 4001,
  noSuchProject: 4006,
  editProjectFailed: 4017,
  pathNotDefined: 4033,
  pathMissing: 4035,
  pathExists: 4036,
  permissionDenied: 4037,
  copyTargetExists: 4041,
  copyFolderMissing: 4042,
  copySourceMissing: 4046,
  copyTargetFileExists: 4047,
  badRepositoryUrl: 4050,
  badRepositoryLogin: 4053,
  diskFull: 4075,
  inodesFull: 4076,
  badContext: 4079,
  notAFolder: 4102,
  hookFailed: 4125,
  hookTimedOut: 124,
  badArchive: 4175,
  tokenLacksMethod: 8202,
} as const;
