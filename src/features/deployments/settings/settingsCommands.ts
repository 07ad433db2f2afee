import { l10n, window } from 'vscode';
import { currentSettings } from './saveSettingsFlow';
import { type EnvironmentPart, partOfRow } from '../../../containers/environmentPart';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { productionSentence, type TitlesOfEnvironments } from '../../../containers/protectedEnvironments';
import { onPlatformError } from '../../../platform/errors';
import { command } from '../../../ui/commands/command';
import { failureMessage } from '../../../ui/failureMessages';
import { showInformationMessage } from '../../../ui/notifications';
import { withProgress } from '../../../ui/progress';
import { askUntilAccepted, type Question } from '../../../ui/prompts';
import { askValue } from '../../../ui/quickPick';
import type { DeploymentParts } from '../parts';
import { takeProject } from '../projectLock';
import { projectKey, type ProjectPlace } from '../projectPlace';
import type { ProjectChooser } from '../currentProject';
import { projectText } from '../projectText';
import { deployNewest, rollBack } from '../rollBack/rollBackFlow';
import { hookOf } from './hookDocuments';
import { type CanceledAnswers, draftNewProject } from './newProjectFlow';
import { layerChoices, layersForProjects, projectOn } from './newProjectInput';
import type { SentPage, SettingsPages } from './settingsPageFlow';
import type { DeploymentsView } from '../view/deploymentsView';

export function projectSettingCommands(
  deps: DeploymentParts,
  chooser: ProjectChooser,
  pages: SettingsPages,
  view: DeploymentsView,
) {
  const canceled: CanceledAnswers = {};
  /** On the part of an environment that a row shows, if it's called on a row. */
  const onPart = (run: (part: EnvironmentPart | undefined) => unknown) =>
    command(
      'environment',
      async ({ object }) => ({ part: await partOfRow(object, deps) }),
      ({ part }) => run(part),
    );
  return {
    'gantry.project.add': onPart((part) => addProject(part, deps)),

    'gantry.project.create': onPart(async (part) => {
      const id = await draftNewProject(part, canceled, deps);
      await tell(id === undefined ? undefined : await pages.run(id), deps);
    }),

    'gantry.project.edit': command(
      'project',
      async ({ object }) => {
        const question = l10n.t('Select the project to edit the settings for');
        const place = await chooser.meant(object, question, { needs: ['EditProject'] });
        const row = view.find(object);
        return place && { place, field: row?.kind === 'fact' ? row.fact.field : undefined };
      },
      async ({ place, field }) => tell(await pages.open(place, field), deps),
    ),

    'gantry.hook.apply': command(
      'editor',
      (call) => {
        const uri = call.uri ?? window.activeTextEditor?.document.uri;
        return uri && hookOf(uri);
      },
      async ({ draft }) => tell(await pages.run(draft, { kind: 'apply' }), deps),
    ),

    'gantry.project.rollBack': chooser.command(
      l10n.t('Select the project to roll back'),
      (place) => rollBack(place, deps, () => chooser.ensureOffered([place], ['EditProject'])),
      { needs: ['Update'] },
    ),

    'gantry.project.deployNewest': chooser.command(
      l10n.t('Select a project to deploy its newest commit'),
      (place) => deployNewest(place, deps, () => chooser.ensureOffered([place], ['EditProject'])),
      {
        needs: ['Update'],
        isOffered: (place) => deps.projects.isPinned(place),
        none: l10n.t('No project is pinned to a commit.'),
      },
    ),

    'gantry.project.delete': chooser.command(
      l10n.t('Select the project to delete'),
      (place) => deleteProject(place, deps),
      { needs: ['DeleteProject'] },
    ),
  };
}

async function deleteProject(place: ProjectPlace, deps: DeploymentParts): Promise<void> {
  const { projectOperations, drafts, environments } = deps;
  const { context } = place;
  const before = await currentSettings(place, deps);
  if (!(await confirmDelete(place, environments))) {
    return;
  }
  const held = await takeProject(place, 'deletion', deps.lock);
  if (held === undefined) {
    return;
  }
  const areHooksCompared = before.uncompared === undefined;
  await withProgress(l10n.t('Deleting {0}', context), ({ signal }) =>
    projectOperations.delete(place, before.fields, { signal, areHooksCompared }),
  ).finally(() => held.dispose());
  await drafts.restored();
  drafts.discard(projectKey(place));
  void showInformationMessage(l10n.t('Deleted {0} from {1}.', context, environments.titleOf(place)));
}

/** Redeploys or offers to, because settings only take effect with a redeploy. */
async function tell(sent: SentPage | undefined, { flow, environments }: DeploymentParts): Promise<void> {
  if (sent !== undefined && (sent.deploys !== undefined || (await offersRedeploy(sent, environments)))) {
    const { place, settings } = sent.project;
    await flow.redeploy({ place, ...sent.deploys, agreed: settings });
  }
}

async function offersRedeploy({ kind, project: { place } }: SentPage, titles: EnvironmentTitles): Promise<boolean> {
  const project = projectText(place, titles);
  const redeploy = kind === 'created' ? l10n.t('Deploy Now') : l10n.t('Redeploy');
  const text =
    kind === 'created'
      ? l10n.t("Created {0}. It isn't deployed yet.", project)
      : l10n.t('Saved the settings of {0}. They take effect with the next redeploy.', project);
  return (await showInformationMessage(text, redeploy)) === redeploy;
}

/** Asks for the environment's name, because most projects are named ROOT. */
async function confirmDelete(place: ProjectPlace, titles: TitlesOfEnvironments): Promise<boolean> {
  const production = await productionSentence([place], titles);
  const title = titles.titleOf(place);
  const prompt = l10n.t(
    'This deletes the project and its deployed files. Enter the name of the environment, {0}, to confirm.',
    title,
  );
  const typed = await askValue({
    title: l10n.t('Delete {0}', projectText(place, titles)),
    prompt: production === undefined ? prompt : `${production} ${prompt}`,
    validateInput: (text) =>
      text.trim() === title || text === '' ? undefined : l10n.t("The name doesn't match. Enter {0} to confirm.", title),
  });
  return typed?.trim() === title;
}

/** Adds a project by its context after checking it, because the platform has no operation to list projects. */
async function addProject(part: EnvironmentPart | undefined, deps: DeploymentParts): Promise<void> {
  const layers = await layersForProjects(part, deps.accounts, deps.environments);
  const layer: Question = {
    kind: 'choice',
    key: 'layer',
    prompt: l10n.t('Select the layer that the project is deployed to'),
    choices: layerChoices(layers),
  };
  const context: Question = {
    key: 'context',
    prompt: l10n.t('Project name, which the dashboard shows as its context'),
    placeholder: 'ROOT',
    value: 'ROOT',
  };
  await askUntilAccepted(
    l10n.t('Add Existing Project'),
    () => (layers.length === 1 ? [context] : [layer, context]),
    async (entered) => {
      const chosen = layers[Number(entered['layer'] ?? 0)];
      const name = entered['context']?.trim();
      await (chosen && name !== undefined && deps.projects.add(projectOn(chosen, name)));
    },
    onPlatformError((error) => ({ key: 'context', problem: failureMessage(error) }), 'notFound'),
  );
}
