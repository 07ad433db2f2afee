import { commands, l10n, QuickPickItemKind, ThemeIcon, type Uri } from 'vscode';
import { uriOf } from '../../../containers/uris';
import { short } from '../commits';
import { beforeEditUri, deletedUri } from '../nodeEdits/deployedVersions';
import type { EditAtRisk } from '../nodeEdits/editFates';
import type { EditedFile } from '../nodeEdits/nodeEditsAtRisk';
import { nodeEditName } from '../nodeEdits/nodeEditsAtRisk';
import type { GitExtensionState } from '../../../files/gitExtension';
import { gitProblemText, trustButton, unpushedUnchecked } from '../projectText';
import type { UndeployedWork } from '../repositories/localRepository';
import type { PickRow } from '../../../ui/quickPick';
import type { RedeployPlan } from './plan';
import type { Repair } from './wedgedClones';

/** Something that a redeploy would miss or discard. */
export interface RowAtStake extends PickRow {
  readonly file?: EditedFile;
  /** What choosing the row does instead of a redeploy. */
  readonly run?: () => unknown;
}

const showDiff = { iconPath: new ThemeIcon('diff'), tooltip: l10n.t('Show Changes') };

/** One kind of what a redeploy may discard or miss, or do differently than the user agreed to. */
interface Stake {
  /** One for each thing, with its content if it's known. */
  readonly keys: readonly (readonly unknown[])[];
  /** The same, whatever their content. */
  readonly anyContent?: readonly (readonly unknown[])[];
  readonly sentences: readonly string[];
  readonly rows?: readonly RowAtStake[];
}

/** What is at stake doesn't depend on how the local repository is pushed. */
type CheckedPlan = Omit<RedeployPlan, 'local'> & { readonly local: UndeployedWork | undefined };

function stakesOf(plan: CheckedPlan): readonly Stake[] {
  const { changed, editsUnchecked } = plan;
  const stakes: Stake[] = [wedgedStake(plan), localStake(plan), editsStake(plan)];
  if (changed !== undefined) {
    stakes.unshift({
      keys: [['settings', changed]],
      sentences: [l10n.t('The settings changed in the meantime: {0}.', changed)],
      rows: below(l10n.t('Settings changed in the meantime'), [{ label: changed, icon: 'settings-gear' }]),
    });
  }
  if (editsUnchecked !== undefined) {
    stakes.push({
      keys: [['unchecked', editsUnchecked]],
      sentences: [l10n.t("Couldn't check for edits on the nodes: {0}.", editsUnchecked)],
    });
  }
  return stakes;
}

/** What is at stake, as texts to compare. */
function keysAtStake(plan: CheckedPlan): readonly string[] {
  return stakesOf(plan).flatMap(({ keys }) => keys.map((key) => JSON.stringify(key)));
}

/** The same, whatever is in the edited files by the time of the redeploy. */
export function keysOfAnyContent(plan: CheckedPlan): readonly string[] {
  return stakesOf(plan).flatMap(({ keys, anyContent = keys }) => anyContent.map((key) => JSON.stringify(key)));
}

export function isAtStake(plan: CheckedPlan): boolean {
  return keysAtStake(plan).length > 0;
}

/** Whether something is at stake that wasn't agreed to. */
export function isNew(plan: CheckedPlan, agreed: ReadonlySet<string>): boolean {
  const anyContent = keysOfAnyContent(plan);
  const isAgreed = (key: string, index: number) => agreed.has(key) || agreed.has(anyContent[index] ?? key);
  return plan.changed !== undefined || !keysAtStake(plan).every(isAgreed);
}

/** What is agreed to by a decision, and what follows from it, as texts to compare. */
export function keysAgreedTo(plan: CheckedPlan, repair: Repair | undefined, patch: Uri | undefined): readonly string[] {
  const { edits, kept, local } = plan;
  const later = {
    ...plan,
    // New clones replace all files, also those that the repository doesn't have.
    edits: repair === 'cloneAgain' ? [...edits, ...kept].map((file) => ({ ...file, fate: 'gone' as const })) : [],
    // The patch may be saved in the repository.
    local: local && patch && { ...local, uncommitted: [patch] },
  };
  return [...keysAtStake(plan), ...keysAtStake(later)];
}

export function missesLocalWork(plan: CheckedPlan): boolean {
  return localStake(plan).keys.length > 0;
}

/** Summarizes what is at stake in sentences. */
export function summaryOf(plan: CheckedPlan): string {
  return stakesOf(plan)
    .flatMap(({ sentences }) => sentences)
    .join(' ');
}

export function rowsAtStake(plan: CheckedPlan): readonly RowAtStake[] {
  return stakesOf(plan).flatMap(({ rows = [] }) => rows);
}

/** The same as text, one a line. */
export function linesAtStake(plan: CheckedPlan): readonly string[] {
  return rowsAtStake(plan).map(({ label, description = '', detail = '' }) =>
    [label, description, detail].filter((text) => text !== '').join(' · '),
  );
}

