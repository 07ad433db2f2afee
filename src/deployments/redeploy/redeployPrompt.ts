import { confirm } from '../../ui/notifications';
import { pickRow } from '../../ui/quickPick';
import { short } from '../deployedState/gitHeadLog';
import { commands, l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon, Uri, window } from 'vscode';
import { beforeEditUri, deletedUri } from '../nodeEdits/nodeEditDocuments';
import { nodeEditName, patched } from '../nodeEdits/savePatchPrompt';
import type { EditedFile } from '../nodeEdits/nodeEditsAtRisk';
import { hasSomethingToSay, missesSomething, type Preflight } from './redeployPreflight';
import { gitIsOff, pinnedWords } from '../projectText';
import { trustButton } from '../repositories/trustPrompt';
import { pinnedCommit } from '../projects';
import { isFirst, type Prepared, replacesFolder } from './redeployOperation';
import { changesOf, commitsOnNodes } from './redeployResult';
import { uriParts } from '../../containers/place';

/** The user's decisions before a redeploy. */
export interface Decision {
  /** Push the local commits first. */
  readonly push: boolean;
  /** Save the edits as a patch file first. */
  readonly keepPatch: boolean;
}

interface Row extends QuickPickItem {
  readonly decision?: Decision;
  readonly file?: EditedFile;
  /** What choosing the row does instead of a redeploy. */
  readonly run?: () => Thenable<unknown>;
}

const showDiff = { iconPath: new ThemeIcon('diff'), tooltip: l10n.t('Show Changes') };

/**
 * Asks before a redeploy, in one question: what it would miss or discard, if anything, and whether it's in production.
 * `undefined` cancels the redeploy.
 */
export async function askBeforeRedeploy(prepared: Prepared, preflight: Preflight): Promise<Decision | undefined> {
  if (!hasSomethingToSay(preflight)) {
    return (await confirmRedeploy(prepared, preflight)) ? { push: false, keepPatch: false } : undefined;
  }
  const pick = window.createQuickPick<Row>();
  const { settings } = prepared.project;
  const { branch = '' } = settings;
  const pinnedTo = pinnedCommit(settings);
  const title = isFirst(prepared) ? l10n.t('Deploy {0}', preflight.project) : l10n.t('Redeploy {0}', preflight.project);
  pick.title = preflight.production === undefined ? title : l10n.t('{0} (production)', title);
  pick.placeholder = [summaryOf(preflight), ...(pinnedTo === undefined ? [] : [pinnedWords(pinnedTo)])].join(' ');
  pick.items = [...continueChoices(preflight), ...localRows(preflight, branch), ...editRows(prepared, preflight)];
  pick.matchOnDescription = true;
  const chosen = await pickRow(
    pick,
    (row) => {
      if (row.file !== undefined) {
        void show(row);
        return undefined;
      }
      void row.run?.();
      return row.decision ?? 'cancel';
    },
    pick.onDidTriggerItemButton(({ item }) => void show(item)),
  );
  return chosen === 'cancel' ? undefined : chosen;
}

/** Asks before a redeploy by which nothing is missed or discarded, or by which the task accepts that. */
export function confirmRedeploy(prepared: Prepared, preflight: Preflight): Promise<boolean> {
  const first = isFirst(prepared);
  return confirm(
    first ? l10n.t('Deploy {0}?', preflight.project) : l10n.t('Redeploy {0}?', preflight.project),
    [
      preflight.production,
      [whatWillBeDeployed(prepared), whatIsDeployed(prepared)].join('\n'),
      howToUnpin(prepared),
      summaryOf(preflight),
      preflight.gitOff && gitIsOff(preflight.gitOff),
    ],
    first ? l10n.t('Deploy') : l10n.t('Redeploy'),
    trustButton(preflight.gitOff),
  );
}

function whatWillBeDeployed({ project, before }: Prepared): string {
  const { branch = '', type } = project.settings;
  const pinnedTo = pinnedCommit(project.settings);
  const what =
    pinnedTo !== undefined
      ? l10n.t('the pinned commit {0}', short(pinnedTo))
      : type === 'SVN'
        ? l10n.t('the newest revision')
        : l10n.t('the newest commit of {0}', branch);
  const [only] = before;
  return before.length === 1 && only !== undefined
    ? l10n.t('This deploys {0} to {1}.', what, only.node.name)
    : l10n.t('This deploys {0} to all {1} nodes.', what, String(before.length));
}

