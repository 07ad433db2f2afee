import { l10n } from 'vscode';
import { mayHaveHappened } from '../../platform/changeOnce';
import { isCanceled } from '../../platform/errors';
import { reasonText } from '../../ui/failureMessages';
import type { NodeResult, SaveOutcome } from './saveFile';
import type { NodeVersion } from './serverFiles';

/** The outcome of a save that failed, or that couldn't be confirmed. */
export type Unsaved = Exclude<SaveOutcome, { readonly kind: 'saved' }>;

/** What the save was for. */
type Work = 'saved' | 'replaced' | 'restored';

const failed: Readonly<Record<Work, (file: string, why: string) => string>> = {
  saved: (file, why) => l10n.t("Couldn't save {0}: {1}.", file, why),
  replaced: (file, why) => l10n.t("Couldn't replace text in {0}: {1}.", file, why),
  restored: (file, why) => l10n.t("Couldn't restore {0}: {1}.", file, why),
};

/** For a change that may have been made, although nothing confirms it. */
const unconfirmed: typeof failed = {
  saved: (file, why) => l10n.t("Couldn't confirm that {0} was saved: {1}.", file, why),
  replaced: (file, why) => l10n.t("Couldn't confirm that text was replaced in {0}: {1}.", file, why),
  restored: (file, why) => l10n.t("Couldn't confirm that {0} was restored: {1}.", file, why),
};

/** Says what happened, as a sentence, and what to do next, if there's something. */
export function outcomeText(outcome: Unsaved, file: string, work: Work, next = adviceFor(outcome)): string {
  const texts = isUnconfirmed(outcome) ? unconfirmed : failed;
  return `${texts[work](file, outcomeReason(outcome))} ${next}`.trim();
}

/** Says the same in a line of a list. */
export function outcomeLine(outcome: Unsaved): string {
  const reason = outcomeReason(outcome);
  return isUnconfirmed(outcome) ? l10n.t("couldn't confirm the change: {0}", reason) : reason;
}

/** Whether the text may be there, or may still arrive. */
function isUnconfirmed(outcome: Unsaved): boolean {
  return outcome.kind === 'unknown' || ('cause' in outcome && mayHaveHappened(outcome.cause));
}

/** Without a period, to follow a colon. */
function outcomeReason(outcome: Unsaved): string {
  switch (outcome.kind) {
    case 'conflict':
      return l10n.t('it changed in the meantime, so nothing was written');
    case 'failed':
      return outcome.cause === undefined
        ? l10n.t("the platform reported success, but the file didn't change")
        : causeText(outcome.cause);
    case 'incomplete': {
      const nodes = nodesText(outcome.nodes);
      return outcome.cause === undefined ? nodes : l10n.t('{0} ({1})', nodes, causeText(outcome.cause));
    }
    case 'unknown':
      return causeText(outcome.cause);
  }
}

function causeText(cause: unknown): string {
  return isCanceled(cause) ? l10n.t('you stopped waiting for the platform') : reasonText(cause);
}

/** Says which nodes have the text, and what the others have. */
function nodesText(nodes: readonly NodeResult[]): string {
  const texts: Readonly<Record<NodeResult['state'], (where: string) => string>> = {
    saved: (where) => l10n.t('saved on {0}', where),
    unchanged: (where) => l10n.t('not changed on {0}', where),
    other: (where) => l10n.t('other content on {0}', where),
  };
  return (['saved', 'unchanged', 'other'] as const)
    .map((wanted) => ({ text: texts[wanted], some: nodes.filter(({ state }) => state === wanted) }))
    .flatMap(({ text, some }) => (some.length > 0 ? [text(nodeNames(some))] : []))
    .join(', ');
}

function adviceFor(outcome: Unsaved): string {
  switch (outcome.kind) {
    case 'conflict':
      return l10n.t('Check the file, then try again.');
    case 'failed':
      if (mayHaveHappened(outcome.cause)) {
        return l10n.t('Check the file.');
      }
      return outcome.cause === undefined ? l10n.t('Try again.') : '';
    case 'incomplete':
    case 'unknown':
      return l10n.t('Check the file.');
  }
}

const mostNodes = 4;

export function nodeNames(nodes: readonly NodeVersion[]): string {
  const names = nodes
    .slice(0, mostNodes)
    .map(({ node }) => l10n.t('node {0}', String(node.target.nodeId ?? node.target.nodeGroup)))
    .join(', ');
  const more = nodes.length - mostNodes;
  return more > 0 ? l10n.t('{0} and {1} more', names, more) : names;
}
