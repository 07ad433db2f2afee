import { projectText } from '../projectText';
import { workspace } from 'vscode';
import type { Environments } from '../../containers/environments';
import { productionSentence } from '../../containers/protectedEnvironments';
import type { Project, ProjectSettings } from '../projects';
import type { GitExtensionState } from '../repositories/gitExtension';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository, UndeployedWork } from '../repositories/localRepository';
import { type RepositoryToDeploy, withoutTaken } from '../nodeEdits/editsInRepository';
import type { EditedFile, NodeEditsAtRisk, TrackedEdit } from '../nodeEdits/nodeEditsAtRisk';
import { confirmModes, mustConfirm } from './redeployConfirmation';
import { type Prepared, replacesFolder } from './redeployOperation';
import type { WedgedClone, WedgedClones } from './wedgedClones';
import { changedFields, fieldChange, fieldsOf } from '../settings/fieldChanges';
import { type FieldName, noWriteOnlySettings, type ProjectFields } from '../settings/projectFields';
import { reasonText } from '../../ui/failureMessages';
import { headsNow } from '../deployedState/nodesNow';

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

/** What the user should know before a redeploy. */
export interface Preflight {
  /** The project in the tree's words. */
  readonly project: string;
  /** Local work that it would miss; `undefined` if the repository isn't open here. */
  readonly local: (UndeployedWork & { readonly repository: LocalRepository }) | undefined;
  /** Why Gantry can't check for local work, if it can't. */
  readonly gitOff: GitExtensionState | undefined;
  readonly edits: readonly EditAtRisk[];
  /** The edited files that the redeploy leaves alone. */
  readonly kept: readonly EditedFile[];
  /** Why it isn't known which files were edited in the container. */
  readonly editsUnchecked: string | undefined;
  readonly editOutcome: EditOutcome;
  /** Says that the environment is a production environment, if it is one. */
  readonly production: string | undefined;
  /** A question is due, even if nothing would be missed or discarded. */
  readonly mustConfirm: boolean;
  /** The nodes where the redeploy would probably fail, because the clone can't pull. */
  readonly wedged: readonly WedgedClone[];
  /** What changed in the settings since the user agreed to a redeploy with them. */
  readonly changed?: string | undefined;
}

const settingsToDeploy = [
  'type',
  'url',
  'branch',
  'repoHash',
  'autoResolveConflict',
] as const satisfies readonly FieldName[];

/** The settings that decide what a redeploy deploys, and what it does to edits. */
export type SettingsToDeploy = Pick<ProjectFields, (typeof settingsToDeploy)[number]>;

export interface PreflightDeps {
  readonly repositories: LocalRepositories;
  readonly edits: NodeEditsAtRisk;
  readonly wedgedClones: Pick<WedgedClones, 'find'>;
  readonly environments: Environments;
}

/**
 * Checks what a redeploy would miss or discard. Asks the platform only about edited files, and about clones that can't pull.
 * @param commit the tip of the project's branch, if it isn't pushed yet
 */
