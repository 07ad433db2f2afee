import { commands, l10n } from 'vscode';
import { short } from './commits';
import type { GitExtensionState } from '../../files/gitExtension';
import type { EnvironmentTitles } from '../../containers/locationText';
import type { ProjectPlace } from './projectPlace';
import type { ProjectSettings } from './projects';

/** Names a project in the tree's words, such as "ROOT on Saltmarsh Tea". */
export function projectText(
  { account, environment, context }: Pick<ProjectPlace, 'account' | 'environment' | 'context'>,
  titles: EnvironmentTitles,
): string {
  return l10n.t('{0} on {1}', context, titles.titleOf({ account, environment }));
}

export function kindWord({ type }: Pick<ProjectSettings, 'type'>): string {
  return type === undefined ? l10n.t('unknown') : { GIT: 'Git', SVN: 'Subversion' }[type];
}

export function autoUpdateWords({ autoupdate, interval }: ProjectSettings): string {
  if (autoupdate !== true) {
    return autoupdate === undefined ? l10n.t('unknown') : l10n.t('off');
  }
  return interval === undefined
    ? l10n.t('on')
    : interval === '1'
      ? l10n.t('every minute')
      : l10n.t('every {0} minutes', interval);
}

export function conflictWords({ autoResolveConflict }: Pick<ProjectSettings, 'autoResolveConflict'>): string {
  // Platforms resolve conflicts unless they're told not to.
  return autoResolveConflict !== false
    ? l10n.t("use the repository's version (discards edits on the nodes)")
    : l10n.t('stop the redeploy (keeps edits on the nodes)');
}

export const unpushedUnchecked = (): string => l10n.t("Unpushed commits aren't checked");

export const replacedFolder = (): string => l10n.t('The folder will be replaced with a fresh clone.');

export const checkingDeployed = (): string => l10n.t('Checking deployed commit');

export function gitProblemText(state: GitExtensionState): string {
  switch (state) {
    case 'untrusted':
      return l10n.t(
        "In Restricted Mode, Gantry can't check for unpushed commits. Trust the workspace to check for them.",
      );
    case 'disabled':
      return l10n.t(
        "Gantry can't check for unpushed commits because Git is turned off in this window. Turn on the git.enabled setting.",
      );
    default:
      return l10n.t(
        "Gantry can't check for unpushed commits because the Git extension isn't available in this window. Install or enable it.",
      );
  }
}

/** Why Gantry can't use any clone in this window, and what to do about it. `undefined` if it can. */
export function cloneProblemText(state: GitExtensionState): string | undefined {
  switch (state) {
    case 'works':
      return undefined;
    case 'untrusted':
      return l10n.t("In Restricted Mode, Gantry can't use clones of repositories. Trust the workspace to use them.");
    case 'disabled':
      return l10n.t(
        "Gantry can't use clones of repositories because Git is turned off in this window. Turn on the git.enabled setting.",
      );
    default:
      return l10n.t(
        "Gantry can't use clones of repositories because the Git extension isn't available in this window. Install or enable it.",
      );
  }
}

export function pinnedWords(commit: string): string {
  return l10n.t("The project is pinned to {0}, so newer commits aren't deployed.", short(commit));
}

export function commitsBehind(commits: number, branch: string): string {
  return commits === 1
    ? l10n.t('1 commit behind {0}', branch)
    : l10n.t('{0} commits behind {1}', String(commits), branch);
}

export async function manageWorkspaceTrust(): Promise<void> {
  await commands.executeCommand('workbench.trust.manage');
}

/** The button that leads out of Restricted Mode, if that's why Gantry can't use Git. */
export function trustButton(state: GitExtensionState | undefined): ReadonlyMap<string, () => Promise<void>> {
  return new Map(state === 'untrusted' ? [[l10n.t('Manage Workspace Trust'), manageWorkspaceTrust]] : []);
}
