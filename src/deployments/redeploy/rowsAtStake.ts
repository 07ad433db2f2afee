import { commands, l10n, QuickPickItemKind, ThemeIcon, Uri } from 'vscode';
import { uriParts } from '../../containers/place';
import { short } from '../commits';
import { beforeEditUri, deletedUri } from '../nodeEdits/nodeEditDocuments';
import type { EditedFile } from '../nodeEdits/nodeEditsAtRisk';
import { nodeEditName } from '../nodeEdits/savePatchPrompt';
import { gitIsOff } from '../projectText';
import type { PickRow } from '../../ui/quickPick';
import { trustButton } from '../repositories/trustPrompt';
import type { Prepared } from './redeployOperation';
import { type EditAtRisk, missesSomething, type Preflight } from './redeployPreflight';

/** Something that a redeploy would miss or discard. */
export interface RowAtStake extends PickRow {
  readonly file?: EditedFile;
  /** What choosing the row does instead of a redeploy. */
  readonly run?: () => Thenable<unknown>;
}

const showDiff = { iconPath: new ThemeIcon('diff'), tooltip: l10n.t('Show Changes') };

/** Returns local work that a redeploy would miss, and edits on nodes that it would discard. */
export function rowsAtStake(prepared: Prepared, preflight: Preflight): readonly RowAtStake[] {
  const { branch = '' } = prepared.project.settings;
  return [...wedgedRows(preflight), ...localRows(preflight, branch), ...editRows(prepared, preflight)];
}

/** The same as text, one a line. */
export function linesAtStake(prepared: Prepared, preflight: Preflight): readonly string[] {
  return rowsAtStake(prepared, preflight).map(({ label, description = '', detail = '' }) =>
    [label, description, detail].filter((text) => text !== '').join(' · '),
  );
}

function wedgedRows({ wedged }: Preflight): readonly RowAtStake[] {
  if (wedged.length === 0) {
    return [];
  }
  const rows = wedged.map(({ node, goneBranch, commit, attachTo }): RowAtStake => ({
    label: node.name,
    icon: 'git-branch',
    description:
      goneBranch === undefined
        ? l10n.t('HEAD is detached at {0}', short(commit))
        : l10n.t('{0} was gone from the repository at the last redeploy', goneBranch),
    detail:
      attachTo === undefined
        ? l10n.t("No branch of this clone can be pulled with the project's settings")
        : l10n.t('Can be attached to {0}', attachTo),
  }));
  return [{ label: l10n.t("Nodes that can't pull"), kind: QuickPickItemKind.Separator }, ...rows];
}

function localRows({ local, gitOff }: Preflight, branch: string): readonly RowAtStake[] {
  if (gitOff !== undefined) {
    const label = l10n.t("Unpushed commits aren't checked");
    const [manage] = trustButton(gitOff).values();
    return [{ label, icon: 'info', detail: gitIsOff(gitOff), ...(manage === undefined ? {} : { run: manage }) }];
  }
  if (local === undefined || !missesSomething(local)) {
    return [];
  }
  const { unpushed, uncommitted, unsaved, otherBranch } = local;
  const run = () => commands.executeCommand('workbench.view.scm');
  const rows: RowAtStake[] = [];
  if (unpushed.length > 0) {
    const label =
      unpushed.length === 1
        ? l10n.t("One commit on {0} isn't pushed", branch)
        : l10n.t("{0} commits on {1} aren't pushed", String(unpushed.length), branch);
    rows.push({ label, icon: 'git-commit', detail: shortened(unpushed), run });
  }
  if (uncommitted.length > 0) {
    const label =
      uncommitted.length === 1
        ? l10n.t('One file has uncommitted changes')
        : l10n.t('{0} files have uncommitted changes', String(uncommitted.length));
    rows.push({ label, icon: 'edit', detail: shortened(uncommitted.map(nameOf)), run });
  }
  if (unsaved.length > 0) {
    rows.push({
      label: l10n.t('Editors with unsaved changes'),
      icon: 'circle-filled',
      detail: shortened(unsaved.map(nameOf)),
    });
  }
  if (otherBranch !== undefined) {
    rows.push({
      label: l10n.t('{0} is checked out here, {1} is deployed', otherBranch, branch),
      icon: 'git-branch',
      run: () => commands.executeCommand('git.checkout'),
    });
  }
  return [{ label: l10n.t('Not in the deployed branch yet'), kind: QuickPickItemKind.Separator }, ...rows];
}

function editRows(prepared: Prepared, { edits }: Preflight): readonly RowAtStake[] {
  const rowsOf = (heading: string, ...fates: readonly EditAtRisk['fate'][]) =>
    fileRows(
      heading,
      prepared,
      edits.filter(({ fate }) => fates.includes(fate)),
    );
  return [
    ...rowsOf(l10n.t('Edited on the nodes and discarded by this redeploy'), 'overwritten', 'unknown'),
    ...rowsOf(l10n.t('Edited on the nodes and discarded with the whole folder, which is replaced'), 'gone'),
    ...rowsOf(l10n.t('Edited on the nodes (stops the redeploy if also changed in the repository)'), 'stops'),
  ];
}

/** Returns the edited files that a redeploy leaves alone. */
export function keptRows(prepared: Prepared, { kept }: Preflight): readonly RowAtStake[] {
  return fileRows(l10n.t("Edited on the nodes and kept (the repository doesn't have these files)"), prepared, kept);
}

function fileRows(
  heading: string,
  { before }: Prepared,
  files: readonly (EditedFile & Partial<EditAtRisk>)[],
): readonly RowAtStake[] {
  if (files.length === 0) {
    return [];
  }
  const nodeOf = ({ edit: { nodeId } }: EditedFile) =>
    nodeId === undefined
      ? []
      : [before.find(({ node }) => node.target.nodeId === nodeId)?.node.name ?? l10n.t('node {0}', String(nodeId))];
  const rows = files.map((file): RowAtStake => ({
    label: nodeEditName(file),
    icon: iconOf(file),
    description: [...nodeOf(file), ...whatWasDone(file)].join(' · '),
    ...(hasDifference(file) ? { buttons: [showDiff] } : {}),
    file,
  }));
  return [{ label: heading, kind: QuickPickItemKind.Separator }, ...rows];
}

function iconOf({ edit, now }: EditedFile): string {
  return edit.what === 'unpacked' ? 'file-zip' : now.kind === 'folder' ? 'folder' : 'file';
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

/** Shows what was edited in the file of a row. */
export async function showEdit({ file }: RowAtStake): Promise<void> {
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
