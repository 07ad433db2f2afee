import { l10n, Uri, window } from 'vscode';
import { hookOf } from './hookDocuments';
import { projectKey, type ProjectPlace } from '../projectPlace';
import { productionSentence, type TitlesOfEnvironments } from '../../containers/protectedEnvironments';
import { showInformationMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { addProject } from './addProjectFlow';
import { draftNewProject, type NewProjectDeps } from './newProjectFlow';
import type { ProjectChooser } from '../projectPrompt';
import type { SettingsPageDeps, SettingsPages, SentPage } from './settingsPageFlow';
import { withProjectLock } from '../projectLockPrompt';
import { rollBack, type RollBackDeps } from '../redeploy/rollBackFlow';

export interface SettingsCommandsDeps extends SettingsPageDeps, RollBackDeps {
  readonly chooser: ProjectChooser;
  readonly pages: SettingsPages;
}

export function projectSettingCommands(deps: SettingsCommandsDeps) {
  const { chooser, pages } = deps;
  const begun: NewProjectDeps['begun'] = {};
  return {
    'gantry.project.add': (received: unknown) => addProject(received, deps),

    async 'gantry.project.create'(received: unknown) {
      const id = await draftNewProject(received, { ...deps, begun });
      await tell(id === undefined ? undefined : await pages.run(id), deps);
    },

    'gantry.project.edit': (received: unknown) =>
      chooser.withProject(received, l10n.t('Select the project to edit the settings for'), async (place) =>
        tell(await pages.open(place), deps),
      ),

    async 'gantry.hook.apply'(received: unknown) {
      const uri = received instanceof Uri ? received : window.activeTextEditor?.document.uri;
      const from = uri && hookOf(uri);
      await tell(from && (await pages.run(from.draft, { kind: 'hook', hook: from.hook })), deps);
    },

    'gantry.project.rollBack': (received: unknown) =>
      chooser.withProject(received, l10n.t('Select the project to roll back'), (place) => rollBack(place, deps)),

    'gantry.project.delete': (received: unknown) =>
      chooser.withProject(received, l10n.t('Select the project to delete'), (place) => deleteProject(place, deps)),
  };
}

async function deleteProject(
  place: ProjectPlace,
  { redeploys, work, drafts, environments }: SettingsCommandsDeps,
): Promise<void> {
  const { context, environment } = place;
  if (!(await confirmDelete(place, environments))) {
    return;
  }
  const deleted = await withProjectLock(place, 'deletion', redeploys, async () => {
    await withProgress(l10n.t('Deleting {0}', context), ({ signal }) => work.delete(place, { signal }));
    return true;
  });
  if (deleted === true) {
    await drafts.restored();
    drafts.discard(projectKey(place));
    void showInformationMessage(l10n.t('Deleted {0} from {1}.', context, environment));
  }
}

/** Redeploys or offers to, because settings only take effect with a redeploy. */
async function tell(sent: SentPage | undefined, { flow }: SettingsCommandsDeps): Promise<void> {
  if (sent !== undefined && (sent.deploys !== undefined || (await offersRedeploy(sent)))) {
    await flow.redeploy({ place: sent.project.place, consent: sent.deploys });
  }
}

async function offersRedeploy({ kind, project }: SentPage): Promise<boolean> {
  const { context, environment } = project.place;
  const redeploy = kind === 'created' ? l10n.t('Deploy Now') : l10n.t('Redeploy');
  const text =
    kind === 'created'
      ? l10n.t("Created {0} on {1}. It isn't deployed yet.", context, environment)
      : l10n.t('Saved the settings of {0} on {1}. They take effect with the next redeploy.', context, environment);
  return (await showInformationMessage(text, redeploy)) === redeploy;
}

async function confirmDelete(place: ProjectPlace, titles: TitlesOfEnvironments): Promise<boolean> {
  const { context, environment } = place;
  const production = await productionSentence([place], titles);
  const prompt = l10n.t('This deletes the project and its deployed files. Enter {0} to confirm.', context);
  const typed = await window.showInputBox({
    title: l10n.t('Delete {0} on {1}', context, environment),
    prompt: production === undefined ? prompt : `${production} ${prompt}`,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text === context || text === '' ? undefined : l10n.t("The name doesn't match. Enter {0} to confirm.", context),
  });
  return typed === context;
}
