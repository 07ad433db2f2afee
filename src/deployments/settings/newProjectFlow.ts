import { l10n } from 'vscode';
import { type ContextRules, noRules } from './fieldProblems';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { ProjectDrafts } from './projectDrafts';
import { type FieldName, newProject, type ProjectFields } from './projectFields';
import { projectKey } from '../projectPlace';
import { withoutSecret } from '../repositories/repositoryUrl';
import type { DeploymentElement } from '../view/deploymentElement';
import { askInTurn, askUntilAccepted, type Entered, type Question } from '../../ui/prompts';
import {
  chosenLayer,
  layerQuestions,
  type ProjectLayer,
  type ProjectLayersDeps,
  layersForProjects,
  contextRulesFor,
  projectOn,
} from './layersForProjects';
import { repositorySuggestions, type RepositorySuggestions, fieldsFromAnswers, questionsFor } from './settingsPrompts';
import { onPlatformError } from '../../platform/errors';
import { failureMessage } from '../../ui/failureMessages';

export interface NewProjectDeps extends ProjectLayersDeps {
  readonly drafts: ProjectDrafts;
  readonly repositories: LocalRepositories;
}

/** Asked in steps; everything else has a default and is on the page that follows. */
const beforeAccess = ['type', 'url', 'branch'] as const satisfies readonly FieldName[];
const afterAccess = [
  'context',
  'autoupdate',
  'interval',
  'autoResolveConflict',
  'zdt',
] as const satisfies readonly FieldName[];
/** The kinds of access to a repository and the fields that each requires. */
const accesses = {
  none: [],
  password: ['login', 'password'],
  key: ['login', 'keyId'],
} as const satisfies Readonly<Record<string, readonly FieldName[]>>;

/**
 * Asks for a new project's settings and keeps them as a draft for the settings page. Offers to continue an unfinished
 * one. Returns the draft's ID.
 */
export async function draftNewProject(
  element: DeploymentElement | undefined,
  deps: NewProjectDeps,
): Promise<string | undefined> {
  await deps.drafts.restored();
  const begun = await resume(deps.drafts);
  if (begun !== 'anew') {
    return begun;
  }
  const layers = (await layersForProjects(element, deps)).filter((home) =>
    hasRoom(contextRulesFor(home, deps.projects)),
  );
  if (layers.length === 0) {
    throw new Error(l10n.t("Couldn't create a project: every layer already has the one project it allows."));
  }
  const offers = await repositorySuggestions(deps.repositories);
  const rulesIn = (entered: Entered) => {
    const home = chosenLayer(layers, entered);
    return home === undefined ? noRules : contextRulesFor(home, deps.projects);
  };
  const entered = await askInTurn(l10n.t('New Project'), (soFar) =>
    newProjectQuestions(layers, { offers, rules: rulesIn(soFar) }, soFar),
  );
  const home = entered && chosenLayer(layers, entered);
  if (entered === undefined || home === undefined) {
    return undefined;
  }
  const fields = newProjectFields(entered);
  const place = projectOn(home, fields.context);
  const id = `new/${projectKey(place)}`;
  const rules = rulesIn(entered);
  deps.drafts.keep({ id, place, isNew: true, base: newProject, fields, lacksPassword: false, rules });
  return id;
}

/** Returns the questions in order, given the answers so far. */
export function newProjectQuestions(
  layers: readonly ProjectLayer[],
  { offers, rules }: { readonly offers: RepositorySuggestions; readonly rules: ContextRules },
  entered: Entered,
): readonly Question[] {
  const fields = newProjectFields(entered);
  const questions = (name: FieldName) => questionsFor(name, fields, entered, { offers, rules, of: 'new' });
  return [
    ...layerQuestions(layers, l10n.t('Select the layer to deploy to')),
    ...beforeAccess.flatMap(questions),
    accessQuestion(),
    ...accesses[accessIn(entered)].flatMap(questions),
    // If there's only one context, skip the question.
    ...afterAccess.filter((name) => name !== 'context' || !rules.singleContext).flatMap(questions),
  ];
}

/** Ignores answers for another kind of access, given before going back a step. */
export function newProjectFields(entered: Entered): ProjectFields {
  const names = [...beforeAccess, ...accesses[accessIn(entered)], ...afterAccess];
  return names.reduce((fields, name) => fieldsFromAnswers(name, fields, entered), newProject);
}

function accessQuestion(): Question {
  return {
    kind: 'choice',
    key: 'access',
    prompt: l10n.t('Select how the platform signs in to the repository'),
    choices: [
      { label: l10n.t('No credentials'), description: l10n.t('public repository'), value: 'none' },
      { label: l10n.t('Username and password or token'), value: 'password' },
      { label: l10n.t('SSH key from your account'), value: 'key' },
    ],
  };
}

function accessIn({ access }: Entered): keyof typeof accesses {
  return access === 'password' || access === 'key' ? access : 'none';
}

function hasRoom({ singleContext, taken = [] }: ContextRules): boolean {
  return !singleContext || taken.length === 0;
}

/** Returns the ID of an unfinished new project, if there is one and the user wants to continue it. */
async function resume(drafts: ProjectDrafts): Promise<string | undefined> {
  const begun = drafts.all.filter(({ isNew }) => isNew);
  if (begun.length === 0) {
    return 'anew';
  }
  const which: Question = {
    kind: 'choice',
    key: 'draft',
    prompt: l10n.t('Continue the unfinished project, or start over'),
    choices: [
      ...begun.map(({ id, place, fields }) => ({
        label: l10n.t('Continue with {0} on {1}', fields.context, place.environment),
        description: withoutSecret(fields.url),
        value: id,
      })),
      { label: l10n.t('Start over with a new project'), value: 'anew' },
    ],
  };
  return (await askInTurn(l10n.t('New Project'), [which]))?.['draft'];
}

/** Adds a project by its context after checking it, because the platform has no operation to list projects. */
export async function addProject(element: DeploymentElement | undefined, deps: ProjectLayersDeps): Promise<void> {
  const layers = await layersForProjects(element, deps);
  const questions: readonly Question[] = [
    ...layerQuestions(layers, l10n.t('Select the layer that the project is deployed to')),
    {
      key: 'context',
      prompt: l10n.t('Project context as shown in the dashboard, for example ROOT'),
      placeholder: 'ROOT',
      value: 'ROOT',
    },
  ];
  await askUntilAccepted(
    l10n.t('Add Existing Project'),
    () => questions,
    async (entered) => {
      const home = chosenLayer(layers, entered);
      const context = entered['context']?.trim();
      await (home && context !== undefined && deps.projects.add(projectOn(home, context)));
    },
    onPlatformError((error) => ({ key: 'context', problem: failureMessage(error) }), 'notFound'),
  );
}
