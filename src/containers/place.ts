import { scheme } from '../manifest';
import type { FailedObject } from '../platform/errors';

/** The containers an operation addresses: a whole layer, or one node of it. */
export interface Target {
  readonly nodeGroup: string;
  readonly nodeId?: number;
}

/** A file or folder in a container; the container's root is the path `/`. */
export interface FilePlace {
  readonly kind: 'file';
  readonly account: string;
  readonly environment: string;
  readonly target: Target;
  readonly path: string;
}

export interface EnvironmentPlace {
  readonly account: string;
  readonly environment: string;
}

/** Everything a `gantry:` URI can name: an account's root, an environment, or a file or folder in a container. */
export type Place =
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'environment'; readonly account: string; readonly environment: string }
  | FilePlace;

/** A place on one node of a layer, or, without a node, on the layer as a whole. */
export function placeOnLayer(
  { account, name }: { readonly account: string; readonly name: string },
  nodeGroup: string,
  nodeId: number | undefined,
  path = '/',
): FilePlace {
  const target = nodeId === undefined ? { nodeGroup } : { nodeGroup, nodeId };
  return { kind: 'file', account, environment: name, target, path };
}

/** Whether a path is a folder's, or is below it. Keys of places can be compared like paths. */
export function isPathWithin(path: string, folder: string): boolean {
  // Asked for thousands of pairs at once, so it creates no text.
  return path.startsWith(folder) && (path.length === folder.length || folder === '/' || path[folder.length] === '/');
}

export interface PlainUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

export function targetText(target: Target): string {
  return target.nodeId === undefined ? target.nodeGroup : `${target.nodeGroup}~${target.nodeId}`;
}

function parseTarget(text: string): Target | undefined {
  const match = /^([^~]+)(?:~(\d+))?$/.exec(text);
  if (match?.[1] === undefined) {
    return undefined;
  }
  return match[2] === undefined ? { nodeGroup: match[1] } : { nodeGroup: match[1], nodeId: Number(match[2]) };
}

export function uriParts(place: Place): PlainUri {
  const at = { scheme, authority: place.account };
  switch (place.kind) {
    case 'account':
      return { ...at, path: '/' };
    case 'environment':
      return { ...at, path: `/${place.environment}` };
    case 'file': {
      const root = `/${place.environment}/${targetText(place.target)}`;
      return { ...at, path: place.path === '/' ? root : `${root}${place.path}` };
    }
  }
}

/** Returns `undefined` if the URI isn't a place, for example because of its scheme or a malformed target. */
export function placeOf(uri: PlainUri): Place | undefined {
  if (uri.scheme !== scheme || uri.authority === '') {
    return undefined;
  }
  const account = uri.authority;
  const [environment, targetSegment, ...rest] = uri.path.split('/').filter((segment) => segment !== '');
  if (environment === undefined) {
    return { kind: 'account', account };
  }
  if (targetSegment === undefined) {
    return { kind: 'environment', account, environment };
  }
  const target = parseTarget(targetSegment);
  return target && { kind: 'file', account, environment, target, path: `/${withoutDots(rest).join('/')}` };
}

/** Resolves `.` and `..`, which VS Code passes on as typed, so that each place has one URI. */
function withoutDots(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') {
      kept.pop();
    } else if (segment !== '.') {
      kept.push(segment);
    }
  }
  return kept;
}

/** Returns the file or folder that the URI names, or `undefined` if it names none. */
export function filePlaceOf(uri: PlainUri): FilePlace | undefined {
  const place = placeOf(uri);
  return place?.kind === 'file' ? place : undefined;
}

export function failedObjectAt(place: FilePlace, title = place.environment): FailedObject {
  return { environment: title, nodeId: place.target.nodeId, path: place.path };
}

/** Returns the parent folder, or `undefined` for a container's root. */
export function parentOf(place: FilePlace): FilePlace | undefined {
  if (place.path === '/') {
    return undefined;
  }
  const end = place.path.lastIndexOf('/');
  return { ...place, path: end === 0 ? '/' : place.path.slice(0, end) };
}

/** Returns the folder whose listing shows the place: its parent, or a container's root itself. */
export function parentOrSelf(place: FilePlace): FilePlace {
  return parentOf(place) ?? place;
}

export function childOf(place: FilePlace, name: string): FilePlace {
  return { ...place, path: place.path === '/' ? `/${name}` : `${place.path}/${name}` };
}

export function nameOf(place: FilePlace): string {
  return place.path.slice(place.path.lastIndexOf('/') + 1);
}

export function wholeLayer(place: FilePlace): FilePlace {
  return { ...place, target: { nodeGroup: place.target.nodeGroup } };
}

/** Returns a unique string for a place, for comparing and as a key. */
export function keyOf(place: FilePlace): string {
  const { authority, path } = uriParts(place);
  return `${authority}${path}`;
}

export function isSameContainer(one: FilePlace, other: FilePlace): boolean {
  return keyOf({ ...one, path: '/' }) === keyOf({ ...other, path: '/' });
}

/** Whether a change at one place may reach the other's container: it's the same, or one is the layer of the other's node. */
export function isInSameNodes(one: FilePlace, other: FilePlace): boolean {
  const isWhole = one.target.nodeId === undefined || other.target.nodeId === undefined;
  return isWhole ? isSameContainer(wholeLayer(one), wholeLayer(other)) : isSameContainer(one, other);
}
