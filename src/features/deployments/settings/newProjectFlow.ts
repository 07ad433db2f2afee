import { l10n, window, workspace } from 'vscode';
import type { Accounts } from '../../../accounts/accounts';
import { type Environment, type Layer, takesProjects } from '../../../containers/environment';
import { allEnvironments } from '../../../containers/environmentIndex';
import type { Environments } from '../../../containers/environments';
import type { EnvironmentPart } from '../../../containers/environmentPart';
import { accountsOffering, partChoices } from '../../../containers/environmentPartPrompts';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { filePlaceOf } from '../../../containers/place';
import { productionSentence } from '../../../containers/protectedEnvironments';
import { confirmChange } from '../../../containers/protectedPrompt';
import { ExpectedError } from '../../../ui/expectedError';
import { reasonText } from '../../../ui/failureMessages';
import { showWarningMessage } from '../../../ui/notifications';
import { withCancelableRead } from '../../../ui/progress';
import { askInTurn, type Entered, type Question } from '../../../ui/prompts';
import type { Choice } from '../../../ui/quickPick';
import { suggestionQuestion } from '../../../ui/suggestionPrompt';
import type { DeploymentParts } from '../parts';
import { isInLayer, projectKey, type ProjectPlace } from '../projectPlace';
import type { Projects } from '../projects';
import { projectText, replacedFolder } from '../projectText';
import type { RedeployConsent } from '../redeploy/plan';
import {
  repositoryPrompt,
  type RepositorySuggestions,
  suggestRepositories,
} from '../repositories/repositorySuggestions';
import { normalizeRepositoryUrl, withoutSecret } from '../repositories/repositoryUrl';
import { problemWith } from './fieldChanges';
import type { LayerRules } from './fieldChecks';
import { hookFile, hookFolder, hookNames, unreadable } from './hooks';
import type { ProjectDraft, ProjectDrafts } from './projectDrafts';
import { newProject, type ProjectFields } from './projectFields';
import { showScripts } from './saveSettingsFlow';
import { questionsFor } from './settingsPrompts';
import { fittingFields, technologyLabel, technologyOf } from './technology';

/** The answers that were given before the user canceled. */
export interface CanceledAnswers {
  entered?: Entered;
}

export interface ProjectTarget {
  readonly layer: ProjectLayer;
  readonly rules: LayerRules;
}

/**
 * Asks for repository, branch, and target, and keeps them as a draft for the settings page, which has everything else.
 * Offers to continue an unfinished one. Returns the draft's ID.
 */
export async function draftNewProject(
  part: EnvironmentPart | undefined,
  canceled: CanceledAnswers,
  deps: DeploymentParts,
): Promise<string | undefined> {
  const { drafts, projects } = deps;
  const accounts = accountsOffering(deps.accounts, ['CreateProject'], part?.environment);
  await drafts.restored();
  const unfinished = await askUnfinished(drafts, deps.environments);
  if (unfinished !== 'anew') {
    return unfinished;
  }
  const layers = await layersForProjects(part, accounts, deps.environments);
  const targets = layers.map((layer) => ({ layer, rules: layerRules(layer, projects) })).filter(hasRoom);
  if (targets.length === 0) {
    throw new ExpectedError(l10n.t("Couldn't create a project: every layer already has the one project it allows."));
  }
  const suggestions = await suggestRepositories(deps.repositories, deps.finder.named({}), deps.environments);
  const questions = (entered: Entered) => newProjectQuestions(targets, suggestions, entered);
  const entered = await askInTurn(l10n.t('New Project'), questions, {
    entered: canceled.entered ?? {},
    onCancel: ({ repository = '', branch = '' }) => (canceled.entered = { repository, branch }),
  });
  const target = entered && targets[Number(entered['target'] ?? 0)];
  if (entered === undefined || target === undefined) {
    return undefined;
  }
  delete canceled.entered;
  const fields = newProjectFields(entered, target);
  const place = projectOn(target.layer, fields.context);
  const id = `new/${projectKey(place)}`;
  drafts.keep({ id, place, isNew: true, base: newProject, fields, lacksPassword: false, rules: target.rules });
  return id;
}