function howToUnpin({ project }: Prepared): string | undefined {
  return pinnedCommit(project.settings) === undefined
    ? undefined
    : l10n.t('To deploy newer commits, cancel and use Deploy Newest Commit.');
}

function whatIsDeployed(prepared: Prepared): string {
  const { project, before } = prepared;
  if (project.settings.type === 'SVN') {
    return '';
  }
  const unread = before.find(({ head }) => head.kind === 'unreadable');
  if (unread !== undefined) {
    return l10n.t("Couldn't read the deployed commit of {0}.", unread.node.name);
  }
  if (replacesFolder(prepared)) {
    return l10n.t('The folder will be replaced with a fresh clone.');
  }
  const commit = commitsOnNodes(changesOf([], before));
  return commit === undefined
    ? l10n.t('The nodes run different commits now.')
    : l10n.t('Deployed now: {0}.', short(commit));
}

/** Summarizes what a redeploy would miss or discard. */
export function summaryOf({ local, edits, editsUnchecked, editOutcome }: Preflight): string {
  const missed =
    local !== undefined && missesSomething(local)
      ? [l10n.t("Some of your work isn't in the deployed branch yet.")]
      : [];
  const lost = edits.length === 0 ? [] : [editOutcomeSentence(edits.length, editOutcome)];
  const unchecked =
    editsUnchecked === undefined ? [] : [l10n.t("Couldn't check for edits on the nodes: {0}", editsUnchecked)];
  return [...missed, ...lost, ...unchecked].join(' ');
}

function editOutcomeSentence(files: number, editOutcome: Preflight['editOutcome']): string {
  switch (editOutcome) {
    case 'discarded':
      return files === 1
        ? l10n.t('An edit on a node will be discarded.')
        : l10n.t('{0} edits on the nodes will be discarded.', String(files));
    case 'replaced':
      return l10n.t('The folder will be replaced with a fresh clone, and all edits in it will be discarded.');
    case 'stops':
      return files === 1
        ? l10n.t('An edit on a node may stop the update.')
        : l10n.t('{0} edits on the nodes may stop the update.', String(files));
  }
}

/** Returns the choices, safest first. Doesn't offer a push on another branch: the project wouldn't get it. */
function continueChoices({ local, edits, editOutcome }: Preflight): readonly Row[] {
  const canPush = local !== undefined && local.unpushed.length > 0 && local.otherBranch === undefined;
  const kept = edits.filter((file) => patched(file) !== undefined).length;
  const canKeep = kept > 0;
  // Don't let a patch with only some of the edits look complete.
  const keep =
    kept === edits.length
      ? l10n.t('Save Patch')
      : l10n.t('Save Patch of {0} of {1} Edits', String(kept), String(edits.length));
  const way = (label: string, push: boolean, keepPatch: boolean): Row => ({ label, decision: { push, keepPatch } });
  const isLossy = edits.length > 0 && editOutcome !== 'stops';
  const push = isLossy
    ? l10n.t('$(repo-push) Push, Discard Edits, and Redeploy')
    : l10n.t('$(repo-push) Push and Redeploy');
  return [
    ...(canPush && canKeep ? [way(l10n.t('$(repo-push) Push, {0}, and Redeploy', keep), true, true)] : []),
    ...(canPush && !canKeep ? [way(push, true, false)] : []),
    ...(canKeep ? [way(l10n.t('$(save) {0} and Redeploy', keep), false, true)] : []),
    ...(canPush && canKeep ? [way(push, true, false)] : []),
    way(lastWay({ isLossy, canPush, missesLocal: local !== undefined && missesSomething(local) }), false, false),
    { label: l10n.t('$(close) Cancel') },
  ];
}

/** What a redeploy without any precaution does. */
function lastWay(now: { readonly isLossy: boolean; readonly canPush: boolean; readonly missesLocal: boolean }): string {
  if (now.isLossy) {
    return now.canPush
      ? l10n.t('$(trash) Redeploy Without Pushing and Discard Edits')
      : l10n.t('$(trash) Redeploy and Discard Edits');
  }
  if (now.canPush) {
    return l10n.t('$(rocket) Redeploy Without Pushing');
  }
  return now.missesLocal ? l10n.t('$(rocket) Redeploy Without Local Changes') : l10n.t('$(rocket) Redeploy');
}

