import { l10n } from 'vscode';
import { type DeployRecord, type NodeChange, commitsOnNodes, type RedeployResult } from './redeployResult';
import { short } from '../deployedState/gitHeadLog';
import { pinnedWords } from '../projectText';

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
      return l10n.t('not deployed, although the platform reports success');
    case 'failed':
      return l10n.t('failed');
    case 'answerLost':
      return verdict.stands === undefined
        ? l10n.t('connection lost')
        : l10n.t('connection lost, at {0}', short(verdict.stands));
  }
}

type Of<K extends RedeployResult['kind']> = Extract<RedeployResult, { kind: K }>;

/** The result of a redeploy in full sentences. For a failure, the log says more than the platform's response. */
export function sentencesOf(record: DeployRecord, log = ''): string {
  const { context, environment, verdict, nodes, nodeId } = record;
  const name = `${context} · ${environment}`;
  const sentences =
    verdict.kind === 'failed'
      ? [mainSentence(record, name), log, verdict.sentence, onNodes(nodes)]
      : [mainSentence(record, name), pinned(record), log];
  // The other sentences don't cover the nodes that were left out.
  const only = nodeId === undefined ? '' : l10n.t('This redeploy was for node {0} only.', String(nodeId));
  return [...sentences, only].filter((sentence) => sentence !== '').join(' ');
}

function mainSentence(record: DeployRecord, name: string): string {
  const { verdict, isFirst = false } = record;
  switch (verdict.kind) {
    case 'failed':
      return isFirst ? l10n.t('{0}: the deployment failed.', name) : l10n.t('{0}: the redeploy failed.', name);
    case 'running':
      return isFirst
        ? l10n.t('{0}: the deployment started, but its result is unknown.', name)
        : l10n.t('{0}: the redeploy started, but its result is unknown.', name);
    case 'deployed':
      return deployed(record, name, verdict.commit);
    case 'unverified':
      return unverified(record, name, verdict);
    case 'contradicted':
      return contradicted(record, name, verdict);
    case 'answerLost':
      return answerLost(record, name, verdict);
  }
}

const hash = /^[0-9a-f]{7,64}$/i;

/** A pinned project doesn't follow its branch. The nodes show whether the platform deployed the pinned commit. */
function pinned({ pinnedTo, nodes, branch = '', verdict }: DeployRecord): string {
  if (pinnedTo === undefined || verdict.kind === 'contradicted') {
    return '';
  }
  const stands = commitsOnNodes(nodes);
  if (stands !== undefined && hash.test(pinnedTo) && !stands.startsWith(pinnedTo.toLowerCase())) {
    return l10n.t('The project is pinned to {0}, but the platform deployed {1}.', short(pinnedTo), short(stands));
  }
  const behind = verdict.kind === 'deployed' ? verdict.behind : undefined;
  return behind === undefined
    ? pinnedWords(pinnedTo)
    : l10n.t(
        "The project is pinned to {0}, so newer commits aren't deployed ({1} behind {2}).",
        short(pinnedTo),
        String(behind),
        branch,
      );
}

function deployed({ nodes, branch = '' }: DeployRecord, name: string, commit: string): string {
  const before = new Set(nodes.map((node) => node.before));
  const [from] = before;
  if (!areKnown(nodes)) {
    return l10n.t(
      "{0}: deployed {1} on the node that responded. Gantry doesn't know the other nodes in the layer.",
      name,
      short(commit),
    );
  }
  if (before.size === 1 && from === commit) {
    return l10n.t('{0} is already up to date with {1} ({2}).', name, branch, short(commit));
  }
  return from === undefined || before.size > 1
    ? l10n.t('{0}: deployed {1}.', name, short(commit))
    : l10n.t('{0}: deployed {2} (was {1}).', name, short(from), short(commit));
}

/** Whether the platform listed the nodes; otherwise, only the node that responded was checked. */
function areKnown(nodes: readonly NodeChange[]): boolean {
  return nodes.every(({ nodeId }) => nodeId !== undefined);
}

function unverified({ nodes, nodeId }: DeployRecord, name: string, { because, revision }: Of<'unverified'>): string {
  switch (because) {
    case 'subversion':
      return nodeId === undefined && areKnown(nodes)
        ? l10n.t('{0}: revision {1} is deployed, according to the log on every node.', name, revision ?? '')
        : l10n.t('{0}: revision {1} is deployed, according to the log on the node.', name, revision ?? '');
    case 'revisionUntold':
      return revision === undefined
        ? l10n.t("{0}: the platform reports success, but the logs on the nodes don't show the revision.", name)
        : l10n.t(
            "{0}: the platform reports success and revision {1}, but the logs on the nodes don't show the revision.",
            name,
            revision,
          );
    case 'folderUnknown':
      return l10n.t(
        "{0}: the platform reports success. No clone was found on the nodes, so Gantry couldn't check the commit.",
        name,
      );
    case 'unreadable': {
      const unread = nodes.find(({ unreadable }) => unreadable !== undefined);
      return l10n.t(
        "{0}: the platform reports success, but Gantry couldn't check the commit on {1}: {2}",
        name,
        unread?.name ?? '',
        unread?.unreadable ?? '',
      );
    }
  }
}

function contradicted({ nodes, branch = '' }: DeployRecord, name: string, verdict: Of<'contradicted'>): string {
  switch (verdict.because) {
    case 'noClone':
      return l10n.t("{0}: the platform reports success, but there's no clone in the project folder.", name);
    case 'nodesDiffer':
      return l10n.t('{0}: the platform reports success, but the nodes differ. {1}', name, onNodes(nodes));
    case 'behind':
      return l10n.t(
        '{0}: the platform reports success, but {1} is deployed ({2} behind {3}).',
        name,
        short(nodes[0]?.after ?? ''),
        String(verdict.behind ?? 0),
        branch,
      );
  }
}

function answerLost(record: DeployRecord, name: string, verdict: Of<'answerLost'>): string {
  const { nodes, branch = '' } = record;
  const { stands, moved, ended, behind = 0 } = verdict;
  return [
    l10n.t('{0}: the connection was lost before the platform confirmed the redeploy.', name),
    ...(stands === undefined ? [] : [onTheNodes(record, moved, short(stands))]),
    ...(stands === undefined || behind === 0
      ? []
      : [
          behind === 1
            ? l10n.t('One commit behind {0}.', branch)
            : l10n.t('{0} commits behind {1}.', String(behind), branch),
        ]),
    ended ? l10n.t('The deploy log is complete.') : l10n.t('The redeploy may still be running.'),
    ...(stands === undefined ? [onNodes(nodes)] : []),
  ]
    .join(' ')
    .trim();
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

/** The deployed commits before and after, for all nodes. */
function movement({ nodes }: DeployRecord): string {
  const [first] = nodes;
  const { before, after } = first ?? {};
  if (after === undefined) {
    return '';
  }
  return before === undefined || before === after ? short(after) : `${short(before)} → ${short(after)}`;
}

/** Each node with its commit; empty if there's only one node. */
function onNodes(nodes: readonly NodeChange[]): string {
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
