import type { Node } from '../environments/environment';
import type { Call } from '../operation';
import type { Platform } from '../platform';
import { codes, Refusal } from '../refusal';
import type { Project } from './project';
import type { Place } from './projects';

const usualLayer = 'cp';
const usualContext = 'ROOT';

/** Returns the layer in a request, with all its nodes. */
export const layerOf = (call: Call): { readonly place: Omit<Place, 'context'>; readonly nodes: readonly Node[] } => {
  const { envName, layers } = call.environment();
  const nodeGroup = call.parameters.optionalText('nodeGroup') ?? usualLayer;
  const layer = layers.find(({ name }) => name === nodeGroup);
  if (layer === undefined) throw new Refusal(codes.notFound, `nodeGroup [${nodeGroup}] not found`);
  return { place: { envName, nodeGroup }, nodes: layer.nodes };
};

export const nodesOfProject = (platform: Platform, { envName, nodeGroup }: Project): readonly Node[] =>
  platform.environments.find(envName)?.layers.find(({ name }) => name === nodeGroup)?.nodes ?? [];

/** Returns the project in a request. Fails with 2500 if there is none. */
export const projectOf = (call: Call, contextParameter = 'context'): Project => {
  const context = call.parameters.optionalText(contextParameter) ?? usualContext;
  const project = call.platform.projects.find({ ...layerOf(call).place, context });
  if (project === undefined) throw new Refusal(codes.noProject, `VCS project [${context}] does not exist`);
  return project;
};
