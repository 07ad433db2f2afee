import { l10n } from 'vscode';
import { short } from './commits';
import type { GitExtensionState } from './repositories/gitExtension';
import type { EnvironmentTitles } from '../containers/locationText';
import type { ProjectPlace } from './projectPlace';
import type { ProjectSettings } from './projects';
import type { Finding } from './deployedState/deployedState';

/** Names a project in the tree's words, such as "ROOT on Saltmarsh Tea". */
export function projectText(
  { account, environment, context }: Pick<ProjectPlace, 'account' | 'environment' | 'context'>,
  titles: EnvironmentTitles,
): string {
  return l10n.t('{0} on {1}', context, titles.titleOf({ account, environment }));
}

export function kindWord({ type }: ProjectSettings): string {
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

/** Says what Gantry can't check without the Git extension. */
export function gitIsOff(state: GitExtensionState): string {
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

/** Says that a redeploy of a pinned project doesn't deploy newer commits. */
export function pinnedWords(commit: string): string {
  return l10n.t("The project is pinned to {0}, so newer commits aren't deployed.", short(commit));
}

/** How far a commit is behind its branch. */
export function commitsBehind(commits: number, branch: string): string {
  return commits === 1
    ? l10n.t('1 commit behind {0}', branch)
    : l10n.t('{0} commits behind {1}', String(commits), branch);
}

/** What doesn't matter in a label after a failure. */
const moot: ReadonlySet<Finding['kind']> = new Set(['upToDate', 'behind', 'unpushed', 'atCommit']);

/** A short label for a row or the status bar. */
export function deployedStateLabel(findings: readonly Finding[]): string {
  const isFailed = findings.some(({ kind }) => kind === 'failed');
  return findings
    .filter(({ kind }) => !isFailed || !moot.has(kind))
    .map(labelOf)
    .join(' · ');
}

function labelOf(finding: Finding): string {
  switch (finding.kind) {
    case 'failed':
      return l10n.t('failed');
    case 'upToDate':
      return l10n.t('up to date');
    case 'behind':
      return finding.commits === 1 ? l10n.t('1 commit behind') : l10n.t('{0} commits behind', String(finding.commits));
    case 'unpushed':
      return finding.commits === 1
        ? l10n.t('1 commit not pushed')
        : l10n.t('{0} commits not pushed', String(finding.commits));
    case 'edited':
      return l10n.t('edited on a node');
    case 'editsUnchecked':
      return l10n.t('edits not checked');
    case 'autoUpdated':
      return l10n.t('auto-updated');
    case 'updatedElsewhere':
      return l10n.t('updated elsewhere');
    case 'pinned':
      switch (finding.rolledBackFrom) {
        case undefined:
          return l10n.t('pinned to {0}', short(finding.commit));
        case '':
          return l10n.t('rolled back to {0}', finding.commit);
        default:
          return l10n.t('rolled back to {0} (was {1})', finding.commit, finding.rolledBackFrom);
      }
    case 'nodesDiffer':
      return l10n.t('nodes differ');
    case 'notDeployed':
      return l10n.t('not deployed');
    case 'atCommit':
      return l10n.t('at {0}', short(finding.commit));
    case 'unknown':
      return l10n.t('unknown');
  }
}

/** @param branch the branch that the project deploys */
export function deployedStateSentence(finding: Finding, branch: string): string {
  switch (finding.kind) {
    case 'failed':
      return l10n.t('The last redeploy from this computer failed. Its log says why.');
    case 'upToDate':
      return l10n.t('{0} is the newest commit on {1} as of the last fetch.', short(finding.commit), branch);
    case 'behind':
      return finding.commits === 1
        ? l10n.t("1 commit on {0} isn't deployed.", branch)
        : l10n.t("{1} commits on {0} aren't deployed.", branch, String(finding.commits));
    case 'unpushed':
      return finding.commits === 1
        ? l10n.t("1 commit on {0} isn't pushed, so a redeploy can't deploy it.", branch)
        : l10n.t("{1} commits on {0} aren't pushed, so a redeploy can't deploy them.", branch, String(finding.commits));
    case 'edited':
      return finding.files === 1
        ? l10n.t('1 file has been edited on a node since the last deployment.')
        : l10n.t('{0} files have been edited on the nodes since the last deployment.', String(finding.files));
    case 'editsUnchecked':
      return l10n.t("Couldn't read this computer's record of edits on the nodes.");
    case 'autoUpdated':
      return l10n.t('The platform automatically updated it from {0} to {1}.', short(finding.from), short(finding.to));
    case 'updatedElsewhere':
      return l10n.t(
        'It was updated from {0} to {1}, but not from this computer.',
        short(finding.from),
        short(finding.to),
      );
    case 'pinned':
      return finding.isDeployed
        ? l10n.t(
            '{0} is deployed, and the project is pinned to it. To follow the branch again, use Deploy Newest Commit.',
            short(finding.commit),
          )
        : l10n.t(
            'The project is pinned to {0}. To follow the branch again, use Deploy Newest Commit.',
            short(finding.commit),
          );
    case 'nodesDiffer':
      return l10n.t("The nodes don't all run the same commit.");
    case 'notDeployed':
      return l10n.t('No clone was found on the nodes. The project may be deployed to another folder.');
    case 'atCommit':
      return l10n.t(
        'To see whether {0} is the newest commit, open a clone of the repository in VS Code.',
        short(finding.commit),
      );
    case 'unknown':
      return finding.why === 'subversion'
        ? l10n.t("Gantry can't read the deployed revision of a Subversion project.")
        : l10n.t("Couldn't read the deployed commit: {0}.", finding.words ?? '');
  }
}
