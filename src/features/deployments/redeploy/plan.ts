import { l10n, workspace } from 'vscode';
import type { Environments } from '../../../containers/environments';
import { productionSentence } from '../../../containers/protectedEnvironments';
import { isCanceled } from '../../../platform/errors';
import { ExpectedError } from '../../../ui/expectedError';
import { reasonText } from '../../../ui/failureMessages';
import { withDetachableProgress } from '../../../ui/progress';
import type { Head, NodeHead, NodeInspector } from '../deployedState/nodeInspector';
import { headsNow, headState, nodesNow } from '../deployedState/deployedState';
import type { DeployHistory } from '../history/deployHistory';
import { goneBranchIn } from '../history/deployLog';
import { type EditAtRisk, type EditOutcome, fatesOf } from '../nodeEdits/editFates';
import type { EditedFile, NodeEditsAtRisk } from '../nodeEdits/nodeEditsAtRisk';
import type { ProjectPlace } from '../projectPlace';
import type { KnownProjects, Project, Projects, ProjectSettings } from '../projects';
import { projectText } from '../projectText';
import type { GitExtensionState } from '../../../files/gitExtension';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalRepository, UndeployedWork } from '../repositories/localRepository';
import { changedFields, fieldChange, fieldsOf } from '../settings/fieldChanges';
import { type FieldName, noWriteOnlySettings, type ProjectFields } from '../settings/projectFields';
import { hasDeployed } from './redeployResult';
import type { WedgedClone, WedgedClones } from './wedgedClones';

/**
 * Who has agreed to a redeploy before. `confirmed`: a person, to a question that named the project, the environment and the
 * consequence. `byTask`: the author of a task. `byTool`: a language model.
 */
type RedeployConsent = 'confirmed' | 'byTask' | 'byTool';

export interface RedeployRequest {
  readonly place: ProjectPlace;
  /** Redeploys only this node of the layer. */
  readonly nodeId?: number | undefined;
  /** The delay between two nodes' restarts, in seconds. */
  readonly delay?: number | undefined;
  readonly consent?: RedeployConsent | undefined;
  /** The settings that the user agreed to deploy; `undefined` if no question has named them. */
  readonly agreed?: ProjectSettings | undefined;
  /** The tip of the project's branch, if that's pushed for a roll back. A clone of a single branch never has it as such. */
  readonly commit?: string | undefined;
}

export interface Prepared {
  readonly request: RedeployRequest;
  readonly project: Project;
  readonly before: readonly NodeHead[];
  /** The heads before clones were repaired for this redeploy. The nodes' files are still those of these commits. */
  readonly beforeRepair?: readonly NodeHead[] | undefined;
  /** Whether earlier redeploys or the project's log show a deployment, even if no clone was found. */
  readonly wasDeployed: boolean;
  /** Whether a Subversion checkout was found in the project's folder. No file of it says its revision as text. */
  readonly isCheckedOut?: boolean;
  /** The branch that a node couldn't pull at the last redeploy, because it's gone from the repository. */
  readonly goneBranch?: string | undefined;
  /** The branch's newest commit in the local repository, so that a commit pushed later doesn't count as missing. */
  readonly tip?: string | undefined;
}

/** What a redeploy would do, and what the user should know before it. */
export interface RedeployPlan extends Prepared {
  /** The project in the tree's words. */
  readonly name: string;
  /** The commit that every node has now. */
  readonly deployed: string | undefined;
  /** Local work that it would miss; `undefined` if the repository isn't open here. */
  readonly local: (UndeployedWork & { readonly repository: LocalRepository }) | undefined;
  /** Why Gantry can't check for local work, if it can't. */
  readonly gitProblem: GitExtensionState | undefined;
  readonly edits: readonly EditAtRisk[];
  /** The edited files that the redeploy leaves alone. */
  readonly kept: readonly EditedFile[];
  /** The edits that only the local repository has, uncommitted or not pushed. The redeploy reverts them on the nodes. */
  readonly inClone: readonly EditedFile[];
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
  /** What the nodes had a moment ago, which isn't read again if no file was edited there. */
  readonly before?: readonly NodeHead[] | undefined;
}

export class RedeployPlans {
  constructor(
    private readonly deps: {
      readonly projects: Projects;
      readonly inspector: NodeInspector;
      readonly history: DeployHistory;
      readonly known: Pick<KnownProjects, 'isFolderFound'>;
      readonly repositories: LocalRepositories;
      readonly edits: NodeEditsAtRisk;
      readonly wedgedClones: WedgedClones;
      readonly environments: Environments;
    },
  ) {}

