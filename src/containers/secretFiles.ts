import type { FilePlace } from './place';
import { PathFilter } from './pathFilter';

/** Files that usually hold secrets, as patterns. What Gantry keeps on this computer without being asked leaves them out. */
export const secretFilePatterns: readonly string[] = [
  ...['.env', '.env.*', 'wp-config.php*'],
  ...['*.key', '*.pem', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.ppk'],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'],
  ...['.htpasswd', '.npmrc', '.pgpass', '.my.cnf', '.netrc', '.git-credentials'],
  // Addresses of repositories may contain a login.
  ...['.git/config', '/var/lib/jelastic/vcs'],
];

/** Whether a file usually holds secrets, or matches one of these patterns. */
export function mayHoldSecrets(place: FilePlace, more: readonly string[] = []): boolean {
  const filter = new PathFilter({ ...place, path: '/' }, { excludeSetting: [...secretFilePatterns, ...more] });
  // Certificates often have names such as SHOP.KEY.
  return [place.path, place.path.toLowerCase()].some((path) => filter.isExcluded(path));
}
