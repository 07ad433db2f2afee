import {
  commands,
  Disposable,
  FileSystemError,
  FileType,
  l10n,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { pathNaming } from '../../../containers/locationText';
import { childOf, type FilePlace } from '../../../containers/place';
import { uriOf } from '../../../containers/uris';
import { replaceText } from '../../../files/documents';
import { uriOfTab } from '../../../files/tabs';
import { decodeText, encodeText, normalizeText } from '../../../files/text';
import { isCanceled } from '../../../platform/errors';
import type { Services } from '../../../services';
import { reportFailures } from '../../../ui/batchOutcomes';
import { command, some, type Some } from '../../../ui/commands/command';
import { ExpectedError } from '../../../ui/expectedError';
import { failureText } from '../../../ui/failureMessages';
import { showInformationMessage, showWarningMessage } from '../../../ui/notifications';
import { withCancelableRead, withProgress } from '../../../ui/progress';
import { short } from '../commits';
import type { DeploymentParts } from '../parts';
import type { ProjectPlace } from '../projectPlace';
import type { ProjectChooser } from '../currentProject';
import type { LocalRepository } from '../repositories/localRepository';
import { deletedUri } from './deployedVersions';
import type { EditedFilesList } from './editedFilesList';
import { digestOfSide, isTaken, stateAt } from './editFates';
import { nodeEditName } from './nodeEditsAtRisk';
import { planTake, type Side, type TakePlan } from './takeEdit';

/** Compares edited files with what was deployed, and applies the edits to the clone. */
export function nodeEditCommands(
  deps: DeploymentParts,
  chooser: ProjectChooser,
  list: EditedFilesList,
  services: Services,
) {
  const onFiles = (run: (files: Some<FilePlace>) => unknown) =>
    command(
      'raw',
      async (call) => {
        const listed = call.objects.flatMap((one) => list.fileOf(one) ?? []);
        const targets = listed.length > 0 ? [] : await services.targets.all(call);
        return some([...listed, ...targets.flatMap((one) => (one.isFolder ? [] : [one.place]))]);
      },
      run,
    );
  const applyAll = async (place: ProjectPlace) => {
    const all = await withCancelableRead(l10n.t('Reading edited files'), () => deps.edits.list({ place }, undefined));
    const unpacked = all.filter(({ edit }) => edit.what === 'unpacked');
    await applyEdits(
      all.filter((file) => !unpacked.includes(file)).map((file) => file.place),
      deps,
      services,
      unpacked.map((file) =>
        failedAt(file.place, l10n.t('Not applied: {0}. Unpack it in the local repository.', nodeEditName(file))),
      ),
    );
  };
  return {
    'gantry.edits.compare': onFiles(([file]) => compare(file, deps)),
    'gantry.edits.apply': onFiles((files) => applyEdits(files, deps, services)),
    'gantry.project.applyEdits': command(
      'project',
      ({ object }) => chooser.meant(list.projectOf(object), l10n.t('Select a project to apply its edits')),
      applyAll,
    ),
  };
}

async function compare(file: FilePlace, { versions, texts, listings }: DeploymentParts): Promise<void> {
  const { side, commit, committed, path } = await withCancelableRead(l10n.t('Reading deployed version'), () =>
    versions.toCompare(file),
  );
  const isThere = (await listings.entry(file)) !== undefined;
  const title =
    committed === undefined || commit === undefined
      ? l10n.t('{0} (Before Edit ↔ On Node)', path)
      : l10n.t('{0} ({1} ↔ On Node)', path, short(commit));
  const left = side === undefined ? deletedUri(file) : texts.add(file.path, side);
  const right = isThere ? uriOf(file) : deletedUri(file);
  await commands.executeCommand('vscode.diff', left, right, title);
}

interface AppliedOrFailed {
  readonly item: FilePlace;
  readonly failure?: { readonly error: unknown };
}

function failedAt(item: FilePlace, text: string): AppliedOrFailed {
  return { item, failure: { error: new ExpectedError(text) } };
}

/** Applies edits one after the other, because several nodes may have edits of the same file. */
async function applyEdits(
  files: readonly FilePlace[],
  deps: DeploymentParts,
  { log, recent }: Services,
  refused: readonly AppliedOrFailed[] = [],
): Promise<void> {
  const outcomes = [...refused];
  const applied: AppliedEdit[] = [];
  const left = [...files];
  await withProgress(l10n.t('Applying edits'), async ({ signal }) => {
    const commits = deps.versions.commits();
    for (let file = left[0]; file !== undefined && !signal.aborted; file = left[0]) {
      left.shift();
      try {
        const { applied: done, below } = await applyEdit(file, deps, commits);
        applied.push(...(done === undefined ? [] : [done]));
        outcomes.push(...(below === undefined ? [{ item: file }] : []));
        left.unshift(...(below ?? []));
      } catch (error) {
        outcomes.push({ item: file, failure: { error } });
      }
    }
    const repositories = new Map(applied.map(({ repository }) => [repository.root.toString(), repository]));
    await Promise.all([...repositories.values()].map((repository) => repository.refresh()));
  });
  const failures = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [failure.error]));
  if (applied.length > 0 || (failures.length === 0 && left.length === 0)) {
    showApplied(applied, { skipped: left.length, failed: failures.length });
  }
  if (failures.length === 1 && left.length === 0 && isCanceled(failures[0])) {
    throw failures[0];
  }
  if (failures.length > 0) {
    const all = [...outcomes, ...left.map((file) => failedAt(file, l10n.t('not attempted')))];
    await reportFailures(all, pathNaming(all.map(({ item }) => item)), (count, _, first) => {
      const text = failureText(first);
      const headline = count === 1 ? text : l10n.t('{0} Other edits not applied: {1}.', text, count - 1);
      // Like an error that the command throws, which the only one of all is.
      recent.note(first);
      log.error(count === 1 && first instanceof Error ? first.message : headline);
      return headline;
    });
  }
}