  /**
   * Checks what a redeploy would miss or discard. Reads the project's settings and each node's HEAD, the files that were
   * edited through Gantry, and the remote branches in clones that can't pull.
   */
  async of(
    request: RedeployRequest,
    { settings: others, before: seen, beforeRepair }: PlanOptions = {},
  ): Promise<RedeployPlan> {
    const { repositories, edits: editsAtRisk, wedgedClones, environments } = this.deps;
    // Whether an edit still exists depends on the commit that its node has now.
    const isEdited = seen && (await this.isAnyNoted(request.place).catch(() => true));
    const read = await this.prepare(request, isEdited === false ? seen : undefined);
    const project = { ...read.project, settings: { ...read.project.settings, ...others } };
    const prepared: Prepared = { ...read, beforeRepair, project };
    const { settings } = project;
    await repositories.ready;
    const repository = repositories.withAddress(settings.url);
    const deployed = commitOfFiles(prepared);
    const editOutcome = editOutcomeOf(prepared);
    const [missed, upstream, wedged, { edits, editsUnchecked }] = await Promise.all([
      repository?.missedBy(settings),
      repository?.upstream(settings),
      stillGone(prepared, repository).then((goneBranch) => wedgedClones.find({ ...prepared, goneBranch })),
      this.editsOf(request, readerOf(deployed, repository)).catch((error: unknown) => ({
        // Reports a failed check: the redeploy might discard edits without asking.
        edits: [],
        editsUnchecked: reasonText(error),
      })),
    ]);
    const hasFates = editOutcome !== 'replaced' && settings.type !== 'SVN';
    const tracked = hasFates ? await editsAtRisk.withTracking(edits) : edits;
    return {
      ...prepared,
      tip: upstream?.tip,
      name: projectText(request.place, environments),
      deployed,
      local: repository && missed && { ...missed, repository },
      gitProblem: gitProblemOf(settings, repositories),
      ...(await fatesOf(tracked, {
        project,
        before: read.before,
        deployed,
        editOutcome,
        repository,
        missed,
        commit: request.commit,
        mayExist: editsAtRisk.presence(),
      })),
      editsUnchecked,
      editOutcome,
      wedged,
      ...(await this.confirmationOf(prepared, editOutcome)),
    };
  }

  private async isAnyNoted(place: ProjectPlace): Promise<boolean> {
    const { edits } = this.deps;
    const known = await edits.read(place);
    return known.edits.length > 0 || known.unknown > 0;
  }

  /** Returns the edits at risk, and why some can't be listed, if that's so: the redeploy might discard them without asking. */
  private async editsOf(request: RedeployRequest, readDeployed: Parameters<NodeEditsAtRisk['list']>[1]) {
    const { edits } = this.deps;
    const { all, unknown } = await edits.read(request.place);
    const editsUnchecked =
      unknown === 0
        ? undefined
        : unknown === 1
          ? l10n.t('this computer has no readable record of one edit')
          : l10n.t('this computer has no readable record of {0} edits', String(unknown));
    return { edits: await edits.list(request, readDeployed, all), editsUnchecked };
  }

  /**
   * Reads what a redeploy starts from.
   * @param heads what the nodes had a moment ago, if that was read
   */
  async prepare(request: RedeployRequest, heads?: readonly NodeHead[]): Promise<Prepared> {
    const { projects, inspector, history } = this.deps;
    const [project, seen, records] = await Promise.all([
      // An answer on its way may be from before another deployment, whose log would count as this one's.
      projects.readAgain(request.place),
      heads ?? inspector.listAgain(request.place).then(() => inspector.heads(request)),
      // If the history can't be read, no deployment is called the first one.
      history.of(request.place).catch(() => undefined),
    ]);
    // The log may contain only failed deployments; Gantry's own ones are known from the history, and what was there before.
    const wasDeployed =
      records === undefined ||
      (records.length > 0
        ? records.some((record) => hasDeployed(record) || record.wasDeployed === true)
        : (project.settings.log ?? '') !== '');
    if (project.settings.type !== 'SVN') {
      const [last] = records ?? [];
      const ofLast = last?.verdict.kind === 'failed' ? last.log : '';
      const goneBranch = goneBranchIn(last === undefined ? (project.settings.log ?? '') : ofLast);
      return { request, project, before: seen, wasDeployed, goneBranch };
    }
    // The first time, it was looked for as a clone.
    const nodes = seen.map(({ node }) => node);
    await inspector.findCheckout(request.place, nodes);
    const before = nodes.map((node): NodeHead => ({ node, head: { kind: 'absent' } }));
    return { request, project, before, wasDeployed, isCheckedOut: this.deps.known.isFolderFound(request.place) };
  }

  /** Returns why Gantry can't check a project for local work, if it can't. */
  async gitProblem(place: ProjectPlace): Promise<GitExtensionState | undefined> {
    const { repositories, projects } = this.deps;
    await repositories.ready;
    return gitProblemOf(projects.last(place)?.settings ?? {}, repositories);
  }

  private async confirmationOf({ request, before }: Prepared, editOutcome: EditOutcome) {
    const production = await productionSentence([request.place], this.deps.environments);
    const mode = workspace.getConfiguration('gantry').get<unknown>('redeploy.confirm');
    const circumstances = {
      mode: confirmModes.find((one) => one === mode) ?? 'whenRisky',
      consent: request.consent,
      isProduction: production !== undefined,
      heads: before.map(({ head }) => head),
      replacesFolder: editOutcome === 'replaced',
    };
    return { production, mustConfirm: mustConfirm(circumstances) };
  }
}

