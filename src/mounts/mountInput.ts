import { isIP } from 'node:net';
import { posix } from 'node:path';
import { l10n } from 'vscode';
import { type FilePlace, isPathWithin } from '../containers/place';

/** How data gets from one node to another. */
export const protocols = ['NFS', 'NFS4', 'NFS3', 'GLUSTER', 'WEBDAV', 'LOCAL'] as const;
export type Protocol = (typeof protocols)[number];

/** Where the data lies that is to be mounted. */
export type MountSource =
  | { readonly kind: 'node'; readonly nodeId: number }
  /** Whichever node stands for a layer of the environment. */
  | { readonly kind: 'layer'; readonly nodeGroup: string; readonly nodeId: number }
  | { readonly kind: 'host'; readonly host: string };

/** A mount as it is to be made. */
export interface MountInput {
  /** The folder where the data appears: on one node, or on all of a layer. */
  readonly place: FilePlace;
  /** The nodes that the place stands for. */
  readonly nodeIds: readonly number[];
  readonly source: MountSource;
  readonly sourcePath: string;
  readonly protocol: Protocol;
  readonly readOnly: boolean;
  /** The platform takes the folder's name where none is given. */
  readonly name: string | undefined;
}

/** Without what says nothing, such as `//`, `/./` and a slash at the end. */
export function plainPath(path: string): string {
  return posix.normalize(path.trim()).replace(/(?<=.)\/+$/, '');
}

/** Why data cannot appear in a folder of this path; a sentence, before anything is sent. */
export function mountPathProblem(path: string): string | undefined {
  const problem = absolutePathProblem(path);
  if (problem !== undefined) {
    return problem;
  }
  return plainPath(path) === '/'
    ? l10n.t('Nothing can be mounted onto “/”: it would hide the whole container. Choose a folder in it.')
    : undefined;
}

/** Why the path is none that the platform could find data by. */
export function absolutePathProblem(path: string): string | undefined {
  if (path.trim() === '') {
    return l10n.t('Enter a path, such as /var/www/shared.');
  }
  return path.trim().startsWith('/') && !path.includes('\0')
    ? undefined
    : l10n.t('“{0}” is no whole path: it must begin with a slash.', path.trim());
}

export function hostProblem(host: string): string | undefined {
  if (isIP(plainHost(host)) !== 0) {
    return undefined;
  }
  return /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i.test(plainHost(host))
    ? undefined
    : l10n.t('Enter the name or the IP address of a host alone, such as storage.example.com or 10.0.0.5.');
}

/** How the platform is told where the data lies. */
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

/** Why the mount would not make sense, whatever the platform says. */
export function mountInputProblem({ place, nodeIds, source, sourcePath }: MountInput): string | undefined {
  const problem = mountPathProblem(place.path) ?? absolutePathProblem(sourcePath);
  if (problem !== undefined || source.kind === 'host' || !nodeIds.includes(source.nodeId)) {
    return problem;
  }
  const [path, from] = [plainPath(place.path), plainPath(sourcePath)];
  return isPathWithin(path, from) || isPathWithin(from, path)
    ? l10n.t('“{0}” and “{1}” lie within one another on the same node: a folder cannot appear in itself.', path, from)
    : undefined;
}

/** An address of IPv6 may be written in brackets. */
function plainHost(host: string): string {
  return host.trim().replace(/^\[(.*)\]$/, '$1');
}