/** Returns the edited files that a redeploy leaves alone. */
export function keptRows({ before, kept }: CheckedPlan): readonly RowAtStake[] {
  return fileRows(l10n.t("Edited on the nodes and kept (the repository doesn't have these files)"), before, kept);
}

/** The redeploy would fail where a clone can't pull. */
function wedgedStake({ wedged }: CheckedPlan): Stake {
  return {
    keys: wedged.map(({ node, goneBranch, commit }) => ['wedged', node.name, goneBranch, commit]),
    sentences: [...new Set(wedged.map(({ goneBranch }) => goneBranch))].map((goneBranch) => {
      const those = wedged.filter((clone) => clone.goneBranch === goneBranch);
      const names = those.map(({ node }) => node.name).join(', ');
      return goneBranch === undefined
        ? l10n.t('The redeploy would probably fail, because HEAD is detached on {0}.', names)
        : l10n.t(
            'The redeploy would probably fail, because {1}, the branch on {0}, no longer existed in the repository at the last redeploy.',
            names,
            goneBranch,
          );
    }),
    rows: below(
      l10n.t("Nodes that can't pull"),
      wedged.map(({ node, goneBranch, commit, attachTo }) => ({
        label: node.name,
        icon: 'git-branch',
        description:
          goneBranch === undefined
            ? l10n.t('HEAD is detached at {0}', short(commit))
            : l10n.t('{0} no longer existed in the repository at the last redeploy', goneBranch),
        detail:
          attachTo === undefined
            ? l10n.t("No branch of this clone can be pulled with the project's settings")
            : l10n.t('Can be attached to {0}', attachTo),
      })),
    ),
  };
}

const noWork: UndeployedWork = { unpushed: [], uncommitted: [], unsaved: [], otherBranch: undefined };

/** The redeploy would miss local work. */
function localStake({ project, local = noWork, gitProblem }: CheckedPlan): Stake {
  const { unpushed, uncommitted, unsaved, otherBranch } = local;
  const keys = [
    // An editor may save its file while the question is open.
    ...[...uncommitted, ...unsaved].map((file) => ['local', String(file)]),
    ...(unpushed.length === 0 ? [] : [['unpushed', unpushed]]),
    ...(otherBranch === undefined ? [] : [['branch', otherBranch]]),
  ];
  return {
    keys,
    sentences: keys.length === 0 ? [] : [l10n.t("Some of your work isn't in the deployed branch yet.")],
    rows:
      gitProblem === undefined
        ? below(l10n.t('Not in the deployed branch yet'), localRows(local, project.settings.branch ?? ''))
        : [uncheckedRow(gitProblem)],
  };
}

function uncheckedRow(gitProblem: GitExtensionState): RowAtStake {
  const [run] = trustButton(gitProblem).values();
  return { label: unpushedUnchecked(), icon: 'info', detail: gitProblemText(gitProblem), ...(run && { run }) };
}

function localRows({ unpushed, uncommitted, unsaved, otherBranch }: UndeployedWork, branch: string): RowAtStake[] {
  const run = () => commands.executeCommand('workbench.view.scm');
  const rows: RowAtStake[] = [];
  if (unpushed.length > 0) {
    const label =
      unpushed.length === 1
        ? l10n.t("One commit on {0} isn't pushed", branch)
        : l10n.t("{0} commits on {1} aren't pushed", String(unpushed.length), branch);
    rows.push({ label, icon: 'git-commit', detail: firstFew(unpushed), run });
  }
  if (uncommitted.length > 0) {
    const label =
      uncommitted.length === 1
        ? l10n.t('One file has uncommitted changes')
        : l10n.t('{0} files have uncommitted changes', String(uncommitted.length));
    rows.push({ label, icon: 'edit', detail: firstFew(uncommitted.map(nameOf)), run });
  }
  if (unsaved.length > 0) {
    rows.push({
      label: l10n.t('Editors with unsaved changes'),
      icon: 'circle-filled',
      detail: firstFew(unsaved.map(nameOf)),
    });
  }
  if (otherBranch !== undefined) {
    rows.push({
      label: l10n.t('{0} is checked out here, {1} is deployed', otherBranch, branch),
      icon: 'git-branch',
      run: () => commands.executeCommand('git.checkout'),
    });
  }
  return rows;
}

