import { l10n, window } from 'vscode';
import { leftOutLines, lossesOf, resentHooksOf, resentLines } from './hiddenSettingsText';
import { changedFields, fieldChange, fieldOrder, fieldsOf, hasEdits, notTaken, rebase } from './fieldChanges';
import { differingHooks, editedHooks, hookLabels, type HookName, type Hooks, hooksText } from './hooks';
import { type FieldName, fieldLabel, fieldValue, type ProjectFields } from './projectFields';
import type { ProjectPlace } from '../projectPlace';
import { isHashLike } from '../commits';
import type { Project } from '../projects';
import { takeProject } from '../projectLock';
import type { DeploymentParts } from '../parts';
import { ensureHooksAreSent, fieldsNow, NothingSent } from './projectOperations';
import { confirm, type OtherButtons, showWarningMessage } from '../../../ui/notifications';
import { withCancelableRead, withProgress } from '../../../ui/progress';
import type { ShownTexts } from '../../../ui/shownTexts';

/** A change of settings: what the user saw, and the new values. */
interface SettingsChange {
  readonly place: ProjectPlace;
  readonly base: ProjectFields;
  readonly fields: ProjectFields;
  readonly areHooksCompared?: boolean;
}

/** A change that was compared with the settings that the platform has now. */
export interface CheckedSettingsChange extends SettingsChange {
  /** What may be lost of the settings that the platform never shows. Shown before the first change. */
  readonly warnings: readonly string[];
  /** What is sent with the changes, because the platform would lose it, and what of it couldn't be compared. */
  readonly resent: readonly string[];
  /** Says that no hooks are sent, and what was compared with that. */
  readonly leftOut: readonly string[];
  readonly resentHooks: Hooks;
}

export function currentSettings(
  place: ProjectPlace,
  { projectOperations }: Pick<DeploymentParts, 'projectOperations'>,
) {
  return withCancelableRead(l10n.t('Checking settings of {0}', place.context), (signal) =>
    projectOperations.current(place, { signal }),
  );
}

/**
 * Asks the platform for the current settings. If another person changed the project, the user sees what, and decides.
 * Returns `undefined` if the user cancels.
 */
export async function checkSettingsChange(
  { place, base, fields }: SettingsChange,
  deps: DeploymentParts,
): Promise<CheckedSettingsChange | undefined> {
  const current = await currentSettings(place, deps);
  const now = fieldsNow(current, base);
  const rebased = rebase(base, fields, now);
  ensureHooksAreSent(current, rebased);
  // Hooks that were never known here aren't a change, but they may be in the way of one.
  const areHooksNews = base.hooks !== undefined || hooksInTheWay({ base, fields }, now).length > 0;
  // If both made the same change, there is nothing to decide.
  const theirs = changedFields(base, now).filter(
    (name) => changedFields(fields, now).includes(name) && (name !== 'hooks' || areHooksNews),
  );
  if (theirs.length > 0 && !(await takeOver({ base, fields }, now, theirs))) {
    return undefined;
  }
  const change = { place, base: now, fields: rebased };
  await ensureBranch(change, deps);
  const isEdited = hasEdits(now, rebased);
  return {
    ...change,
    areHooksCompared: current.uncompared === undefined,
    warnings: current.kept === undefined ? lossesOf(current, rebased) : [],
    resent: isEdited ? resentLines(change, current) : [],
    leftOut: isEdited ? leftOutLines(change, current) : [],
    resentHooks: resentHooksOf(change),
  };
}

/**
 * Throws if the new branch is a commit or a tag, as far as that can be seen, and a node has a clone: once it's
 * checked out, no later redeploy can pull, even with a branch.
 */
async function ensureBranch(
  { place, base, fields }: SettingsChange,
  { inspector, repositories }: Pick<DeploymentParts, 'inspector' | 'repositories'>,
): Promise<void> {
  const { branch } = fields;
  if (fields.type === 'SVN' || branch === base.branch) {
    return;
  }
  await repositories.ready;
  const repository = repositories.withAddress(fields.url);
  if ((await repository?.isBranch(fields)) === true) {
    return;
  }
  const isCommit = (await repository?.commit(branch)) !== undefined;
  const looksLikeCommit = isHashLike(branch) && /\d/.test(branch);
  const isKnownOnNode = async () => (await inspector.branches({ place }, branch)).some(({ tip }) => tip !== undefined);
  const isSuspicious = isCommit || (looksLikeCommit && !(await isKnownOnNode()));
  const isForbidden = isSuspicious
    ? (await inspector.heads({ place })).some(({ head }) => head.kind === 'commit')
    : (await inspector.hashOfTag(place, branch)) !== undefined;
  if (isForbidden) {
    throw new NothingSent(
      'notSent',
      l10n.t(
        "{0} isn't a branch. With a commit or tag, later redeploys fail, so nothing was sent. Enter a branch, or use Roll Back. If it is a branch, fetch it in an open clone, and try again.",
        branch,
      ),
    );
  }
}

/** The button that shows the hooks which are sent with the changes, in read-only editors. */
export function showHooksButton(
  { resent, resentHooks }: CheckedSettingsChange,
  { texts }: Pick<DeploymentParts, 'texts'>,
): OtherButtons {
  const shown = new Map(Object.entries(resentHooks).map(([hook, script]) => [`${hook}.sh`, script]));
  const show = () => showScripts(shown, texts);
  return new Map(resent.length === 0 || shown.size === 0 ? [] : [[l10n.t('Show Hooks'), show]]);
}

