import * as v from 'valibot';

/** Switches for behavior that public documentation leaves open. Each comment describes the values. */
export const behaviourSchema = v.strictObject({
  /** How parameters are accepted. Others are ignored. */
  transport: v.picklist(['both', 'form', 'query']),
  /** Whether requests must use the contract's spelling, or are accepted as on real platforms (`lenientRequest.ts`). */
  requests: v.picklist(['strict', 'lenient']),
  /** The format of `lastModified` in listings. */
  fileTimes: v.picklist(['seconds', 'minutes', 'milliseconds']),
  /** The format of times in responses about sessions and tokens: `2021-08-19 14:51:37`, or epoch milliseconds. */
  accountTimes: v.picklist(['text', 'milliseconds']),
  /** The keys of `keywords` in a listing: folders, one key for all, or kinds of entries. */
  listingKeys: v.picklist(['folder', 'single', 'kind']),
  /** Whether a listing contains the folder itself. */
  listingSelf: v.picklist(['absent', 'present']),
  /** The format of `permission` of an entry: `-rw-r--r--` or `644`. */
  permissionForm: v.picklist(['letters', 'octal']),
  /** Whether `filter` must match the whole name or only a part of it. */
  filter: v.picklist(['matches', 'finds']),
  /** Whether a filtered listing leaves out folders, or only files. */
  filteredFolders: v.picklist(['leftOut', 'kept']),
  /** Whether Rename can move to another folder, or fails with 2333. */
  renameAcrossFolders: v.picklist(['done', 'refused']),
  /** Whether Rename and Copy onto an existing file fail, or replace it without a word. */
  existingTarget: v.picklist(['refused', 'overwritten']),
  /** How many bytes of a file Read returns at most. */
  readBytes: v.number(),
  /** What Write with `isAppendMode=false` does to an existing file. */
  overwriting: v.picklist(['replaces', 'appends']),
  /** Whether `masterOnly` means what it says, or the opposite. */
  masterOnly: v.picklist(['honored', 'reversed']),
  /**
   * What a file operation does with the ID of a node: works on that node; reads there, but changes every node of the
   * layer, or only its main node; or works on the layer's main node, whichever node is named, after a check that the node exists or without one.
   */
  nodeIds: v.picklist(['honored', 'onlyReads', 'mainChanges', 'checked', 'ignored']),
  /** What `length` in a listing counts. */
  lengths: v.picklist(['bytes', 'characters']),
  /** The effect of `isAppendMode=true`. False, the default, overwrites. */
  appendMode: v.picklist(['appends', 'overwrites']),
  /**
   * How Read returns a text: exactly, with LF for CRLF, without a byte-order mark, both, or with one character per
   * byte.
   */
  readTexts: v.picklist(['exact', 'lineFeeds', 'withoutMark', 'normalized', 'latin1']),
  /**
   * How a failure on some of several nodes is returned: in `responses[]` under an outer 0, or also as the outer result.
   */
  nodeFailures: v.picklist(['nested', 'outer']),
  /** The format of rows in GetTokens: `tokens[].apiList[]`, or `apiTokens[].apiListItems[].method`. */
  tokenLists: v.picklist(['tokens', 'apiTokens']),
  /** The format of rows in GetTokenApiList: `apiList[]`, or `tokenPermissions[].method`. */
  methodLists: v.picklist(['apiList', 'tokenPermissions']),
  /**
   * Which methods GetTokenApiList returns only with `showPrivate`: two about accounts, or also those outside the
   * contract.
   */
  privateMethods: v.picklist(['few', 'extras']),
  /**
   * What Signin returns for an account with two-factor authentication: no session, one that nothing accepts yet, or the
   * code for a wrong password. `authType` always gives the reason.
   */
  secondFactor: v.picklist(['noSession', 'uselessSession', 'refused']),
  /** The `result` of a successful DeleteTokens. */
  deleteTokens: v.picklist(['boolean', 'number']),
  /** The format of enums in responses: `1`, `GIT`, or `GIT(1)`. */
  enums: v.picklist(['number', 'name', 'nameAndNumber']),
  /** What happens to fields that aren't sent in EditProject. */
  unsentProjectFields: v.picklist(['kept', 'cleared']),
  /** What Update deploys if a project has a `repoHash`: that commit, or the branch's newest one. The vendor's ignores it. */
  pinnedCommits: v.picklist(['deployed', 'ignored']),
  /**
   * What a deployment runs on a node: our own commands, which always reach the project's commit, or those of the vendor's
   * container code (`vcs/vendor/updateNode.ts`).
   */
  deployments: v.picklist(['own', 'vendor']),
  /**
   * When a pull of the vendor's deployment has failed: if Git says so by its exit code, or only if it prints `fatal:` or
   * `error:`, as in the vendor's code of 2022, which passes a detached HEAD.
   */
  pullFailures: v.picklist(['exitCode', 'output']),
  /** Where nodes keep the logs of deployments: all in the same folder, or in the folder of their stack. */
  deployLogs: v.picklist(['common', 'stack']),
  /**
   * Whether the CreateProject that leaves out `autoResolveConflict` switches it off or on, or leaves it unset: then the
   * platform doesn't return it, and nodes take it for on.
   */
  unsentAutoResolve: v.picklist(['off', 'on', 'unset']),
  /** Whether nodes have the passwords of repositories, in `.git/config` and `/var/lib/jelastic/vcs`. */
  repositoryPasswords: v.picklist(['hidden', 'onNodes']),
  /** What `from` and `count` of ReadLog count. */
  logUnits: v.picklist(['characters', 'bytes', 'lines']),
  /** The `from` of a log's first unit. */
  logStart: v.picklist(['zero', 'one']),
  /** What AddContainerEnvVars does to a variable that exists: sets it, as documented, or keeps its value. */
  addedVariables: v.picklist(['overwrite', 'keep']),
  /** Where a node says why its service didn't start: in `error`, or only in `errOut`, which is a command's output. */
  restartWords: v.picklist(['error', 'errOut']),
  /** What a node does whose service didn't start: it stops, too, or its container goes on running. */
  stoppedServices: v.picklist(['stopNode', 'leaveNode']),
  /** How a log is rotated: renamed and created anew, or copied and emptied. */
  logRotation: v.picklist(['create', 'copytruncate']),
  /** How long a service takes to stop and to start. */
  restartSeconds: v.number(),
  /** Whether the operations outside the contract and the uploader are available. */
  extras: v.picklist(['present', 'absent']),
  /** Whether getenvs and getenvinfo return the owner's `uid`. */
  environmentOwner: v.picklist(['missing', 'shown']),
  /** How long an unused session lasts. */
  sessionSeconds: v.number(),
  /** The factor that shortens auto-update intervals: 60 makes a minute a second. */
  pollingSpeed: v.number(),
  /** When the nodes get the files of a project's hooks: with the settings, or with the next Update. */
  hookFiles: v.picklist(['saved', 'deployed']),
  /** What the container's user can do with the files of hooks. */
  hookRights: v.picklist(['read', 'write', 'none']),
  /** Whether DeleteProject removes the files of hooks, or the next project of the context inherits them. */
  deletedHooks: v.picklist(['removed', 'kept']),
  /** The time limit for one hook. */
  hookSeconds: v.number(),
  /** The time limit for one step of Git or Subversion. */
  checkoutSeconds: v.number(),
  /** The maximum length of a request line. */
  urlLength: v.number(),
  /** The maximum size of a request body. */
  bodyBytes: v.number(),
});

