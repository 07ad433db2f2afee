import { Uri, workspace } from 'vscode';
import { decodeText } from '../../files/text';
import { digestOf } from '../../storage/jsonFolder';
import type { LocalRepository, LocalState, UndeployedWork } from '../repositories/localRepository';
import type { NodeEdit } from './nodeEdit';
import type { EditedFile } from './nodeEditsAtRisk';
import { editIn, type EditSides, isPathInTree, type Side } from './takeEdit';

/** Where a redeploy gets its files from. */
export interface RepositoryToDeploy {
  readonly repository: LocalRepository;
  /** The commits that may be deployed. */
  readonly commits: readonly string[];
  /** What the redeploy would miss, which is asked about in any case. */
  readonly missed: UndeployedWork;
}

/** Leaves out the edits that are in every commit that may be deployed, or in work of the clone that is still to be pushed. */
export async function withoutTaken(
  edits: readonly EditedFile[],
  { repository, commits, missed }: RepositoryToDeploy,
): Promise<readonly EditedFile[]> {
  const reads = commits.map((commit) => repository.contentOf(commit));
  const uncommitted = new Set(missed.uncommitted.map(String));
  const isTaken = async (file: EditedFile) => {
    if (file.edit.what === 'unpacked' || !['text', 'absent'].includes(file.now.kind)) {
      return false;
    }
    const deployed = await Promise.all(reads.map((read) => read(file.path)));
    if (deployed.length > 0 && deployed.every((state) => isIn(state, file))) {
      return true;
    }
    const uri = Uri.joinPath(repository.root, file.path);
    const isWaiting = uncommitted.has(uri.toString()) || missed.unpushed.length > 0 || missed.otherBranch !== undefined;
    return isWaiting && isPathInTree(file.path) && isIn(await stateAt(uri), file);
  };
  const taken = await Promise.all(edits.map(isTaken));
  return edits.filter((_, index) => taken[index] !== true);
}

/** Whether a state of the file in the repository has what was edited on the node. */
function isIn(state: LocalState | undefined, { now, committed, edit }: EditedFile): boolean {
  if (state === undefined || state.kind === 'binary' || state.kind === 'folder') {
    return false;
  }
  return isTaken(sideOf(state), { deployed: deployedSide(committed, edit), node: sideOf(now) }, edit);
}

/**
 * Whether a text has the edit. If it can't show it, because conflicts may have been resolved in any way, it counts that the
 * person applied this very edit, and that the file has been changed since.
 */
export function isTaken(text: Side, sides: Omit<EditSides, 'local'>, { applied }: Pick<NodeEdit, 'applied'>): boolean {
  const found = editIn(text, sides);
  return found === 'unclear'
    ? applied?.node === digestOfSide(sides.node) &&
        !applied.without.includes(digestOfSide(text)) &&
        !/^<{7} /m.test(text ?? '')
    : found === 'has';
}

export function digestOfSide(side: Side): string {
  return side === undefined ? '' : digestOf(side);
}

function sideOf(state: { readonly kind: string; readonly text?: string }): Side {
  return state.text;
}

/** What was deployed: what the commit says, or else what Gantry kept before the first edit. */
export function deployedSide(committed: LocalState | undefined, edit: NodeEdit | undefined): EditSides['deployed'] {
  switch (committed?.kind) {
    case 'text':
      return committed.text;
    case 'absent':
      return undefined;
    case 'binary':
    case 'folder':
      return { kind: 'unknown' };
    case undefined:
      return edit?.before ?? (edit?.what === 'added' ? undefined : { kind: 'unknown' });
  }
}

/** What a file of the working tree has now. */
export async function stateAt(uri: Uri): Promise<LocalState> {
  try {
    const text = decodeText(await workspace.fs.readFile(uri));
    return text === undefined ? { kind: 'binary' } : { kind: 'text', text };
  } catch {
    const isThere = await workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    return { kind: isThere ? 'folder' : 'absent' };
  }
}
