import type { l10n } from 'vscode';
import { missingFrom, neededMethods } from '../accounts/tokens';
import { kindOfResult, resultCodes } from '../platform/resultCodes';
import { fieldOf, isJsonObject, type JsonObject, readText, readTimestamp } from '../platform/wire/scalars';
import { clockWord, fact, given, lengthWord, limited, type Reply, type StepResults, works } from './fact';

/** l10n-dev finds texts only in files that import `l10n`. */
type Localizer = Pick<typeof l10n, 't'>;

const unreliable = limited((l10n: Localizer) =>
  l10n.t(
    "They don't always match the content. Gantry opens a file for editing only if its size confirms that it read the whole file.",
  ),
);

export const readingFacts = {
  /** Where parameters are accepted. */
  transport: fact({
    label: (l10n) => l10n.t('How requests are sent'),
    words: {
      both: works,
      form: works,
      query: limited((l10n) =>
        l10n.t(
          'The platform accepts parameters only in URLs, which servers can log. Long text is sent in several requests.',
        ),
      ),
    },
    probe: ({ takesForm, takesQuery, transport }) => {
      if (takesForm === undefined && takesQuery === undefined) {
        return undefined;
      }
      return takesQuery !== true ? 'form' : takesForm === true ? 'both' : transport === 'query' ? 'query' : 'form';
    },
  }),
  /** Whether parameters must be spelled exactly. */
  spelling: fact({
    label: (l10n) => l10n.t('Parameter names'),
    words: { strict: works, lenient: works },
    probe: ({ upperCase }) =>
      given(upperCase?.code, (code) => (code === resultCodes.invalidParameter ? 'strict' : 'lenient')),
  }),
  /** Whether URLs may be as long as documented. */
  urlLength: fact({
    label: (l10n) => l10n.t('URL length'),
    words: {
      documented: works,
      shorter: limited((l10n) =>
        l10n.t("The platform's URL length limit is lower than documented. Requests with long paths can fail."),
      ),
    },
    probe: ({ longUrl }) => given(longUrl, ({ code }) => (code === undefined ? 'shorter' : 'documented')),
  }),
  /** GetEnvs and GetEnvInfo, which find environments and nodes. */
  environmentList: fact({
    label: (l10n) => l10n.t('List of environments'),
    words: {
      present: works,
      absent: limited((l10n) => l10n.t("The platform doesn't list environments. Add them by name.")),
    },
    probe: ({ environments = [] }) => {
      const codes = environments.flatMap((reply) => (reply === undefined ? [] : [reply.code]));
      // A token that lacks the method says nothing about the platform.
      if (codes.length === 0 || codes.includes(resultCodes.lacksMethod)) {
        return undefined;
      }
      return codes.every((code) => code === 0) ? 'present' : 'absent';
    },
  }),
  /** The uploader for binary data. */
  uploader: fact({
    label: (l10n) => l10n.t('Uploads of binary files'),
    words: {
      present: works,
      absent: limited((l10n) => l10n.t('The platform has no upload service. Gantry can only upload UTF-8 text.')),
    },
    probe: ({ uploader }) => {
      if (uploader?.code !== undefined) {
        return 'present';
      }
      return uploader?.status === 404 || uploader?.failure === 'protocol' ? 'absent' : undefined;
    },
  }),
  fileTimes: fact({
    label: (l10n) => l10n.t('Modification times'),
    words: {
      seconds: works,
      minutes: limited((l10n) =>
        l10n.t("They don't include seconds. Gantry also compares the content before each save."),
      ),
      milliseconds: works,
      other: limited((l10n) => l10n.t("Gantry can't interpret them. It only checks whether they changed.")),
    },
    probe: (results) =>
      given(fieldOfFirst(results, 'lastModified'), (time) => {
        if (readTimestamp(time) === undefined) {
          return 'other';
        }
        return /^\d+$/.test(time) ? 'milliseconds' : /\d:\d\d:\d\d/.test(time) ? 'seconds' : 'minutes';
      }),
  }),
  accountTimes: fact({
    label: (l10n) => l10n.t('Token and session times'),
    words: {
      text: works,
      milliseconds: works,
      other: limited((l10n) => l10n.t("Gantry can't read them and shows none.")),
    },
    probe: ({ tokens, sessions }) => {
      const [session] = rowsOf(sessions, 'sessions');
      const [token] = [...rowsOf(tokens, 'tokens'), ...rowsOf(tokens, 'apiTokens')];
      return given(createdOn(session) ?? createdOn(token), (time) => {
        if (readTimestamp(time) === undefined) {
          return 'other';
        }
        return /^\d+$/.test(readText(time) ?? '') ? 'milliseconds' : 'text';
      });
    },
  }),
  listingKeys: fact({
    label: (l10n) => l10n.t('Groups in folder listings'),
    words: { folder: works, single: works, kind: works, list: works },
    probe: ({ listing }) =>
      given(listing, ({ folder, keywords }) => {
        if (!isJsonObject(keywords)) {
          return 'list';
        }
        const [key, ...others] = Object.keys(keywords);
        return others.length > 0 ? 'kind' : key === folder ? 'folder' : 'single';
      }),
  }),
  listingSelf: fact({
    label: (l10n) => l10n.t('The folder itself in its listing'),
    words: { absent: works, present: works },
    probe: ({ listing }) =>
      given(listing, ({ folder, rows }) => (rows.some((row) => pathIn(row) === folder) ? 'present' : 'absent')),
  }),
  permissionForm: fact({
    label: (l10n) => l10n.t('File permissions'),
    words: { letters: works, octal: works, other: limited((l10n) => l10n.t("Gantry can't read them and shows none.")) },
    probe: (results) =>
      given(fieldOfFirst(results, 'permission'), (permission) => {
        if (/^[-dlbcps]?[-rwxstST]{9}$/.test(permission)) {
          return 'letters';
        }
        return /^[0-7]{3,4}$/.test(permission) ? 'octal' : 'other';
      }),
  }),
  /** Whether a listing's filter must match the whole name. */
  filter: fact({
    label: (l10n) => l10n.t('Listing filters'),
    words: {
      matches: works,
      finds: works,
      ignored: limited((l10n) => l10n.t('The platform ignores filters, so large folders are listed completely.')),
    },
    probe: ({ filtered }) =>
      given(filtered, ({ name, part, all, found }) => {
        if (all.every((one) => found.includes(one)) && all.some((one) => !one.includes(part))) {
          return 'ignored';
        }
        return found.includes(name) ? 'finds' : 'matches';
      }),
  }),
  /** What `length` counts. */
  lengths: fact({
    label: (l10n) => l10n.t('File sizes'),
    words: { bytes: works, characters: unreliable, other: unreliable },
    probe: ({ smallFile, nonAscii }) =>
      lengthWord(nonAscii?.sent, nonAscii?.length) ?? lengthWord(smallFile?.text, smallFile?.length),
  }),
  /** Whether a path that doesn't exist has one of the known codes. */
  missingPath: fact({
    label: (l10n) => l10n.t("Paths that don't exist"),
    words: {
      known: works,
      other: limited((l10n) =>
        l10n.t("The platform reports them in an unknown way, so Gantry can't tell them from other errors."),
      ),
    },
    probe: ({ missing = [] }) => {
      const codes = missing.flatMap((reply) => reply?.code ?? []);
      if (codes.length === 0) {
        return undefined;
      }
      return codes.every((code) => kindOfResult(code) === 'notFound') ? 'known' : 'other';
    },
  }),
  tokenLists: fact({
    label: (l10n) => l10n.t('List of tokens'),
    words: {
      tokens: works,
      apiTokens: works,
      other: limited((l10n) => l10n.t("Gantry can't read it, so the Access view doesn't show tokens.")),
    },
    probe: ({ tokens }) => listNamed(tokens, ['tokens', 'apiTokens']),
  }),
  methodLists: fact({
    label: (l10n) => l10n.t('List of methods'),
    words: {
      apiList: works,
      tokenPermissions: works,
      other: limited((l10n) =>
        l10n.t("Gantry can't read it, so you can select only templates for a token, not individual methods."),
      ),
    },
    probe: ({ methods }) => listNamed(methods, ['apiList', 'tokenPermissions']),
  }),
  /** Whether some methods that Gantry needs are listed only with `showPrivate`. */
  privateMethods: fact({
    label: (l10n) => l10n.t('Private methods'),
    words: { few: works, extras: works },
    probe: ({ methods }) => {
      const list = fieldIn(methods, 'apiList');
      const rows = Array.isArray(list)
        ? list
        : rowsOf(methods, 'tokenPermissions').map((row) => fieldOf(row, 'method'));
      const names = rows.flatMap((name: unknown) => readText(name) ?? []);
      if (names.length === 0) {
        return undefined;
      }
      return missingFrom(names, neededMethods.undocumentedMethods).length > 0 ? 'extras' : 'few';
    },
  }),
  enums: fact({
    label: (l10n) => l10n.t('Fixed values in responses'),
    words: { number: works, name: works, nameAndNumber: works },
    probe: ({ policies }) =>
      given(readText(fieldIn(policies, 'behavior')), (value) => {
        if (/^\d+$/.test(value)) {
          return 'number';
        }
        return /\(\d+\)$/.test(value) ? 'nameAndNumber' : 'name';
      }),
  }),
  /** Whether the platform's clock and this computer's differ by more than five minutes. */
  clock: fact({
    label: (l10n) => l10n.t("The platform's clock"),
    words: {
      same: works,
      differs: limited((l10n) =>
        l10n.t("It differs from this computer's by more than five minutes, so expiration dates can be off."),
      ),
    },
    probe: ({ policies }) => given(policies?.date, (date) => clockWord(new Date(date), policies?.arrivedAt)),
  }),
};

/** What a field of a successful reply has. */
function fieldIn(reply: Reply | undefined, name: string): unknown {
  return reply?.code === 0 && reply.body !== undefined ? fieldOf(reply.body, name) : undefined;
}

function rowsOf(reply: Reply | undefined, name: string): readonly JsonObject[] {
  const list = fieldIn(reply, name);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Returns which of two fields has the list. */
function listNamed<N extends string>(reply: Reply | undefined, names: readonly N[]): N | 'other' | undefined {
  if (reply?.code !== 0 || reply.body === undefined) {
    return undefined;
  }
  return names.find((name) => Array.isArray(fieldIn(reply, name))) ?? 'other';
}

function createdOn(row: JsonObject | undefined): unknown {
  return row && fieldOf(row, 'createdOn');
}

/** A field of the first entry in the folder, which isn't the folder itself. */
function fieldOfFirst({ listing }: StepResults, name: string): string | undefined {
  const first = listing?.rows.find((row) => pathIn(row) !== listing.folder);
  return first && readText(fieldOf(first, name));
}

function pathIn(row: JsonObject): string | undefined {
  return readText(fieldOf(row, 'absolutePath'));
}
