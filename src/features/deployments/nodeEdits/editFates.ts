import { Uri, workspace } from 'vscode';
import { workOnAll } from '../../../async/taskPool';
import type { FilePlace } from '../../../containers/place';
import { decodeText, normalizeText } from '../../../files/text';
import { digestOf } from '../../../storage/stores';
import { pinnedCommit } from '../commits';
import type { NodeHead } from '../deployedState/nodeInspector';
import type { Project } from '../projects';
import type { LocalRepository, LocalState, UndeployedWork } from '../repositories/localRepository';
import type { NodeEdit } from './nodeEdit';
import type { EditedFile, TrackedEdit } from './nodeEditsAtRisk';
import { editIn, type EditSides, isPathInTree, type Side } from './takeEdit';

/** How a redeploy affects edits of files that the repository has. */
export type EditOutcome =
  /** The repository's files overwrite them. */
  | 'discarded'
  /** The whole folder is replaced, because no node has a clone. */
  | 'replaced'
  /** The update fails if the repository changed the same files. */
  | 'stops';

type EditFate =
  /** The repository has it, and overwrites it. */
  | 'overwritten'
  /** The folder on its node is replaced, because it has no clone. */
  | 'gone'
  /** It stays, and the redeploy fails if the repository changed it, too. */
  | 'stops'
  /** The repository doesn't have it: it's ignored or untracked. */
  | 'kept'
  /** It isn't known whether the repository has it. */
  | 'unknown';

export interface EditAtRisk extends EditedFile {
  readonly fate: Exclude<EditFate, 'kept'>;
  /**
   * The repository didn't have the file, but a new commit does, so that Git may not check that out. Or it's an archive that
   * may have brought such a file.
   */
  readonly isNew?: boolean;
}

/** What a redeploy deploys, and to what. */
interface DeployedTo {
  readonly project: Project;
  readonly before: readonly NodeHead[];
  /** The commit that every node has now. */
  readonly deployed: string | undefined;
  readonly editOutcome: EditOutcome;
  readonly repository: LocalRepository | undefined;
  readonly missed: UndeployedWork | undefined;
  /** The tip of the project's branch, if that's pushed for a roll back. */
  readonly commit: string | undefined;
  readonly mayExist: (file: FilePlace) => Promise<boolean>;
}

interface DividedEdits {
  readonly edits: readonly EditAtRisk[];
  readonly kept: readonly EditedFile[];
  /** The edits that only the clone has: the redeploy reverts them on the nodes until they are committed, pushed, and deployed. */
  readonly inClone: readonly EditedFile[];
}

/**
 * Divides edits by what becomes of them. Leaves out those that the repository has, and those that stay on the nodes without
 * being in the way of a new commit.
 */
export async function fatesOf(
  edits: readonly (EditedFile & Partial<TrackedEdit>)[],
  to: DeployedTo,
): Promise<DividedEdits> {
  const { deployed, repository, missed } = to;
  const { settings } = to.project;
  const pin = pinnedCommit({ repoHash: settings.repoHash });
  const tip = edits.length === 0 ? undefined : (to.commit ?? (await repository?.upstream(settings))?.tip);
  const isKnown = repository !== undefined && tip !== undefined && missed !== undefined;
  // A platform may ignore that a project is pinned, and deploy the newest commit.
  const commits = !isKnown ? [] : pin === undefined ? [tip] : [pin, tip];
  const reads = isKnown ? commits.map((commit) => repository.contentOf(commit)) : [];
  const isThere = async (path: string) =>
    (await Promise.all(reads.map((read) => read(path)))).some((state) => state?.kind !== 'absent');
  const fated = await Promise.all(
    edits.map(async (file) => {
      const fate = fateOf(file, to);
      if (file.edit.what === 'unpacked') {
        return { ...file, isNew: fate !== 'gone' && (await mayBringNew(file, to)), fate };
      }
      const isNew = fate !== 'gone' && file.isTracked === false && (await isThere(file.path));
      return { ...file, isNew, fate: fate === 'kept' && isNew ? ('unknown' as const) : fate };
    }),
  );
  const atRisk = fated.flatMap((file) => (file.fate === 'kept' ? [] : [{ ...file, fate: file.fate }]));
  const kept = fated.filter(({ fate }) => fate === 'kept');
  if (!isKnown) {
    return { edits: atRisk, kept, inClone: [] };
  }
  const stopping = atRisk.filter(({ fate }) => fate === 'stops');
  const { left, inClone } = await divideTaken(
    atRisk.filter(({ fate }) => fate !== 'stops'),
    { root: repository.root, reads, missed },
  );
  const shown = new Set<EditedFile>([
    ...left,
    ...(deployed === undefined ? stopping : await inTheWay(stopping, deployed, { repository, commits })),
  ]);
  // Git checks out no other branch over an untracked file, even if the text is the same there.
  const shownEdits = atRisk.filter((file) => shown.has(file) || (file.isNew && to.commit !== undefined));
  const others = new Set<EditedFile>(shownEdits);
  return { edits: shownEdits, kept, inClone: inClone.filter((file) => !others.has(file)) };
}

/** Each path is a process of Git. */
const pathsAtOnce = 8;

