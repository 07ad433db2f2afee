import { homedir } from 'node:os';
import { l10n, Uri, window, workspace } from 'vscode';
import { onPlatformError, undefinedIf } from '../../../platform/errors';
import { differsFromFile } from '../../../files/text';
import { listedEntry, proveText } from '../../../files/wholeText';
import type { Containers } from '../../../containers/containers';
import type { Listings } from '../../../containers/listings';
import { type FilePlace, isPathWithin, keyOf, nameOf, parentOf } from '../../../containers/place';
import { type DeployRecord, hasMoved } from '../redeploy/redeployResult';
import { holdsLogin } from '../../../containers/secretFiles';
import { type CurrentFile, firstEdits, isOver, type NodeEdit, placeOfEdit } from './nodeEdit';
import type { NodeEditLog } from './nodeEditLog';
import type { ProjectPlace } from '../projectPlace';
import type { KnownProjects } from '../projects';
import type { LocalState } from '../repositories/localRepository';
import { isInIndex } from '../deployedState/gitFiles';
import { patchComment, patchOf, type PatchedFile } from './takeEdit';

export interface EditedFile {
  readonly edit: NodeEdit;
  readonly place: FilePlace;
  /** Relative to the context's folder. */
  readonly path: string;
  readonly now: CurrentFile;
  /** What the deployed commit has there, if a local repository knows it. */
  readonly committed?: LocalState | undefined;
}

export interface TrackedEdit extends EditedFile {
  readonly isTracked: boolean | undefined;
}

/** Reads a path in the deployed commit. Returns `undefined` if no local repository has that commit. */
type ReadDeployed = ((path: string) => Promise<LocalState | undefined>) | undefined;

export class NodeEditsAtRisk {
  constructor(
    private readonly nodeEditLog: NodeEditLog,
    private readonly known: KnownProjects,
    private readonly containers: Pick<Containers, 'read' | 'list'>,
    private readonly listings: Pick<Listings, 'lookUp'>,
  ) {}

  /**
   * Returns the edits that still exist. Forgets files that were restored or that now match the repository.
   * @param all all records, if they were read
   */
  async list(
    { place: project, nodeId }: { readonly place: ProjectPlace; readonly nodeId?: number | undefined },
    readDeployed: ReadDeployed,
    all?: readonly NodeEdit[],
  ): Promise<readonly EditedFile[]> {
    const noted = (all ?? (await this.noted(project))).filter(
      (edit) => nodeId === undefined || edit.nodeId === undefined || edit.nodeId === nodeId,
    );
    const looked = await Promise.all(noted.map((edit) => this.look(project, edit, readDeployed)));
    await this.nodeEditLog.forget(looked.flatMap(({ edit, file }) => (file === undefined ? [edit] : [])));
    return firstEdits(looked.flatMap(({ file }) => file ?? []));
  }

  /** Finds out which files the deployed commit has. Reads the index of a clone if no local repository knows the commit. */
  async withTracking(files: readonly EditedFile[]): Promise<readonly TrackedEdit[]> {
    const indexes = new Map<string, Promise<string | undefined>>();
    const indexOf = ({ place, path }: EditedFile) => {
      const file = { ...place, path: `${place.path.slice(0, -path.length)}.git/index` };
      const read = indexes.get(keyOf(file)) ?? undefinedIf('any', this.containers.read(file));
      indexes.set(keyOf(file), read);
      return read;
    };
    return Promise.all(
      files.map(async (file) => {
        if (file.edit.what === 'unpacked') {
          return { ...file, isTracked: undefined };
        }
        const { committed, path } = file;
        const isTracked =
          committed === undefined ? isInIndex((await indexOf(file)) ?? '', path) : committed.kind !== 'absent';
        if ((isTracked === false) !== (file.edit.isUntracked === true)) {
          // Only remembers it, which a full disk prevents.
          await this.nodeEditLog.learn(file.edit, { isUntracked: isTracked === false }).catch(() => undefined);
        }
        return { ...file, isTracked };
      }),
    );
  }

  /**
   * Forgets the edits that a redeploy overwrote with the repository's files. Those since it started may have come after
   * it; the next check finds out.
   * @param readDeployed reads what was deployed, which may include files that the repository didn't have before
   */
  async afterRedeploy(record: DeployRecord, readDeployed: ReadDeployed): Promise<void> {
    if (record.keepsEdits === true) {
      return;
    }
    const { kind } = record.verdict;
    const tookPlace = kind === 'deployed' || kind === 'unverified' ? record.nodes : record.nodes.filter(hasMoved);
    const reached = new Set(tookPlace.map(({ nodeId }) => nodeId));
    // An edit of a whole layer is on each node.
    const isLayer = record.nodeId === undefined && tookPlace.length > 0 && tookPlace.length === record.nodes.length;
    const isAll = isLayer || reached.has(undefined);
    const noted = (await this.noted(record)).filter(
      ({ lastAt, nodeId }) => lastAt <= record.startedAt && (isAll || (nodeId !== undefined && reached.has(nodeId))),
    );
    const overwritten = await Promise.all(
      noted.map(async (edit) => {
        if (edit.isUntracked !== true || edit.what === 'removed') {
          return [edit];
        }
        const committed = await readDeployed?.(this.pathIn(record, edit));
        return committed === undefined || committed.kind === 'absent' ? [] : [edit];
      }),
    );
    const folders = this.known.folders(record);
    for (const edit of overwritten.flat()) {
      if (folders.some((folder) => isPathWithin(edit.path, folder))) {
        await this.nodeEditLog.forget([edit]);
      } else {
        // The archive may have changed other projects' files, too.
        await this.nodeEditLog.learn(edit, { redeployed: [...(edit.redeployed ?? []), ...folders] });
      }
    }
  }

