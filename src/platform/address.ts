/** Where a platform's API is. */
export interface PlatformAddress {
  /** Without a slash at the end and without the `/1.0` that every path begins with: `https://app.hoster.example`. */
  readonly baseUrl: string;
  /** The host and, where it is not the usual one, the port. */
  readonly host: string;
}

export type AddressProblem = 'empty' | 'notAnAddress' | 'scheme' | 'credentials' | 'plainHttp';
export type ParsedAddress = { readonly ok: PlatformAddress } | { readonly problem: AddressProblem };

/**
 * Reads an address as people paste it: without a scheme, with `/1.0`, a page of the dashboard, spaces, a slash or a
 * dot at the end. Plain http reaches this machine only, unless it is allowed.
 */
export function parseAddress(pasted: string, { allowPlainHttp = false } = {}): ParsedAddress {
  const trimmed = pasted.trim().replace(/^["'<]+|["'>]+$/g, '');
  if (trimmed === '') return { problem: 'empty' };
  const url = urlOf(trimmed);
  if (url === undefined) return { problem: 'notAnAddress' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' };
  const hostname = url.hostname.replace(/\.+$/, '');
  if (hostname === '') return { problem: 'notAnAddress' };
  url.hostname = hostname;
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowPlainHttp) return { problem: 'plainHttp' };
  return { ok: { baseUrl: url.origin + prefixIn(url.pathname), host: url.host } };
}

export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** What stands before `/1.0` belongs to the address; any other path is a page that somebody had open. */
function prefixIn(path: string): string {
  const end = path.indexOf('/1.0');
  return end < 0 ? '' : path.slice(0, end).replace(/\/+$/, '');
}

/** Without a scheme, https is meant, except for this machine. */
function urlOf(text: string): URL | undefined {
  const direct = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`;
  if (!URL.canParse(direct)) return undefined;
  const url = new URL(direct);
  return direct !== text && isLoopback(url.hostname) ? new URL(`http://${text.replace(/^\/+/, '')}`) : url;
}
