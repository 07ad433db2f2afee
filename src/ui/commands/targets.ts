import { window } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { type Container, containersIn, isContainer, partOfRow } from '../../containers/environmentPart';
import { listContainers, partAt, partChoices } from './environmentPartPrompts';
import type { Environments } from '../../containers/environments';
import { type FilePlace, filePlaceOf } from '../../containers/place';
import { askChoice } from '../quickPick';
import type { Call } from './call';
import { command, type Handler } from './command';

interface ContainerPromptDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
}

interface ContainerPromptOptions {
  readonly placeHolder: string;
  readonly may?: (container: Container) => boolean;
  /** Likely containers are listed first. */
  readonly isLikely?: (container: Container) => boolean;
}

/** A command on the container of a row, or else of the person's choice: for the active file, only in its layer. */
export function commandOnContainer(
  deps: ContainerPromptDeps,
  options: ContainerPromptOptions,
  run: (container: Container) => Promise<unknown>,
): Handler<'environment'> {
  return command('environment', (call) => containerMeant(call, deps, options), run);
}

async function containerMeant(
  call: Call,
  deps: ContainerPromptDeps,
  { placeHolder, may, isLikely = () => false }: ContainerPromptOptions,
): Promise<Container | undefined> {
  const part = await partOfRow(call.object, deps);
  if (part !== undefined && isContainer(part)) {
    return part;
  }
  // If the row no longer exists, don't use the active file instead.
  const place = call.uri ? filePlaceOf(call.uri) : call.isBare ? activeContainerFile() : undefined;
  const around = place === undefined ? [] : await containersAround(place, deps);
  const [only, ...others] = around;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  around.sort((one, other) => Number(isLikely(other)) - Number(isLikely(one)));
  const list = around.length > 0 ? { all: around, problems: [] } : await listContainers(deps, part?.environment);
  return partAt(list, await askChoice<string>(partChoices(list, may), { placeHolder }));
}

function activeContainerFile(): FilePlace | undefined {
  const uri = window.activeTextEditor?.document.uri;
  return uri && filePlaceOf(uri);
}

/** Returns the layer of a file, and all nodes in it. */
export async function containersInLayerOf(
  place: FilePlace,
  { accounts, environments }: ContainerPromptDeps,
): Promise<Container[]> {
  const layer = place.target.nodeGroup;
  const account = accounts.find(place.account);
  const found = account && (await environments.findLayer(account, { environment: place.environment, layer }));
  return found === undefined ? [] : containersIn(found.environment).filter((one) => one.layer.id === layer);
}

/** Returns the file's node and, if it has several nodes, its layer. */
async function containersAround(place: FilePlace, deps: ContainerPromptDeps): Promise<Container[]> {
  const { nodeId } = place.target;
  const inLayer = await containersInLayerOf(place, deps);
  const [nodes, whole] = [inLayer.filter(({ node }) => node), inLayer.filter(({ node }) => node === undefined)];
  const own = nodes.filter(({ node }) => node?.id === nodeId || (nodeId === undefined && nodes.length === 1));
  return nodes.length === 1 && own.length === 1 ? own : [...own, ...whole];
}
