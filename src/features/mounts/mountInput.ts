import { isIP } from 'node:net';
import { posix } from 'node:path';
import { l10n } from 'vscode';
import { type FilePlace, isPathWithin } from '../../containers/place';

export const protocols = ['NFS', 'NFS4', 'NFS3', 'GLUSTER', 'WEBDAV', 'LOCAL'] as const;
export type Protocol = (typeof protocols)[number];

export type MountSource =
  | { readonly kind: 'node'; readonly nodeId: number }
  /** The layer's main node, whichever it is, in the same environment. */
  | { readonly kind: 'layer'; readonly nodeGroup: string; readonly nodeId: number }
  | { readonly kind: 'host'; readonly host: string };

export interface MountInput {
  /** The mount point: on one node or on all nodes of a layer. */
  readonly place: FilePlace;
  /** The nodes of the place. */
  readonly nodeIds: readonly number[];
  readonly source: MountSource;
  readonly sourcePath: string;
  readonly protocol: Protocol;
  readonly readOnly: boolean;
  /** If omitted, the platform uses the folder's name. */
  readonly name: string | undefined;
}

/** Normalizes `//`, `/./` and a trailing slash. */
export function plainPath(path: string): string {
  return posix.normalize(path.trim()).replace(/(?<=.)\/+$/, '');
}

/** Returns why a path can't be a mount point, before anything is sent. */
export function mountPathProblem(path: string): string | undefined {
  const problem = absolutePathProblem(path);
  return problem === undefined && plainPath(path) === '/'
    ? l10n.t("You can't mount at “/” because that would hide the whole container. Select a folder in it.")
    : problem;
}

/** Returns why a path isn't a valid source path. */
export function absolutePathProblem(path: string): string | undefined {
  if (path.trim() === '') {
    return l10n.t('Enter an absolute path, such as /var/www/shared.');
  }
  return path.trim().startsWith('/') && !path.includes('\0')
    ? undefined
    : l10n.t("“{0}” isn't an absolute path. Start it with a slash.", path.trim());
}

export function hostProblem(host: string): string | undefined {
  if (isIP(plainHost(host)) !== 0) {
    return undefined;
  }
  return /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i.test(plainHost(host))
    ? undefined
    : l10n.t('Enter only the name or IP address of a host, such as storage.example.com or 10.0.0.5.');
}

/** Converts a source to the platform's parameters. */
export function sourceParameters(source: MountSource) {
  switch (source.kind) {
    case 'node':
      return { sourceNodeId: source.nodeId, sourceAddressType: 'IP' } as const;
    case 'layer':
      return {
        sourceNodeId: source.nodeId,
        sourceHost: source.nodeGroup,
        sourceAddressType: 'NODE_GROUP',
      } as const;
    case 'host': {
      const sourceHost = plainHost(source.host);
      return { sourceHost, sourceAddressType: isIP(sourceHost) === 0 ? 'DOMAIN' : 'IP' } as const;
    }
  }
}

/** Returns why a mount makes no sense, even if the platform would accept it. */
export function mountInputProblem({ place, nodeIds, source, sourcePath }: MountInput): string | undefined {
  const problem = mountPathProblem(place.path) ?? absolutePathProblem(sourcePath);
  if (problem !== undefined || source.kind === 'host' || !nodeIds.includes(source.nodeId)) {
    return problem;
  }
  const [path, from] = [plainPath(place.path), plainPath(sourcePath)];
  return isPathWithin(path, from) || isPathWithin(from, path)
    ? l10n.t("“{0}” and “{1}” overlap on the same node. A folder can't be mounted inside itself.", path, from)
    : undefined;
}

/** Removes the brackets of an IPv6 address. */
function plainHost(host: string): string {
  return host.trim().replace(/^\[(.*)\]$/, '$1');
}