function localRows({ local, gitOff }: Preflight, branch: string): readonly Row[] {
  if (gitOff !== undefined) {
    const label = l10n.t("$(info) Unpushed commits aren't checked");
    const [manage] = trustButton(gitOff).values();
    return [{ label, detail: gitIsOff(gitOff), ...(manage === undefined ? {} : { run: manage }) }];
  }
  if (local === undefined || !missesSomething(local)) {
    return [];
  }
  const { unpushed, uncommitted, unsaved, otherBranch } = local;
  const run = () => commands.executeCommand('workbench.view.scm');
  const rows: Row[] = [];
  if (unpushed.length > 0) {
    const label =
      unpushed.length === 1
        ? l10n.t("$(git-commit) One commit on {0} isn't pushed", branch)
        : l10n.t("$(git-commit) {0} commits on {1} aren't pushed", String(unpushed.length), branch);
    rows.push({ label, detail: shortened(unpushed), run });
  }
  if (uncommitted.length > 0) {
    const label =
      uncommitted.length === 1
        ? l10n.t('$(edit) One file has uncommitted changes')
        : l10n.t('$(edit) {0} files have uncommitted changes', String(uncommitted.length));
    rows.push({ label, detail: shortened(uncommitted.map(nameOf)), run });
  }
  if (unsaved.length > 0) {
    rows.push({
      label: l10n.t('$(circle-filled) Editors with unsaved changes'),
      detail: shortened(unsaved.map(nameOf)),
    });
  }
  if (otherBranch !== undefined) {
    rows.push({
      label: l10n.t('$(git-branch) {0} is checked out here, {1} is deployed', otherBranch, branch),
      run: () => commands.executeCommand('git.checkout'),
    });
  }
  return [{ label: l10n.t('Not in the deployed branch yet'), kind: QuickPickItemKind.Separator }, ...rows];
}

function editRows({ before }: Prepared, { edits, editOutcome }: Preflight): readonly Row[] {
  if (edits.length === 0) {
    return [];
  }
  const heading =
    editOutcome === 'stops'
      ? l10n.t('Edited on the nodes (stops the update if also changed in the repository)')
      : l10n.t('Edited on the nodes and discarded by this redeploy');
  const nodeOf = ({ edit: { nodeId } }: EditedFile) =>
    nodeId === undefined
      ? []
      : [before.find(({ node }) => node.target.nodeId === nodeId)?.node.name ?? l10n.t('node {0}', String(nodeId))];
  const rows = edits.map((file): Row => ({
    label: `${iconOf(file)} ${nodeEditName(file)}`,
    description: [...nodeOf(file), ...whatWasDone(file)].join(' · '),
    ...(hasDifference(file) ? { buttons: [showDiff] } : {}),
    file,
  }));
  return [{ label: heading, kind: QuickPickItemKind.Separator }, ...rows];
}

function iconOf({ edit, now }: EditedFile): string {
  return edit.what === 'unpacked' ? '$(file-zip)' : now.kind === 'folder' ? '$(folder)' : '$(file)';
}

function whatWasDone({ edit, now }: EditedFile): readonly string[] {
  if (edit.what === 'unpacked') {
    return [l10n.t('changed files unknown')];
  }
  switch (now.kind) {
    case 'text':
      return edit.what === 'added' ? [l10n.t('new')] : [];
    case 'absent':
      return [l10n.t('deleted')];
    case 'folder':
      return [l10n.t('new folder')];
    case 'unreadable':
      return [l10n.t("couldn't be read")];
  }
}

function hasDifference({ edit, now }: EditedFile): boolean {
  return now.kind === 'text' || (now.kind === 'absent' && edit.before !== undefined);
}

async function show({ file }: Row): Promise<void> {
  if (file !== undefined && hasDifference(file)) {
    const title = l10n.t('{0} (Before Edit ↔ On Node)', file.path);
    const options = { preserveFocus: true, preview: true };
    const now = file.now.kind === 'absent' ? deletedUri(file.place) : Uri.from(uriParts(file.place));
    await commands.executeCommand('vscode.diff', beforeEditUri(file.place), now, title, options);
  }
}

function shortened(names: readonly string[]): string {
  const most = 4;
  const shown = names.slice(0, most).join(' · ');
  return names.length > most ? l10n.t('{0} and {1} more', shown, String(names.length - most)) : shown;
}

function nameOf({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