/** The redeploy would discard edits on the nodes, or stop at them. */
function editsStake({ before, edits, inClone, editOutcome }: CheckedPlan): Stake {
  const rowsOf = (heading: string, ...fates: readonly EditAtRisk['fate'][]) =>
    fileRows(
      heading,
      before,
      edits.filter(({ fate }) => fates.includes(fate)),
    );
  const count = (fate: EditAtRisk['fate']) => edits.filter((file) => file.fate === fate).length;
  const [stopping, unsure] = [count('stops'), count('unknown')];
  const lost = edits.length - stopping - unsure;
  return {
    // Only a text tells whether its file was edited again.
    keys: edits.map(({ edit: { nodeId, what, at }, path, now, fate }) => [
      fate,
      path,
      nodeId,
      what,
      now,
      ...(now.kind === 'text' ? [] : [at]),
    ]),
    anyContent: edits.map(({ edit: { nodeId }, path, fate }) => [fate, path, nodeId]),
    sentences: [
      ...(lost === 0 ? [] : [lossSentence(lost, editOutcome)]),
      ...(unsure === 0 ? [] : [unsureSentence(unsure)]),
      ...(stopping === 0 ? [] : [stopSentence(stopping)]),
      ...(inClone.length === 0 ? [] : [inCloneSentence(inClone.length)]),
    ],
    rows: [
      ...rowsOf(l10n.t('Edited on the nodes and discarded by this redeploy'), 'overwritten'),
      ...rowsOf(l10n.t('Edited on the nodes (may be discarded, or stop the redeploy)'), 'unknown'),
      ...rowsOf(l10n.t('Edited on the nodes and discarded with the whole folder, which is replaced'), 'gone'),
      ...rowsOf(l10n.t('Edited on the nodes (stops the redeploy if also changed in the repository)'), 'stops'),
      // They need no key: what is asked about the clone's work is a key, and an edit that the clone doesn't have is one.
      ...fileRows(l10n.t('In your clone, but not in the deployed branch yet'), before, inClone),
    ],
  };
}

function lossSentence(files: number, editOutcome: RedeployPlan['editOutcome']): string {
  if (editOutcome === 'replaced') {
    return l10n.t('The folder will be replaced with a fresh clone, and all edits in it will be discarded.');
  }
  return files === 1
    ? l10n.t('An edit on a node will be discarded.')
    : l10n.t('{0} edits on the nodes will be discarded.', String(files));
}

function unsureSentence(files: number): string {
  return files === 1
    ? l10n.t('An edit on a node may be discarded, or stop the redeploy.')
    : l10n.t('{0} edits on the nodes may be discarded, or stop the redeploy.', String(files));
}

function stopSentence(files: number): string {
  return files === 1
    ? l10n.t('An edit on a node may stop the redeploy.')
    : l10n.t('{0} edits on the nodes may stop the redeploy.', String(files));
}

function inCloneSentence(files: number): string {
  return files === 1
    ? l10n.t(
        'An edit on a node is in your clone, but not in the deployed branch yet, so a redeploy now reverts it on the node.',
      )
    : l10n.t(
        '{0} edits on the nodes are in your clone, but not in the deployed branch yet, so a redeploy now reverts them on the nodes.',
        String(files),
      );
}

function below(heading: string, rows: readonly RowAtStake[]): readonly RowAtStake[] {
  return rows.length === 0 ? [] : [{ label: heading, kind: QuickPickItemKind.Separator }, ...rows];
}

function fileRows(
  heading: string,
  before: RedeployPlan['before'],
  files: readonly (EditedFile & Partial<EditAtRisk>)[],
): readonly RowAtStake[] {
  const nodeOf = ({ edit: { nodeId } }: EditedFile) =>
    nodeId === undefined
      ? []
      : [before.find(({ node }) => node.target.nodeId === nodeId)?.node.name ?? l10n.t('node {0}', String(nodeId))];
  return below(
    heading,
    files.map((file) => ({
      label: nodeEditName(file),
      icon: iconOf(file),
      description: [...nodeOf(file), ...whatWasDone(file)].join(' · '),
      ...(hasDifference(file) ? { buttons: [showDiff] } : {}),
      file,
    })),
  );
}

function iconOf({ edit, now }: EditedFile): string {
  return edit.what === 'unpacked' ? 'file-zip' : now.kind === 'folder' ? 'folder' : 'file';
}

function whatWasDone({ edit, now, path, place }: EditedFile): readonly string[] {
  if (edit.what === 'unpacked') {
    const isAbove = path === '' && edit.path !== place.path;
    return [isAbove ? l10n.t("may have changed this project's files") : l10n.t('changed files unknown')];
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

export async function showEdit({ file }: RowAtStake): Promise<void> {
  if (file !== undefined && hasDifference(file)) {
    const title = l10n.t('{0} (Before Edit ↔ On Node)', file.path);
    const options = { preserveFocus: true, preview: true };
    const now = file.now.kind === 'absent' ? deletedUri(file.place) : uriOf(file.place);
    await commands.executeCommand('vscode.diff', beforeEditUri(file.place), now, title, options);
  }
}

export function firstFew(names: readonly string[]): string {
  const most = 4;
  const shown = names.slice(0, most).join(' · ');
  return names.length > most ? l10n.t('{0} and {1} more', shown, String(names.length - most)) : shown;
}

function nameOf({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