  /** Returns all records, several of a file that was edited through several accounts. */
  async noted(project: ProjectPlace): Promise<readonly NodeEdit[]> {
    return (await this.read(project)).all;
  }

  /**
   * Returns one record of each edited file, of which it isn't known whether it still is, all records, and how many edits
   * have no record that can be read. Each of these may be of a file of this project.
   */
  async read(project: ProjectPlace) {
    const folders = this.known.folders(project);
    // What was saved a moment ago counts, too.
    await this.nodeEditLog.settled();
    const { edits, unknown } = await this.nodeEditLog.readBeside(project.account);
    const all = edits.filter(
      ({ environment, layer, path, what, redeployed = [] }) =>
        environment === project.environment &&
        layer === project.layer &&
        folders.some(
          (folder) =>
            path.startsWith(`${folder}/`) ||
            (what === 'unpacked' && isPathWithin(folder, path) && !redeployed.includes(folder)),
        ),
    );
    const placed = all.map((edit) => ({ edit, place: { ...placeOfEdit(edit), account: project.account } }));
    return { edits: firstEdits(placed).map(({ edit }) => edit), all, unknown };
  }

  /** Returns a function that tells whether a file is on its node, or may be. It lists each folder once. */
  presence(): (file: FilePlace) => Promise<boolean> {
    const listed = new Map<string, Promise<ReadonlySet<string> | undefined>>();
    const namesIn = (folder: FilePlace) => {
      const key = keyOf(folder);
      const names =
        listed.get(key) ??
        this.containers.list(folder).then(
          (entries) => new Set(entries.map(({ name }) => name)),
          onPlatformError(({ kind }) => (kind === 'notFound' ? new Set<string>() : undefined)),
        );
      listed.set(key, names);
      return names;
    };
    return async (file) => {
      const folder = parentOf(file);
      return folder === undefined || (await namesIn(folder))?.has(nameOf(file)) !== false;
    };
  }

  private pathIn(project: ProjectPlace, { path }: NodeEdit): string {
    const folder = this.folderFor(project, { path });
    return path.slice(folder.length + 1);
  }

  /** The folder of the project that has the path, or is below it. */
  private folderFor(project: ProjectPlace, { path }: Pick<NodeEdit, 'path'>): string {
    const folders = this.known.folders(project);
    const within = folders.find((folder) => isPathWithin(path, folder));
    return within ?? folders.find((folder) => isPathWithin(folder, path)) ?? '';
  }

  /** Returns no file if the edit is gone. */
  private async look(
    project: ProjectPlace,
    noted: NodeEdit,
    readDeployed: ReadDeployed,
  ): Promise<{ readonly edit: NodeEdit; readonly file?: EditedFile }> {
    const path = this.pathIn(project, noted);
    // Whatever account it was edited through, the project's own can read it.
    const place = { ...placeOfEdit(noted), account: project.account };
    if (noted.what === 'unpacked') {
      const now = await this.folderAt(place);
      const at = path === '' ? { ...place, path: this.folderFor(project, noted) } : place;
      return { edit: noted, ...(now.kind === 'absent' ? {} : { file: { edit: noted, place: at, path, now } }) };
    }
    const [now, committed] = await Promise.all([this.nowAt(place, noted), readDeployed?.(path)]);
    const edit = await this.learned(noted, committed);
    return isOver(edit, now, committed)
      ? { edit }
      : { edit, file: { edit, place, path, now: await this.exact(place, now), committed } };
  }

  /**
   * What platforms return of a binary file or one in another encoding, or only the beginning of a long text, must not get
   * into a patch or a local clone: the edit would look as if it was saved.
   */
  private async exact(place: FilePlace, now: CurrentFile): Promise<CurrentFile> {
    if (now.kind !== 'text') {
      return now;
    }
    const { containers, listings } = this;
    const entry = await undefinedIf('any', listedEntry(place, { listings }));
    const proven = await undefinedIf('any', proveText(place, now.text, { entry }, { containers, listings }));
    return proven === undefined || differsFromFile(proven.flaw)
      ? { kind: 'unreadable' }
      : { kind: 'text', text: proven.text };
  }