/** @param skipped how many files weren't tried because the person canceled */
function showApplied(
  applied: readonly AppliedEdit[],
  { skipped, failed }: { readonly skipped: number; readonly failed: number },
): void {
  const conflicts = applied.filter(({ kind }) => kind === 'conflict');
  if (conflicts.length > 0) {
    const names = conflicts.map(({ path }) => path).join(', ');
    void showWarningMessage(l10n.t('Resolve the conflicts in {0}, then save.', names));
  }
  const changed = applied.filter(({ kind }) => kind === 'write' || kind === 'delete');
  const counted = skipped > 0 ? [...changed, ...conflicts] : changed;
  const [first] = counted;
  if (first === undefined) {
    if (conflicts.length === 0 && skipped === 0) {
      void showInformationMessage(l10n.t('The local repository already has these edits.'));
    }
    return;
  }
  const clones = [...new Set(counted.map(({ repository }) => repository.name))].join(', ');
  const show = l10n.t('Show Changes');
  const all = changed.length + conflicts.length + failed + skipped;
  const text =
    skipped > 0
      ? l10n.t('Canceled. Applied {0} of {1} edits to {2}.', changed.length, all, clones)
      : changed.length === 1
        ? l10n.t('Applied {0} to {1}. Commit and push it before the next redeploy.', first.path, clones)
        : l10n.t('Applied {0} edits to {1}. Commit and push them before the next redeploy.', changed.length, clones);
  void showInformationMessage(text, show).then((chosen) =>
    chosen === show ? commands.executeCommand('workbench.view.scm') : undefined,
  );
}

interface AppliedEdit {
  readonly path: string;
  readonly repository: LocalRepository;
  readonly kind: TakePlan['kind'];
}

/**
 * Brings a file's edits on a node into the working tree of the clone. If it's a folder that was deleted on the node, returns
 * what is in it, to be applied one by one.
 */
export async function applyEdit(
  place: FilePlace,
  deps: DeploymentParts,
  commits: ReturnType<DeploymentParts['versions']['commits']>,
): Promise<{ readonly applied?: AppliedEdit; readonly below?: readonly FilePlace[] }> {
  const { version, repository, path } = await deps.versions.inClone(place, commits);
  const uri = Uri.joinPath(repository.root, path);
  // This can take long, and the person may go on working in the clone.
  const node = await nodeSide(place, path, deps);
  await ensureWritable(uri, { repository, path });
  const local = await stateAt(uri);
  if (local.kind === 'folder' && node === undefined) {
    return { below: (await workspace.fs.readDirectory(uri)).map(([name]) => childOf(place, name)) };
  }
  if (local.kind === 'folder' || local.kind === 'binary' || version.committed?.kind === 'binary') {
    throw new ExpectedError(l10n.t("Couldn't apply {0}: the file in the local repository isn't text.", path));
  }
  const sides = { deployed: version.side, local: local.kind === 'text' ? local.text : undefined, node };
  if (version.edit !== undefined && isTaken(sides.local, sides, version.edit)) {
    return {};
  }
  const plan = planTake(sides, { yours: l10n.t('Yours'), theirs: l10n.t('On Node') });
  const noteApplied = async (made: Side) => {
    if (version.edit !== undefined) {
      const applied = { node: digestOfSide(node), made: digestOfSide(made) };
      await deps.nodeEditLog.learn(version.edit, { applied });
    }
  };
  const document = await carryOut(plan, uri, path);
  if (document !== undefined) {
    followResolution(document, noteApplied);
  } else if (plan.kind !== 'nothing') {
    await noteApplied(plan.kind === 'write' ? plan.text : undefined);
  }
  return { applied: { path, repository, kind: plan.kind } };
}

