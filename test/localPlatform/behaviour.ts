import * as v from 'valibot';

/** Where public facts leave a choice, the platform can be either. Each field says what its values mean. */
export const behaviourSchema = v.strictObject({
  /** Which way parameters are understood; those sent the other way are not seen. */
  transport: v.picklist(['both', 'form', 'query']),
  /** Whether the contract's spelling is required, or requests are read as real platforms do (`lenientRequest.ts`). */
  requests: v.picklist(['strict', 'lenient']),
  /** `lastModified` of listings. */
  fileTimes: v.picklist(['seconds', 'minutes', 'milliseconds']),
  /** Time stamps in answers about sessions and tokens: `2021-08-19 14:51:37`, or epoch milliseconds. */
  accountTimes: v.picklist(['text', 'milliseconds']),
  /** How `keywords` of a listing is keyed: by folder, all under one word, or by kind of entry. */
  listingKeys: v.picklist(['folder', 'single', 'kind']),
  /** Whether a folder stands among its own entries. */
  listingSelf: v.picklist(['absent', 'present']),
  /** `permission` of an entry: `-rw-r--r--` or `644`. */
  permissionForm: v.picklist(['letters', 'octal']),
  /** Whether `filter` must match the whole name or only be found in it. */
  filter: v.picklist(['matches', 'finds']),
  /** Rename into another folder: done, or refused with 2333. */
  renameAcrossFolders: v.picklist(['done', 'refused']),
  /** What `isAppendMode=true` does; false or left out overwrites. */
  appendMode: v.picklist(['appends', 'overwrites']),
  /** What Read leaves of a text: all of it, LF for CRLF, no byte-order mark, both of these, or a character for each byte. */
  readTexts: v.picklist(['exact', 'lineFeeds', 'withoutMark', 'normalized', 'latin1']),
  /** A failure on some nodes of several: in `responses[]` under an outer 0, or as the outer result too. */
  nodeFailures: v.picklist(['nested', 'outer']),
  /** How GetTokens gives its rows: `tokens[].apiList[]`, or `apiTokens[].apiListItems[].method`. */
  tokenLists: v.picklist(['tokens', 'apiTokens']),
  /** How GetTokenApiList gives its rows: `apiList[]`, or `tokenPermissions[].method`. */
  methodLists: v.picklist(['apiList', 'tokenPermissions']),
  /** Which methods GetTokenApiList lists only with `showPrivate`: two about accounts, or those outside the contract too. */
  privateMethods: v.picklist(['few', 'extras']),
  /**
   * What Signin answers for an account with two-factor authentication: no session, one that nothing accepts yet, or
   * the code for a wrong password. `authType` says why each time.
   */
  secondFactor: v.picklist(['noSession', 'uselessSession', 'refused']),
  /** `result` of a successful DeleteTokens. */
  deleteTokens: v.picklist(['boolean', 'number']),
  /** Enums of answers: `1`, `GIT`, or `GIT(1)`. */
  enums: v.picklist(['number', 'name', 'nameAndNumber']),
  /** Fields of EditProject that were not sent. */
  unsentProjectFields: v.picklist(['kept', 'cleared']),
  /** What an Update does where a project has a `repoHash`: that commit, or the branch's newest all the same. */
  pinnedCommits: v.picklist(['deployed', 'ignored']),
  /** Whether getenvs, getenvinfo and the uploader are there. */
  extras: v.picklist(['present', 'absent']),
  /** How long a session lives without being used. */
  sessionSeconds: v.number(),
  /** How much a minute of an auto-update interval is shortened: 60 makes it a second. */
  pollingSpeed: v.number(),
  /** How long one hook may run. */
  hookSeconds: v.number(),
  /** How long one step of git or svn may take. */
  checkoutSeconds: v.number(),
  /** The longest request line that gets through. */
  urlLength: v.number(),
  /** The largest request body that gets through. */
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
  renameAcrossFolders: 'done',
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
  extras: 'present',
  sessionSeconds: 24 * 60 * 60,
  pollingSpeed: 1,
  hookSeconds: 120,
  checkoutSeconds: 300,
  urlLength: 2048,
  bodyBytes: 256 * 1024 * 1024,
};
