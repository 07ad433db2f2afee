import { l10n } from 'vscode';
import type { DeployRecord } from '../history/deployRecord';
import { short } from '../deployedState/gitHeadLog';
import { pinnedWords } from '../projectText';
import { type NodeChange, commitsOnNodes, type RedeployResult } from './redeployResult';

/** `doubt`: the platform's word alone, or not even that. */
export type Severity = 'success' | 'doubt' | 'trouble';

export function severityOf({ verdict }: DeployRecord): Severity {
  switch (verdict.kind) {
    case 'deployed':
      return 'success';
    case 'unverified':
      return verdict.because === 'subversion' && verdict.revision !== undefined ? 'success' : 'doubt';
    case 'running':
    case 'answerLost':
      return 'doubt';
    case 'contradicted':
    case 'failed':
      return 'trouble';
  }
}

/** How a redeploy ended, in a few words for a row. */
export function redeployResultText(record: DeployRecord): string {
  const ending = endingWords(record);
  return record.nodeId === undefined ? ending : l10n.t('{0}, node {1} only', ending, String(record.nodeId));
}

function endingWords(record: DeployRecord): string {
  const { verdict } = record;
  switch (verdict.kind) {
    case 'running':
      return l10n.t('end not known');
    case 'deployed':
      return movement(record);
    case 'unverified':
      return verdict.because === 'subversion' && verdict.revision !== undefined
        ? l10n.t('revision {0}', verdict.revision)
        : l10n.t('not verified');
    case 'contradicted':
      return l10n.t('not deployed, against what the platform says');
    case 'failed':
      return l10n.t('failed');
    case 'answerLost':
      return verdict.stands === undefined
        ? l10n.t('answer lost')
        : l10n.t('answer lost, at {0}', short(verdict.stands));
  }
}

/** What is to be told of a redeploy, in whole sentences. Of a failure its log tells more than the platform does. */
export function sentencesOf(record: DeployRecord, log = ''): string {
  const name = `${record.context} · ${record.environment}`;
  const { verdict } = record;
  const told =
    verdict.kind === 'failed'
      ? [failed(record, name), log, verdict.sentence, onNodes(record.nodes)]
      : [toldOf(record, name, verdict), pinned(record), log];
  return [...told, onlyNode(record)].filter((sentence) => sentence !== '').join(' ');
}

function failed({ isFirst }: DeployRecord, name: string): string {
  return isFirst === true ? l10n.t('{0}: the deployment failed.', name) : l10n.t('{0}: the redeploy failed.', name);
}

/** What is said of the nodes says nothing of those that were left out. */
function onlyNode({ nodeId }: DeployRecord): string {
  return nodeId === undefined ? '' : l10n.t('This redeploy was for node {0} only.', String(nodeId));
}

const hash = /^[0-9a-f]{7,64}$/i;

/** A pinned project does not follow its branch; whether the platform heeds the commit, the nodes say. */
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
        "The project is pinned to {0}, so newer commits aren't deployed: it is {1} behind {2}.",
        short(pinnedTo),
        String(behind),
        branch,
      );
}

