import type { Uri } from 'vscode';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository, UndeployedWork } from '../repositories/localRepository';

import type { EditedFile, NodeEditsAtRisk, ReadDeployed } from '../nodeEdits/nodeEditsAtRisk';
import type { Prepared } from './redeployOperation';
import { failureText } from '../../ui/failureMessages';

/** What becomes of edits made in the container. */
export type EditFate =
  /** The repository's files take their place. */
  | 'thrownAway'
  /** The whole folder is replaced: nothing was deployed there yet. */
  | 'replaced'
  /** The update stops where the repository has changed the same files. */
  | 'stops';

/** What a person should know before a redeploy. */
export interface Preflight {
  /** What of the local work it would miss; `undefined` where the repository is not open here. */
  readonly local:
    | (UndeployedWork & {
        readonly repository: LocalRepository;
        /** Editors of the repository's files that were not saved. */
        readonly unsaved: readonly Uri[];
      })
    | undefined;
  readonly edits: readonly EditedFile[];
  /** Why it isn't known which files were edited in the container. */
  readonly editsUnchecked: string | undefined;
  readonly fate: EditFate;
}

export interface PreflightDeps {
  readonly repositories: LocalRepositories;
  readonly edits: NodeEditsAtRisk;
}

/** Looks at what would be missed and what would be lost. Asks the platform only about files that were edited. */
export async function runPreflight(prepared: Prepared, parts: PreflightDeps): Promise<Preflight> {
  await parts.repositories.ready;
  const { settings } = prepared.project;
  const { url = '', branch = '' } = settings;
  const repository = parts.repositories.withAddress(url);
  const commit = standingCommit(prepared);
  const readDeployed = commit === undefined ? undefined : repository?.contentOf(commit);
  const [local, { edits, editsUnchecked }] = await Promise.all([
    repository === undefined ? undefined : localWork(repository, { url, branch }, parts.repositories),
    standingEdits(prepared, parts, readDeployed),
  ]);
  const fate = fateOf(prepared);
  return {
    ...{ local, editsUnchecked, fate },
    edits: fate === 'stops' ? await inTheWay(edits, prepared, repository) : edits,
  };
}

/** Reports a failed check: the redeploy might discard edits without asking. */
async function standingEdits(
  { request }: Prepared,
  { edits }: PreflightDeps,
  readDeployed: ReadDeployed,
): Promise<Pick<Preflight, 'edits' | 'editsUnchecked'>> {
  try {
    return { edits: await edits.standing(request, readDeployed), editsUnchecked: undefined };
  } catch (error) {
    return { edits: [], editsUnchecked: failureText(error) };
  }
}

export function hasSomethingToSay({ local, edits, editsUnchecked }: Preflight): boolean {
  return editsUnchecked !== undefined || edits.length > 0 || (local !== undefined && missesSomething(local));
}

export function missesSomething({
  uncommitted,
  unpushed,
  otherBranch,
  unsaved,
}: NonNullable<Preflight['local']>): boolean {
  return uncommitted.length > 0 || unpushed.length > 0 || otherBranch !== undefined || unsaved.length > 0;
}

async function localWork(
  repository: LocalRepository,
  { url, branch }: { readonly url: string; readonly branch: string },
  repositories: LocalRepositories,
) {
  const missed = await repository.missedBy(url, branch);
  return { ...missed, repository, unsaved: repositories.unsavedIn(repository) };
}

function fateOf({ project, before }: Prepared): EditFate {
  const isFirst = project.settings.type !== 'SVN' && before.every(({ head }) => head.kind === 'absent');
  if (isFirst) {
    return 'replaced';
  }
  return project.settings.autoResolveConflict === false ? 'stops' : 'thrownAway';
}

/** Edits that no new commit touches stay as they are; where nobody here knows the commits, all may be in the way. */
async function inTheWay(
  edits: readonly EditedFile[],
  prepared: Prepared,
  repository: LocalRepository | undefined,
): Promise<readonly EditedFile[]> {
  const { url = '', branch = '' } = prepared.project.settings;
  const upstream = await repository?.upstream(url, branch);
  const commit = standingCommit(prepared);
  if (repository === undefined || upstream === undefined || commit === undefined) {
    return edits;
  }
  const changed = await repository.changedPaths(commit, upstream.tip);
  // Which files came with an archive is not known.
  return changed === undefined
    ? edits
    : edits.filter(({ path, edit }) => changed.has(path) || edit.what === 'unpacked');
}

/** The commit that stands on every node now. */
function standingCommit({ before }: Prepared): string | undefined {
  const [first, ...others] = before.map(({ head }) => (head.kind === 'commit' ? head.commit : undefined));
  return others.every((other) => other === first) ? first : undefined;
}
