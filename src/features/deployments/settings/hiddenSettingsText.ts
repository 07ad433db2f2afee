import { isDeepStrictEqual } from 'node:util';
import { l10n } from 'vscode';
import { editedHooks, hookNames, type Hooks, type HooksOnNode, sameHooks } from './hooks';
import { fieldLabel, type FieldName, fieldValue, type ProjectFields } from './projectFields';
import type { CurrentSettings } from './projectOperations';
import { digestsOf } from './writeOnlySettings';
import { reasonText } from '../../../ui/failureMessages';
import { formatDate } from '../../../ui/relativeTime';

interface Edit {
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
}

/** Says in a line each what is sent with the changes, unless nothing changes by it, and what may be lost. */
export function resentLines(change: Edit, current: CurrentSettings): readonly string[] {
  return [...resentHookLines(change, current), ...keyLines(change, current), ...delayLines(change, current)];
}

function keyLines({ base, fields: { keyId } }: Edit, { kept, settings: { hash = '' } }: CurrentSettings) {
  if (keyId !== undefined) {
    // If the platform shows the digest of the key that was entered here, it's the same key.
    return base.keyId === keyId && (hash === '' || hash !== kept?.keyHash)
      ? [enteredLine('keyId', String(keyId), kept?.enteredAt.keyId)]
      : [];
  }
  return kept === undefined || base.keyId !== undefined || hash === '' ? [] : [lossLine(fieldLabel('keyId'))];
}

function delayLines({ base, fields }: Edit, { kept }: CurrentSettings): readonly string[] {
  return fields.delay === undefined || base.delay !== fields.delay
    ? []
    : [enteredLine('delay', fieldValue('delay', fields), kept?.enteredAt.delay)];
}

/** What is sent again can't be compared with the platform's. */
function enteredLine(name: FieldName, value: string, enteredAt = 0): string {
  return l10n.t('{0}: {1}, as entered here on {2}', fieldLabel(name), value, formatDate(enteredAt));
}

/** @param what the names of settings */
function lossLine(...what: readonly string[]): string {
  return l10n.t(
    "Gantry can't read the following, so it may be removed: {0}. To keep it, enter it in the project settings first.",
    what.join(', '),
  );
}

export function resentHooksOf({ base, fields }: Pick<Edit, 'base' | 'fields'>): Hooks {
  const edited = editedHooks(base.hooks, fields.hooks);
  const scripts = hookNames.flatMap((hook) => {
    const script = fields.hooks?.[hook] ?? '';
    return script === '' || edited.includes(hook) ? [] : [[hook, script] as const];
  });
  return Object.fromEntries(scripts);
}

function resentHookLines(change: Edit, current: CurrentSettings): readonly string[] {
  const { base, fields } = change;
  const { kept, onNode, uncompared } = current;
  const { hooks } = fields;
  if (hooks === undefined) {
    // Before the first change, the warnings say so.
    return uncompared === undefined || onNode !== undefined || kept === undefined
      ? []
      : [unreadHooksLine(reasonText(uncompared))];
  }
  const isEdited = editedHooks(base.hooks, hooks).length > 0;
  if (!isEdited && onNode !== undefined && areThere(change, current)) {
    return [l10n.t('Hooks: kept as they are on {0}', onNode.node), ...laterHooksLines(current)];
  }
  const isResent = !isEdited || Object.keys(resentHooksOf(change)).length > 0;
  return [
    ...(isResent ? [sentHooksLine(change, current)] : []),
    ...uncomparedHooksLines(base, current),
    ...laterHooksLines(current),
  ];
}

/** A platform may write the files of hooks only with an Update, so they may not have what someone has saved since. */
function laterHooksLines({ kept, onNode, uncompared }: CurrentSettings): readonly string[] {
  const isCompared = uncompared === undefined && onNode?.scripts !== undefined;
  return isCompared && kept?.areHooksWrittenAtOnce !== true ? [laterHooksText()] : [];
}

/** One of the lines that `resentLines` returns, about which a person may want to do something first. */
export function laterHooksText(): string {
  return l10n.t(
    'Hooks saved elsewhere since the last deployment may be lost: to keep them, enter them in the project settings first',
  );
}

