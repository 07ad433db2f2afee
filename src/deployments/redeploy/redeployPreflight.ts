import { projectText } from '../projectText';
import { workspace } from 'vscode';
import type { Environments } from '../../containers/environments';
import { productionSentence } from '../../containers/protectedEnvironments';
import type { Project, ProjectSettings } from '../projects';
import type { GitExtensionState } from '../repositories/gitExtension';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository, UndeployedWork } from '../repositories/localRepository';
import { type RepositoryToDeploy, withoutTaken } from '../nodeEdits/editsInRepository';
import type { EditedFile, NodeEditsAtRisk } from '../nodeEdits/nodeEditsAtRisk';
import { changesOf, commitsOnNodes } from './redeployResult';
import { confirmModes, mustConfirm } from './redeployConfirmation';
import { type Prepared, replacesFolder } from './redeployOperation';
import { changedFields, fieldChange, fieldsOf } from '../settings/fieldChanges';
import { type FieldName, noWriteOnlySettings, type ProjectFields } from '../settings/projectFields';
import { reasonText } from '../../ui/failureMessages';

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
      (error: unknown) => ({ edits: [], editsUnchecked: reasonText(error) }),
    ),
  ]);
  return {
    project: projectText(prepared.request.place, environments),
    local: repository && missed && { ...missed, repository },
    gitOff: gitOff(settings, repositories),
    ...edited,
    edits: await affected(edited.edits, { prepared, editOutcome, repository, missed }),
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
export function thingsAtStake({ local, edits, editsUnchecked, editOutcome, changed }: Preflight): readonly string[] {
  const { uncommitted = [], unsaved = [], unpushed = [], otherBranch } = local ?? {};
  return [
    // Only a text tells whether its file was edited again.
    ...edits.map(({ edit: { nodeId, what, at }, path, now }) => [
      ...[editOutcome, path, nodeId, what, now],
      ...(now.kind === 'text' ? [] : [at]),
    ]),
    ...(editsUnchecked === undefined ? [] : [['unchecked', editsUnchecked]]),
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
  return prepared.project.settings.autoResolveConflict === false ? 'stops' : 'discarded';
}

interface DeployedTo {
  readonly prepared: Prepared;
  readonly editOutcome: EditOutcome;
  readonly repository: LocalRepository | undefined;
  readonly missed: UndeployedWork | undefined;
}

/** Leaves out the edits that the repository has, or, if edits stay on the nodes, those that no new commit touches. */
async function affected(
  edits: readonly EditedFile[],
  { prepared, editOutcome, repository, missed }: DeployedTo,
): Promise<readonly EditedFile[]> {
  const { settings } = prepared.project;
  const { repoHash = '' } = settings;
  const upstream = edits.length === 0 ? undefined : await repository?.upstream(settings);
  if (repository === undefined || upstream === undefined || missed === undefined) {
    return edits;
  }
  // A platform may ignore that a project is pinned, and deploy the newest commit.
  const commits = repoHash === '' ? [upstream.tip] : [repoHash, upstream.tip];
  if (editOutcome !== 'stops') {
    return withoutTaken(edits, { repository, commits, missed });
  }
  const commit = deployedCommit(prepared);
  return commit === undefined ? edits : inTheWay(edits, commit, { repository, commits });
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
  return commitsOnNodes(changesOf([], before));
}
