import type { Environment } from '../environments/environment';

/** A Git or SVN project deployed to a layer. */
export interface Project {
  readonly environment: string;
  readonly layer: string;
  readonly context: string;
}

/** The projects that the platform's own list of environments names. */
export function projectsOf(environment: Environment, layer: string): readonly Project[] {
  const contexts = environment.layers.find(({ id }) => id === layer)?.contexts ?? [];
  return contexts.map((context) => ({ environment: environment.name, layer, context }));
}
