import { ConfigurationTarget, type Disposable, l10n, workspace } from 'vscode';
import {
  type EnvironmentNames,
  isMatchedBySome,
  type PatternSources,
  withEnvironment,
  withoutEnvironment,
} from './environmentPatterns';
import type { Environments } from './environments';
import type { EnvironmentPlace } from './place';

/** The part of the environments that knows their display names. */
export type TitlesOfEnvironments = Pick<Environments, 'titleOf'>;

const section = 'gantry';
const setting = 'protectedEnvironments';

/** Whether the settings mark an environment as production. Gantry then asks before it changes anything there. */
export function isProtected(names: EnvironmentNames): boolean {
  return isMatchedBySome(patterns(), names);
}

/** Names the protected environments among the places, for a question before a change there. */
export function productionSentence(
  places: readonly EnvironmentPlace[],
  titles: TitlesOfEnvironments,
): string | undefined {
  const names = new Map(
    places.map((place) => [
      `${place.account}/${place.environment}`,
      { name: place.environment, title: titles.titleOf(place) },
    ]),
  );
  const named = [...names.values()]
    .filter(isProtected)
    .map(({ name, title }) => (name === title ? name : `${title} (${name})`));
  if (named.length === 0) {
    return undefined;
  }
  return named.length === 1
    ? l10n.t('{0} is a production environment.', named.join())
    : l10n.t('These are production environments: {0}.', named.join(', '));
}

/** Marks an environment as production in the user's settings. */
export async function protect(names: EnvironmentNames): Promise<void> {
  await save(withEnvironment(patterns().ofUser, names));
}

/** Removes the mark from the user's settings. Returns whether the environment still has it, from the workspace's settings. */
export async function unprotect(names: EnvironmentNames): Promise<boolean> {
  await save(withoutEnvironment(patterns().ofUser, names));
  return isMatchedBySome({ ...patterns(), ofUser: [] }, names);
}

export function onDidChangeProtection(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(`${section}.${setting}`)) {
      listener();
    }
  });
}

function patterns(): PatternSources {
  const set = workspace.getConfiguration(section).inspect<unknown>(setting);
  return {
    ofUser: textsIn(set?.globalValue),
    ofWorkspace: [textsIn(set?.workspaceValue), textsIn(set?.workspaceFolderValue)],
  };
}

/** VS Code doesn't check the type of what is in settings.json. */
function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

async function save(value: readonly string[]): Promise<void> {
  await workspace
    .getConfiguration(section)
    .update(setting, value.length === 0 ? undefined : value, ConfigurationTarget.Global);
}