export async function runPreflight(
  prepared: Prepared,
  { repositories, edits: editsAtRisk, wedgedClones, environments }: PreflightDeps,
  commit?: string,
): Promise<Preflight> {
  await repositories.ready;
  const { settings } = prepared.project;
  const repository = repositories.withAddress(settings.url);
  const deployed = deployedCommit(prepared);
  const readDeployed = deployed === undefined ? undefined : repository?.contentOf(deployed);
  const editOutcome = editOutcomeOf(prepared);
  // The branch may have been pushed again since the last redeploy.
  const isBack = async (branch: string) => (await repository?.upstream({ ...settings, branch })) !== undefined;
  const goneBranch =
    prepared.goneBranch !== undefined && (await isBack(prepared.goneBranch)) ? undefined : prepared.goneBranch;
  const [missed, wedged, edited] = await Promise.all([
    repository?.missedBy(settings),
    wedgedClones.find({ ...prepared, goneBranch }),
    editsAtRisk.list(prepared.request, readDeployed).then(
      (edits) => ({ edits, editsUnchecked: undefined }),
      // Reports a failed check: the redeploy might discard edits without asking.
      (error: unknown) => ({ edits: [], editsUnchecked: reasonText(error) }),
    ),
  ]);
  const hasFates = editOutcome !== 'replaced' && settings.type !== 'SVN';
  const tracked = hasFates ? await editsAtRisk.withTracking(edited.edits) : edited.edits;
  return {
    project: projectText(prepared.request.place, environments),
    local: repository && missed && { ...missed, repository },
    gitOff: gitOff(settings, repositories),
    ...edited,
    ...(await fatesOf(tracked, { prepared, editOutcome, repository, missed, commit })),
    editOutcome,
    wedged,
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

/** What changed in the settings that a redeploy depends on, in words; `undefined` if nothing did. */
export function changeSince(agreed: ProjectSettings, { place, settings }: Project): string | undefined {
  const before = fieldsOf(place.context, agreed, noWriteOnlySettings);
  const now = fieldsOf(place.context, settings, noWriteOnlySettings);
  const names = changedFields(before, now).filter((name) => settingsToDeploy.some((one) => one === name));
  return names.length === 0 ? undefined : names.map((name) => fieldChange(name, before, now)).join(', ');
}

/** Whether a redeploy might miss or discard something, or do something else than the user agreed to. */
export function hasSomethingToSay(preflight: Preflight): boolean {
  return thingsAtStake(preflight).length > 0;
}

/** Each thing that a redeploy might miss, discard, or do differently, with its content if it's known, as a text to compare. */
export function thingsAtStake({
  local,
  edits,
  editsUnchecked,
  editOutcome,
  wedged,
  changed,
}: Preflight): readonly string[] {
  const { uncommitted = [], unsaved = [], unpushed = [], otherBranch } = local ?? {};
  return [
    // Only a text tells whether its file was edited again.
    ...edits.map(({ edit: { nodeId, what, at }, path, now, fate }) => [
      ...[editOutcome, fate, path, nodeId, what, now],
      ...(now.kind === 'text' ? [] : [at]),
    ]),
    ...(editsUnchecked === undefined ? [] : [['unchecked', editsUnchecked]]),
    ...wedged.map(({ node, goneBranch, commit }) => ['wedged', node.name, goneBranch, commit]),
    ...(changed === undefined ? [] : [['settings', changed]]),
    ...uncommitted.map((file) => ['uncommitted', String(file)]),
    ...unsaved.map((file) => ['unsaved', String(file)]),
    ...(unpushed.length === 0 ? [] : [['unpushed', unpushed]]),
    ...(otherBranch === undefined ? [] : [['branch', otherBranch]]),
  ].map((thing) => JSON.stringify(thing));
}

export function missesSomething({ uncommitted, unpushed, otherBranch, unsaved }: UndeployedWork): boolean {
  return uncommitted.length > 0 || unpushed.length > 0 || otherBranch !== undefined || unsaved.length > 0;
}

function editOutcomeOf(prepared: Prepared): EditOutcome {
  if (replacesFolder(prepared)) {
    return 'replaced';
  }
  const { type, autoResolveConflict } = prepared.project.settings;
  // Subversion's files are reverted whatever is set. A platform resolves conflicts of Git unless it's told not to.
  return autoResolveConflict === false && type !== 'SVN' ? 'stops' : 'discarded';
}

interface DeployedTo {
  readonly prepared: Prepared;
  readonly editOutcome: EditOutcome;
  readonly repository: LocalRepository | undefined;
  readonly missed: UndeployedWork | undefined;
  readonly commit: string | undefined;
}

/**
 * Divides edits by what becomes of them. Leaves out those that the repository has, and those that stay on the nodes without
 * being in the way of a new commit.
 */
async function fatesOf(
  edits: readonly (EditedFile & Partial<TrackedEdit>)[],
  to: DeployedTo,
): Promise<Pick<Preflight, 'edits' | 'kept'>> {
  const { prepared, repository, missed } = to;
  const { settings } = prepared.project;
  const { repoHash = '' } = settings;
  const tip = edits.length === 0 ? undefined : (to.commit ?? (await repository?.upstream(settings))?.tip);
  const isKnown = repository !== undefined && tip !== undefined && missed !== undefined;
  // A platform may ignore that a project is pinned, and deploy the newest commit.
  const commits = !isKnown ? [] : repoHash === '' ? [tip] : [repoHash, tip];
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
  const commit = deployedCommit(prepared);
  const shown = new Set<EditedFile>([
    ...(await withoutTaken(
      atRisk.filter(({ fate }) => fate !== 'stops'),
      { repository, commits, missed },
    )),
    ...(commit === undefined ? stopping : await inTheWay(stopping, commit, { repository, commits })),
  ]);
  return { edits: atRisk.filter((file) => shown.has(file)), kept };
}

function fateOf(
  { edit, isTracked }: EditedFile & Partial<TrackedEdit>,
  { prepared, editOutcome }: DeployedTo,
): EditFate {
  const { project, before } = prepared;
  const { type, atomicDeploy } = project.settings;
  const nodes = before.filter(({ node }) => edit.nodeId === undefined || node.target.nodeId === edit.nodeId);
  if (type !== 'SVN' && nodes.some(({ head }) => head.kind === 'absent')) {
    return 'gone';
  }
  // A zero-downtime deployment switches to another folder, which may not have it.
  const switches = atomicDeploy === true && project.place.context === 'ROOT';
  if (isTracked === false && !switches) {
    return 'kept';
  }
  if (editOutcome === 'stops') {
    return 'stops';
  }
  return isTracked === true ? 'overwritten' : 'unknown';
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

/** The commit that every node has now. */
function deployedCommit({ before }: Prepared): string | undefined {
  return headsNow(before).commit;
}
