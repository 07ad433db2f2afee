import { l10n } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import { failureMessage } from '../../ui/failureMessages';
import { askInTurn, type Question, type Resumption } from '../../ui/prompts';
import type { DeploymentElement } from '../view/deploymentElement';
import { type ProjectLayer, layerChoices, type ProjectLayersDeps, layersForProjects } from '../layersForProjects';

/** The platform has no operation that lists projects: one that it does not show is added by its context, and checked. */
export async function addProject(element: DeploymentElement | undefined, parts: ProjectLayersDeps): Promise<void> {
  const homes = await layersForProjects(element, parts);
  let resumption: Resumption = { entered: {} };
  for (;;) {
    const entered = await askInTurn(l10n.t('Add a Project by Its Context'), questions(homes), resumption);
    const home = homes[Number(entered?.['home'] ?? 0)];
    const context = entered?.['context']?.trim();
    if (entered === undefined || home === undefined || context === undefined) {
      return;
    }
    const { account, name } = home.environment;
    try {
      await parts.projects.add({ account, environment: name, layer: home.layer.id, context });
      return;
    } catch (error) {
      if (!isPlatformError(error) || error.kind !== 'notFound') {
        throw error;
      }
      resumption = { entered, at: { key: 'context', problem: failureMessage(error) } };
    }
  }
}

function questions(homes: readonly ProjectLayer[]): readonly Question[] {
  const context: Question = {
    key: 'context',
    prompt: l10n.t("The project's context, as the dashboard shows it"),
    placeholder: 'ROOT',
    value: 'ROOT',
  };
  const home: Question = {
    kind: 'choice',
    key: 'home',
    prompt: l10n.t('Where is it deployed?'),
    choices: layerChoices(homes),
  };
  return homes.length === 1 ? [context] : [home, context];
}
