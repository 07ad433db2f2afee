import { l10n } from 'vscode';
import { deployLogNames } from '../../../containers/logs/stackLogs';
import { withoutLogins } from '../../../containers/secretFiles';
import {
  areKnown,
  type DeployRecord,
  failedHook,
  hasMoved,
  mayBeOutdated,
  type NodeChange,
  sinceBefore,
} from './redeployResult';
import { isPinnedCommit, short } from '../commits';
import { nodesNow } from '../deployedState/deployedState';
import { stateText } from '../deployedState/stateTexts';
import { decisiveLine, type LogSection } from '../history/deployLog';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { commitsBehind, pinnedWords, projectText } from '../projectText';
import type { RedeployResult } from '../results';

export interface CommitSubjects {
  readonly before: string;
  readonly after: string;
}

/** What a message is about. */
interface EndedRedeploy {
  readonly record: DeployRecord;
  readonly project: string;
  readonly subjects: CommitSubjects | undefined;
}

interface EndTexts<R> {
  /** For a row. */
  label(result: R, record: DeployRecord): string;
  /** One or two sentences. */
  message(result: R, ended: EndedRedeploy): string;
}

type Of<K extends RedeployResult['kind']> = Extract<RedeployResult, { kind: K }>;

/** How a redeploy ended, never more than is known. */
const endTexts: { readonly [K in RedeployResult['kind']]: EndTexts<Of<K>> } = {
  running: {
    label: () => l10n.t('result unknown'),
    message: (_, { project }) => unknownEnd(project),
  },
  deployed: {
    label: (_, { nodes }) => movement(nodes),
    message: (result, ended) => joined(deployed(result, ended), pinned(ended.record)),
  },
  unverified: {
    label: ({ because, revision }) =>
      because === 'subversion' && revision !== undefined ? l10n.t('revision {0}', revision) : l10n.t('not verified'),
    message: (result, ended) => joined(unverified[result.because](result, ended), pinned(ended.record)),
  },
  contradicted: {
    label: (result) =>
      result.because === 'notPinned'
        ? l10n.t('another commit deployed')
        : result.because === 'otherBranch'
          ? l10n.t('another branch deployed')
          : mayBeOutdated(result)
            ? l10n.t('may be outdated')
            : l10n.t('not deployed'),
    message: (result, ended) => contradicted[result.because](result, ended),
  },
  failed: {
    label: () => l10n.t('failed'),
    message: ({ sentence }, { record, project }) => {
      const reason = hookReason(record) ?? decisiveLine(record.log) ?? sentence;
      return record.isFirst === true
        ? l10n.t("Couldn't deploy {0}: {1}", project, reason)
        : l10n.t("Couldn't redeploy {0}: {1}", project, reason);
    },
  },
  answerLost: {
    label: ({ commit, wasClosed = false }) => {
      if (commit === undefined) return wasClosed ? l10n.t('result unknown') : l10n.t('connection lost');
      return wasClosed
        ? l10n.t('result unknown, at {0}', short(commit))
        : l10n.t('connection lost, at {0}', short(commit));
    },
    message: (result, { record, project }) =>
      joined(lost(result, project), whatNodesRun(record, result), whatLogSays(record, result)),
  },
};

/** A short result for a row. */
export function redeployResultText(record: DeployRecord): string {
  const { verdict, nodeId } = record;
  const texts: EndTexts<RedeployResult> = endTexts[verdict.kind];
  const label = texts.label(verdict, record);
  return nodeId === undefined ? label : l10n.t('{0}, node {1} only', label, String(nodeId));
}

/** Says in one or two sentences how a redeploy ended. The log has the details. */
export function redeployMessage(record: DeployRecord, titles: EnvironmentTitles, subjects?: CommitSubjects): string {
  const texts: EndTexts<RedeployResult> = endTexts[record.verdict.kind];
  return texts.message(record.verdict, { record, project: projectOf(record, titles), subjects });
}

/** @param commit shortened, and how far it's behind */
function runs(what: string, commit: string, since: ReturnType<typeof sinceBefore>): string {
  return {
    new: l10n.t('{0} now runs {1}.', what, commit),
    same: l10n.t('{0} still runs {1}.', what, commit),
    unknown: l10n.t('{0} runs {1}.', what, commit),
  }[since];
}

/** Two subjects that are longer than this don't fit in a line of a notification. */
const longestSubjects = 60;

/** What the failed hook said, and its line in the log of hooks. */
function hookReason(record: DeployRecord): string | undefined {
  const { words, ending } = failedHook(record) ?? {};
  if (ending === undefined) {
    return undefined;
  }
  const { hooks } = deployLogNames;
  return words === undefined ? l10n.t('{0} ({1})', ending, hooks) : l10n.t('{0} ({1}: {2})', words, hooks, ending);
}

