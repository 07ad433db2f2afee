import { l10n } from 'vscode';
import { short } from './deployedState/gitHeadLog';
import type { ProjectSettings } from './projects';

export function kindWord({ type }: ProjectSettings): string {
  return type === undefined ? l10n.t('not known') : { GIT: 'Git', SVN: 'Subversion' }[type];
}

export function autoUpdateWords({ autoupdate, interval }: ProjectSettings): string {
  if (autoupdate !== true) {
    return autoupdate === undefined ? l10n.t('not known') : l10n.t('off');
  }
  return interval === undefined ? l10n.t('on') : l10n.t('looks for new commits every {0} minutes', interval);
}

export function conflictWords({ autoResolveConflict }: Pick<ProjectSettings, 'autoResolveConflict'>): string {
  if (autoResolveConflict === undefined) {
    return l10n.t('not known');
  }
  return autoResolveConflict
    ? l10n.t('the repository wins: edits in the container are thrown away')
    : l10n.t('the update stops: edits in the container stay');
}

/** Says what Gantry can't check without the Git extension. */
export function gitIsOff(): string {
  return l10n.t(
    "VS Code's Git extension is off in this window, so nobody looks for commits that are not pushed. It is off in windows that are not trusted.",
  );
}

/** Says that a redeploy of a pinned project doesn't deploy newer commits. */
export function pinnedWords(commit: string): string {
  return l10n.t("The project is pinned to {0}, so newer commits aren't deployed.", short(commit));
}
