import * as v from 'valibot';
import type { Accounts } from '../accounts/accounts';
import type { Environment, Layer, Node } from './environment';
import { mainNodeOf } from './environmentIndex';
import type { Environments } from './environments';
import { type FilePlace, placeOnLayer } from './place';

/** An environment, one of its layers, or a node of a layer: what rows, questions and commands can refer to. */
export interface EnvironmentPart {
  readonly environment: Environment;
  /** `undefined` means the whole environment. */
  readonly layer: Layer | undefined;
  /** `undefined` means the whole layer. */
  readonly node: Node | undefined;
}

/** A layer or one of its nodes. */
export interface Container extends EnvironmentPart {
  readonly layer: Layer;
}

export function containersIn(environment: Environment): Container[] {
  return environment.layers.flatMap((layer) => [
    { environment, layer, node: undefined },
    ...layer.nodes.map((node) => ({ environment, layer, node })),
  ]);
}

export function isContainer(part: EnvironmentPart): part is Container {
  return part.layer !== undefined;
}

/** Returns a container's root folder. For a whole layer, that's the root on its main node. */
export function startIn({ environment, layer, node }: Container): FilePlace {
  return placeOnLayer(environment, layer.id, (node ?? mainNodeOf(layer))?.id);
}

const rowOfPart = v.object({
  environment: v.object({ account: v.string(), name: v.string() }),
  layer: v.optional(v.object({ id: v.string() })),
  node: v.optional(v.object({ id: v.number() })),
});

/**
 * Returns the environment, layer or node of a row of any view. Looks it up by its names, because a command can be
 * called with anything. Returns `undefined` for another row, or if the part no longer exists.
 */
export async function partOfRow(
  named: object | undefined,
  {
    accounts,
    environments,
  }: {
    readonly accounts: Pick<Accounts, 'find'>;
    readonly environments: Pick<Environments, 'of'>;
  },
): Promise<EnvironmentPart | undefined> {
  const row = v.safeParse(rowOfPart, named);
  const account = row.success ? accounts.find(row.output.environment.account) : undefined;
  if (!row.success || account === undefined) {
    return undefined;
  }
  const { environment: environmentNamed, layer: namedLayer, node: namedNode } = row.output;
  const environment = (await environments.of(account)).find(({ name }) => name === environmentNamed.name);
  const layer = environment?.layers.find(({ id }) => id === namedLayer?.id);
  const node = layer?.nodes.find(({ id }) => id === namedNode?.id);
  const isGone = (namedLayer !== undefined && layer === undefined) || (namedNode !== undefined && node === undefined);
  return environment === undefined || isGone ? undefined : { environment, layer, node };
}

/** Returns the slug of the account that such a row names, even if neither exists anymore. */
export function accountOfRow(named: object | undefined): string | undefined {
  const row = v.safeParse(rowOfPart, named);
  return row.success ? row.output.environment.account : undefined;
}
