import type { Environment, Layer } from '../containers/environment';
import type { FilePlace, Target } from '../containers/place';

/** A Git or SVN project's place: a layer takes one project per context. */
export interface ProjectPlace {
  readonly account: string;
  readonly environment: string;
  readonly layer: string;
  readonly context: string;
}

/** The place alone, of what may hold more. */
export function placeOfProject({ account, environment, layer, context }: ProjectPlace): ProjectPlace {
  return { account, environment, layer, context };
}

/** One text for one project, to compare and to key by. */
export function projectKey({ account, environment, layer, context }: ProjectPlace): string {
  return [account, environment, layer, context].join('/');
}

/** The parameters that say which project an operation is for. */
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

/** Where software stacks keep the folders of their contexts; the contract does not say, the clone's own files prove it. */
const webroots = ['/var/www/webroot', '/home/jelastic'] as const;

/** Whether a project may be deployed there. */
export function mayBeDeployedTo(path: string): boolean {
  return webroots.some((webroot) => path.startsWith(`${webroot}/`));
}

/** The folders that a context may be in, the most likely first. */
export function likelyFolders({ context }: Pick<ProjectPlace, 'context'>, stack?: string): readonly string[] {
  const order = stack?.includes('nodejs') === true ? webroots.toReversed() : webroots;
  return order.map((webroot) => `${webroot}/${context}`);
}

/** The folder of a context where it is known, else where it may be. */
export function foldersOf(project: ProjectPlace & { readonly folder?: string | undefined }): readonly string[] {
  return project.folder === undefined ? likelyFolders(project) : [project.folder];
}

/** Whether a place in a container is in the project's layer, or on one of its nodes. */
export function isInLayer(
  { account, environment, target }: Pick<FilePlace, 'account' | 'environment' | 'target'>,
  project: ProjectPlace,
): boolean {
  return account === project.account && environment === project.environment && target.nodeGroup === project.layer;
}
