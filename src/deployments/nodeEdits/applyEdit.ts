import { FileSystemError, FileType, l10n, Uri, window, workspace } from 'vscode';
import type { Listings } from '../../containers/listings';
import { childOf, type FilePlace, uriParts } from '../../containers/place';
import { replaceText } from '../../files/saving/conflictCommands';
import { decodeText, encodeText, normalizeText } from '../../files/text';
import { uriOfTab } from '../../files/tabs';
import { ExpectedError } from '../../ui/expectedError';
import type { LocalRepository } from '../repositories/localRepository';
import type { DeployedVersion, DeployedVersions } from './deployedVersions';
import { digestOfSide, isTaken, stateAt } from './editsInRepository';
import type { NodeEditLog } from './nodeEditLog';
import { planTake, type Side, type TakePlan } from './takeEdit';

export interface ApplyEditDeps {
  readonly listings: Pick<Listings, 'lookUp' | 'refresh'>;
  readonly versions: DeployedVersions;
  readonly nodeEditLog: NodeEditLog;
}

/** A file of the clone that was changed, or that has conflicts in its editor. */
export interface AppliedEdit {
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
  deps: ApplyEditDeps,
  commits = deps.versions.commits(),
): Promise<{ readonly applied?: AppliedEdit; readonly below?: readonly FilePlace[] }> {
  const version = await deps.versions.of(place, { commits, mayFetch: true });
  const { repository, path } = version ?? {};
  if (version === undefined || repository === undefined || path === undefined) {
    throw new ExpectedError(
      l10n.t("Couldn't apply {0}: no clone of its project's repository is open in this window.", place.path),
    );
  }
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
  await carryOut(plan, uri, path);
  if (plan.kind !== 'nothing') {
    await noteApplied(version, sides, deps);
  }
  return { applied: { path, repository, kind: plan.kind } };
}

async function carryOut(plan: TakePlan, uri: Uri, path: string): Promise<void> {
  switch (plan.kind) {
    case 'nothing':
      return;
    case 'write':
      return workspace.fs.writeFile(uri, encodeText(plan.text));
    case 'delete':
      return workspace.fs.delete(uri);
    case 'conflict': {
      // Unsaved, so that the person resolves it first.
      const document = await workspace.openTextDocument(uri);
      await replaceText(document, normalizeText(plan.text));
      await window.showTextDocument(document, { preview: false });
      return;
    }
    case 'impossible':
      throw new ExpectedError(reasons[plan.why](path));
  }
}

const reasons = {
  deletedLocally: (path: string) => l10n.t("Couldn't apply {0}: it was deleted in the local repository.", path),
  deletedOnNode: (path: string) =>
    l10n.t("Couldn't apply {0}: it was deleted on the node, but changed in the local repository.", path),
  unknownBase: (path: string) => l10n.t("Couldn't apply {0}: its deployed version isn't known.", path),
};

/** Remembers which edit was applied, and which texts of the clone don't have it. */
async function noteApplied(
  { edit, repository, project, path }: DeployedVersion,
  { local, node }: { readonly local: Side; readonly node: Side },
  { nodeEditLog }: ApplyEditDeps,
): Promise<void> {
  if (edit === undefined || repository === undefined) {
    return;
  }
  const tip = (await repository.upstream(project))?.tip;
  const there = tip === undefined ? undefined : await repository.contentOf(tip)(path);
  const without = [local, there?.kind === 'text' ? there.text : undefined].map(digestOfSide);
  await nodeEditLog.learn(edit, { applied: { node: digestOfSide(node), without } });
}

/** Reads the file exactly, or rejects. */
async function nodeSide(place: FilePlace, path: string, { listings }: ApplyEditDeps): Promise<Side> {
  try {
    const bytes = await workspace.fs.readFile(Uri.from(uriParts(place)));
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
