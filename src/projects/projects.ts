import type { Environment } from '../environments/environment';

/** A Git or SVN project deployed to a layer. */
export interface Project {
  readonly environment: string;
  readonly layer: string;
  readonly context: string;
}

/** The projects that the platform's own list of environments names. */
export function projectsOf(environment: Environment, layer: string): readonly Project[] {
  const deployments = environment.layers.find(({ id }) => id === layer)?.deployments ?? [];
  return deployments.map(({ context }) => ({ environment: environment.name, layer, context }));
}
