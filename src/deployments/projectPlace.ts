import type { Environment, Layer } from '../containers/environment';
import type { FilePlace, Target } from '../containers/place';

/** Where a Git or SVN project stands: a layer takes one project per context. */
export interface ProjectPlace {
  readonly account: string;
  readonly environment: string;
  readonly layer: string;
  readonly context: string;
}

/** One text for one project, to compare and to key by. */
export function projectKey({ account, environment, layer, context }: ProjectPlace): string {
  return [account, environment, layer, context].join('/');
}

/** How the contract's operations are told which project. */
export function projectAddress({ environment, layer, context }: ProjectPlace) {
  return { envName: environment, nodeGroup: layer, context };
}

/** A place in a container that the project is deployed to. */
export function placeOn(project: ProjectPlace, target: Target, path: string): FilePlace {
  return { kind: 'file', account: project.account, environment: project.environment, target, path };
}

/** Whether a layer may take projects. The platform does not always say; then it is tried, not ruled out. */
export function takesProjects({ nodes, contexts }: Layer): boolean {
  return contexts.length > 0 || nodes.length === 0 || nodes.some((node) => node.takesProjects !== false);
}

/** The projects that the platform's own list of environments names. */
export function listedProjects({ account, name, layers }: Environment): readonly ProjectPlace[] {
  return layers.flatMap(({ id, contexts }) =>
    contexts.map((context) => ({ account, environment: name, layer: id, context })),
  );
}