/** Whether an archive may have put a file on a node where the commit of a roll back has one and the node's commit doesn't. */
async function mayBringNew({ path, place, edit }: EditedFile, to: DeployedTo): Promise<boolean> {
  const { deployed, commit, repository } = to;
  if (commit === undefined) {
    return false;
  }
  const nodes = nodesOf(edit, to.before).map(({ node: { target }, head }) => ({
    target,
    from: deployed ?? (head.kind === 'commit' ? head.commit : undefined),
  }));
  const root = path === '' ? `${place.path}/` : place.path.slice(0, -path.length);
  const found = new AbortController();
  for (const from of new Set(nodes.map((node) => node.from))) {
    const paths = from === undefined ? undefined : await repository?.changedPaths(from, commit);
    if (repository === undefined || from === undefined || paths === undefined) {
      return true;
    }
    const read = repository.contentOf(from);
    const targets = nodes.filter((node) => node.from === from).map(({ target }) => target);
    const below = [...paths].filter((one) => one.startsWith(path && `${path}/`));
    await workOnAll(below, pathsAtOnce, found.signal, async (one) => {
      if ((await read(one))?.kind === 'absent') {
        for (const target of targets) {
          if (await to.mayExist({ ...place, target, path: `${root}${one}` })) {
            found.abort();
          }
        }
      }
    });
    if (found.signal.aborted) {
      return true;
    }
  }
  return false;
}

function nodesOf({ nodeId }: NodeEdit, heads: readonly NodeHead[]): readonly NodeHead[] {
  return heads.filter(({ node }) => nodeId === undefined || node.target.nodeId === nodeId);
}

function fateOf(
  { edit, isTracked }: EditedFile & Partial<TrackedEdit>,
  { project, before, editOutcome }: DeployedTo,
): EditFate {
  const { type } = project.settings;
  const hasNoClone = type !== 'SVN' && nodesOf(edit, before).some(({ head }) => head.kind === 'absent');
  if (hasNoClone || editOutcome === 'replaced') {
    return 'gone';
  }
  if (isTracked === false && !switchesFolder(project)) {
    return 'kept';
  }
  if (editOutcome === 'stops') {
    return 'stops';
  }
  return isTracked === true ? 'overwritten' : 'unknown';
}

/** Whether redeploys leave all edits alone, as far as it was known when they were last checked. */
export function areAllKept(edits: readonly NodeEdit[], project: Project): boolean {
  return !switchesFolder(project) && edits.every(({ isUntracked }) => isUntracked);
}

/** A zero-downtime deployment switches to another folder, which may not have what the repository doesn't have. */
function switchesFolder({ place, settings }: Project): boolean {
  return settings.atomicDeploy === true && place.context === 'ROOT';
}

/** Edits that no new commit touches stay as they are; if the commits aren't known here, any edit may be in the way. */
async function inTheWay(
  edits: readonly EditedFile[],
  commit: string,
  { repository, commits }: { readonly repository: LocalRepository; readonly commits: readonly string[] },
): Promise<readonly EditedFile[]> {
  const changed = await Promise.all(commits.map((target) => repository.changedPaths(commit, target)));
  // An archive's files aren't known, so keep it.
  return edits.filter(
    ({ path, edit }) => edit.what === 'unpacked' || changed.some((paths) => paths === undefined || paths.has(path)),
  );
}

interface RepositoryToDeploy extends Pick<LocalRepository, 'root'> {
  /** How to read each commit that may be deployed. */
  readonly reads: readonly ReturnType<LocalRepository['contentOf']>[];
  /** What the redeploy would miss, which is asked about in any case. */
  readonly missed: UndeployedWork;
}

/** Leaves out the edits that are in every commit that may be deployed, and divides those in work of the clone from the rest. */
async function divideTaken(edits: readonly EditedFile[], { root, reads, missed }: RepositoryToDeploy) {
  const uncommitted = new Set(missed.uncommitted.map(String));
  const takenBy = async (file: EditedFile) => {
    if (file.edit.what === 'unpacked' || !['text', 'absent'].includes(file.now.kind)) {
      return undefined;
    }
    const deployed = await Promise.all(reads.map((read) => read(file.path)));
    if (deployed.length > 0 && deployed.every((state) => isIn(state, file))) {
      return 'commits';
    }
    const uri = Uri.joinPath(root, file.path);
    const isWaiting = uncommitted.has(uri.toString()) || missed.unpushed.length > 0 || missed.otherBranch !== undefined;
    return isWaiting && isPathInTree(file.path) && isIn(await stateAt(uri), file) ? 'clone' : undefined;
  };
  const taken = await Promise.all(edits.map(takenBy));
  return {
    left: edits.filter((_, index) => taken[index] === undefined),
    inClone: edits.filter((_, index) => taken[index] === 'clone'),
  };
}

/** Whether a state of the file in the repository has what was edited on the node. */
function isIn(state: LocalState | undefined, { now, committed, edit }: EditedFile): boolean {
  if (state === undefined || state.kind === 'binary' || state.kind === 'folder') {
    return false;
  }
  return isTaken(sideOf(state), { deployed: deployedSide(committed, edit), node: sideOf(now) }, edit);
}

/**
 * Whether a text has the edit. If it can't show it, because conflicts may have been resolved in any way, it counts that it's
 * what the person made of this very edit.
 */
export function isTaken(text: Side, sides: Omit<EditSides, 'local'>, { applied }: Pick<NodeEdit, 'applied'>): boolean {
  const found = editIn(text, sides);
  return found === 'unclear'
    ? applied?.node === digestOfSide(sides.node) && applied.made === digestOfSide(text)
    : found === 'has';
}

/** Git may convert line ends, and editors leave out a byte-order mark. */
export function digestOfSide(side: Side): string {
  return side === undefined ? '' : digestOf(normalizeText(side));
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
