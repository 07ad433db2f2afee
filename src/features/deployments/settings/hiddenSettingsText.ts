import { isDeepStrictEqual } from 'node:util';
import { l10n } from 'vscode';
import { editedHooks, hookNames, type Hooks, type HooksOnNode, sameHooks } from './hooks';
import { fieldValue, type ProjectFields } from './projectFields';
import type { CurrentSettings } from './projectOperations';
import { digestsOf } from './writeOnlySettings';
import { reasonText } from '../../../ui/failureMessages';
import { formatDate } from '../../../ui/relativeTime';

interface Edit {
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
}

/** Says what is sent with the changes, since when, and what of it couldn't be compared with the platform's. */
export function resentLines(change: Edit, current: CurrentSettings): readonly string[] {
  return [...resentHookLines(change, current), ...keyLines(change, current), ...delayLines(change, current)];
}

function keyLines({ base, fields: { keyId } }: Edit, { kept, settings: { hash = '' } }: CurrentSettings) {
  if (keyId !== undefined) {
    return base.keyId === keyId ? [sentKeyLine(keyId, kept?.enteredAt.keyId, hash !== '')] : [];
  }
  if (kept === undefined || base.keyId !== undefined || hash === '') {
    return [];
  }
  return [
    kept.keyId === undefined
      ? l10n.t(
          "This project has an SSH key. Gantry can't read its ID, so this change may clear it. To keep it, enter its ID in the settings first.",
        )
      : l10n.t(
          "Someone else set another SSH key. Gantry can't read its ID, so this change may clear it. To keep it, enter its ID in the settings first.",
        ),
  ];
}

function sentKeyLine(keyId: number, enteredAt = 0, isCompared: boolean): string {
  const key = [String(keyId), formatDate(enteredAt)] as const;
  return isCompared
    ? l10n.t('Gantry also sends the ID of the SSH key ({0}) that you entered here on {1}.', ...key)
    : l10n.t(
        "Gantry also sends the ID of the SSH key ({0}) that you entered here on {1}, and can't compare it with the platform's.",
        ...key,
      );
}

function delayLines({ base, fields }: Edit, { kept }: CurrentSettings): readonly string[] {
  return fields.delay === undefined || base.delay !== fields.delay
    ? []
    : [
        l10n.t(
          "Gantry also sends the delay between node restarts ({0}) that you entered here on {1}, and can't compare it with the platform's.",
          fieldValue('delay', fields),
          formatDate(kept?.enteredAt.delay ?? 0),
        ),
      ];
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
    return [
      l10n.t(
        'The hooks stay as they are on {0}. This replaces hooks that someone entered elsewhere since the last deployment.',
        onNode.node,
      ),
    ];
  }
  const isResent = !isEdited || Object.keys(resentHooksOf(change)).length > 0;
  const compared = comparedHooksLine(base, current);
  return [...(isResent ? [sentHooksLine(change, current)] : []), ...(compared === undefined ? [] : [compared])];
}

/** Whether the node has exactly these hooks, and someone else didn't change them. */
function areThere({ base, fields: { hooks } }: Edit, { kept, onNode, uncompared }: CurrentSettings): boolean {
  const isOthers = kept?.enteredAt.hooks !== undefined && !isDeepStrictEqual(kept.hooksSent, digestsOf(base.hooks));
  const isSame = uncompared === undefined && onNode?.scripts !== undefined && sameHooks(onNode.scripts, hooks);
  return isSame && !isOthers && !sameHooks(hooks);
}

/** Says what the hooks that are sent were compared with, or why they couldn't be compared. */
function comparedHooksLine(base: ProjectFields, current: CurrentSettings): string | undefined {
  const { onNode, uncompared, areHooksMissing } = current;
  const obstacle = uncompared === undefined ? noFolder(onNode) : reasonText(uncompared);
  if (obstacle === undefined) {
    return comparedWith(onNode);
  }
  return areHooksMissing && base.hooks === undefined
    ? l10n.t("Gantry couldn't read the project's other hooks, so this change may clear them: {0}.", obstacle)
    : l10n.t("Gantry couldn't compare the hooks with the platform's: {0}.", obstacle);
}

