import { l10n } from 'vscode';
import { short } from '../commits';
import { isFailed, type Severity, type StateResult } from '../results';
import { commitsBehind } from '../projectText';
import { formatExactTime, formatRelativeTime } from '../../../ui/relativeTime';
import { type HeadState, nodesNow } from './deployedState';

interface StateTexts {
  readonly icon: string;
  /** Replaces the icon of the project's row, in the color of this severity. */
  readonly marks?: Severity | 'none' | undefined;
  /** For a row or the status bar. */
  readonly label: string;
  readonly sentence: string;
}

interface TextsOf<R> {
  result(result: R): StateTexts;
}

const stateTexts: {
  readonly [K in StateResult['kind']]: TextsOf<Extract<StateResult, { kind: K }>>['result'];
} = {
  contradicted: lastFailed,
  failed: lastFailed,
  deployed: ({ commit, behind, branch = '', newestAt, isMovedBack = false }) =>
    behind === undefined
      ? {
          icon: 'git-commit',
          label:
            newestAt === undefined
              ? l10n.t('at {0}', short(commit))
              : l10n.t('at {0}, the newest commit {1}', short(commit), formatRelativeTime(newestAt)),
          sentence: isMovedBack
            ? l10n.t(
                "{0} isn't the newest commit on {1}, which was at an earlier one at the last fetch.",
                short(commit),
                branch,
              )
            : newestAt === undefined
              ? l10n.t(
                  'To see whether {0} is the newest commit, open a clone of the repository in VS Code, and fetch.',
                  short(commit),
                )
              : l10n.t(
                  '{0} was the newest commit on {1} when it was deployed from this computer ({2}).',
                  short(commit),
                  branch,
                  formatExactTime(newestAt),
                ),
        }
      : {
          icon: 'check',
          label: l10n.t('up to date'),
          sentence: l10n.t('{0} is the newest commit on {1} as of the last fetch.', short(commit), branch),
        },
  unverified: ({ because, why = '' }) =>
    because === 'folderUnknown'
      ? {
          icon: 'circle-slash',
          label: l10n.t('not deployed'),
          sentence: l10n.t('No clone was found on the nodes. The project may be deployed to another folder.'),
        }
      : {
          icon: 'question',
          label: l10n.t('unknown'),
          sentence:
            because === 'unreadable'
              ? l10n.t("Couldn't read the deployed commit: {0}.", why)
              : l10n.t("Gantry can't read the deployed revision of a Subversion project."),
        },
  behind: ({ commits, branch }) => ({
    icon: 'arrow-down',
    marks: 'warning',
    ...(commits === 1
      ? { label: l10n.t('1 commit behind'), sentence: l10n.t("1 commit on {0} isn't deployed.", branch) }
      : {
          label: l10n.t('{0} commits behind', String(commits)),
          sentence: l10n.t("{1} commits on {0} aren't deployed.", branch, String(commits)),
        }),
  }),
  unpushed: ({ commits, branch }) => ({
    icon: 'repo-push',
    ...(commits === 1
      ? {
          label: l10n.t('1 commit not pushed'),
          sentence: l10n.t("1 commit on {0} isn't pushed, so a redeploy can't deploy it.", branch),
        }
      : {
          label: l10n.t('{0} commits not pushed', String(commits)),
          sentence: l10n.t(
            "{1} commits on {0} aren't pushed, so a redeploy can't deploy them.",
            branch,
            String(commits),
          ),
        }),
  }),
  edited: ({ files, areKept }) => ({
    icon: 'edit',
    marks: areKept ? undefined : 'warning',
    label: l10n.t('edited on a node'),
    sentence:
      files === 1
        ? l10n.t('1 file has been edited on a node.')
        : l10n.t('{0} files have been edited on the nodes.', String(files)),
  }),
  editsUnchecked: () => ({
    icon: 'warning',
    label: l10n.t('edits not checked'),
    sentence: l10n.t("Couldn't read this computer's record of edits on the nodes."),
  }),
  moved: ({ because, from, to }) => ({
    icon: 'sync',
    ...(because === 'autoUpdate'
      ? {
          label: l10n.t('auto-updated'),
          sentence: l10n.t('The platform automatically updated it from {0} to {1}.', short(from), short(to)),
        }
      : {
          label: l10n.t('updated elsewhere'),
          sentence: l10n.t('It was updated from {0} to {1}, but not from this computer.', short(from), short(to)),
        }),
  }),
  pinned: ({ commit, isDeployed, rolledBackFrom }) => ({
    icon: 'pinned',
    // A project is pinned on purpose.
    marks: 'none',
    // A roll back may have failed, or not be finished yet.
    label:
      rolledBackFrom === undefined || !isDeployed
        ? l10n.t('pinned to {0}', short(commit))
        : rolledBackFrom === ''
          ? l10n.t('rolled back to {0}', commit)
          : l10n.t('rolled back to {0} (was {1})', commit, rolledBackFrom),
    sentence: isDeployed
      ? l10n.t(
          '{0} is deployed, and the project is pinned to it. To follow {1} again, use Deploy Newest Commit.',
          short(commit),
          branchText(rolledBackFrom),
        )
      : l10n.t(
          'The project is pinned to {0}. To follow {1} again, use Deploy Newest Commit.',
          short(commit),
          branchText(rolledBackFrom),
        ),
  }),
  nodesDiffer: () => ({
    icon: 'warning',
    marks: 'warning',
    label: l10n.t('nodes differ'),
    sentence: l10n.t("The nodes don't all run the same commit."),
  }),
};

