import { l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environment, Layer } from '../environments/environment';
import type { Environments } from '../environments/environments';
import { isPlatformError } from '../platform/errors';
import type { Projects } from '../projects/projects';
import { takesProjects } from '../projects/projectPlace';
import { sentenceOf } from '../ui/sentences';
import { askInTurn, type Question, type Resumption } from '../ui/prompts';
import type { DeploymentElement } from '../views/deploymentElement';

export interface AddingProjects {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly projects: Projects;
}

interface Home {
  readonly environment: Environment;
  readonly layer: Layer;
}

/** The platform has no operation that lists projects: one that it does not show is added by its context, and checked. */
export async function addProject(element: DeploymentElement | undefined, parts: AddingProjects): Promise<void> {
  const homes = await homesIn(element, parts);
  if (homes.length === 0) {
    throw new Error(l10n.t('There is no environment that could hold a project.'));
  }
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
      resumption = { entered, at: { key: 'context', problem: sentenceOf(error) } };
    }
  }
}

async function homesIn(element: DeploymentElement | undefined, parts: AddingProjects): Promise<readonly Home[]> {
  const environments =
    element?.kind === 'environment' || element?.kind === 'noProject'
      ? [element.environment]
      : (await Promise.all(parts.accounts.list.map((account) => parts.environments.of(account)))).flat();
  return environments.flatMap((environment) =>
    environment.layers.filter(takesProjects).map((layer) => ({ environment, layer })),
  );
}

function questions(homes: readonly Home[]): readonly Question[] {
  const context: Question = {
    key: 'context',
    prompt: l10n.t("The project's context, as the dashboard shows it"),
    placeholder: 'ROOT',
    value: 'ROOT',
  };
  const choices = homes.map(({ environment, layer }, index) => ({
    label: environment.title,
    description: `${environment.name} · ${layer.name}`,
    value: String(index),
  }));
  const home: Question = { kind: 'choice', key: 'home', prompt: l10n.t('Where is it deployed?'), choices };
  return homes.length === 1 ? [context] : [home, context];
}
