import { l10n } from 'vscode';
import type { Environment } from './environment';
import type { FilePlace } from './place';

/**
 * Names a container in the tree's words, such as "node 66001 (Load balancer), Saltmarsh Tea".
 * @param environment what is known of it; without, the platform's own names are used
 */
export function locationText({ environment: name, target }: FilePlace, environment: Environment | undefined): string {
  const title = environment?.title ?? name;
  const layer = environment?.layers.find(({ id }) => id === target.nodeGroup)?.name ?? target.nodeGroup;
  return target.nodeId === undefined
    ? l10n.t('all nodes of {0}, {1}', layer, title)
    : l10n.t('node {0} ({1}), {2}', `${target.nodeId}`, layer, title);
}
