import { l10n } from 'vscode';
import { partOfRow } from '../../containers/environmentPart';
import { onPlatformError } from '../../platform/errors';
import { failureMessage } from '../../ui/failureMessages';
import { askUntilAccepted, type Question } from '../../ui/prompts';
import { layerChoices, layersForProjects, type ProjectLayersDeps, projectOn } from './layersForProjects';

/** Adds a project by its context after checking it, because the platform has no operation to list projects. */
export async function addProject(received: unknown, deps: ProjectLayersDeps): Promise<void> {
  const layers = await layersForProjects(await partOfRow(received, deps), deps);
  const layer: Question = {
    kind: 'choice',
    key: 'layer',
    prompt: l10n.t('Select the layer that the project is deployed to'),
    choices: layerChoices(layers),
  };
  const context: Question = {
    key: 'context',
    prompt: l10n.t('Project context as shown in the dashboard'),
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
