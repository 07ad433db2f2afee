import { l10n } from 'vscode';
import { short } from './deployedState/gitHeadLog';
import type { ProjectSettings } from './projects';
import type { Finding } from './deployedState/deployedState';

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

/** A short label for a row or the status bar. */
export function deployedStateLabel(findings: readonly Finding[]): string {
  return findings.map(labelOf).join(' · ');
}

function labelOf(finding: Finding): string {
  switch (finding.kind) {
    case 'upToDate':
      return l10n.t('up to date');
    case 'behind':
      return l10n.t('behind by {0}', String(finding.commits));
    case 'unpushed':
      return finding.commits === 1
        ? l10n.t('1 commit not pushed')
        : l10n.t('{0} commits not pushed', String(finding.commits));
    case 'edited':
      return l10n.t('edited on the node');
    case 'editsUnchecked':
      return l10n.t('edits not checked');
    case 'autoUpdated':
      return l10n.t('auto-updated');
    case 'updatedElsewhere':
      return l10n.t('updated from elsewhere');
    case 'nodesDiffer':
      return l10n.t('nodes differ');
    case 'notDeployed':
      return l10n.t('not deployed');
    case 'standsAt':
      return l10n.t('at {0}', short(finding.commit));
    case 'unknown':
      return l10n.t('not known');
  }
}

export function deployedStateSentence(finding: Finding): string {
  switch (finding.kind) {
    case 'upToDate':
      return l10n.t("{0} is deployed, the branch's newest commit as far as it is known here.", short(finding.commit));
    case 'behind':
      return finding.commits === 1
        ? l10n.t('One commit of the branch is not deployed.')
        : l10n.t('{0} commits of the branch are not deployed.', String(finding.commits));
    case 'unpushed':
      return finding.commits === 1
        ? l10n.t("One commit on the branch isn't pushed, so a redeploy can't deploy it.")
        : l10n.t("{0} commits on the branch aren't pushed, so a redeploy can't deploy them.", String(finding.commits));
    case 'edited':
      return finding.files === 1
        ? l10n.t('One file was edited in the container since the last deployment.')
        : l10n.t('{0} files were edited in the container since the last deployment.', String(finding.files));
    case 'editsUnchecked':
      return l10n.t("Couldn't read this computer's record of edits made in the container.");
    case 'autoUpdated':
      return l10n.t('The platform has updated it from {0} to {1} by itself.', short(finding.from), short(finding.to));
    case 'updatedElsewhere':
      return l10n.t('It was updated from {0} to {1}, not from here.', short(finding.from), short(finding.to));
    case 'nodesDiffer':
      return l10n.t('Not every node has the same commit.');
    case 'notDeployed':
      return l10n.t(
        'There is no clone on the nodes: it was not deployed yet, or lies in another folder. Click to say where.',
      );
    case 'standsAt':
      return l10n.t(
        '{0} is deployed. Its repository is not open here, so it is not known whether that is the newest commit.',
        short(finding.commit),
      );
    case 'unknown':
      return finding.why === 'subversion'
        ? l10n.t('What is deployed from Subversion cannot be seen in its files.')
        : l10n.t('What is deployed could not be read: {0}', finding.words ?? '');
  }
}
