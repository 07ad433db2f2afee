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
export type TitlesOfEnvironments = Pick<Environments, 'titleOf' | 'learnTitle'>;

const section = 'gantry';
const setting = 'protectedEnvironments';

/** Whether the settings mark an environment as production. Gantry then asks before it changes anything there. */
export function isProtected(names: EnvironmentNames): boolean {
  return isMatchedBySome(patterns(), names);
}

/**
 * Names the protected environments among the places, for a question before a change there. Patterns can match display
 * names, so it lists environments that no view has shown yet.
 */
export async function productionSentence(
  places: readonly EnvironmentPlace[],
  titles: TitlesOfEnvironments,
): Promise<string | undefined> {
  if (hasPatterns()) {
    await learnTitles(places, titles);
  }
  const names = new Map(
    places.map((place) => [
      `${place.account}/${place.environment}`,
      { account: place.account, name: place.environment, title: titles.titleOf(place) },
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

async function learnTitles(places: readonly EnvironmentPlace[], titles: TitlesOfEnvironments): Promise<void> {
  const unclear = places.filter(
    ({ account, environment }) => !isProtected({ account, name: environment, title: environment }),
  );
  // If it can't be listed, the change fails, too, or the token only lacks the right to list.
  await Promise.allSettled(unclear.map((place) => titles.learnTitle(place)));
}

/** Marks an environment as production in the user's settings. */
export async function protect(names: EnvironmentNames): Promise<void> {
  await save(withEnvironment(patterns().ofUser, names));
}

/**
 * Removes the mark from the user's settings. Returns whether the environment still has it, from the workspace's settings.
 * @param isOnly whether no other account has an environment of this name
 */
export async function unprotect(names: EnvironmentNames, { isOnly }: { readonly isOnly: boolean }): Promise<boolean> {
  await save(withoutEnvironment(patterns().ofUser, names, { isOnly }));
  return isMatchedBySome({ ...patterns(), ofUser: [] }, names);
}

export function onDidChangeProtection(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(`${section}.${setting}`)) {
      listener();
    }
  });
}

function hasPatterns(): boolean {
  const { ofUser, ofWorkspace } = patterns();
  return [ofUser, ...ofWorkspace].some(({ length }) => length > 0);
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
