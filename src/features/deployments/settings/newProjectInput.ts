import { l10n, window, workspace } from 'vscode';
import type { Accounts } from '../../../accounts/accounts';
import { type Environment, type Layer, takesProjects } from '../../../containers/environment';
import { allEnvironments } from '../../../containers/environmentIndex';
import type { Environments } from '../../../containers/environments';
import type { EnvironmentPart } from '../../../containers/environmentPart';
import { partChoices } from '../../../ui/commands/environmentPartPrompts';
import { filePlaceOf } from '../../../containers/place';
import { ExpectedError } from '../../../ui/expectedError';
import { type Entered, type Question, suggestionQuestion } from '../../../ui/prompts';
import type { Choice } from '../../../ui/quickPick';
import type { DeploymentParts } from '../parts';
import { isInLayer, type ProjectPlace } from '../projectPlace';
import type { Projects } from '../projects';
import { repositoryPrompt, type RepositorySuggestions } from '../repositories/repositorySuggestions';
import { normalizeRepositoryUrl } from '../repositories/repositoryUrl';
import { problemWith } from './fieldChanges';
import type { LayerRules } from './fieldChecks';
import { newProject, type ProjectFields } from './projectFields';
import { questionsFor } from './settingsPrompts';
import { fittingFields, technologyLabel, technologyOf } from './technology';

interface ProjectLayer {
  readonly environment: Environment;
  readonly layer: Layer;
}

export interface ProjectTarget {
  readonly layer: ProjectLayer;
  readonly rules: LayerRules;
}

/** The questions of New Project: repository, branch, and the layer to deploy to. */
export function newProjectQuestions(
  targets: readonly ProjectTarget[],
  suggestions: RepositorySuggestions,
  entered: Entered,
): readonly Question[] {
  const { type, url } = repositoryIn(entered);
  const fields = { ...newProject, type, url, branch: '' };
  return [
    repositoryQuestion(suggestions),
    ...questionsFor('branch', fields, { suggestions, rules: {}, of: 'new' }),
    ...(targets.length > 1 ? [targetQuestion(targets, url)] : []),
  ];
}

/** Returns the settings for the answers, with defaults that fit the layer. */
export function newProjectFields(entered: Entered, { layer, rules }: ProjectTarget): ProjectFields {
  const { type, url } = repositoryIn(entered);
  const branch = type === 'GIT' ? (entered['branch'] ?? '') : newProject.branch;
  const fitting = fittingFields(rules.technology, layer.layer.nodes.length);
  return { ...newProject, ...fitting, type, url, branch, context: freeContext(rules, url) };
}

/** The value for a Subversion repository. Nothing else shows which kind a web address is. */
const subversion = 'SVN ';

function repositoryIn({ repository = '' }: Entered): Pick<ProjectFields, 'type' | 'url'> {
  return repository.startsWith(subversion)
    ? { type: 'SVN', url: repository.slice(subversion.length) }
    : { type: 'GIT', url: repository };
}

function repositoryQuestion({ repositories }: RepositorySuggestions): Question {
  return suggestionQuestion({
    key: 'repository',
    prompt: repositoryPrompt(repositories),
    choices: repositories.map(repositoryChoice),
    typed: typedRepositories,
    textOf: (value) => repositoryIn({ repository: value }).url,
  });
}

function repositoryChoice({ type, url, description }: RepositorySuggestions['repositories'][number]): Choice {
  return type === 'SVN'
    ? { label: url, icon: 'versions', description, value: `${subversion}${url}` }
    : { label: url, icon: 'repo', description, value: url };
}

/** The kinds of repository that a URL may belong to, the likely one first. */
function typedRepositories(text: string) {
  const { url } = repositoryIn({ repository: text });
  const likely = /^svn|\/\/svn\.|\/svn\/|\/(?:trunk|branches|tags)(?:\/|$)/i.test(url) ? 'SVN' : 'GIT';
  const kinds = likely === 'SVN' ? (['SVN', 'GIT'] as const) : (['GIT', 'SVN'] as const);
  const problems = kinds.map((type) => problemWith('url', { ...newProject, type, url }, {}));
  const fitting = kinds.filter((_, index) => problems[index] === undefined);
  return fitting.length === 0
    ? (problems[0] ?? '')
    : fitting.map((type) => {
        const description = type === 'GIT' ? l10n.t('Git repository') : l10n.t('Subversion repository');
        return repositoryChoice({ type, url, description });
      });
}

function targetQuestion(targets: readonly ProjectTarget[], url: string): Question {
  const layers = targets.map(({ layer }) => layer);
  const choices = layerChoices(layers, (layer) => {
    const { technology, ...rules } = targets[layers.indexOf(layer)]?.rules ?? {};
    const context = l10n.t('as {0}', freeContext(rules, url));
    return technology === undefined ? [context] : [technologyLabel(technology), context];
  });
  const open = layers.findIndex(isOpenHere);
  const prompt = l10n.t('Select the layer to deploy to');
  return { kind: 'choice', key: 'target', prompt, choices, ...(open < 0 ? {} : { value: String(open) }) };
}

function isOpenHere({ environment, layer }: ProjectLayer): boolean {
  const place = { account: environment.account, environment: environment.name, layer: layer.id, context: '' };
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return [window.activeTextEditor?.document.uri ?? [], folders].flat().some((uri) => {
    const open = filePlaceOf(uri);
    return open !== undefined && isInLayer(open, place);
  });
}

/** ROOT if it's free, else a context named for the repository. */
function freeContext(rules: LayerRules, url: string): string {
  const name = /[^/]+$/.exec(normalizeRepositoryUrl(url)?.replace(/\/trunk$/, '') ?? '')?.[0] ?? 'app';
  const base = name.replaceAll(/[^\w.]+/g, '_').replace(/^\.+/, '');
  const names = ['ROOT', base, ...Array.from({ length: 20 }, (_, index) => `${base}${index + 2}`)];
  const isFree = (context: string) => problemWith('context', { ...newProject, context }, rules) === undefined;
  return names.find(isFree) ?? base;
}

/** Returns the layer or the environment's layers that a command was invoked on, or all. Throws if there are none. */
export async function layersForProjects(
  meant: EnvironmentPart | undefined,
  accounts: Pick<Accounts, 'list'>,
  known: Environments,
): Promise<readonly ProjectLayer[]> {
  const { environments, failures } =
    meant === undefined ? await allEnvironments(accounts, known) : { environments: [meant.environment], failures: [] };
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

export async function rulesFor(place: ProjectPlace, deps: DeploymentParts): Promise<LayerRules> {
  const account = deps.accounts.find(place.account);
  const home = account && (await deps.environments.findLayer(account, place));
  return home === undefined ? {} : layerRules(home, deps.projects, place.context);
}
