import { l10n } from 'vscode';
import type { Environments } from './environments';
import { type FilePlace, nameOf } from './place';

export type EnvironmentTitles = Pick<Environments, 'titleOf'>;

export type ContainerNames = Pick<Environments, 'titleOf' | 'knownLayer'>;

type Container = Pick<FilePlace, 'account' | 'environment' | 'target'>;

/** Names a container in the tree's words, such as "node 66001 (Load balancer), Saltmarsh Tea". */
export function locationText(container: Container, names: ContainerNames): string {
  const { nodeId } = container.target;
  const [layer, title] = [layerText(container, names), names.titleOf(container)];
  return nodeId === undefined
    ? l10n.t('all nodes of {0}, {1}', layer, title)
    : l10n.t('node {0} ({1}), {2}', `${nodeId}`, layer, title);
}

/** The same for a narrow place, such as "Saltmarsh Tea · 66001". */
export function shortLocationText(container: Container, names: ContainerNames): string {
  return `${names.titleOf(container)} · ${container.target.nodeId ?? layerText(container, names)}`;
}

/** Names a folder with its container, such as "sites (Saltmarsh Tea · 66001)". */
export function folderName(folder: FilePlace, names: ContainerNames): string {
  const name = folder.path === '/' ? '/' : nameOf(folder);
  return l10n.t('{0} ({1})', name, shortLocationText(folder, names));
}

/** Returns how a list names these files: by their paths, and also by their nodes if several have the same path. */
export function pathNaming(files: readonly FilePlace[]): (file: FilePlace) => string {
  const isOnSeveralNodes = new Set(files.map(({ path }) => path)).size < files.length;
  return ({ path, target: { nodeId } }) =>
    isOnSeveralNodes && nodeId !== undefined ? l10n.t('{0} on node {1}', path, nodeId) : path;
}

function layerText({ account, environment, target: { nodeGroup } }: Container, names: ContainerNames): string {
  return layerTitle({ account, environment, layer: nodeGroup }, names);
}

/** Names a layer as the tree does, such as "Load balancer". */
export function layerTitle(
  { account, environment, layer }: { readonly account: string; readonly environment: string; readonly layer: string },
  names: ContainerNames,
): string {
  return names.knownLayer(account, environment, layer)?.name ?? layer;
}
