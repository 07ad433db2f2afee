import { projectText } from '../projectText';
import { workspace } from 'vscode';
import type { Environments } from '../../containers/environments';
import { productionSentence } from '../../containers/protectedEnvironments';
import type { Project, ProjectSettings } from '../projects';
import type { GitExtensionState } from '../repositories/gitExtension';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository, UndeployedWork } from '../repositories/localRepository';
import type { NodeHead } from '../deployedState/nodeInspector';
import { type EditAtRisk, type EditOutcome, fatesOf } from '../nodeEdits/editFates';
import type { EditedFile, NodeEditsAtRisk } from '../nodeEdits/nodeEditsAtRisk';
import { headsNow } from '../deployedState/nodesNow';
import { confirmModes, mustConfirm } from './redeployConfirmation';
import { type Prepared, replacesFolder } from './redeployOperation';
import type { WedgedClone, WedgedClones } from './wedgedClones';
import { changedFields, fieldChange, fieldsOf } from '../settings/fieldChanges';
import { type FieldName, noWriteOnlySettings, type ProjectFields } from '../settings/projectFields';
import { reasonText } from '../../ui/failureMessages';

/** What a redeploy would do, and what the user should know before it. */
export interface RedeployPlan extends Prepared {
  /** The project in the tree's words. */
  readonly name: string;
  /** The commit that every node has now. */
  readonly deployed: string | undefined;
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
type SettingsToDeploy = Pick<ProjectFields, (typeof settingsToDeploy)[number]>;

export interface PlanOptions extends Pick<Prepared, 'beforeRepair'> {
  /** Will have replaced the project's own by the time of the redeploy. */
  readonly settings?: Partial<SettingsToDeploy>;
  /** The tip of the project's branch, if it isn't pushed yet. */
  readonly commit?: string | undefined;
  /** What the nodes had a moment ago, which isn't read again if no file was edited there. */
  readonly before?: readonly NodeHead[] | undefined;
}

export interface PlanDeps {
  readonly repositories: LocalRepositories;
  readonly edits: NodeEditsAtRisk;
  readonly wedgedClones: Pick<WedgedClones, 'find'>;
  readonly environments: Environments;
}

/** Checks what a redeploy would miss or discard. Asks the platform only about edited files, and about clones that can't pull. */
export async function planOf(
  prepared: Prepared,
  { repositories, edits: editsAtRisk, wedgedClones, environments }: PlanDeps,
  commit?: string,
): Promise<RedeployPlan> {
  await repositories.ready;
  const { project, before, beforeRepair = before } = prepared;
  const { settings } = project;
  const repository = repositories.withAddress(settings.url);
  // Attaching HEAD to a branch doesn't change the files. Deleting a clone makes the commit of its files unknown.
  const isDeleted = before.some(({ head }) => head.kind === 'absent');
  const deployed = headsNow(isDeleted ? before : beforeRepair).commit;
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
    ...prepared,
    name: projectText(prepared.request.place, environments),
    deployed,
    local: repository && missed && { ...missed, repository },
    gitOff: gitOff(settings, repositories),
    ...edited,
    ...(await fatesOf(tracked, { project, before, deployed, editOutcome, repository, missed, commit })),
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

function editOutcomeOf(prepared: Prepared): EditOutcome {
  if (replacesFolder(prepared)) {
    return 'replaced';
  }
  const { type, autoResolveConflict } = prepared.project.settings;
  // Subversion's files are reverted whatever is set. A platform resolves conflicts of Git unless it's told not to.
  return autoResolveConflict === false && type !== 'SVN' ? 'stops' : 'discarded';
}
