import { l10n } from 'vscode';
import type { PlatformError } from '../platform/errors';

/** Names what a call was about in the words of the tree, such as "php.ini on node 66001"; `undefined` if it has no name. */
export function failedObjectText({
  object = {},
  target = '',
}: Pick<PlatformError, 'object' | 'target'>): string | undefined {
  // Some errors of our own have only a path.
  const { path = target.startsWith('/') ? target : undefined, context, environment } = object;
  const name = (path === undefined ? undefined : nameIn(path)) ?? context;
  // A project's name and environment are enough, whatever layer it's on.
  const where = path === undefined && context !== undefined ? environment : containerOf(object);
  if (name === undefined) {
    return where ?? environment;
  }
  return where === undefined ? name : l10n.t('{0} on {1}', name, where);
}

function containerOf({ nodeId, layer, environment }: NonNullable<PlatformError['object']>): string | undefined {
  if (nodeId !== undefined) {
    return l10n.t('node {0}', nodeId);
  }
  if (layer === undefined) {
    return environment;
  }
  return environment === undefined ? l10n.t('layer {0}', layer) : l10n.t('layer {0} of {1}', layer, environment);
}

function nameIn(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}
