import * as v from 'valibot';

/**
 * What can be found out about a platform, each as one of a few words. The first word is what Gantry expects. Nothing
 * else of a check is stored, so nothing stored names anyone's files, environments or addresses.
 */
const factWords = {
  /** Where parameters are accepted. */
  transport: ['both', 'form', 'query'],
  /** Whether parameters must be spelled exactly. */
  spelling: ['strict', 'lenient'],
  /** Whether URLs may be as long as documented. */
  urlLength: ['documented', 'shorter'],
  /** GetEnvs and GetEnvInfo, which find environments and nodes. */
  environmentList: ['present', 'absent'],
  /** The uploader for binary data. */
  uploader: ['present', 'absent'],
  fileTimes: ['seconds', 'minutes', 'milliseconds', 'other'],
  accountTimes: ['text', 'milliseconds', 'other'],
  listingKeys: ['folder', 'single', 'kind', 'list'],
  listingSelf: ['absent', 'present'],
  permissionForm: ['letters', 'octal', 'other'],
  /** Whether a listing's filter must match the whole name. */
  filter: ['matches', 'finds', 'ignored'],
  /** What `length` counts. */
  lengths: ['bytes', 'characters', 'other'],
  /** Whether a path that doesn't exist has one of the known codes. */
  missingPath: ['known', 'other'],
  tokenLists: ['tokens', 'apiTokens', 'other'],
  methodLists: ['apiList', 'tokenPermissions', 'other'],
  /** Whether some methods that Gantry needs are listed only with `showPrivate`. */
  privateMethods: ['few', 'extras'],
  enums: ['number', 'name', 'nameAndNumber'],
  /** Whether the platform's clock and this computer's differ by more than five minutes. */
  clock: ['same', 'differs'],
  // Only writing shows the rest.
  overwriting: ['replaces', 'appends', 'other'],
  appendMode: ['appends', 'overwrites', 'other'],
  append: ['appends', 'overwrites', 'other'],
  readTexts: ['exact', 'lineFeeds', 'withoutMark', 'normalized', 'latin1', 'other'],
  writeLineEnds: ['exact', 'altered'],
  writeMark: ['exact', 'altered'],
  writeNonAscii: ['exact', 'altered'],
  writeLong: ['exact', 'altered'],
  createOnto: ['refused', 'overwrites', 'ignored'],
  renameOnto: ['refused', 'overwrites'],
  copyOnto: ['refused', 'overwrites'],
  renameAcrossFolders: ['done', 'refused'],
  deleting: ['done', 'nothing'],
  masterOnly: ['honored', 'reversed', 'ignored', 'masterAlways'],
  /**
   * Whether a change on one node stays there; if not: it reaches other nodes, the platform ignores which node is named, or
   * the nodes only have the folder of the check in common.
   */
  oneNode: ['honored', 'everyNode', 'ignored', 'sameFolder'],
  /** Where a failure on one of several nodes is reported. */
  nodeFailures: ['nested', 'outer'],
  /** Whether the node's clock and this computer's differ by more than five minutes. */
  fileClock: ['same', 'differs'],
} as const;

export type FactName = keyof typeof factWords;
/** The facts that a check found out. */
export type Facts = { readonly [N in FactName]?: (typeof factWords)[N][number] | undefined };

export const factNames = Object.keys(factWords).filter((name): name is FactName => name in factWords);

/** Facts as stored. Leaves out what another version of Gantry called differently. */
export const factsSchema = v.pipe(v.record(v.string(), v.unknown()), v.transform(knownFacts));

/** Leaves out facts that couldn't be found out. */
export function knownFacts(found: Readonly<Record<string, unknown>>): Facts {
  const kept: Readonly<Record<string, unknown>> = Object.fromEntries(
    factNames.map((name): [string, unknown] => [name, found[name]]).filter(isKnown),
  );
  return areFacts(kept) ? kept : {};
}

function isKnown([name, word]: readonly unknown[]): boolean {
  return factNames.some((one) => one === name && wordsOf(one).includes(word));
}

function areFacts(found: Readonly<Record<string, unknown>>): found is Facts {
  return Object.entries(found).every(isKnown);
}

function wordsOf(name: FactName): readonly unknown[] {
  return factWords[name];
}

type Level = 'works' | 'limited' | 'unsafe';

/** The level of each word. A fact's first word is `works`, and a word that isn't in this table is `limited`. */
const levels: { readonly [N in FactName]?: Readonly<Partial<Record<(typeof factWords)[N][number], Level>>> } = {
  transport: { form: 'works' },
  spelling: { lenient: 'works' },
  fileTimes: { milliseconds: 'works' },
  accountTimes: { milliseconds: 'works' },
  listingKeys: { single: 'works', kind: 'works', list: 'works' },
  listingSelf: { present: 'works' },
  permissionForm: { octal: 'works' },
  filter: { finds: 'works' },
  tokenLists: { apiTokens: 'works' },
  methodLists: { tokenPermissions: 'works' },
  privateMethods: { extras: 'works' },
  enums: { name: 'works', nameAndNumber: 'works' },
  // Gantry never sends `isAppendMode=true`.
  appendMode: { overwrites: 'works', other: 'works' },
  nodeFailures: { outer: 'works' },
  overwriting: { appends: 'unsafe', other: 'unsafe' },
  append: { overwrites: 'unsafe', other: 'unsafe' },
  writeLineEnds: { altered: 'unsafe' },
  writeMark: { altered: 'unsafe' },
  writeNonAscii: { altered: 'unsafe' },
  writeLong: { altered: 'unsafe' },
  deleting: { nothing: 'unsafe' },
  masterOnly: { reversed: 'unsafe', masterAlways: 'unsafe', ignored: 'works' },
  oneNode: { everyNode: 'unsafe', ignored: 'unsafe' },
};

export function levelOf(name: FactName, word: string): Level {
  if (word === factWords[name][0]) {
    return 'works';
  }
  const given: Readonly<Record<string, Level | undefined>> = levels[name] ?? {};
  return given[word] ?? 'limited';
}