export async function showScripts(scripts: ReadonlyMap<string, string>, texts: ShownTexts): Promise<void> {
  for (const [name, script] of scripts) {
    await window.showTextDocument(texts.add(name, script), { preview: false });
  }
}

/** Sends the change when nothing else changes the project from here. Returns `undefined` if the user doesn't wait for that. */
export async function saveSettings(change: SettingsChange, deps: DeploymentParts): Promise<Project | undefined> {
  const held = await takeProject(change.place, 'settings', deps.lock);
  return held && sendSettings(change, deps).finally(() => held.dispose());
}

/**
 * Sends the change while the caller holds the project, and warns if the platform didn't take all of it. Throws
 * `NothingSent` if someone else changed the settings meanwhile.
 */
export async function sendSettings(
  { place, base, fields, areHooksCompared }: SettingsChange,
  deps: DeploymentParts,
): Promise<Project> {
  const project = await withProgress(l10n.t('Saving settings of {0}', place.context), ({ signal }) =>
    deps.projectOperations.edit(place, base, fields, { signal, areHooksCompared }),
  );
  const left = notTaken(fields, project.settings);
  const keyStays = base.keyId !== undefined && fields.keyId === undefined && (project.settings.hash ?? '') !== '';
  if (left.length > 0 || keyStays) {
    tellNotTaken(project, fields, keyStays ? [...left, 'keyId'] : left);
  }
  return project;
}

/** Formats each changed field as a line "old → new". */
export function changeLines(base: ProjectFields, fields: ProjectFields): readonly string[] {
  const changed = changedFields(base, fields);
  return fieldOrder.flatMap((name) => {
    if (name === 'hooks') {
      return hookLines(editedHooks(base.hooks, fields.hooks), base, fields);
    }
    return changed.includes(name)
      ? [`${fieldLabel(name)}: ${fieldValue(name, base)} → ${fieldValue(name, fields)}`]
      : [];
  });
}

function hookLines(hooks: readonly HookName[], base: ProjectFields, fields: ProjectFields): readonly string[] {
  return hooks.flatMap((hook) => [
    `${hookLabels[hook]}:`,
    ...scriptLines(base.hooks?.[hook] ?? '', fields.hooks?.[hook] ?? ''),
  ]);
}

/** The maximum number of script lines in a confirmation, and of those before the first difference. */
const mostLines = 12;
const mostAlike = 2;

/** The old lines, then the new ones, shortened for a long script, but never without the first difference. */
function scriptLines(before: string, after: string): readonly string[] {
  const lines = (script: string) => (script === '' ? [] : script.trimEnd().split('\n'));
  const [old, changed] = [lines(before), lines(after)];
  const isLong = Math.max(old.length, changed.length) > mostLines;
  // If one is the beginning of the other, they differ where it ends.
  const first = [...old, undefined].findIndex((line, index) => line !== changed[index]);
  const start = isLong ? Math.max(0, first - mostAlike) : 0;
  const side = (mark: string, all: readonly string[]): readonly string[] => {
    const more = all.length - start - mostLines;
    const shown = all.slice(start, start + mostLines).map((line) => `${mark} ${line}`);
    return [
      ...(start > 0 && all.length > 0 ? [`${mark} …`] : []),
      ...shown,
      ...(more > 0 ? [l10n.t('{0} … ({1} more)', mark, more)] : []),
    ];
  };
  return [...side('−', old), ...side('+', changed)];
}

/** Another person changed settings since the user saw them. */
async function takeOver(
  { base, fields }: Omit<SettingsChange, 'place'>,
  now: ProjectFields,
  theirs: readonly FieldName[],
): Promise<boolean> {
  const mine = changedFields(base, fields);
  const rows = theirs.flatMap((name) => {
    const row = fieldChange(name, base, now);
    if (name === 'hooks') {
      return theirHookLines(row, { base, fields }, now);
    }
    return [mine.includes(name) ? l10n.t('{0} (yours: {1})', row, fieldValue(name, fields)) : row];
  });
  const text = l10n.t('Someone else changed this project in the meantime. Save your changes anyway?');
  const explained = l10n.t('If you both changed the same setting, your value is used. All other changes are kept.');
  return confirm(text, [rows.join('\n'), explained], l10n.t('Save Anyway'));
}

function theirHookLines(
  row: string,
  { base, fields }: Omit<SettingsChange, 'place'>,
  now: ProjectFields,
): readonly string[] {
  const both = hooksInTheWay({ base, fields }, now);
  return [
    both.length === 0 ? row : l10n.t('{0} (also changed by you: {1})', row, hooksText(both)),
    ...hookLines(differingHooks(base.hooks, now.hooks), base, now),
  ];
}

/** The hooks of someone else that this change would replace with other scripts. */
function hooksInTheWay({ base, fields }: Omit<SettingsChange, 'place'>, now: ProjectFields): readonly HookName[] {
  const mine = editedHooks(base.hooks, fields.hooks);
  const differing = differingHooks(fields.hooks, now.hooks);
  return differingHooks(base.hooks, now.hooks).filter((hook) => mine.includes(hook) && differing.includes(hook));
}

function tellNotTaken({ place, settings }: Project, change: ProjectFields, names: readonly FieldName[]): void {
  const now = fieldsOf(place.context, settings, change);
  const rows = names.map((name) =>
    name === 'keyId'
      ? l10n.t('{0}: still set', fieldLabel(name))
      : l10n.t('{0}: {1} (yours: {2})', fieldLabel(name), fieldValue(name, now), fieldValue(name, change)),
  );
  void showWarningMessage(
    l10n.t("The platform didn't save all settings of {0}. Current values: {1}", place.context, rows.join(', ')),
  );
}
