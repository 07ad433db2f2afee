import { l10n } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import type { Environment, Layer } from '../../containers/environment';
import { allEnvironments } from '../../containers/environmentIndex';
import { partChoices } from '../../containers/environmentPartPrompts';
import type { Environments } from '../../containers/environments';
import { type ContextRules, noRules } from './fieldProblems';
import { type ProjectPlace, takesProjects } from '../projectPlace';
import type { Projects } from '../projects';
import type { Entered, Question } from '../../ui/prompts';
import type { DeploymentElement } from '../view/deploymentElement';

/** A layer that projects can be deployed to. */
export interface ProjectLayer {
  readonly environment: Environment;
  readonly layer: Layer;
}

export interface ProjectLayersDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly projects: Projects;
}

/** Returns the layers of the environment that a command was invoked on, or of all. Throws if there are none. */
export async function layersForProjects(
  element: DeploymentElement | undefined,
  deps: ProjectLayersDeps,
): Promise<readonly ProjectLayer[]> {
  const { environments, failures } =
    element?.kind === 'environment' || element?.kind === 'noProject'
      ? { environments: [element.environment], failures: [] }
      : await allEnvironments(deps.accounts, deps.environments);
  const layers = environments.flatMap((environment) =>
    environment.layers.filter(takesProjects).map((layer) => ({ environment, layer })),
  );
  if (layers.length === 0) {
    const [failure] = failures;
    throw failure?.error instanceof Error
      ? failure.error
      : new Error(l10n.t("Couldn't find an environment that supports projects."));
  }
  return layers;
}

/** Asks for one of the layers, unless there is only one. `chosenLayer` reads the answer. */
export function layerQuestions(layers: readonly ProjectLayer[], prompt: string): readonly Question[] {
  const all = layers.map(({ environment, layer }) => ({ environment, layer, node: undefined }));
  const choices = partChoices({ all, problems: [] });
  return layers.length === 1 ? [] : [{ kind: 'choice', key: 'layer', prompt, choices }];
}

export function chosenLayer(layers: readonly ProjectLayer[], { layer }: Entered): ProjectLayer | undefined {
  return layers[Number(layer ?? 0)];
}

export function projectOn({ environment, layer }: ProjectLayer, context: string): ProjectPlace {
  return { account: environment.account, environment: environment.name, layer: layer.id, context };
}

/** Returns the rules for a project's context on the layer. */
export function contextRulesFor({ environment, layer }: ProjectLayer, projects: Projects, own?: string): ContextRules {
  const here = projects.of(environment).filter((place) => place.layer === layer.id);
  return {
    contextPattern: layer.nodes.find(({ contextPattern }) => contextPattern !== undefined)?.contextPattern,
    singleContext: layer.nodes.some(({ singleContext }) => singleContext),
    taken: here.map(({ context }) => context).filter((context) => context !== own),
  };
}

export async function rulesFor(place: ProjectPlace, deps: ProjectLayersDeps): Promise<ContextRules> {
  const account = deps.accounts.find(place.account);
  const home = account && (await deps.environments.findLayer(account, place));
  return home === undefined ? noRules : contextRulesFor(home, deps.projects, place.context);
}