  private nowAt(place: FilePlace, { what }: NodeEdit): Promise<CurrentFile> {
    return this.containers.read(place).then(
      (text): CurrentFile => ({ kind: 'text', text }),
      onPlatformError(async ({ kind }) => {
        if (kind === 'notFound') {
          return { kind: 'absent' };
        }
        if (what === 'removed') {
          return { kind: (await this.isListed(place)) ? 'unreadable' : 'absent' };
        }
        const isFolder = what === 'added' && (await this.folderAt(place)).kind === 'folder';
        return { kind: isFolder ? 'folder' : 'unreadable' };
      }),
    );
  }

  private folderAt(place: FilePlace): Promise<CurrentFile> {
    return this.containers.list(place).then(
      () => ({ kind: 'folder' }),
      onPlatformError(({ kind }) => ({ kind: kind === 'notFound' ? 'absent' : 'unreadable' })),
    );
  }

  /** Without a listing that shows the file, it counts as deleted: a forgotten deletion would be undone without a question. */
  private async isListed(place: FilePlace): Promise<boolean> {
    const folder = parentOf(place);
    const entries = folder && (await undefinedIf('any', this.containers.list(folder)));
    return entries?.some(({ name }) => name === nameOf(place)) === true;
  }

  /** If a file wasn't read before it was edited, or no one has its text anymore, the deployed text counts as its previous content. */
  private async learned(noted: NodeEdit, committed: LocalState | undefined): Promise<NodeEdit> {
    const edit = await this.nodeEditLog.withText(noted);
    if (edit.before !== undefined || committed?.kind !== 'text') {
      return edit;
    }
    if (edit.digest === undefined) {
      await this.nodeEditLog.learn(edit, { before: committed.text });
    }
    return { ...edit, before: committed.text };
  }
}

export function nodeEditName({ path, edit: { what, archive = '', path: folder } }: EditedFile): string {
  const name = archive.slice(archive.lastIndexOf('/') + 1);
  return what === 'unpacked' ? l10n.t('{0} unpacked into {1}', name, path === '' ? folder : path) : path;
}

/**
 * Saves the container edits as a patch file for `git apply`, and returns the file; `undefined` if the user cancels.
 * @param root the folder of the local repository
 */
export async function savePatch(
  { context, environment }: ProjectPlace,
  edits: readonly EditedFile[],
  root: Uri | undefined,
): Promise<Uri | undefined> {
  const day = new Date().toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const folder = root ?? workspace.workspaceFolders?.[0]?.uri;
  const name = `${environment}-${context}-${day}.patch`;
  const beside = folder?.scheme === 'file' ? folder : Uri.file(homedir());
  const chosen = await window.showSaveDialog({
    title: l10n.t('Save Edits as Patch File'),
    defaultUri: Uri.joinPath(beside, name),
    filters: { [l10n.t('Patch')]: ['patch', 'diff'] },
  });
  if (chosen === undefined) {
    return undefined;
  }
  const nameIn = namingOf(edits);
  const changes = edits.flatMap((file) => {
    const change = patched(file);
    return change === undefined ? [] : [{ ...change, name: nameIn(file) }];
  });
  const text = patchOf(changes, ({ name }) =>
    l10n.t("{0} is different. To apply that instead, replace the file's change with these lines, without “# ”:", name),
  );
  await workspace.fs.writeFile(chosen, new TextEncoder().encode(`${leftOut(edits, nameIn)}${text}`));
  return chosen;
}

/** Returns how a patch names the edits: also by their nodes if several have an edit of the same file. */
function namingOf(edits: readonly EditedFile[]): (file: EditedFile) => string {
  const isOnSeveralNodes = new Set(edits.map(nodeEditName)).size < edits.length;
  return (file) => {
    const { nodeId } = file.edit;
    const name = nodeEditName(file);
    return isOnSeveralNodes && nodeId !== undefined ? l10n.t('{0} on node {1}', name, nodeId) : name;
  };
}

/** Converts an edit for the patch. Returns `undefined` if a patch can't express it, or must not contain it. */
export function patched({ place, path, edit, now }: EditedFile): PatchedFile | undefined {
  if (holdsLogin(place)) {
    return undefined;
  }
  switch (now.kind) {
    case 'text':
      return { path, before: edit.before, after: now.text };
    case 'absent':
      return edit.before === undefined ? undefined : { path, before: edit.before, after: undefined };
    case 'folder':
    case 'unreadable':
      return undefined;
  }
}

/** Lists the edits that aren't in the patch. */
function leftOut(edits: readonly EditedFile[], nameIn: (file: EditedFile) => string): string {
  const rest = edits.filter((file) => patched(file) === undefined);
  return patchComment(rest.map((file) => `${l10n.t('Not in this patch: {0}', nameIn(file))}\n`).join(''));
}
