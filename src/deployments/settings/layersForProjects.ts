import { ExpectedError } from '../../ui/expectedError';
import { l10n } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { type Environment, type Layer, takesProjects } from '../../containers/environment';
import { allEnvironments } from '../../containers/environmentIndex';
import type { EnvironmentPart } from '../../containers/environmentPart';
import { partChoices } from '../../containers/environmentPartPrompts';
import type { Environments } from '../../containers/environments';
import type { LayerRules } from './fieldProblems';
import type { ProjectPlace } from '../projectPlace';
import type { Projects } from '../projects';
import type { Choice } from '../../ui/quickPick';
import { technologyOf } from './technology';

/** A layer that projects can be deployed to. */
export interface ProjectLayer {
  readonly environment: Environment;
  readonly layer: Layer;
}

export interface ProjectLayersDeps {
  readonly accounts: Pick<Accounts, 'list' | 'find'>;
  readonly environments: Environments;
  readonly projects: Projects;
}

/** Returns the layer or the environment's layers that a command was invoked on, or all. Throws if there are none. */
export async function layersForProjects(
  meant: EnvironmentPart | undefined,
  deps: ProjectLayersDeps,
): Promise<readonly ProjectLayer[]> {
  const { environments, failures } =
    meant === undefined
      ? await allEnvironments(deps.accounts, deps.environments)
      : { environments: [meant.environment], failures: [] };
  const layers = environments.flatMap((environment) =>
    environment.layers
      .filter((layer) => takesProjects(layer) && (meant?.layer === undefined || layer === meant.layer))
      .map((layer) => ({ environment, layer })),
  );
  if (layers.length === 0) {
    const [failure] = failures;
    throw failure?.error instanceof Error
      ? failure.error
      : new ExpectedError(l10n.t("Couldn't find an environment that supports projects."));
  }
  return layers;
}

/** The layers as choices, each with more facts. A choice's value is the layer's index. */
export function layerChoices(
  layers: readonly ProjectLayer[],
  factsOf: (layer: ProjectLayer) => readonly string[] = () => [],
): readonly Choice[] {
  const all = layers.map(({ environment, layer }) => ({ environment, layer, node: undefined }));
  return partChoices({ all, problems: [] }).map((choice) => {
    const layer = choice.value === '' ? undefined : layers[Number(choice.value)];
    const facts = layer === undefined ? [] : [choice.description, ...factsOf(layer)];
    return layer === undefined ? choice : { ...choice, description: facts.filter(Boolean).join(' · ') };
  });
}

export function projectOn({ environment, layer }: ProjectLayer, context: string): ProjectPlace {
  return { account: environment.account, environment: environment.name, layer: layer.id, context };
}

/** @param own the context that the project has already */
export function layerRules({ environment, layer }: ProjectLayer, projects: Projects, own?: string): LayerRules {
  const here = projects.of(environment).filter((place) => place.layer === layer.id);
  return {
    contextPattern: layer.nodes.find(({ contextPattern }) => contextPattern !== undefined)?.contextPattern,
    singleContext: layer.nodes.some(({ singleContext }) => singleContext),
    taken: here.map(({ context }) => context).filter((context) => context !== own),
    technology: technologyOf(layer),
  };
}

export async function rulesFor(place: ProjectPlace, deps: ProjectLayersDeps): Promise<LayerRules> {
  const account = deps.accounts.find(place.account);
  const home = account && (await deps.environments.findLayer(account, place));
  return home === undefined ? {} : layerRules(home, deps.projects, place.context);
}
