import { l10n } from 'vscode';
import { deployLogNames } from '../../containers/logs/stackLogs';
import { type DeployRecord, failedHook, type NodeChange, type RedeployResult } from './redeployResult';
import { short } from '../deployedState/gitHeadLog';
import { decisiveLine } from '../history/deployLog';
import type { EnvironmentTitles } from '../../containers/locationText';
import { commitsBehind, pinnedWords, projectText } from '../projectText';

/** A short result for a row. */
export function redeployResultText(record: DeployRecord): string {
  const ending = endingWords(record);
  return record.nodeId === undefined ? ending : l10n.t('{0}, node {1} only', ending, String(record.nodeId));
}

function endingWords(record: DeployRecord): string {
  const { verdict } = record;
  switch (verdict.kind) {
    case 'running':
      return l10n.t('result unknown');
    case 'deployed':
      return movement(record);
    case 'unverified':
      return verdict.because === 'subversion' && verdict.revision !== undefined
        ? l10n.t('revision {0}', verdict.revision)
        : l10n.t('not verified');
    case 'contradicted':
      return verdict.because === 'notPinned' ? l10n.t('another commit deployed') : l10n.t('not deployed');
    case 'failed':
      return l10n.t('failed');
    case 'answerLost':
      return verdict.commit === undefined
        ? l10n.t('connection lost')
        : l10n.t('connection lost, at {0}', short(verdict.commit));
  }
}

type Of<K extends RedeployResult['kind']> = Extract<RedeployResult, { kind: K }>;

/** The subjects of the commits before and after a redeploy. */
export interface CommitSubjects {
  readonly before: string;
  readonly after: string;
}

/** Two subjects that are longer than this don't fit in a line of a notification. */
const longestSubjects = 60;

