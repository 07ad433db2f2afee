import { pinnedCommit } from '../commits';
import type { NodeHead } from '../deployedState/nodeInspector';
import type { Project } from '../projects';
import type { LocalRepository, UndeployedWork } from '../repositories/localRepository';
import { type RepositoryToDeploy, withoutTaken } from './editsInRepository';
import type { NodeEdit } from './nodeEdit';
import type { EditedFile, TrackedEdit } from './nodeEditsAtRisk';

/** How a redeploy affects edits of files that the repository has. */
export type EditOutcome =
  /** The repository's files overwrite them. */
  | 'discarded'
  /** The whole folder is replaced, because no node has a clone. */
  | 'replaced'
  /** The update fails if the repository changed the same files. */
  | 'stops';

/** What a redeploy does to one edited file. */
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
  /** The tip of the project's branch, if it isn't pushed yet. */
  readonly commit: string | undefined;
}

/**
 * Divides edits by what becomes of them. Leaves out those that the repository has, and those that stay on the nodes without
 * being in the way of a new commit.
 */
export async function fatesOf(
  edits: readonly (EditedFile & Partial<TrackedEdit>)[],
  to: DeployedTo,
): Promise<{ readonly edits: readonly EditAtRisk[]; readonly kept: readonly EditedFile[] }> {
  const { deployed, repository, missed } = to;
  const { settings } = to.project;
  const pin = pinnedCommit({ repoHash: settings.repoHash });
  const tip = edits.length === 0 ? undefined : (to.commit ?? (await repository?.upstream(settings))?.tip);
  const isKnown = repository !== undefined && tip !== undefined && missed !== undefined;
  // A platform may ignore that a project is pinned, and deploy the newest commit.
  const commits = !isKnown ? [] : pin === undefined ? [tip] : [pin, tip];
  const reads = isKnown ? commits.map((commit) => repository.contentOf(commit)) : [];
  const isNew = async (path: string) =>
    (await Promise.all(reads.map((read) => read(path)))).some((state) => state?.kind !== 'absent');
  const fated = await Promise.all(
    edits.map(async (file) => {
      const fate = fateOf(file, to);
      // A new commit may have a file of this name.
      return { ...file, fate: fate === 'kept' && (await isNew(file.path)) ? ('unknown' as const) : fate };
    }),
  );
  const atRisk = fated.flatMap((file) => (file.fate === 'kept' ? [] : [{ ...file, fate: file.fate }]));
  const kept = fated.filter(({ fate }) => fate === 'kept');
  if (!isKnown) {
    return { edits: atRisk, kept };
  }
  const stopping = atRisk.filter(({ fate }) => fate === 'stops');
  const shown = new Set<EditedFile>([
    ...(await withoutTaken(
      atRisk.filter(({ fate }) => fate !== 'stops'),
      { repository, commits, missed },
    )),
    ...(deployed === undefined ? stopping : await inTheWay(stopping, deployed, { repository, commits })),
  ]);
  return { edits: atRisk.filter((file) => shown.has(file)), kept };
}

function fateOf(
  { edit, isTracked }: EditedFile & Partial<TrackedEdit>,
  { project, before, editOutcome }: DeployedTo,
): EditFate {
  const { type } = project.settings;
  const nodes = before.filter(({ node }) => edit.nodeId === undefined || node.target.nodeId === edit.nodeId);
  if (type !== 'SVN' && nodes.some(({ head }) => head.kind === 'absent')) {
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
  { repository, commits }: Pick<RepositoryToDeploy, 'repository' | 'commits'>,
): Promise<readonly EditedFile[]> {
  const changed = await Promise.all(commits.map((target) => repository.changedPaths(commit, target)));
  // An archive's files aren't known, so keep it.
  return edits.filter(
    ({ path, edit }) => edit.what === 'unpacked' || changed.some((paths) => paths === undefined || paths.has(path)),
  );
}