/** Whether the node has exactly these hooks, and someone else didn't change them. */
function areThere({ base, fields: { hooks } }: Edit, { kept, onNode, uncompared }: CurrentSettings): boolean {
  const isOthers = kept?.enteredAt.hooks !== undefined && !isDeepStrictEqual(kept.hooksSent, digestsOf(base.hooks));
  const isSame = uncompared === undefined && onNode?.scripts !== undefined && sameHooks(onNode.scripts, hooks);
  return isSame && !isOthers && !sameHooks(hooks);
}

/** Says why the hooks that are sent couldn't be compared. */
function uncomparedHooksLines(base: ProjectFields, { onNode, uncompared, areHooksMissing }: CurrentSettings) {
  const obstacle = uncompared === undefined ? noFolder(onNode) : reasonText(uncompared);
  if (obstacle === undefined) {
    return [];
  }
  return areHooksMissing && base.hooks === undefined
    ? [lossLine(l10n.t('other hooks ({0})', obstacle))]
    : [l10n.t("Hooks: couldn't be compared with the platform's ({0})", obstacle)];
}

function sentHooksLine({ base, fields }: Edit, { kept, onNode }: CurrentSettings): string {
  const wereSent = isDeepStrictEqual(kept?.hooksSent, digestsOf(base.hooks));
  const sentAt = kept?.enteredAt.hooks;
  const enteredAt = wereSent ? sentAt : undefined;
  if (sameHooks(fields.hooks)) {
    return l10n.t('Hooks: removed, as you did here on {0}', formatDate(enteredAt ?? 0));
  }
  if (enteredAt !== undefined) {
    return l10n.t('Hooks: as entered here on {0}', formatDate(enteredAt));
  }
  if (onNode?.scripts === undefined || !sameHooks(onNode.scripts, base.hooks)) {
    return l10n.t('Hooks: as Gantry read them earlier');
  }
  return sentAt === undefined
    ? l10n.t('Other hooks: kept as they are on {0}', onNode.node)
    : l10n.t(
        'Hooks: kept as they are on {0}, where someone else changed yours from {1}',
        onNode.node,
        formatDate(sentAt),
      );
}

/** Without a folder, there may be no hooks, or the platform keeps them elsewhere. */
function noFolder(onNode: HooksOnNode | undefined): string | undefined {
  return onNode !== undefined && onNode.scripts === undefined
    ? l10n.t('{0} has no folder for hooks', onNode.node)
    : undefined;
}

/** If hooks can't be read before the first change, the warnings say so; later, it's said with what is resent. */
export function leftOutLines({ fields }: Edit, current: CurrentSettings): readonly string[] {
  const { kept, onNode } = current;
  const obstacle = noFolder(onNode);
  const { hooks, hooksSent = {}, enteredAt } = kept ?? {};
  if (fields.hooks !== undefined || onNode === undefined) {
    return [];
  }
  if (hooks === undefined && Object.keys(hooksSent).length > 0) {
    return [ownHooksGoneLine(onNode.node, enteredAt?.hooks)];
  }
  if (kept === undefined && obstacle !== undefined) {
    return [];
  }
  return obstacle === undefined
    ? [l10n.t('Hooks: none, as on {0}', onNode.node), ...laterHooksLines(current)]
    : [unreadHooksLine(obstacle)];
}

/** The container may be a new one, or someone removed the files. */
function ownHooksGoneLine(node: string, enteredAt: number | undefined): string {
  return unreadHooksLine(
    enteredAt === undefined
      ? l10n.t('those that you sent are gone from {0}', node)
      : l10n.t('those that you entered here on {0} are gone from {1}', formatDate(enteredAt), node),
  );
}

function unreadHooksLine(why: string): string {
  return lossLine(`${fieldLabel('hooks')} (${why})`);
}

/** What may be lost of the settings that the platform never shows. */
export function lossesOf(
  { settings: { hash = '' }, onNode }: CurrentSettings,
  { hooks, delay, keyId }: ProjectFields,
): readonly string[] {
  const lost = [
    ...(hooks === undefined && onNode?.scripts === undefined ? [fieldLabel('hooks')] : []),
    ...(hash === '' || keyId !== undefined ? [] : [fieldLabel('keyId')]),
    ...(delay === undefined ? [fieldLabel('delay')] : []),
  ];
  return lost.length === 0 ? [] : [lossLine(...lost)];
}