function sentHooksLine({ base, fields }: Edit, { kept, onNode }: CurrentSettings): string {
  const wereSent = isDeepStrictEqual(kept?.hooksSent, digestsOf(base.hooks));
  const sentAt = kept?.enteredAt.hooks;
  const enteredAt = wereSent ? sentAt : undefined;
  if (sameHooks(fields.hooks)) {
    return l10n.t('Gantry also removes all hooks, as you did here on {0}.', formatDate(enteredAt ?? 0));
  }
  if (enteredAt !== undefined) {
    return l10n.t('Gantry also sends the hooks that you entered here on {0}.', formatDate(enteredAt));
  }
  if (onNode?.scripts === undefined || !sameHooks(onNode.scripts, base.hooks)) {
    return l10n.t('Gantry also sends the hooks that it read earlier.');
  }
  return sentAt === undefined
    ? l10n.t('Gantry also sends the hooks that it read from {0}.', onNode.node)
    : l10n.t(
        'Someone else changed the hooks that you entered here on {0}. Gantry also sends the current ones, which it read from {1}.',
        formatDate(sentAt),
        onNode.node,
      );
}

/** Without a folder, there may be no hooks, or the platform keeps them elsewhere. */
function noFolder(onNode: HooksOnNode | undefined): string | undefined {
  return onNode !== undefined && onNode.scripts === undefined
    ? l10n.t('{0} has no folder for hooks', onNode.node)
    : undefined;
}

/** Some platforms write the files of hooks only with an Update. */
function comparedWith(onNode: HooksOnNode | undefined): string | undefined {
  return (
    onNode &&
    l10n.t(
      'Gantry compared the hooks with the files on {0}, which may not have changes made since the last deployment.',
      onNode.node,
    )
  );
}

/** If hooks can't be read before the first change, the warnings say so; later, it's said with what is resent. */
export function leftOutLines({ fields }: Edit, { kept, onNode }: CurrentSettings): readonly string[] {
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
    ? [
        l10n.t(
          'Gantry found no hooks on {0}, so none are sent. This removes hooks that someone entered since the last deployment. To keep them, enter them in the project settings first. Otherwise, nothing is lost.',
          onNode.node,
        ),
      ]
    : [unreadHooksLine(obstacle)];
}

/** The container may be a new one, or someone removed the files. */
function ownHooksGoneLine(node: string, enteredAt: number | undefined): string {
  return enteredAt === undefined
    ? l10n.t(
        'The hooks that were sent from here are gone from {0}, and Gantry no longer has their text. This change sends no hooks, so it may clear them. To keep them, cancel, and enter them again.',
        node,
      )
    : l10n.t(
        'The hooks that you entered here on {0} are gone from {1}, and Gantry no longer has their text. This change sends no hooks, so it may clear them. To keep them, cancel, and enter them again.',
        formatDate(enteredAt),
        node,
      );
}

function unreadHooksLine(why: string): string {
  return l10n.t(
    "Gantry couldn't read the project's hooks, so none are sent: {0}. This removes hooks that someone else entered. To keep them, enter them in the project settings first. Otherwise, nothing is lost.",
    why,
  );
}

/** What may be lost of the settings that the platform never shows. */
export function lossesOf(
  { settings: { hash = '' }, onNode }: CurrentSettings,
  fields: ProjectFields,
): readonly string[] {
  const { keyId, delay } = fields;
  const areHooksKnown = fields.hooks !== undefined || onNode?.scripts !== undefined;
  const hidden = !areHooksKnown
    ? delay === undefined
      ? l10n.t(
          "This removes the project's hooks and its delay between node restarts, if it has any, because Gantry can't read them. To keep them, enter them in the project settings first. Otherwise, nothing is lost.",
        )
      : l10n.t(
          "This removes the project's hooks, if it has any, because Gantry can't read them. To keep them, enter them in the project settings first. Otherwise, nothing is lost.",
        )
    : l10n.t(
        "This removes the project's delay between node restarts, if it was set in the dashboard or on another computer, because the platform doesn't return it. To keep it, enter it in the project settings first. Otherwise, nothing is lost.",
      );
  const key = l10n.t(
    "This removes the project's SSH key, too. To keep it, enter its ID in the project settings first.",
  );
  return [
    ...(!areHooksKnown || delay === undefined ? [hidden] : []),
    ...(hash === '' || keyId !== undefined ? [] : [key]),
  ];
}
