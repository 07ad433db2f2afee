import { l10n } from 'vscode';
import type { EnvironmentPart } from '../../../containers/environmentPart';
import { accountsOffering } from '../../../ui/commands/environmentPartPrompts';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { productionSentence } from '../../../containers/protectedEnvironments';
import { confirmChange } from '../../../ui/commands/protectedPrompt';
import { ExpectedError } from '../../../ui/expectedError';
import { reasonText } from '../../../ui/failureMessages';
import { showWarningMessage } from '../../../ui/notifications';
import { withCancelableRead } from '../../../ui/progress';
import { askInTurn, type Entered, type Question } from '../../../ui/prompts';
import type { DeploymentParts } from '../parts';
import { projectKey, type ProjectPlace } from '../projectPlace';
import { projectText, replacedFolder } from '../projectText';
import type { RedeployRequest } from '../redeploy/plan';
import { suggestRepositories } from '../repositories/repositorySuggestions';
import { withoutSecret } from '../repositories/repositoryUrl';
import { hookFile, hookFolder, hookNames, unreadable } from './hooks';
import {
  layerRules,
  layersForProjects,
  newProjectFields,
  newProjectQuestions,
  projectOn,
  type ProjectTarget,
} from './newProjectInput';
import type { ProjectDraft, ProjectDrafts } from './projectDrafts';
import { newProject } from './projectFields';
import { showScripts } from './saveSettingsFlow';

/** The answers that were given before the user canceled. */
export interface CanceledAnswers {
  entered?: Entered;
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
    throw new ExpectedError(
      l10n.t("Couldn't create a project: every layer already has the one project it allows. Delete one of them first."),
    );
  }
  const suggestions = await suggestRepositories(deps.repositories, deps.finder.named({}), deps.environments);
  const besideDrafts = targets.map((target) => withDraftsTaken(target, drafts));
  const questions = (entered: Entered) => newProjectQuestions(besideDrafts, suggestions, entered);
  const entered = await askInTurn(l10n.t('New Project'), questions, {
    entered: canceled.entered ?? {},
    onCancel: ({ repository = '', branch = '' }) => (canceled.entered = { repository, branch }),
  });
  const index = Number(entered?.['target'] ?? 0);
  const [target, besideDraft] = [targets[index], besideDrafts[index]];
  if (entered === undefined || target === undefined || besideDraft === undefined) {
    return undefined;
  }
  delete canceled.entered;
  const fields = newProjectFields(entered, besideDraft);
  const place = projectOn(target.layer, fields.context);
  // Another window may have begun one meanwhile, or signed out, after which nothing of the account may be kept.
  deps.containers.account(place.account);
  await drafts.restored();
  const id = unusedId(place, drafts);
  drafts.keep({ id, place, isNew: true, base: newProject, fields, lacksPassword: false, rules: target.rules });
  return id;
}

/** The draft that had this ID first may be named otherwise by now, and it may have hooks. */
function unusedId(place: ProjectPlace, { ids }: ProjectDrafts): string {
  const first = `new/${projectKey(place)}`;
  let id = first;
  for (let count = 2; ids.includes(id); count += 1) {
    id = `${first}/${count}`;
  }
  return id;
}

/** Counts the names of unfinished projects as taken, unless the layer allows only one name. */
function withDraftsTaken({ layer, rules }: ProjectTarget, { all }: ProjectDrafts): ProjectTarget {
  if (rules.singleContext === true) {
    return { layer, rules };
  }
  const layerKey = projectKey(projectOn(layer, ''));
  const here = all.filter(({ isNew, place }) => isNew && projectKey({ ...place, context: '' }) === layerKey);
  return { layer, rules: { ...rules, taken: [...(rules.taken ?? []), ...here.map(({ fields }) => fields.context)] } };
}

/** Asks before a project is created in production, or would run hooks of a deleted one. `undefined`: don't create it. */
export async function confirmCreation(
  { place, fields }: ProjectDraft,
  deploysNow: boolean,
  { environments, nodeHooks, texts }: Pick<DeploymentParts, 'environments' | 'nodeHooks' | 'texts'>,
): Promise<Pick<RedeployRequest, 'consent'> | undefined> {
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
    return {};
  }
  const project = projectText(home, environments);
  const warning = l10n.t(
    '{0} still has hooks of a project with this name, probably a deleted one: {1}. The new project may run them, too. To prevent that, delete these files in {2} first.',
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
  return isAgreed ? { consent: 'confirmed' } : undefined;
}

function hasRoom({ rules: { singleContext, taken = [] } }: ProjectTarget): boolean {
  return singleContext !== true || taken.length === 0;
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