export type Behaviour = v.InferOutput<typeof behaviourSchema>;

export const usualBehaviour: Behaviour = {
  transport: 'both',
  requests: 'strict',
  fileTimes: 'seconds',
  accountTimes: 'text',
  listingKeys: 'folder',
  listingSelf: 'absent',
  permissionForm: 'letters',
  filter: 'matches',
  filteredFolders: 'leftOut',
  renameAcrossFolders: 'done',
  existingTarget: 'refused',
  readBytes: 256 * 1024 * 1024,
  overwriting: 'replaces',
  masterOnly: 'honored',
  nodeIds: 'honored',
  lengths: 'bytes',
  appendMode: 'appends',
  readTexts: 'exact',
  nodeFailures: 'nested',
  tokenLists: 'tokens',
  methodLists: 'apiList',
  privateMethods: 'few',
  secondFactor: 'noSession',
  deleteTokens: 'boolean',
  enums: 'number',
  unsentProjectFields: 'kept',
  pinnedCommits: 'deployed',
  deployments: 'own',
  pullFailures: 'exitCode',
  deployLogs: 'common',
  unsentAutoResolve: 'off',
  repositoryPasswords: 'hidden',
  logUnits: 'characters',
  logStart: 'zero',
  addedVariables: 'overwrite',
  restartWords: 'error',
  stoppedServices: 'stopNode',
  logRotation: 'create',
  restartSeconds: 0,
  extras: 'present',
  environmentOwner: 'missing',
  sessionSeconds: 24 * 60 * 60,
  pollingSpeed: 1,
  hookFiles: 'saved',
  hookRights: 'read',
  deletedHooks: 'removed',
  hookSeconds: 120,
  checkoutSeconds: 300,
  urlLength: 2048,
  bodyBytes: 256 * 1024 * 1024,
};

/** Deployments as in the newest public code that the vendor's containers run, github.com/jelastic/jem at 3c2502c (2022). */
export const vendorDeployments = {
  pinnedCommits: 'ignored',
  deployments: 'vendor',
  deployLogs: 'stack',
  unsentAutoResolve: 'on',
  repositoryPasswords: 'onNodes',
  hookRights: 'write',
  deletedHooks: 'kept',
} as const satisfies Partial<Behaviour>;