/** Asks before a project is created in production, or would run hooks of a deleted one. `undefined`: don't create it. */
export async function confirmCreation(
  { place, fields }: ProjectDraft,
  deploysNow: boolean,
  { environments, nodeHooks, texts }: Pick<DeploymentParts, 'environments' | 'nodeHooks' | 'texts'>,
): Promise<RedeployConsent | undefined> {
  const home = { ...place, context: fields.context };
  const found = await withCancelableRead(l10n.t('Checking hooks of {0}', fields.context), (signal) =>
    nodeHooks.filesOf(home, { signal }).catch((error: unknown) => {
      unreadable(error);
      return { unread: reasonText(error) };
    }),
  );
  const { unread, scripts, node } = { unread: undefined, scripts: undefined, node: '', ...found };
  const own = hookNames.filter((hook) => (fields.hooks?.[hook] ?? '') !== '').map((hook) => hookFile(hook, home));
  const inherited = new Map([...(scripts ?? [])].filter(([name]) => !own.includes(name)));
  const unchecked =
    unread &&
    l10n.t("Gantry couldn't check for hooks of a deleted project, which the new project may run, too: {0}.", unread);
  if (inherited.size === 0 && (await productionSentence([place], environments)) === undefined) {
    if (unchecked !== undefined) {
      void showWarningMessage(unchecked);
    }
    return 'chosen';
  }
  const project = projectText(home, environments);
  const warning = l10n.t(
    '{0} still has hooks for this context, probably from a deleted project: {1}. The new project may run them, too. To prevent that, delete these files in {2} first.',
    node,
    [...inherited.keys()].join(', '),
    hookFolder,
  );
  const isAgreed = await confirmChange([place], environments, {
    question: deploysNow ? l10n.t('Create and deploy {0}?', project) : l10n.t('Create {0}?', project),
    paragraphs: [deploysNow ? replacedFolder() : undefined, inherited.size === 0 ? undefined : warning, unchecked],
    button: deploysNow ? l10n.t('Create and Deploy') : l10n.t('Create'),
    others: new Map(inherited.size === 0 ? [] : [[l10n.t('Show Hooks'), () => showScripts(inherited, texts)]]),
  });
  return isAgreed ? 'confirmed' : undefined;
}

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
    const context = l10n.t('context {0}', freeContext(rules, url));
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

function hasRoom({ rules: { singleContext, taken = [] } }: ProjectTarget): boolean {
  return singleContext !== true || taken.length === 0;
}

/** ROOT if it's free, else a context named for the repository. */
function freeContext(rules: LayerRules, url: string): string {
  const name = /[^/]+$/.exec(normalizeRepositoryUrl(url)?.replace(/\/trunk$/, '') ?? '')?.[0] ?? 'app';
  const base = name.replaceAll(/[^\w.]+/g, '_').replace(/^\.+/, '');
  const names = ['ROOT', base, ...Array.from({ length: 20 }, (_, index) => `${base}${index + 2}`)];
  const isFree = (context: string) => problemWith('context', { ...newProject, context }, rules) === undefined;
  return names.find(isFree) ?? base;
}

/** Returns the ID of an unfinished new project, if there is one and the user wants to continue it. */
async function askUnfinished(drafts: ProjectDrafts, titles: EnvironmentTitles): Promise<string | undefined> {
  const unfinished = drafts.all.filter(({ isNew }) => isNew);
  if (unfinished.length === 0) {
    return 'anew';
  }
  const which: Question = {
    kind: 'choice',
    key: 'draft',
    prompt: l10n.t('Continue with a draft, or start over'),
    choices: [
      ...unfinished.map(({ id, place, fields }) => ({
        label: l10n.t('Continue with {0}', projectText({ ...place, context: fields.context }, titles)),
        description: withoutSecret(fields.url),
        value: id,
      })),
      { label: l10n.t('Start over with a new project'), value: 'anew' },
    ],
  };
  return (await askInTurn(l10n.t('New Project'), [which]))?.['draft'];
}

interface ProjectLayer {
  readonly environment: Environment;
  readonly layer: Layer;
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
function layerRules({ environment, layer }: ProjectLayer, projects: Projects, own?: string): LayerRules {
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
