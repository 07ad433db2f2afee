import { projectText } from '../projectText';
import { workspace } from 'vscode';
import type { Environments } from '../../containers/environments';
import { productionSentence } from '../../containers/protectedEnvironments';
import type { ProjectSettings } from '../projects';
import type { GitExtensionState } from '../repositories/gitExtension';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository, UndeployedWork } from '../repositories/localRepository';
import type { EditedFile, NodeEditsAtRisk } from '../nodeEdits/nodeEditsAtRisk';
import { changesOf, commitsOnNodes } from './redeployResult';
import { confirmModes, mustConfirm } from './redeployConfirmation';
import { type Prepared, replacesFolder } from './redeployOperation';
import type { ProjectFields } from '../settings/projectFields';
import { failureText } from '../../ui/failureMessages';

/** How a redeploy affects edits in the container. */
export type EditOutcome =
  /** The repository's files overwrite them. */
  | 'discarded'
  /** The whole folder is replaced, because no node has a clone. */
  | 'replaced'
  /** The update fails if the repository changed the same files. */
  | 'stops';

/** What the user should know before a redeploy. */
export interface Preflight {
  /** The project in the tree's words. */
  readonly project: string;
  /** Local work that it would miss; `undefined` if the repository isn't open here. */
  readonly local: (UndeployedWork & { readonly repository: LocalRepository }) | undefined;
  /** Why Gantry can't check for local work, if it can't. */
  readonly gitOff: GitExtensionState | undefined;
  readonly edits: readonly EditedFile[];
  /** Why it isn't known which files were edited in the container. */
  readonly editsUnchecked: string | undefined;
  readonly editOutcome: EditOutcome;
  /** Says that the environment is a production environment, if it is one. */
  readonly production: string | undefined;
  /** A question is due, even if nothing would be missed or discarded. */
  readonly mustConfirm: boolean;
}

/** The settings that decide what a redeploy does to edits. */
export type SettingsToDeploy = Pick<ProjectFields, 'type' | 'url' | 'branch' | 'repoHash' | 'autoResolveConflict'>;

export interface PreflightDeps {
  readonly repositories: LocalRepositories;
  readonly edits: NodeEditsAtRisk;
  readonly environments: Environments;
}

/** Checks what a redeploy would miss or discard. Asks the platform only about edited files. */
export async function runPreflight(
  prepared: Prepared,
  { repositories, edits: editsAtRisk, environments }: PreflightDeps,
): Promise<Preflight> {
  await repositories.ready;
  const { settings } = prepared.project;
  const repository = repositories.withAddress(settings.url);
  const commit = deployedCommit(prepared);
  const readDeployed = commit === undefined ? undefined : repository?.contentOf(commit);
  const editOutcome = editOutcomeOf(prepared);
  const [missed, edited] = await Promise.all([
    repository?.missedBy(settings),
    editsAtRisk.list(prepared.request, readDeployed).then(
      (edits) => ({ edits, editsUnchecked: undefined }),
      // Reports a failed check: the redeploy might discard edits without asking.
      (error: unknown) => ({ edits: [], editsUnchecked: failureText(error) }),
    ),
  ]);
  return {
    project: projectText(prepared.request.place, environments),
    local: repository && missed && { ...missed, repository },
    gitOff: gitOff(settings, repositories),
    ...edited,
    edits: editOutcome === 'stops' ? await inTheWay(edited.edits, prepared, repository) : edited.edits,
    editOutcome,
    ...(await confirmationOf(prepared, editOutcome, environments)),
  };
}

/** Why Gantry can't check a Git project for local work; `undefined` if it can. */
export function gitOff(
  { type }: Pick<ProjectSettings, 'type'>,
  { state }: Pick<LocalRepositories, 'state'>,
): GitExtensionState | undefined {
  return type === 'SVN' || state === 'works' ? undefined : state;
}

async function confirmationOf({ request, before }: Prepared, editOutcome: EditOutcome, environments: Environments) {
  const production = await productionSentence([request.place], environments);
  const mode = workspace.getConfiguration('gantry').get<unknown>('redeploy.confirm');
  const circumstances = {
    mode: confirmModes.find((one) => one === mode) ?? 'always',
    consent: request.consent,
    isProduction: production !== undefined,
    heads: before.map(({ head }) => head),
    replacesFolder: editOutcome === 'replaced',
  };
  return { production, mustConfirm: mustConfirm(circumstances) };
}

/** Whether a redeploy might miss or discard something. */
export function hasSomethingToSay({ local, edits, editsUnchecked }: Preflight): boolean {
  return editsUnchecked !== undefined || edits.length > 0 || (local !== undefined && missesSomething(local));
}

export function missesSomething({ uncommitted, unpushed, otherBranch, unsaved }: UndeployedWork): boolean {
  return uncommitted.length > 0 || unpushed.length > 0 || otherBranch !== undefined || unsaved.length > 0;
}

function editOutcomeOf(prepared: Prepared): EditOutcome {
  if (replacesFolder(prepared)) {
    return 'replaced';
  }
  return prepared.project.settings.autoResolveConflict === false ? 'stops' : 'discarded';
}

/** Edits that no new commit touches stay as they are; if the commits aren't known here, any edit may be in the way. */
async function inTheWay(
  edits: readonly EditedFile[],
  prepared: Prepared,
  repository: LocalRepository | undefined,
): Promise<readonly EditedFile[]> {
  const { settings } = prepared.project;
  const { repoHash = '' } = settings;
  const upstream = await repository?.upstream(settings);
  const commit = deployedCommit(prepared);
  if (repository === undefined || upstream === undefined || commit === undefined) {
    return edits;
  }
  // A platform may ignore that a project is pinned, and deploy the newest commit.
  const next = repoHash === '' ? [upstream.tip] : [repoHash, upstream.tip];
  const changed = await Promise.all(next.map((target) => repository.changedPaths(commit, target)));
  // An archive's files aren't known, so keep it.
  return edits.filter(
    ({ path, edit }) => edit.what === 'unpacked' || changed.some((paths) => paths === undefined || paths.has(path)),
  );
}

/** The commit that every node has now. */
function deployedCommit({ before }: Prepared): string | undefined {
  return commitsOnNodes(changesOf([], before));
}
