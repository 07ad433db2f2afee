import type { Environment } from './environment';
import type { LastKnown } from './environmentMemory';

/** An environment that was there before and is there no longer, at least under its name. */
export interface MissingEnvironment {
  readonly account: string;
  readonly name: string;
  readonly title: string;
  /** The name it has now, where its nodes are found in another environment. */
  readonly renamedTo: string | undefined;
}

export function lastKnownOf({ name, title, layers }: Environment): LastKnown {
  return { name, title, nodes: layers.flatMap(({ nodes }) => nodes.map(({ id }) => id)) };
}

/** Those of the environments known before that are not among those of now, and what became of them. */
export function missingEnvironments(
  account: string,
  before: readonly LastKnown[],
  now: readonly Environment[],
): MissingEnvironment[] {
  const present = now.map(lastKnownOf);
  return before
    .filter(({ name }) => !present.some((one) => one.name === name))
    .map(({ name, title, nodes }) => ({
      account,
      name,
      title,
      renamedTo: present.find((one) => one.nodes.some((node) => nodes.includes(node)))?.name,
    }));
}