export function stateText(result: StateResult): StateTexts {
  const texts: TextsOf<StateResult>['result'] = stateTexts[result.kind];
  return texts(result);
}

/** What doesn't matter in a label after a failure. */
const moot: readonly StateResult['kind'][] = ['deployed', 'behind', 'unpushed'];

export function stateLabel(results: readonly StateResult[]): string {
  const shown = results.some(isFailed) ? results.filter(({ kind }) => !moot.includes(kind)) : results;
  return shown.map((result) => stateText(result).label).join(' · ');
}

/** The label after someone asked what is deployed, such as "2 nodes at 092f40f, 1 commit behind master". */
export function checkedLabel(nodes: readonly HeadState[], results: readonly StateResult[]): string {
  const { commit } = nodesNow(nodes);
  if (commit === undefined || results.some(isFailed)) {
    return stateLabel(results);
  }
  const at =
    nodes.length === 1
      ? l10n.t('1 node at {0}', short(commit))
      : l10n.t('{0} nodes at {1}', String(nodes.length), short(commit));
  const parts = results.flatMap((result) => {
    const { kind } = result;
    if (kind === 'deployed') {
      return result.behind === undefined ? [] : [l10n.t('the newest commit on {0}', result.branch ?? '')];
    }
    return kind === 'behind' ? [commitsBehind(result.commits, result.branch)] : [stateText(result).label];
  });
  return [at, ...parts].join(', ');
}

/** The results that say what is deployed, which Check Deployed Commit says first. */
const answers: readonly StateResult['kind'][] = ['pinned', 'behind', 'deployed', 'unverified'];

/** Says what the nodes run, and then how the project is, in at most three sentences. */
export function checkedText(
  project: string,
  nodes: readonly (HeadState & { readonly name: string })[],
  results: readonly StateResult[],
): string {
  const isPartlyRead = nodes.some(({ after }) => after !== undefined);
  const rest = results.filter(({ kind }) => kind !== 'nodesDiffer' && !(kind === 'unverified' && isPartlyRead));
  const isAnswer = ({ kind }: StateResult) => answers.includes(kind);
  const sentences = [...rest.filter(isAnswer), ...rest.filter((result) => !isAnswer(result))];
  const state = sentences.map((result) => stateText(result).sentence);
  return [...(isPartlyRead ? [nodesSentence(project, nodes)] : []), ...state].slice(0, 3).join(' ');
}

function nodesSentence(project: string, nodes: readonly (HeadState & { readonly name: string })[]): string {
  const now = nodesNow(nodes);
  if (now.kind === 'same') {
    return nodes.length === 1
      ? l10n.t('{0} runs {1}.', project, short(now.commit))
      : l10n.t('{0} runs {1} on all nodes.', project, short(now.commit));
  }
  const each = nodes
    .map(
      ({ name, after, unreadable = l10n.t('no commit') }) =>
        `${name}: ${after === undefined ? unreadable : short(after)}`,
    )
    .join(', ');
  return now.kind === 'unreadable'
    ? l10n.t("Couldn't read the deployed commit of some nodes of {0} ({1}).", project, each)
    : l10n.t('The nodes of {0} run different commits ({1}).', project, each);
}

/** Something may have been deployed. */
function lastFailed(): StateTexts {
  const sentence = l10n.t("The last redeploy from this computer didn't deploy what it should have. Its log says why.");
  return { icon: 'error', marks: 'error', label: l10n.t('failed'), sentence };
}

/** The branch that a project followed before it was rolled back, if it's known. */
function branchText(branch = ''): string {
  return branch === '' ? l10n.t('the branch') : branch;
}
