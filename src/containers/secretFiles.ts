import type { FilePlace } from './place';
import { PathFilter } from './pathFilter';

/** Files with logins of repositories, which Git and platforms write themselves. */
const loginFilePatterns: readonly string[] = [
  '.git/config',
  '.git/modules',
  '.git-credentials',
  '/var/lib/jelastic/vcs',
];

/** Files that usually hold secrets, as patterns. What Gantry keeps on this computer without being asked leaves them out. */
export const secretFilePatterns: readonly string[] = [
  ...['.env', '.env.*', 'wp-config.php*'],
  ...['*.key', '*.pem', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.ppk'],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'],
  ...['.htpasswd', '.npmrc', '.pgpass', '.my.cnf', '.netrc'],
  ...loginFilePatterns,
  // Has the command line of a clone, with the login in its URL.
  'vcs_update.log*',
];

/** Where programs print URLs that they were given. */
const logPatterns: readonly string[] = ['*.log', '*.log.*', '*.log-*', '/var/log', '.git/logs', '.git/FETCH_HEAD'];

/** Whether a file usually holds secrets, or matches one of these patterns. */
export function mayHoldSecrets(place: FilePlace, more: readonly string[] = []): boolean {
  return matches(place, [...secretFilePatterns, ...more]);
}

/**
 * Whether a file has the login of a repository. Nobody writes such a file by hand, so nothing but an editor shows what it
 * holds: no search, log, patch, or tool.
 */
export function holdsLogin(place: FilePlace): boolean {
  return matches(place, loginFilePatterns);
}

/** A text of a file as searches and tools show it: without logins in the URLs of a log. Each keeps its length. */
export function shownText(place: FilePlace, text: string): string {
  return /:\/\/|password/i.test(text) && matches(place, logPatterns)
    ? withoutLogins(text, (login) => '•'.repeat(login.length))
    : text;
}

/**
 * Removes logins from URLs, and passwords from command lines and settings, because some programs print what they were given.
 * A password may have any characters that a URL must not have. A port isn't one.
 */
export function withoutLogins(text: string, mask: (secret: string) => string = () => '•••'): string {
  const inUrls = /(\w:\/\/)([^/\s@:]*:(?!\d+\/)[^\s'"<>]*|[^/\s'"<>]+)@/g;
  const options = /(--?password[= ]|\bPASSWORD=)('[^'\n]*'|"[^"\n]*"|\S+)/g;
  return text
    .replace(inUrls, (_, start: string, login: string) => `${start}${mask(login)}@`)
    .replace(options, (_, start: string, password: string) => start + mask(password));
}

function matches(place: FilePlace, patterns: readonly string[]): boolean {
  const filter = new PathFilter({ ...place, path: '/' }, { excludeSetting: patterns });
  // Certificates often have names such as SHOP.KEY.
  return [place.path, place.path.toLowerCase()].some((path) => filter.isExcluded(path));
}
