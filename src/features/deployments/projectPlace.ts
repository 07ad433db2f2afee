import * as v from 'valibot';
import type { Environment } from '../../containers/environment';
import { type FilePlace, isPathWithin, type Target } from '../../containers/place';

/** A Git or SVN project's place: a layer takes one project per context. */
export interface ProjectPlace {
  readonly account: string;
  readonly environment: string;
  readonly layer: string;
  readonly context: string;
}

/** The fields of a place, for schemas of what holds one. */
export const placeEntries = {
  account: v.string(),
  environment: v.string(),
  layer: v.string(),
  context: v.string(),
};

/** The place alone, of what may hold more. */
export function placeOfProject({ account, environment, layer, context }: ProjectPlace): ProjectPlace {
  return { account, environment, layer, context };
}

export function projectKey({ account, environment, layer, context }: ProjectPlace): string {
  return [account, environment, layer, context].join('/');
}

export function projectAddress({ environment, layer, context }: ProjectPlace) {
  return { envName: environment, nodeGroup: layer, context };
}

export function placeOn(project: ProjectPlace, target: Target, path: string): FilePlace {
  return { kind: 'file', account: project.account, environment: project.environment, target, path };
}

export function listedProjects({ account, name, layers }: Environment): readonly ProjectPlace[] {
  return layers.flatMap(({ id, contexts }) =>
    contexts.map((context) => ({ account, environment: name, layer: id, context })),
  );
}

/** Where stacks keep their contexts. It's undocumented, so the clone's own files must confirm the folder. */
const webroots = ['/var/www/webroot', '/home/jelastic'] as const;

/** @param options.isAbove whether a folder above one counts, too */
export function mayBeDeployedTo(path: string, { isAbove }: { readonly isAbove: boolean }): boolean {
  return webroots.some((webroot) => path.startsWith(`${webroot}/`) || (isAbove && isPathWithin(webroot, path)));
}

/** The folders that a context may be in, the most likely first. */
export function likelyFolders({ context }: Pick<ProjectPlace, 'context'>, stack?: string): readonly string[] {
  const order = stack?.includes('nodejs') === true ? webroots.toReversed() : webroots;
  return order.map((webroot) => `${webroot}/${context}`);
}

/** Returns the context's folder if it's known, or else the possible ones. */
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
