export interface PlatformAddress {
  /** Without a trailing slash and without the `/1.0` that starts every path: `https://app.hoster.example`. */
  readonly baseUrl: string;
  /** The host, with the port if it's not the default. */
  readonly host: string;
}

export type AddressProblem = 'empty' | 'notAnAddress' | 'scheme' | 'credentials' | 'plainHttp';
type ParsedAddress = { readonly ok: PlatformAddress } | { readonly problem: AddressProblem };

/**
 * Parses an address as users paste it: without a scheme, with `/1.0`, a dashboard page, spaces, or a trailing slash or
 * dot. Allows plain http only for this machine, unless it's enabled.
 */
export function parseAddress(pasted: string, { allowPlainHttp = false } = {}): ParsedAddress {
  const trimmed = pasted.trim().replace(/^["'<]+|["'>]+$/g, '');
  if (trimmed === '') return { problem: 'empty' };
  const url = urlOf(trimmed);
  if (url === undefined) return { problem: 'notAnAddress' };
  if (!/^https?:$/.test(url.protocol)) return { problem: 'scheme' };
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

/** Everything before `/1.0` belongs to the address. Any other path is a dashboard page. */
function prefixIn(path: string): string {
  const end = path.indexOf('/1.0');
  return end < 0 ? '' : path.slice(0, end).replace(/\/+$/, '');
}

/** Defaults to https, except for this machine. */
function urlOf(text: string): URL | undefined {
  const direct = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`;
  if (!URL.canParse(direct)) return undefined;
  const url = new URL(direct);
  return direct !== text && isLoopback(url.hostname) ? new URL(`http://${text.replace(/^\/+/, '')}`) : url;
}