/** Returns the document with conflicts, if there are any. */
async function carryOut(plan: TakePlan, uri: Uri, path: string): Promise<TextDocument | undefined> {
  switch (plan.kind) {
    case 'nothing':
      return undefined;
    case 'write':
      await workspace.fs.writeFile(uri, encodeText(plan.text));
      return undefined;
    case 'delete':
      await workspace.fs.delete(uri);
      return undefined;
    case 'conflict': {
      // Unsaved, so that the person resolves it first.
      const document = await workspace.openTextDocument(uri);
      await replaceText(document, normalizeText(plan.text));
      await window.showTextDocument(document, { preview: false });
      return document;
    }
    case 'impossible':
      throw new ExpectedError(reasons[plan.why](path));
  }
}

/** Notes what the person saves without conflicts, until the document is closed. */
function followResolution(document: TextDocument, noteApplied: (text: string) => Promise<void>): void {
  const following = Disposable.from(
    workspace.onDidSaveTextDocument((saved) => {
      const text = saved.getText();
      if (saved === document && !/^<{7} /m.test(text)) {
        // Without it, the edit only stays listed.
        noteApplied(text).catch(() => undefined);
      }
    }),
    workspace.onDidCloseTextDocument((closed) => {
      if (closed === document) {
        following.dispose();
      }
    }),
  );
}

const reasons = {
  deletedLocally: (path: string) =>
    l10n.t(
      "Couldn't apply {0}: it was deleted in the local repository. To keep the edit, restore the file there and try again.",
      path,
    ),
  deletedOnNode: (path: string) =>
    l10n.t(
      "Couldn't apply {0}: it was deleted on the node, but changed in the local repository. Keep it there, or delete it there yourself.",
      path,
    ),
  mixedLineEnds: (path: string) =>
    l10n.t(
      "Couldn't apply {0}: it has line ends of two kinds, which a merge would change. Compare them instead.",
      path,
    ),
  unknownBase: (path: string) =>
    l10n.t(
      "Couldn't apply {0}: its deployed version isn't known. Copy the changes to the local repository yourself.",
      path,
    ),
};

/** Reads the file exactly, or rejects. */
async function nodeSide(place: FilePlace, path: string, { listings }: DeploymentParts): Promise<Side> {
  try {
    const bytes = await workspace.fs.readFile(uriOf(place));
    const text = decodeText(bytes);
    if (text === undefined) {
      throw new ExpectedError(l10n.t("Couldn't apply {0}: it isn't text.", place.path));
    }
    return text;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'FileNotFound') {
      // On a node that's gone, no file is found, and a listing may be old.
      await listings.refresh({ ...place, path: place.path.slice(0, -path.length - 1) });
      if ((await listings.lookUp(place)) === undefined) {
        return undefined;
      }
    }
    throw error;
  }
}

/** Throws if an editor has changes that the edit would fight with, or if a link leads out of the working tree. */
async function ensureWritable(
  uri: Uri,
  { repository, path }: { readonly repository: LocalRepository; readonly path: string },
): Promise<void> {
  const isOpen = (other: Uri | undefined) => `${other?.toString()}/`.startsWith(`${uri.toString()}/`);
  const isUnsaved =
    workspace.textDocuments.some((document) => document.isDirty && isOpen(document.uri)) ||
    window.tabGroups.all.flatMap(({ tabs }) => tabs).some((tab) => tab.isDirty && isOpen(uriOfTab(tab)));
  if (isUnsaved) {
    throw new ExpectedError(l10n.t('{0} has unsaved changes. Save or revert them first.', path));
  }
  const names = path.split('/');
  for (let count = 1; count <= names.length; count += 1) {
    const above = Uri.joinPath(repository.root, ...names.slice(0, count));
    const type = await workspace.fs.stat(above).then(
      (found) => found.type,
      () => FileType.Unknown,
    );
    if ((type & FileType.SymbolicLink) !== 0) {
      throw new ExpectedError(l10n.t("Couldn't apply {0}: it's behind a symbolic link in the local repository.", path));
    }
  }
}
