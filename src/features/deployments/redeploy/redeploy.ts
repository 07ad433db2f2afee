import { commands, l10n } from 'vscode';
import type { EnvironmentTitles } from '../../../containers/locationText';
import type { CommandId } from '../../../manifest';
import {
  copyDiagnostics,
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../../ui/notifications';
import { withCancelableRead } from '../../../ui/progress';
import type { TaskRun } from '../../../ui/taskTerminal';
import type { NodeInspector } from '../deployedState/nodeInspector';
import { deployedChanges, type DeployHistory } from '../history/deployHistory';
import { showDeployLog, showNodeLog } from '../history/deployLogDocuments';
import type { Held, ProjectLock } from '../projectLock';
import { placeOfProject, type ProjectPlace } from '../projectPlace';
import type { KnownProjects, Projects } from '../projects';
import { checkingDeployed, gitProblemText, trustButton } from '../projectText';
import type { LocalRepositories } from '../repositories/localRepositories';
import { isFailed, isFolderUnknown, severityOf } from '../results';
import {
  type Agreed,
  askBeforeRedeploy,
  askForFolder,
  type Decide,
  decided,
  type Decision,
  isFolderMissing,
  plainly,
  withoutWhatWasAsked,
} from './ask';
import {
  changeSince,
  type PlanOptions,
  pushMissed,
  type RedeployPlan,
  type RedeployPlans,
  type RedeployRequest,
} from './plan';
import { type DeployRecord, isSurprising, nodeWithReason } from './redeployResult';
import { redeployMessage } from './redeployResultText';
import {
  type Redeploys,
  type RunningRedeploy,
  takeOrJoin,
  tellOtherNode,
  watchInLines,
  watchRedeploy,
} from './redeploys';
import { openSettings, restoreButton, settingsButton } from '../rollBack/rollBackPrompt';
import { isNew } from './stakes';
import { ResultNotRecorded } from './update';
import { CloneRepairs, type WedgedClones } from './wedgedClones';

interface PerformOptions {
  /** Shows the progress, and what a person should know. */
  readonly isShown?: boolean;
  /** Prevents the redeploy if it's aborted before the Update is sent. */
  readonly signal?: AbortSignal;
  /** Says everything in its lines, and prevents the redeploy when it's stopped. */
  readonly task?: TaskRun;
  /** Holds the project for a roll back. */
  readonly held?: Held;
  /** What was agreed to before, so that only something else is asked about, such as a file edited in the meantime. */
  readonly agreed?: Agreed;
}

type Ended =
  | { readonly kind: 'ended'; readonly record: DeployRecord }
  /** Another redeploy of the project was sent first. Its result is shown where it was started. */
  | { readonly kind: 'joined' }
  /** It was decided against, or canceled. */
  | { readonly kind: 'declined'; readonly why?: string | undefined };

/** A redeploy's steps until its Update is sent. */
interface RedeployRun extends PerformOptions {
  readonly request: RedeployRequest;
  readonly decide: Decide;
  readonly repairs: CloneRepairs;
  /** Holds the project, within a roll back's `held`. Steps let go of it while they ask. */
  taken: Held | undefined;
}

/** All that was agreed to so far. */
interface Consent {
  readonly keys: ReadonlySet<string>;
  readonly settings: RedeployRequest['agreed'];
  readonly decision: Decision;
  readonly isAsked: boolean;
}

const messages = { success: showInformationMessage, warning: showWarningMessage, error: showErrorMessage } as const;

export class RedeployFlow {
  /** Whether a message in this window has said that Gantry can't check for unpushed commits. */
  private hasSaidGitProblem = false;

  constructor(
    private readonly deps: {
      readonly environments: EnvironmentTitles;
      readonly history: DeployHistory;
      readonly inspector: NodeInspector;
      readonly known: KnownProjects;
      readonly plans: RedeployPlans;
      readonly projects: Projects;
      readonly redeploys: Redeploys;
      readonly repositories: LocalRepositories;
      readonly lock: ProjectLock;
      readonly waysBack: { of(place: ProjectPlace): Promise<{ readonly restore: () => Promise<void> } | undefined> };
      readonly wedgedClones: WedgedClones;
    },
  ) {}

  async redeploy(request: RedeployRequest): Promise<void> {
    const running = this.deps.redeploys.running(request.place);
    if (running !== undefined) {
      tellOtherNode(running, request);
      return this.join(running);
    }
    // A click does nothing while the progress or the question of another one is visible.
    const click = this.deps.lock.prepare(request.place);
    const perform = () => this.perform(request, askBeforeRedeploy, { isShown: true });
    const ended = click && (await perform().finally(() => click.dispose()));
    if (ended?.kind === 'ended') {
      await this.showResult(ended.record);
    }
  }

  /**
   * Redeploys once nothing is at stake that wasn't agreed to. Doesn't hold the project while it asks, so that nothing waits
   * for a question, unless a roll back holds it.
   */
  async perform(request: RedeployRequest, decide: Decide, options: PerformOptions = {}): Promise<Ended> {
    const { task, signal = task?.signal, agreed } = options;
    const repairs = new CloneRepairs(this.deps.wedgedClones, signal);
    const run: RedeployRun = { ...options, ...(signal && { signal }), request, decide, repairs, taken: undefined };
    const { keys = [], decision = plainly } = agreed ?? {};
    const before = { keys: new Set(keys), settings: request.agreed, decision, isAsked: agreed !== undefined };
    let isSent = false;
    try {
      const ended = await this.sendOnceAgreed(run, before);
      isSent = ended.kind !== 'declined';
      return ended;
    } catch (error) {
      isSent = error instanceof ResultNotRecorded;
      throw error;
    } finally {
      letGo(run);
      if (!isSent) {
        repairs.tell();
      }
    }
  }

  /**
   * Checks, then asks, pushes, waits for the project, and repairs clones where it's needed. If any of it was, it checks again:
   * meanwhile, someone may have edited a file, changed the settings, or deployed. The Update follows a check that leaves nothing to do.
   */
  private async sendOnceAgreed(run: RedeployRun, before: Consent): Promise<Ended> {
    for (let consent = before; ; consent = { ...consent, decision: plainly }) {
      const plan = await this.planWithFolder(run, consent);
      const asks = isNew(plan, consent.keys) || (!consent.isAsked && plan.mustConfirm);
      const answer = asks ? await askAbout(plan, run, consent) : consent;
      if ('kind' in answer) {
        return answer;
      }
      consent = answer;
      const { decision } = consent;
      const hasPushed = await pushMissed(plan, decision);
      const { joined, hasWaited, held } = await takeOrJoin({ ...run, decision }, hasPushed, this.deps);
      if (joined !== undefined) {
        // Its error is shown where it was started.
        await Promise.allSettled([this.watch(joined, run, consent)]);
        return { kind: 'joined' };
      }
      if (held === undefined) {
        return { kind: 'declined' };
      }
      run.taken = held;
      const hasRepaired = await run.repairs.run(plan, decision.repair);
      if (!asks && !hasPushed && !hasWaited && !hasRepaired) {
        const running = this.deps.redeploys.start(plan, held);
        // From now on, the redeploy lets go of the project.
        run.taken = undefined;
        return { kind: 'ended', record: await this.untilEnded(running, run, consent) };
      }
    }
  }

  private async untilEnded(running: RunningRedeploy, run: RedeployRun, consent: Consent): Promise<DeployRecord> {
    run.signal?.addEventListener('abort', running.stop, { once: true });
    return (await this.watch(running, run, consent)) ?? running.ended;
  }

  plan(request: RedeployRequest, options?: PlanOptions): Promise<RedeployPlan> {
    return withCancelableRead(checkingDeployed(), () => this.deps.plans.of(request, options));
  }

  /** Asks for a project's folder, and checks there what the last redeploy did. */
  async askForFolder(place: ProjectPlace, last: DeployRecord | undefined): Promise<void> {
    // The clone may be in one of the usual folders, which haven't been checked yet.
    await withCancelableRead(checkingDeployed(), () => this.deps.inspector.heads({ place }));
    if ((await askForFolder(place, this.deps)) && last?.verdict.kind === 'unverified') {
      await this.lookAgain(last);
    }
  }

  async lookAgain(record: DeployRecord): Promise<void> {
    const { projects, redeploys } = this.deps;
    const running = redeploys.running(record);
    if (running !== undefined) {
      return this.join(running);
    }
    const seen = await withCancelableRead(checkingDeployed(), async () => {
      // The check compares with these settings.
      await projects.read(record);
      return redeploys.lookAgain(record);
    });
    await this.showResult(seen);
  }

  /** Shows how a redeploy ended, as far as that's known, and what can follow. After a later redeploy, its buttons show that one. */
  async showResult(record: DeployRecord): Promise<void> {
    const { verdict } = record;
    const changes = await deployedChanges(record, this.deps);
    const steps = new Map<string, () => Thenable<unknown>>();
    if (changes !== undefined) {
      steps.set(l10n.t('Show Changes'), () => changes.show());
    }
    if (verdict.kind === 'answerLost') {
      steps.set(l10n.t('Check Result'), () => this.lookAgain(record));
    }
    if (isFolderUnknown(verdict)) {
      steps.set(l10n.t('Select Project Folder…'), () => this.askForFolder(record, record));
    }
    steps.set(l10n.t('Show Log'), () => showDeployLog(record));
    const node = nodeWithReason(record);
    if (node !== undefined) {
      steps.set(l10n.t('Show Node Log'), () => showNodeLog(record, node));
    }
    const ways = await this.waysOn(record);
    ways.forEach((run, label) => steps.set(label, run));
    if (isSurprising(verdict)) {
      steps.set(l10n.t('Copy Diagnostics'), () => copyDiagnostics([]));
    }
    const text = redeployMessage(record, this.deps.environments, changes?.subjects);
    const chosen = await messages[severityOf(verdict)](text, ...steps.keys());
    const later = ways.has(chosen ?? '') ? await this.deps.history.after(record) : undefined;
    await (later === undefined ? steps.get(chosen ?? '')?.() : this.showResult(later));
  }

  /** What may be deployed next, and the settings, because the address, the branch or the login often causes a failure. */
  private async waysOn(record: DeployRecord) {
    const { verdict, isFirst, pinnedTo, nodeId, delay } = record;
    const wayBack = isFailed(verdict) ? await this.deps.waysBack.of(record) : undefined;
    const ways = new Map<string, () => Thenable<unknown>>();
    if (isFailed(verdict)) {
      const label = isFirst === true ? l10n.t('Deploy') : l10n.t('Redeploy');
      ways.set(label, () => this.redeploy({ place: record, nodeId, delay }));
    }
    if (wayBack !== undefined) {
      ways.set(restoreButton(), wayBack.restore);
    } else if (verdict.kind === 'failed') {
      ways.set(settingsButton(), () => openSettings(record));
    } else if (pinnedTo !== undefined) {
      const deployNewest: CommandId = 'gantry.project.deployNewest';
      ways.set(l10n.t('Deploy Newest Commit'), () => commands.executeCommand(deployNewest, placeOfProject(record)));
    }
    return ways;
  }

  /** Returns why Gantry can't check a project for local work, if it can't. */
  gitProblem(place: ProjectPlace) {
    return this.deps.plans.gitProblem(place);
  }

  /** Says in a message, once in a window, what isn't checked before a redeploy that asks nothing. */
  private async sayGitProblem(place: ProjectPlace): Promise<void> {
    const state = await this.gitProblem(place);
    if (state !== undefined && !this.hasSaidGitProblem) {
      this.hasSaidGitProblem = true;
      const buttons = trustButton(state);
      void showInformationMessage(gitProblemText(state), ...buttons.keys()).then((chosen) =>
        buttons.get(chosen ?? '')?.(),
      );
    }
  }

  /** A person who just clicked is also asked for the project's folder, if it's unknown. */
  private async planWithFolder(run: RedeployRun, { settings }: Consent): Promise<RedeployPlan> {
    const { request, isShown, agreed, repairs } = run;
    const plan = async () => {
      const found = await this.plan(request, { beforeRepair: repairs.before });
      const changed = settings && changeSince(settings, found.project);
      return { ...(agreed ? withoutWhatWasAsked(found, agreed) : found), changed };
    };
    const found = await plan();
    // Something was deployed, but not to any of the usual folders.
    const asks = isShown === true && agreed === undefined && found.wasDeployed;
    if (!asks || !isFolderMissing(request.place, this.deps.known)) {
      return found;
    }
    letGo(run);
    return (await askForFolder(request.place, this.deps)) ? plan() : found;
  }

  /** Shows the progress. Returns `undefined` if the person closes it before the end. */
  private async watch(
    running: RunningRedeploy,
    { request, isShown = false, task }: RedeployRun,
    { isAsked }: Consent,
  ): Promise<DeployRecord | undefined> {
    if (!isShown) {
      return task === undefined ? running.ended : watchInLines(running, task.say);
    }
    if (!isAsked) {
      await this.sayGitProblem(request.place);
    }
    return watchRedeploy(running, this.deps.environments);
  }

  /** Shows the progress. The result, or why it was refused, is shown where it was started. */
  private async join(running: RunningRedeploy): Promise<void> {
    await Promise.allSettled([watchRedeploy(running, this.deps.environments)]);
  }
}

function letGo(run: RedeployRun): void {
  run.taken?.dispose();
  run.taken = undefined;
}

/** Returns what is agreed to now, or `declined`. */
async function askAbout(plan: RedeployPlan, run: RedeployRun, { keys }: Consent): Promise<Consent | Ended> {
  letGo(run);
  const { signal, decide } = run;
  const answer = signal?.aborted === true ? undefined : await decided(plan, decide);
  if (answer?.decision === undefined || signal?.aborted === true) {
    return { kind: 'declined', why: answer?.why };
  }
  const { settings } = plan.project;
  return { keys: new Set([...keys, ...answer.keys]), settings, decision: answer.decision, isAsked: true };
}
