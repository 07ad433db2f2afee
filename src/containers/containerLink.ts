import { type FilePlace, filePlaceOf, type Place, targetText } from './place';
import { scheme } from '../manifest';

/** A link to a file or container, for anyone signed in to the platform. Contains no account and no secret. */
export interface Link {
  /** Host, with the port if it's not the default. */
  readonly platform: string;
  readonly environment: string;
  /** A layer, or a node such as `cp~12`. Without it, the link points to the environment. */
  readonly target: string | undefined;
  readonly path: string;
  readonly options: LinkOptions;
}

const optionNames = ['line', 'show', 'find', 'include', 'exclude', 'isRegex', 'matchCase', 'wholeWord'] as const;
/** How to show the file or folder. What shows it reads these, and ignores what it can't use. */
export type LinkOptions = Partial<Readonly<Record<(typeof optionNames)[number], string>>>;

export type LinkPart = 'platform' | 'environment' | 'target' | 'path';
type ParsedLink = { readonly ok: Link } | { readonly problem: LinkPart };

export function writeLink({ platform, environment, target, path, options }: Link): string {
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['platform', platform],
    ['environment', environment],
    ['target', target],
    ['path', target === undefined || path === '/' ? undefined : path],
    ...Object.entries(options),
  ];
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encode(value)}`])).join('&');
}

/** Parses a query as VS Code passes it: decoded once. */
export function parseLink(query: string): ParsedLink {
  const given = new Map(query.split('&').map(pairIn));
  const platform = hostIn(given.get('platform') ?? '');
  const environment = given.get('environment') ?? '';
  const target = given.get('target');
  const path = given.get('path') ?? '/';
  if (platform === undefined) {
    return { problem: 'platform' };
  }
  if (!isName(environment, /^[\w.-]+$/)) {
    return { problem: 'environment' };
  }
  // An environment has no paths.
  if (target === undefined ? path !== '/' : !isName(target, /^[\w.-]+(~\d+)?$/)) {
    return { problem: 'target' };
  }
  if (!isAbsolute(path)) {
    return { problem: 'path' };
  }
  const options: LinkOptions = Object.fromEntries(
    optionNames.flatMap((name) => {
      const value = given.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    ok: { platform, environment, target, path: path === '/' ? path : path.replace(/(?<!\/)\/+$/, ''), options },
  };
}

export function linkToPlace(
  place: Exclude<Place, { kind: 'account' }>,
  platform: string,
  options: LinkOptions = {},
): Link {
  const { environment } = place;
  return place.kind === 'file'
    ? { platform, environment, target: targetText(place.target), path: place.path, options }
    : { platform, environment, target: undefined, path: '/', options };
}

export function placeOfLink({ environment, target, path }: Link, account: string): FilePlace | undefined {
  return target === undefined
    ? undefined
    : filePlaceOf({ scheme, authority: account, path: `/${environment}/${target}${path}` });
}

/** Double-encodes characters with a meaning in a query, because VS Code decodes the query before it can be split. */
function encode(value: string): string {
  const inner = value.replace(/[%&+#]/g, encodeURIComponent);
  return encodeURIComponent(inner).replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%7E', '~');
}

function pairIn(text: string): readonly [string, string] {
  const end = text.indexOf('=');
  return end < 0 ? [text, ''] : [text.slice(0, end), decode(text.slice(end + 1))];
}

/** Keeps a percent sign that isn't part of an encoded character. */
function decode(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Not valid UTF-8, so the text wasn't percent-encoded. Keep it as is.
      return encoded;
    }
  });
}

function hostIn(platform: string): string | undefined {
  const address = platform.includes('://') ? platform : `https://${platform}`;
  if (!URL.canParse(address)) {
    return undefined;
  }
  const { host, username } = new URL(address);
  return host === '' || username !== '' ? undefined : host;
}

function isName(text: string, form: RegExp): boolean {
  return form.test(text) && !isUpward(text);
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') && !path.includes('\0') && !path.split('/').some(isUpward);
}

function isUpward(segment: string): boolean {
  return segment === '.' || segment === '..';
}
