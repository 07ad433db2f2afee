import type { FilePlace } from './place';
import { PathFilter } from './pathFilter';

/** Files with logins of repositories, and folders with such files, which Git and platforms write themselves. */
export const loginFilePatterns: readonly string[] = [
  '.git/config',
  '.git/config.worktree',
  '.git/modules',
  '.git-credentials',
  '.subversion/auth',
  '/var/lib/jelastic/vcs',
];

/** Private keys, folders with keys, and what the system keeps secrets in. */
const keyFilePatterns: readonly string[] = [
  '.ssh',
  '.gnupg',
  '/proc',
  '/run/secrets',
  // Usually a link to the one above. What a link leads to isn't known before it's read.
  '/var/run/secrets',
  '/etc/shadow*',
  '/etc/gshadow*',
  '/etc/varnish/secret',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.ppk',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ecdsa_sk',
  'id_ed25519',
  'id_ed25519_sk',
];

/** The default of the setting for files without versions. `mayHoldSecrets` knows these, all keys, and copies of both. */
export const secretFilePatterns: readonly string[] = [
  '.env',
  '.env.*',
  'wp-config.php*',
  '*.pem',
  ...keyFilePatterns.filter((name) => !['.ssh', '.gnupg'].includes(name) && !name.startsWith('/')),
  '.htpasswd',
  '.npmrc',
  '.pgpass',
  '.my.cnf',
  '.netrc',
  ...loginFilePatterns,
  // Has the command line of a clone, with the login in its URL.
  'vcs_update.log*',
];

/** Where programs print URLs that they were given. */
const logPatterns: readonly string[] = ['*.log', '*.log.*', '*.log-*', '/var/log', '.git/logs', '.git/FETCH_HEAD'];

const secretFiles = filterOf([...secretFilePatterns, ...keyFilePatterns]);
const loginFiles = filterOf(loginFilePatterns);
const keyFiles = filterOf(keyFilePatterns);
const logs = filterOf(logPatterns);
const namedLikeLogs = filterOf([...logPatterns, 'log', 'logs', '*.out', '*.err', '*_log']);

/**
 * Whether a file usually holds secrets, or is a copy of one that does, by its name. Gantry stores no text of such files on
 * this computer unless it's the only one, nor a digest.
 *
 * @param more patterns for other files that the person names
 */
export function mayHoldSecrets(place: FilePlace, more: readonly string[] = []): boolean {
  // By default, the setting names the same patterns, and reading them again for each save takes long.
  const others = more.filter((pattern) => !secretFilePatterns.includes(pattern));
  const filters = [secretFiles, ...(others.length > 0 ? [filterOf(others)] : [])];
  return originalsOf(place.path).some((path) => filters.some((filter) => matches({ ...place, path }, filter)));
}

/** What makes a name the name of a copy. VS Code and Gantry add ` copy 2`, and browsers ` (1)`. */
const copyEnding =
  /(?<=[^/])(?:~|[.\-_](?:bak|backup|old|orig|save|saved|copy|tmp|sw[a-p]|\d+)| copy(?: \d+)?| \(\d+\))+(?=\/|$)/gi;

const longestPath = 4_096;