/** Each node with its commit; empty if there's only one node. */
export function nodesText({ nodes }: DeployRecord): string {
  return nodes
    .flatMap((node) => {
      const { name, after, unreadable } = node;
      if (unreadable !== undefined) {
        return l10n.t("Couldn't check {0}.", name);
      }
      if (after === undefined) {
        return [];
      }
      return runs(name, short(after), sinceBefore([node]));
    })
    .join(' ');
}

function joined(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** The project, and the node if the redeploy was for one only. */
function projectOf(record: DeployRecord, titles: EnvironmentTitles): string {
  const { context, nodeId } = record;
  return nodeId === undefined
    ? projectText(record, titles)
    : l10n.t('{0} on node {2} of {1}', context, titles.titleOf(record), String(nodeId));
}

/** A pinned project doesn't follow its branch. */
function pinned({ pinnedTo, branch = '', verdict }: DeployRecord): string {
  // In the second case, the message has it already.
  if (pinnedTo === undefined || (verdict.kind === 'unverified' && verdict.because === 'pinUnknown')) {
    return '';
  }
  // A tag, or what only looks like a commit, isn't compared with the deployed one.
  if (verdict.kind !== 'deployed' || !isPinnedCommit(verdict.commit, pinnedTo)) {
    return pinnedWords(pinnedTo);
  }
  const { behind = 0 } = verdict;
  return behind === 0
    ? l10n.t("The project is pinned to this commit, so newer commits aren't deployed.")
    : l10n.t('The project is pinned to this commit, {0}.', commitsBehind(behind, branch));
}

function deployed({ commit, behind }: Of<'deployed'>, { record, project, subjects }: EndedRedeploy): string {
  const { nodes, branch = '', pinnedTo } = record;
  const [from, ...others] = new Set(nodes.map(({ before }) => before));
  if (!areKnown(nodes)) {
    return l10n.t(
      "Deployed {1} to {0}, on the node that responded. Gantry doesn't know the other nodes in the layer.",
      project,
      short(commit),
    );
  }
  if (from === undefined || others.length > 0) {
    return l10n.t('Deployed {1} to {0}.', project, short(commit));
  }
  if (from === commit) {
    return pinnedTo === undefined && behind === 0
      ? l10n.t('{0} is already up to date with {1} ({2}).', project, branch, short(commit))
      : runs(project, short(commit), 'same');
  }
  if (subjects && `${subjects.before} → ${subjects.after}`.length <= longestSubjects) {
    const { before: earlier, after: now } = subjects;
    return l10n.t('Deployed {1} “{2}” to {0} (was {3} “{4}”).', project, short(commit), now, short(from), earlier);
  }
  return l10n.t('Deployed {1} to {0} (was {2}).', project, short(commit), short(from));
}

type Reasons<K extends 'unverified' | 'contradicted'> = Readonly<
  Record<Of<K>['because'], (result: Of<K>, ended: EndedRedeploy) => string>
>;

const unverified: Reasons<'unverified'> = {
  subversion: ({ revision = '' }, { record: { nodes, nodeId }, project }) =>
    l10n.t(
      'Deployed revision {1} to {0}, according to the log on {2}.',
      project,
      revision,
      nodeId === undefined && areKnown(nodes) ? l10n.t('every node') : l10n.t('the node'),
    ),
  revisionUnknown: ({ revision }, { project }) =>
    l10n.t(
      "Couldn't verify the revision of {0}: the platform reports {1}, but the logs on the nodes don't show it.",
      project,
      revision === undefined ? l10n.t('success') : l10n.t('revision {0}', revision),
    ),
  folderUnknown: (_, { project }) =>
    l10n.t(
      "Couldn't verify the commit of {0}: the platform reports success, but no clone was found on the nodes.",
      project,
    ),
  pinUnknown: (_, { record: { nodes, pinnedTo = '' }, project }) =>
    l10n.t(
      "Deployed {1} to {0}, but couldn't verify that this is {2}, which the project is pinned to.",
      project,
      commitOf(nodes),
      pinnedTo,
    ),
  unreadable: (_, { record, project }) => {
    const unread = record.nodes.find(({ unreadable }) => unreadable !== undefined);
    return unread === undefined
      ? perhapsOld(project, record)
      : l10n.t(
          "Couldn't verify the commit of {0} ({1}): {2}. The platform reports success.",
          project,
          unread.name,
          unread.unreadable ?? '',
        );
  },
};

const contradicted: Reasons<'contradicted'> = {
  notPinned: (_, { record: { nodes, pinnedTo = '' }, project }) =>
    l10n.t(
      'The platform deployed {1} to {0}, although the project is pinned to {2}.',
      project,
      commitOf(nodes),
      short(pinnedTo),
    ),
  noClone: (_, { project }) =>
    l10n.t("{0} isn't deployed, although the platform reports success: its folder has no clone.", project),
  nodesDiffer: (_, { project }) =>
    l10n.t("{0} isn't deployed to all nodes, although the platform reports success.", project),
  otherBranch: ({ branch: other = '' }, { record: { nodes, branch = '' }, project }) =>
    l10n.t(
      '{0} runs {1} on the branch {2} instead of {3}, although the platform reports success.',
      project,
      commitOf(nodes),
      other,
      branch,
    ),
  movedBack: (_, { record: { nodes, branch = '' }, project }) =>
    l10n.t(
      "{0} still runs {1}, because {2} was moved back to an earlier commit, and a redeploy doesn't undo commits. Use Roll Back.",
      project,
      commitOf(nodes),
      branch,
    ),
  behind: ({ behind = 0 }, { record, project }) =>
    behind === 0
      ? joined(perhapsOld(project, record), l10n.t('The project was on another branch before. Redeploy it again.'))
      : l10n.t(
          '{0} runs {1}, {2}, although the platform reports success.',
          project,
          commitOf(record.nodes),
          commitsBehind(behind, record.branch ?? ''),
        ),
};

function perhapsOld(project: string, { nodes, branch = '' }: DeployRecord): string {
  return l10n.t('{0} runs {1}, which may not be the newest commit on {2}.', project, commitOf(nodes), branch);
}

/** The commit that all nodes have. */
function commitOf([node]: readonly NodeChange[]): string {
  return short(node?.after ?? '');
}

function unknownEnd(project: string): string {
  return l10n.t('The redeploy of {0} started, but its result is unknown.', project);
}

function lost({ ended, wasClosed = false }: Of<'answerLost'>, project: string): string {
  if (wasClosed) return unknownEnd(project);
  return ended
    ? l10n.t('The connection was lost before the platform confirmed the redeploy of {0}.', project)
    : l10n.t('The connection was lost, so the redeploy of {0} may still be running.', project);
}

/** Up to so many nodes, each is named with what it runs. */
const mostNamedNodes = 3;

/** What the nodes have, after the response was lost. */
function whatNodesRun(record: DeployRecord, { commit, behind = 0, withoutClone = [] }: Of<'answerLost'>): string {
  const { nodes, branch = '' } = record;
  if (commit === undefined) {
    const checked = nodes.filter(({ unreadable }) => unreadable === undefined);
    const isMixed = nodes.length > mostNamedNodes && nodesNow(checked).kind === 'differ';
    return joined(
      isMixed ? stateText({ kind: 'nodesDiffer' }).sentence : nodesText(record),
      withoutClone.length === 0 ? '' : l10n.t('No clone was found on {0}.', withoutClone.join(', ')),
    );
  }
  const what = behind === 0 ? short(commit) : l10n.t('{0}, {1}', short(commit), commitsBehind(behind, branch));
  return onTheNodes(record, what);
}

/** Why it failed, after the response was lost, unless every node has something new. A later redeploy's failure isn't quoted. */
function whatLogSays({ log, isLogEndUnknown = false, nodes }: DeployRecord, { commit }: Of<'answerLost'>): string {
  const line = isLogEndUnknown || (commit !== undefined && nodes.some(hasMoved)) ? undefined : decisiveLine(log);
  return line === undefined ? '' : l10n.t('The log says: {0}', line);
}

function onTheNodes({ nodes, nodeId }: DeployRecord, commit: string): string {
  const since = sinceBefore(nodes);
  if (nodeId !== undefined || !areKnown(nodes)) {
    const node = nodeId === undefined ? l10n.t('The node that responded') : l10n.t('Node {0}', String(nodeId));
    return runs(node, commit, since);
  }
  return {
    new: l10n.t('All nodes now run {0}.', commit),
    same: l10n.t('All nodes still run {0}.', commit),
    unknown: l10n.t('All nodes run {0}.', commit),
  }[since];
}

/** The deployed commit, and the one before, for all nodes. */
function movement([first]: readonly NodeChange[]): string {
  const { before, after } = first ?? {};
  if (after === undefined) {
    return '';
  }
  return before === undefined || before === after ? short(after) : l10n.t('{0} (was {1})', short(after), short(before));
}

export function sectionText({ node, path, text }: LogSection): string {
  const heading = path.endsWith(`/${deployLogNames.hooks}`)
    ? l10n.t('Hooks on {0}: {1}', node, path)
    : path.endsWith(`/${deployLogNames.autoResolve}`)
      ? l10n.t('Reset before the update on {0}: {1}', node, path)
      : `${node}: ${path}`;
  return `# ${heading}\n${withoutLogins(text, undefined, !text.endsWith('\n'))}`;
}