/** Why Gantry can't check a Git project for local work; `undefined` if it can. */
export function gitProblemOf(
  { type }: Pick<ProjectSettings, 'type'>,
  { state }: Pick<LocalRepositories, 'state'>,
): GitExtensionState | undefined {
  return type === 'SVN' || state === 'works' ? undefined : state;
}

/** Pushes the commits that the redeploy would miss, if that was decided. Returns whether there were any. */
export async function pushMissed({ local, project }: RedeployPlan, { push }: { readonly push: boolean }) {
  if (!push || local === undefined || local.unpushed.length === 0) {
    return false;
  }
  const { settings } = project;
  await pushWithProgress(settings.branch ?? '', () => local.repository.push(settings));
  return true;
}

/** Canceling only stops waiting, and rejects with what that leaves open: Git may still push. */
export async function pushWithProgress(branch: string, push: () => Promise<void>): Promise<void> {
  try {
    await withDetachableProgress(l10n.t('Pushing {0}', branch), push);
  } catch (error) {
    // Git's own words may contain the login.
    const text = isCanceled(error)
      ? l10n.t('Canceled. Nothing was deployed, but Git may still push {0}.', branch)
      : l10n.t("Couldn't push {0}, so nothing was deployed. To see why, use Git: Show Git Output.", branch);
    throw error instanceof ExpectedError ? error : new ExpectedError(text, { cause: error });
  }
}

/** What changed in the settings that a redeploy depends on, in words; `undefined` if nothing did. */
export function changeSince(agreed: ProjectSettings, { place, settings }: Project): string | undefined {
  const before = fieldsOf(place.context, agreed, noWriteOnlySettings);
  const now = fieldsOf(place.context, settings, noWriteOnlySettings);
  const names = changedFields(before, now).filter((name) => settingsToDeploy.some((one) => one === name));
  return names.length === 0 ? undefined : names.map((name) => fieldChange(name, before, now)).join(', ');
}

/** The branch that is gone from the repository, unless it was pushed again since the last redeploy. */
async function stillGone({ goneBranch: branch, project }: Prepared, repository: LocalRepository | undefined) {
  const isBack = branch !== undefined && (await repository?.upstream({ ...project.settings, branch })) !== undefined;
  return isBack ? undefined : branch;
}

/**
 * The commit that every node's files are of. Attaching HEAD to a branch doesn't change the files. Deleting a clone makes
 * the commit of its files unknown.
 */
function commitOfFiles({ before, beforeRepair }: Prepared): string | undefined {
  const isDeleted = before.some(({ head }) => head.kind === 'absent');
  return headsNow(isDeleted ? before : (beforeRepair ?? before)).commit;
}

/** Reads files of a commit. `undefined` if the commit isn't known, or no local repository has it. */
export function readerOf(commit: string | undefined, repository: LocalRepository | undefined) {
  return commit === undefined ? undefined : repository?.contentOf(commit);
}

function editOutcomeOf({ project, before, wasDeployed, isCheckedOut }: Prepared): EditOutcome {
  const { type, autoResolveConflict } = project.settings;
  // No node has a clone, even if one was there before. A checkout isn't looked for again once its folder is known.
  if (type === 'SVN' ? !wasDeployed && isCheckedOut !== true : headsNow(before).kind === 'absent') {
    return 'replaced';
  }
  // Subversion's files are reverted whatever is set. A platform resolves conflicts of Git unless it's told not to.
  return autoResolveConflict === false && type !== 'SVN' ? 'stops' : 'discarded';
}

/** Whether nothing was deployed before, as far as Gantry can tell. */
export function isFirst({ before, wasDeployed }: Pick<Prepared, 'before' | 'wasDeployed'>): boolean {
  return !wasDeployed && headsNow(before).kind === 'absent';
}

/** When a redeploy is asked about, although nothing would be lost by it: the setting `gantry.redeploy.confirm`. */
export const confirmModes = ['always', 'whenRisky', 'never'] as const;
type ConfirmMode = (typeof confirmModes)[number];

interface Circumstances {
  readonly mode: ConfirmMode;
  readonly consent: RedeployConsent | undefined;
  readonly isProduction: boolean;
  /** What the project's nodes have now. */
  readonly heads: readonly Head[];
  /** The folder is replaced, because no node has a clone. */
  readonly replacesFolder: boolean;
}

/** Whether to ask before a redeploy by which nothing would be lost. It's the same wherever a person starts it. */
export function mustConfirm({ mode, consent, isProduction, heads, replacesFolder }: Circumstances): boolean {
  if (consent === 'confirmed') {
    return false;
  }
  if (isProduction || consent === 'byTool') {
    return true;
  }
  return (
    consent !== 'byTask' &&
    (mode === 'always' ||
      (mode === 'whenRisky' &&
        // The nodes run different commits, or one couldn't be read.
        (replacesFolder || ['differ', 'unreadable'].includes(nodesNow(heads.map(headState)).kind))))
  );
}