function toldOf(record: DeployRecord, name: string, verdict: Exclude<RedeployResult, Of<'failed'>>): string {
  switch (verdict.kind) {
    case 'running':
      return record.isFirst === true
        ? l10n.t('{0}: the deployment was started, and its end was not seen from here.', name)
        : l10n.t('{0}: the redeploy was started, and its end was not seen from here.', name);
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

type Of<K extends RedeployResult['kind']> = Extract<RedeployResult, { kind: K }>;

function deployed({ nodes, branch = '' }: DeployRecord, name: string, commit: string): string {
  const before = new Set(nodes.map((node) => node.before));
  const [from] = before;
  if (!areKnown(nodes)) {
    return l10n.t(
      '{0}: {1} is deployed on the node that answered. Which nodes the layer has is not known.',
      name,
      short(commit),
    );
  }
  if (before.size === 1 && from === commit) {
    return l10n.t('{0}: nothing new came from {1}, {2} is still deployed.', name, branch, short(commit));
  }
  return from === undefined || before.size > 1
    ? l10n.t('{0}: {1} is deployed.', name, short(commit))
    : l10n.t('{0}: {1} → {2} is deployed.', name, short(from), short(commit));
}

/** Whether the platform listed the nodes: else whichever of them answered was looked at. */
function areKnown(nodes: readonly NodeChange[]): boolean {
  return nodes.every(({ nodeId }) => nodeId !== undefined);
}

function unverified({ nodes, nodeId }: DeployRecord, name: string, { because, revision }: Of<'unverified'>): string {
  switch (because) {
    case 'subversion':
      return nodeId === undefined && areKnown(nodes)
        ? l10n.t('{0}: revision {1} is deployed, as the log on every node says.', name, revision ?? '')
        : l10n.t('{0}: revision {1} is deployed, as the log on the node says.', name, revision ?? '');
    case 'revisionUntold':
      return revision === undefined
        ? l10n.t('{0}: the platform reports success, but the logs on the nodes do not tell the revision.', name)
        : l10n.t(
            "{0}: the platform reports success, and its log revision {1}, but the nodes' own logs do not tell it.",
            name,
            revision,
          );
    case 'folderUnknown':
      return l10n.t(
        '{0}: the platform reports success. No clone was found on the nodes, so the commit could not be checked.',
        name,
      );
    case 'unreadable': {
      const unread = nodes.find(({ unreadable }) => unreadable !== undefined);
      return l10n.t(
        '{0}: the platform reports success, but what is deployed on {1} could not be checked: {2}',
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
      return l10n.t('{0}: the platform reports success, but there is no clone where the project lies.', name);
    case 'nodesDiffer':
      return l10n.t('{0}: the platform reports success, but the nodes differ. {1}', name, onNodes(nodes));
    case 'behind':
      return l10n.t(
        '{0}: the platform reports success, but {1} is deployed, {2} commits behind {3}.',
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
    l10n.t("{0}: the platform's answer was lost.", name),
    ...(stands === undefined ? [] : [moved ? nowRun(record, short(stands)) : stillRun(record, short(stands))]),
    ...(stands === undefined || behind === 0 ? [] : [l10n.t('That is {0} behind {1}.', String(behind), branch)]),
    ended ? l10n.t('Its log has ended.') : l10n.t('Whether it has ended is not known.'),
    ...(stands === undefined ? [onNodes(nodes)] : []),
  ]
    .join(' ')
    .trim();
}

function nowRun({ nodes, nodeId }: DeployRecord, commit: string): string {
  if (nodeId !== undefined) {
    return l10n.t('Node {0} now runs {1}.', String(nodeId), commit);
  }
  return areKnown(nodes)
    ? l10n.t('All nodes now run {0}.', commit)
    : l10n.t('The node that answered now runs {0}.', commit);
}

function stillRun({ nodes, nodeId }: DeployRecord, commit: string): string {
  if (nodeId !== undefined) {
    return l10n.t('Node {0} still runs {1}.', String(nodeId), commit);
  }
  return areKnown(nodes)
    ? l10n.t('All nodes still run {0}.', commit)
    : l10n.t('The node that answered still runs {0}.', commit);
}

/** From which commit to which, on the nodes together. */
function movement({ nodes }: DeployRecord): string {
  const [first] = nodes;
  const { before, after } = first ?? {};
  if (after === undefined) {
    return '';
  }
  return before === undefined || before === after ? short(after) : `${short(before)} → ${short(after)}`;
}

/** Each node with what stands on it; nothing where there is no node to tell apart. */
function onNodes(nodes: readonly NodeChange[]): string {
  return nodes
    .flatMap(({ name, before, after, unreadable }) => {
      if (unreadable !== undefined) {
        return l10n.t('{0} could not be looked at.', name);
      }
      if (after === undefined) {
        return [];
      }
      return after === before
        ? l10n.t('{0} still has {1}.', name, short(after))
        : l10n.t('{0} has {1} now.', name, short(after));
    })
    .join(' ');
}
