/**
 * Normalizes a repository's URL for comparing: ignores ssh or https, a login, the default port, `.git` and a trailing
 * slash. Returns `undefined` if it isn't the URL of a server.
 */
export function normalizeRepositoryUrl(address: string): string | undefined {
  const text = address.trim();
  // git's short form, `user@host:path`. A drive letter isn't a host.
  const short = /^(?:[^@/\s]+@)?([\w.-]{2,}):(?!\/\/)\/?(.+)$/.exec(text);
  if (short?.[1] !== undefined && short[2] !== undefined) {
    return joined(short[1], '', short[2]);
  }
  if (!URL.canParse(text)) {
    return undefined;
  }
  const url = new URL(text);
  if (url.hostname === '' || url.protocol === 'file:') {
    return undefined;
  }
  const port = url.port === (usualPorts[url.protocol] ?? '') ? '' : url.port;
  return joined(url.hostname, port, url.pathname);
}

const usualPorts: Readonly<Record<string, string>> = {
  'ssh:': '22',
  'git+ssh:': '22',
  'git:': '9418',
  'http:': '80',
  'https:': '443',
  'svn:': '3690',
};

function joined(host: string, port: string, path: string): string | undefined {
  const clean = decoded(path)
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .replace(/\.git$/i, '');
  const server = host.toLowerCase().replace(/\.$/, '');
  return clean === '' ? undefined : `${server}${port === '' ? '' : `:${port}`}/${clean}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not an encoded character, just a percent sign.
    return path;
  }
}

export function sameRepository(one: string | undefined, other: string | undefined): boolean {
  const normal = one === undefined ? undefined : normalizeRepositoryUrl(one);
  return normal !== undefined && other !== undefined && normal === normalizeRepositoryUrl(other);
}

/** URLs often contain a user name. Anything longer is a token. */
export const longestName = 30;

/** A token of GitLab is shorter than some user names, and an encoded colon still separates a password. */
const secretLogin = /:|%3a|^gl[a-z]+-[\w-]{20}/i;

/** The address as it may be shown and kept: without a password or a token, and with something else instead. */
export function withoutSecret(address: string, instead = '•••@'): string {
  // Without a protocol, a password ends at the first `@`: the path may have another.
  const plain = address.replace(/^[\w.-]+:[^@/\s]+@(?=[\w.-]+[:/])/, instead);
  return plain.replace(/^(\w[\w+.-]*:\/\/)([^/\s]+)@/, (whole: string, protocol: string, login: string) =>
    secretLogin.test(login) || login.length > longestName ? `${protocol}${instead}` : whole,
  );
}
