import { ConfigurationTarget, type Disposable, l10n, type Uri, workspace } from 'vscode';
import {
  type EnvironmentNames,
  isMatchedBySome,
  mayMatchSomeTitle,
  withEnvironment,
  withoutEnvironment,
} from './environmentPatterns';
import type { Environments } from './environments';
import type { EnvironmentPlace } from './place';

export type TitlesOfEnvironments = Pick<Environments, 'titleOf' | 'learnTitle'>;

const section = 'gantry';
const setting = 'protectedEnvironments';

/** Whether the settings mark an environment as production. Gantry then asks before it changes anything there. */
export function isProtected(names: EnvironmentNames): boolean {
  return isMatchedBySome(patterns(), names);
}

/**
 * Names the protected environments among the places, and those that may be protected, for a question before a change
 * there. Patterns can match display names, so it lists environments whose name alone doesn't decide.
 */
export async function productionSentence(
  places: readonly EnvironmentPlace[],
  titles: TitlesOfEnvironments,
): Promise<string | undefined> {
  const each = [...new Map(places.map((place) => [`${place.account}/${place.environment}`, place])).values()];
  const patternsNow = patterns();
  const decidedByTitle = each.filter(({ account, environment }) => {
    const names = { account, name: environment, title: environment };
    return !isMatchedBySome(patternsNow, names) && mayMatchSomeTitle(patternsNow, names);
  });
  const learned = await Promise.all(decidedByTitle.map((place) => titles.learnTitle(place)));
  const unknown = decidedByTitle.filter((_, index) => learned[index] === false);
  const named = each
    .map((place) => ({ account: place.account, name: place.environment, title: titles.titleOf(place) }))
    .filter((names) => isMatchedBySome(patternsNow, names))
    .map(({ name, title }) => (name === title ? name : `${title} (${name})`));
  const sentences = [protectedText(named), maybeText(unknown.map(({ environment }) => environment))];
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;
}

function protectedText(names: readonly string[]): string | undefined {
  if (names.length === 0) {
    return undefined;
  }
  return names.length === 1
    ? l10n.t('{0} is a production environment.', names.join())
    : l10n.t('These are production environments: {0}.', names.join(', '));
}

/** A pattern may match the display name, which Gantry couldn't get. */
function maybeText(names: readonly string[]): string | undefined {
  if (names.length === 0) {
    return undefined;
  }
  return names.length === 1
    ? l10n.t("{0} may be a production environment: Gantry couldn't get its display name.", names.join())
    : l10n.t("These may be production environments: {0}. Gantry couldn't get their display names.", names.join(', '));
}

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

/** Reads the setting of each open folder, because in a workspace of several folders each has its own. */
function patterns() {
  const inspect = (folder?: Uri) => workspace.getConfiguration(section, folder).inspect<unknown>(setting);
  const set = inspect();
  const ofFolders = (workspace.workspaceFolders ?? []).map(({ uri }) => inspect(uri)?.workspaceFolderValue);
  return { ofUser: textsIn(set?.globalValue), ofWorkspace: [set?.workspaceValue, ...ofFolders].map(textsIn) };
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
