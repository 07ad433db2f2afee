import { l10n } from 'vscode';
import type { DeployRecord } from './deployRecord';
import { short } from './headLog';
import type { NodeChange, Verdict } from './verdict';

/** `doubt`: the platform's word alone, or not even that. */
export type Gravity = 'success' | 'doubt' | 'trouble';

export function gravityOf({ verdict }: DeployRecord): Gravity {
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
export function endingOf(record: DeployRecord): string {
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
  const sentences =
    verdict.kind === 'failed'
      ? [l10n.t('{0}: the redeploy failed.', name), log, verdict.sentence, onNodes(record.nodes)]
      : [toldOf(record, name, verdict), log];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function toldOf(record: DeployRecord, name: string, verdict: Exclude<Verdict, Of<'failed'>>): string {
  switch (verdict.kind) {
    case 'running':
      return l10n.t('{0}: the redeploy was started, and its end was not seen from here.', name);
    case 'deployed':
      return deployed(record, name, verdict.commit, verdict.behind);
    case 'unverified':
      return unverified(record, name, verdict);
    case 'contradicted':
      return contradicted(record, name, verdict);
    case 'answerLost':
      return answerLost(record, name, verdict);
  }
}

type Of<K extends Verdict['kind']> = Extract<Verdict, { kind: K }>;

function deployed({ nodes, branch = '' }: DeployRecord, name: string, commit: string, behind?: number): string {
  const before = new Set(nodes.map((node) => node.before));
  const [from] = before;
  const pinned =
    behind === undefined
      ? ''
      : ` ${l10n.t('The project is pinned to a commit, {0} behind {1}.', String(behind), branch)}`;
  if (nodes.some(({ nodeId }) => nodeId === undefined)) {
    return (
      l10n.t(
        '{0}: {1} is deployed on the node that answered. Which nodes the layer has is not known.',
        name,
        short(commit),
      ) + pinned
    );
  }
  if (before.size === 1 && from === commit) {
    return l10n.t('{0}: nothing new came from {1}, {2} is still deployed.', name, branch, short(commit)) + pinned;
  }
  return from === undefined || before.size > 1
    ? l10n.t('{0}: {1} is deployed.', name, short(commit)) + pinned
    : l10n.t('{0}: {1} → {2} is deployed.', name, short(from), short(commit)) + pinned;
}

function unverified({ nodes }: DeployRecord, name: string, { because, revision }: Of<'unverified'>): string {
  switch (because) {
    case 'subversion':
      return l10n.t('{0}: revision {1} is deployed, as the log on every node says.', name, revision ?? '');
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

function answerLost({ nodes, branch = '' }: DeployRecord, name: string, verdict: Of<'answerLost'>): string {
  const { stands, moved, ended, behind } = verdict;
  const log = ended ? l10n.t('Its log has ended.') : l10n.t('Whether it has ended is not known.');
  if (stands === undefined) {
    return [l10n.t("{0}: the platform's answer was lost. {1}", name, log), onNodes(nodes)].join(' ').trim();
  }
  const commit = short(stands);
  if (behind !== undefined && behind > 0) {
    return l10n.t(
      "{0}: the platform's answer was lost. {1} stands there, {2} commits behind {3}. {4}",
      name,
      commit,
      String(behind),
      branch,
      log,
    );
  }
  return moved
    ? l10n.t("{0}: the platform's answer was lost. {1} stands on every node now. {2}", name, commit, log)
    : l10n.t("{0}: the platform's answer was lost. {1} stands there as before. {2}", name, commit, log);
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