/** Returns a path, and those that it may be a copy of, also one that an editor keeps while it's open. */
function originalsOf(path: string): readonly string[] {
  // No system has such paths, and the expressions below would take long.
  if (path.length > longestPath) {
    return [path];
  }
  const original = path
    .replace(/(?<=\/)\.?#([^/]+?)#?$/, '$1')
    .replace(/ copy(?: \d+)?(?=\.[^./]+$)/i, '')
    .replace(copyEnding, '');
  // Vim puts a dot before a name that has none.
  const swapped = /\.sw[a-p]$/i.test(path) ? [original.replace(/(?<=\/)\.(?=[^/]+$)/, '')] : [];
  return [...new Set([path, original, ...swapped])];
}

/**
 * Whether a file has the login of a repository. Such files aren't written by hand, so only an editor shows their
 * content, and no search, log, patch, or tool.
 */
export function holdsLogin(place: FilePlace): boolean {
  return matches(place, loginFiles);
}

/** Whether it's a private key, or in a folder with keys. */
export function isKeyFile(place: FilePlace): boolean {
  return matches(place, keyFiles);
}

/** Whether a file is a log by its name, or the name of a folder that it's in. */
export function isLog(place: Pick<FilePlace, 'path'>): boolean {
  return matches(place, namedLikeLogs);
}

/** A text of a file as searches and tools show it: without logins in the URLs of a log. Each keeps its length. */
export function shownText(place: FilePlace, text: string): string {
  return /:\/\/|password/i.test(text) && matches(place, logs)
    ? withoutLogins(text, (login) => '•'.repeat(login.length), !text.endsWith('\n'))
    : text;
}

/**
 * Removes logins from URLs, and passwords from command lines and settings, because some programs print what they were given.
 * A password may have any characters but spaces, also those that a URL must not have. A port isn't one.
 * @param isUnfinished whether more may follow at the end, so that a login there may not have its `@` yet
 */
export function withoutLogins(
  text: string,
  mask: (secret: string) => string = () => '•••',
  isUnfinished = false,
): string {
  const options = /(--?password[= ]|\bPASSWORD=)('[^'\r\n]*(?:'|$)|"[^"\r\n]*(?:"|$)|\S+)/g;
  return text
    .replace(/\S+/g, (word, offset: number) =>
      word.includes('://')
        ? withoutLoginsInUrls(word, mask, isUnfinished && offset + word.length === text.length)
        : word,
    )
    .replace(options, (_, start: string, password: string) => start + mask(password));
}

/** Where a login in a word ends at the latest, and what follows it. */
interface WordEnd {
  readonly end: number;
  readonly endsInHost: boolean;
  readonly isUnfinished: boolean;
}

/** One word may contain several URLs, as in a line of JSON. Runs in linear time. */
function withoutLoginsInUrls(word: string, mask: (secret: string) => string, isUnfinished: boolean): string {
  const end = isUnfinished ? word.length : word.lastIndexOf('@');
  // What follows the last @ tells the port of `https://example.com:80/a@b` from the password of `https://a.b:80/c@example.com/`.
  const endsInHost = !isUnfinished && /^(?:[\w-]+\.)+[a-z]{2,}[:/]/i.test(word.slice(end + 1));
  const parts: string[] = [];
  let from = 0;
  for (const { index } of word.matchAll(/(?<=\w):\/\//g)) {
    const start = index + '://'.length;
    const login = start < from ? '' : word.slice(start, endOfLogin(word, start, { end, endsInHost, isUnfinished }));
    if (login !== '') {
      parts.push(word.slice(from, start), mask(login));
      from = start + login.length;
    }
  }
  return parts.join('') + word.slice(from);
}

/** A quote before a comma and the like ends the URL itself. */
const userName = /(?:\[[\da-f:.]+\])?(?:[^/:"]|"(?![,:\]}]))*/iy;
const host = /(?:localhost|\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)+)(?=$|[:/"'<>?#])/iy;
const port = /:\d{1,5}(?=$|[/"'<>?#])/y;

/** Returns where the login at the start of a URL ends, or the start if there's none. */
function endOfLogin(word: string, start: number, { end, endsInHost, isUnfinished }: WordEnd): number {
  const [user = ''] = matchAt(userName, word, start) ?? [];
  const after = start + user.length;
  const isHost = matchAt(host, word, start) !== null;
  if (word[after] === ':') {
    const isPort = isHost && !endsInHost && matchAt(port, word, after) !== null;
    return isPort ? start : Math.max(start, end);
  }
  const isCut = isUnfinished && after === word.length && !isHost;
  return isCut ? end : Math.max(start, start + user.lastIndexOf('@'));
}

function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}

function filterOf(patterns: readonly string[]): PathFilter {
  return new PathFilter({ path: '/' }, { excludeSetting: patterns });
}

function matches({ path }: Pick<FilePlace, 'path'>, filter: PathFilter): boolean {
  // Certificates often have names such as SHOP.KEY.
  return [path, path.toLowerCase()].some((one) => filter.isExcluded(one));
}