/** Says in one or two sentences how a redeploy ended, never more than is known. The log has the details. */
export function redeployMessage(record: DeployRecord, titles: EnvironmentTitles, subjects?: CommitSubjects): string {
  const { verdict, isFirst = false } = record;
  const project = projectOf(record, titles);
  switch (verdict.kind) {
    case 'failed': {
      const reason = hookReason(record) ?? decisiveLine(record.log) ?? verdict.sentence;
      return isFirst
        ? l10n.t("Couldn't deploy {0}: {1}", project, reason)
        : l10n.t("Couldn't redeploy {0}: {1}", project, reason);
    }
    case 'running':
      return l10n.t('The redeploy of {0} started, but its result is unknown.', project);
    case 'deployed':
      return joined(deployed(record, project, { ...verdict, subjects }), pinned(record));
    case 'unverified':
      return joined(unverified(record, project, verdict), pinned(record));
    case 'contradicted':
      return contradicted(record, project, verdict);
    case 'answerLost':
      return joined(lost(project, verdict), whatNodesRun(record, verdict), whatLogSays(record, verdict));
  }
}

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
    .flatMap(({ name, before, after, unreadable }) => {
      if (unreadable !== undefined) {
        return l10n.t("Couldn't check {0}.", name);
      }
      if (after === undefined) {
        return [];
      }
      return after === before
        ? l10n.t('{0} still runs {1}.', name, short(after))
        : l10n.t('{0} now runs {1}.', name, short(after));
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
  if (verdict.kind !== 'deployed' || !verdict.commit.startsWith(pinnedTo.toLowerCase())) {
    return pinnedWords(pinnedTo);
  }
  const { behind = 0 } = verdict;
  return behind === 0
    ? l10n.t("The project is pinned to this commit, so newer commits aren't deployed.")
    : l10n.t('The project is pinned to this commit, {0}.', commitsBehind(behind, branch));
}

function deployed(
  { nodes, branch = '', pinnedTo }: DeployRecord,
  project: string,
  { commit, behind, subjects }: Of<'deployed'> & { readonly subjects: CommitSubjects | undefined },
): string {
  const before = new Set(nodes.map((node) => node.before));
  const [from] = before;
  if (!areKnown(nodes)) {
    return l10n.t(
      "Deployed {1} to {0}, on the node that responded. Gantry doesn't know the other nodes in the layer.",
      project,
      short(commit),
    );
  }
  if (before.size === 1 && from === commit) {
    return pinnedTo === undefined && behind === 0
      ? l10n.t('{0} is already up to date with {1} ({2}).', project, branch, short(commit))
      : l10n.t('{0} still runs {1}.', project, short(commit));
  }
  if (before.size === 1 && subjects && `${subjects.before} → ${subjects.after}`.length <= longestSubjects) {
    const { before: earlier, after: now } = subjects;
    return l10n.t(
      'Deployed {1} “{2}” to {0} (was {3} “{4}”).',
      project,
      short(commit),
      now,
      short(from ?? ''),
      earlier,
    );
  }
  return from === undefined || before.size > 1
    ? l10n.t('Deployed {1} to {0}.', project, short(commit))
    : l10n.t('Deployed {1} to {0} (was {2}).', project, short(commit), short(from));
}

/** Whether the platform listed the nodes; otherwise, only the node that responded was checked. */
function areKnown(nodes: readonly NodeChange[]): boolean {
  return nodes.every(({ nodeId }) => nodeId !== undefined);
}

function unverified(
  { nodes, nodeId, pinnedTo = '' }: DeployRecord,
  project: string,
  { because, revision }: Of<'unverified'>,
): string {
  switch (because) {
    case 'subversion':
      return nodeId === undefined && areKnown(nodes)
        ? l10n.t('Deployed revision {1} to {0}, according to the log on every node.', project, revision ?? '')
        : l10n.t('Deployed revision {1} to {0}, according to the log on the node.', project, revision ?? '');
    case 'revisionUnknown':
      return revision === undefined
        ? l10n.t(
            "Couldn't verify the revision of {0}: the platform reports success, but the logs on the nodes don't show it.",
            project,
          )
        : l10n.t(
            "Couldn't verify the revision of {0}: the platform reports revision {1}, but the logs on the nodes don't show it.",
            project,
            revision,
          );
    case 'folderUnknown':
      return l10n.t(
        "Couldn't verify the commit of {0}: the platform reports success, but no clone was found on the nodes.",
        project,
      );
    case 'pinUnknown':
      return l10n.t(
        "Deployed {1} to {0}, but couldn't verify that this is {2}, which the project is pinned to.",
        project,
        short(nodes[0]?.after ?? ''),
        pinnedTo,
      );
    case 'unreadable': {
      const unread = nodes.find(({ unreadable }) => unreadable !== undefined);
      return l10n.t(
        "Couldn't verify the commit of {0} ({1}): {2}. The platform reports success.",
        project,
        unread?.name ?? '',
        unread?.unreadable ?? '',
      );
    }
  }
}

function contradicted(
  record: DeployRecord,
  project: string,
  { because, behind = 0, branch: other = '' }: Of<'contradicted'>,
): string {
  const { nodes, branch = '', pinnedTo = '' } = record;
  switch (because) {
    case 'notPinned':
      return l10n.t(
        'The platform deployed {1} to {0}, although the project is pinned to {2}.',
        project,
        short(nodes[0]?.after ?? ''),
        short(pinnedTo),
      );
    case 'noClone':
      return l10n.t("{0} isn't deployed, although the platform reports success: its folder has no clone.", project);
    case 'nodesDiffer':
      return l10n.t("{0} isn't deployed to all nodes, although the platform reports success.", project);
    case 'otherBranch':
      return l10n.t(
        '{0} runs {1} on the branch {2} instead of {3}, although the platform reports success.',
        project,
        short(nodes[0]?.after ?? ''),
        other,
        branch,
      );
    case 'behind':
      return l10n.t(
        '{0} runs {1}, {2}, although the platform reports success.',
        project,
        short(nodes[0]?.after ?? ''),
        commitsBehind(behind, branch),
      );
  }
}

function lost(project: string, { ended }: Of<'answerLost'>): string {
  return ended
    ? l10n.t('The connection was lost before the platform confirmed the redeploy of {0}.', project)
    : l10n.t('The connection was lost, so the redeploy of {0} may still be running.', project);
}

/** Up to so many nodes, each is named with what it runs. */
const mostNamedNodes = 3;

/** What the nodes have, after the response was lost. */
function whatNodesRun(
  record: DeployRecord,
  { commit, moved, behind = 0, withoutClone = [] }: Of<'answerLost'>,
): string {
  const { nodes, branch = '' } = record;
  if (commit === undefined) {
    const isMixed = nodes.length > mostNamedNodes && nodes.some(({ after }) => after !== undefined);
    return joined(
      isMixed ? l10n.t("The nodes don't all run the same commit.") : nodesText(record),
      withoutClone.length === 0 ? '' : l10n.t('No clone was found on {0}.', withoutClone.join(', ')),
    );
  }
  const what = behind === 0 ? short(commit) : l10n.t('{0}, {1}', short(commit), commitsBehind(behind, branch));
  return onTheNodes(record, moved, what);
}

/** Why it failed, after the response was lost, unless every node has something new. A later redeploy's failure isn't quoted. */
function whatLogSays({ log, isLogEndUnknown = false }: DeployRecord, { commit, moved }: Of<'answerLost'>): string {
  const line = isLogEndUnknown || (commit !== undefined && moved) ? undefined : decisiveLine(log);
  return line === undefined ? '' : l10n.t('The log says: {0}', line);
}

function onTheNodes({ nodes, nodeId }: DeployRecord, moved: boolean, commit: string): string {
  if (nodeId !== undefined) {
    return moved
      ? l10n.t('Node {0} now runs {1}.', String(nodeId), commit)
      : l10n.t('Node {0} still runs {1}.', String(nodeId), commit);
  }
  if (areKnown(nodes)) {
    return moved ? l10n.t('All nodes now run {0}.', commit) : l10n.t('All nodes still run {0}.', commit);
  }
  return moved
    ? l10n.t('The node that responded now runs {0}.', commit)
    : l10n.t('The node that responded still runs {0}.', commit);
}

/** The deployed commit, and the one before, for all nodes. */
function movement({ nodes }: DeployRecord): string {
  const [first] = nodes;
  const { before, after } = first ?? {};
  if (after === undefined) {
    return '';
  }
  return before === undefined || before === after ? short(after) : l10n.t('{0} (was {1})', short(after), short(before));
}
