import { l10n, QuickPickItemKind } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environment, Layer, Node } from './environment';
import type { Environments } from './environments';

import { type FilePlace, placeOnLayer } from './place';

import type { Choice } from '../ui/quickPick';
import { allEnvironments, mainNodeOf } from './environmentIndex';
import { failureText } from '../ui/failureMessages';

/** A layer or one of its nodes, for selection. */
export interface Container {
  readonly environment: Environment;
  readonly layer: Layer;
  /** `undefined` means the whole layer. */
  readonly node: Node | undefined;
}

export interface ContainerRows {
  readonly all: readonly Container[];
  /** Listing errors, shown as rows that can't be selected. */
  readonly problems: readonly string[];
}

/** Returns the layers and nodes of all accounts, or of one environment. */
export async function containersOf(
  accounts: Accounts,
  environments: Environments,
  only?: Environment,
): Promise<ContainerRows> {
  if (only !== undefined) {
    return { all: containersIn(only), problems: [] };
  }
  const { environments: all, failures } = await allEnvironments(accounts, environments);
  const problems = failures.map(({ account, error }) => `${account.label}: ${failureText(error)}`);
  return { all: all.flatMap(containersIn), problems };
}

/** Returns the rows grouped by environment. A row's value is its index in `all`. */
export function containerChoices({ all, problems }: ContainerRows, may: (container: Container) => boolean): Choice[] {
  const rows: Choice[] = [];
  let heading: Environment | undefined;
  for (const [index, container] of all.entries()) {
    if (may(container)) {
      if (container.environment !== heading) {
        heading = container.environment;
        rows.push({ label: heading.title, kind: QuickPickItemKind.Separator, value: '' });
      }
      rows.push({ ...labelOf(container), value: String(index) });
    }
  }
  return [...rows, ...problems.map((problem) => ({ label: `$(warning) ${problem}`, value: '', alwaysShow: true }))];
}

/** Returns the selected container, or `undefined` for a row that isn't one. */
export function containerAt({ all }: ContainerRows, value: string | undefined): Container | undefined {
  return value === undefined || value === '' ? undefined : all[Number(value)];
}

/** Returns a container's root folder. For a whole layer, that's the root on its main node. */
export function startIn({ environment, layer, node }: Container): FilePlace {
  return placeOnLayer(environment, layer.id, (node ?? mainNodeOf(layer))?.id);
}

function containersIn(environment: Environment): Container[] {
  return environment.layers.flatMap((layer) => [
    { environment, layer, node: undefined },
    ...layer.nodes.map((node) => ({ environment, layer, node })),
  ]);
}

function labelOf({ layer, node }: Container): { label: string; description: string } {
  if (node !== undefined) {
    return { label: `$(vm) ${node.name}`, description: `${node.id} · ${layer.name}` };
  }
  const nodes = layer.nodes.length === 1 ? l10n.t('1 node') : l10n.t('all {0} nodes', layer.nodes.length);
  return { label: `$(layers) ${layer.name}`, description: layer.nodes.length === 0 ? layer.id : nodes };
}
