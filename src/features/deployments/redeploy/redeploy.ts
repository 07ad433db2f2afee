import { commands, l10n } from 'vscode';
import type { CommandId } from '../../../manifest';
import {
  copyDiagnostics,
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../../ui/notifications';
import { withCancelableRead, withDetachableProgress } from '../../../ui/progress';
import type { TaskRun } from '../../../ui/taskTerminal';
import { deployedChanges } from '../history/deployHistory';
import { showDeployLog, showNodeLog } from '../history/deployLogDocuments';
import type { Held, ProjectLock } from '../projectLock';
import { placeOfProject, type ProjectPlace } from '../projectPlace';
import type { Projects } from '../projects';
import { checkingDeployed, gitIsOff, trustButton } from '../projectText';
import type { GitExtensionState } from '../../../files/gitExtension';
import type { LocalRepositories } from '../repositories/localRepositories';
import { isFailed, isFolderUnknown, severityOf } from '../results';
import { type Agreed, askBeforeRedeploy, type Decide, decided, plainly, seenBefore } from './ask';
import {
  changeSince,
  gitOff,
  type PlanOptions,
  type RedeployPlan,
  type RedeployPlans,
  type RedeployRequest,
} from './plan';
import { askForFolder, isFolderMissing, type ProjectFolderDeps } from './ask';
import { type DeployRecord, isSurprising, nodeThatFailed } from './redeployResult';
import { redeployMessage } from './redeployResultText';
import { type Redeploys, type RunningRedeploy, takeOrJoin, watchInLines, watchRedeploy } from './redeploys';
import { openSettings, settingsButton } from '../rollBack/rollBackPrompt';
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

/** How a redeploy ended. */
type Ended =
  | { readonly kind: 'ended'; readonly record: DeployRecord }
  /** Another redeploy of the project was sent first. Its result is shown where it was started. */
  | { readonly kind: 'joined' }
  /** It was decided against, or canceled. */
  | { readonly kind: 'declined'; readonly why?: string | undefined };

const messages = {
  success: showInformationMessage,
  warning: showWarningMessage,
  error: showErrorMessage,
} as const;

/** One redeploy as a person sees it: the questions before, the progress, the result. */
export class RedeployFlow {
  /** Whether a message in this window has said that Gantry can't check for unpushed commits. */
  private hasSaidGitIsOff = false;

  constructor(
    private readonly deps: ProjectFolderDeps & {
      readonly plans: RedeployPlans;
      readonly projects: Projects;
      readonly redeploys: Redeploys;
      readonly repositories: LocalRepositories;
      readonly lock: ProjectLock;
      readonly wedgedClones: WedgedClones;
    },
  ) {}

  async redeploy(request: RedeployRequest): Promise<void> {
    const running = this.deps.redeploys.running(request.place);
    if (running !== undefined) {
      tellOtherNode(running, request);
      await this.join(running);
      return;
    }
    const click = this.deps.lock.prepare(request.place);
    if (click === undefined) {
      // The progress or the question of the first click is visible already.
      return;
    }
    const ended = await this.perform(request, askBeforeRedeploy, { isShown: true }).finally(() => click.dispose());
    if (ended.kind === 'ended') {
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
    const keys = new Set(agreed?.keys);
    let { agreed: settings } = request;
    let { decision = plainly } = agreed ?? {};
    let held: Held | undefined;
    const letGo = () => {
      held?.dispose();
      held = undefined;
    };
    let isAsked = agreed !== undefined;
    let isSent = false;
    try {
      for (;;) {
        const found = await this.planWithFolder(request, { beforeRepair: repairs.before }, letGo, options);
        const changed = settings && changeSince(settings, found.project);
        const plan = { ...(agreed ? seenBefore(found, agreed) : found), changed };
        let mustCheckAgain = false;
        if (isNew(plan, keys) || (!isAsked && plan.mustConfirm)) {
          letGo();
          const answer = signal?.aborted === true ? undefined : await decided(plan, decide);
          if (answer?.decision === undefined || signal?.aborted === true) {
            return { kind: 'declined', why: answer?.why };
          }
          answer.keys.forEach((key) => keys.add(key));
          ({ decision } = answer);
          ({ settings } = plan.project);
          isAsked = true;
          mustCheckAgain = true;
        }
        const { local, wedged } = plan;
        let hasPushed = false;
        if (decision.push && local !== undefined && local.unpushed.length > 0) {
          const pushed = plan.project.settings;
          await withDetachableProgress(l10n.t('Pushing {0}', pushed.branch ?? ''), () => local.repository.push(pushed));
          hasPushed = true;
        }
        const { repair } = decision;
        // A task sends its own, because one that is running may have started before the build pushed its commits.
        const joins = task === undefined && repair === undefined && (hasPushed ? 'onlyLater' : 'any');
        const taking = { held, within: options.held, task, signal, joins } as const;
        const { joined, hasWaited, held: taken } = await takeOrJoin(request, taking, this.deps);
        held = taken ?? held;
        if (joined !== undefined) {
          isSent = true;
          // Its error is shown where it was started.
          await Promise.allSettled([this.watch(joined, request, { ...options, isAsked })]);
          return { kind: 'joined' };
        }
        if (taken === undefined) {
          return { kind: 'declined' };
        }
        if (repair !== undefined && wedged.length > 0) {
          await repairs.run(plan, repair);
          mustCheckAgain = true;
        }
        decision = plainly;
        // In the meantime, someone may have edited a file, changed the settings, or deployed.
        if (mustCheckAgain || hasPushed || hasWaited === true) {
          continue;
        }
        const running = this.deps.redeploys.start(plan, taken);
        held = undefined;
        signal?.addEventListener('abort', running.stop, { once: true });
        const record = (await this.watch(running, request, { ...options, isAsked })) ?? (await running.ended);
        isSent = true;
        return { kind: 'ended', record };
      }
    } catch (error) {
      isSent = error instanceof ResultNotRecorded;
      throw error;
    } finally {
      letGo();
      if (!isSent) {
        repairs.tell();
      }
    }
  }

  /** Checks what a redeploy would do. */
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
      await this.join(running);
      return;
    }
    const seen = await withCancelableRead(checkingDeployed(), async () => {
      // The check compares with these settings.
      await projects.read(record);
      return redeploys.lookAgain(record);
    });
    await this.showResult(seen);
  }

  /**
   * Shows how it ended, never more than is known, with what a person may do next.
   * @param restoreSettings undoes the change of settings that the redeploy was for
   */
  async showResult(record: DeployRecord, restoreSettings?: () => Promise<void>): Promise<void> {
    const { verdict, isFirst, pinnedTo, nodeId, delay } = record;
    const changes = await deployedChanges(record, this.deps);
    const steps = new Map<string, () => Promise<void>>();
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
    const node = nodeThatFailed(record);
    if (node !== undefined && record.log.trim() === '' && (record.logsBeside ?? []).length === 0) {
      steps.set(l10n.t('Show Node Log'), () => showNodeLog(record, node));
    }
    if (isFailed(verdict)) {
      const again = () => this.redeploy({ place: record, nodeId, delay });
      steps.set(isFirst === true ? l10n.t('Deploy') : l10n.t('Redeploy'), again);
    }
    if (restoreSettings !== undefined && isFailed(verdict)) {
      steps.set(l10n.t('Restore Settings'), restoreSettings);
    } else if (verdict.kind === 'failed') {
      // A failure is often caused by the address, the branch or the login, which are set there.
      steps.set(settingsButton(), () => openSettings(record));
    } else if (pinnedTo !== undefined) {
      steps.set(l10n.t('Deploy Newest Commit'), async () => {
        await commands.executeCommand('gantry.project.deployNewest' satisfies CommandId, placeOfProject(record));
      });
    }
    if (isSurprising(verdict)) {
      steps.set(l10n.t('Copy Diagnostics'), () => copyDiagnostics([]));
    }
    const text = redeployMessage(record, this.deps.environments, changes?.subjects);
    const chosen = await messages[severityOf(verdict)](text, ...steps.keys());
    await steps.get(chosen ?? '')?.();
  }

  /** Returns why Gantry can't check a project for local work, if it can't. */
  async gitOff(place: ProjectPlace): Promise<GitExtensionState | undefined> {
    const { repositories, projects } = this.deps;
    await repositories.ready;
    return gitOff(projects.last(place)?.settings ?? {}, repositories);
  }

  /** Says in a message, once in a window, what isn't checked before a redeploy that asks nothing. */
  private async sayIfGitIsOff(place: ProjectPlace): Promise<void> {
    const state = await this.gitOff(place);
    if (state !== undefined && !this.hasSaidGitIsOff) {
      this.hasSaidGitIsOff = true;
      const buttons = trustButton(state);
      void showInformationMessage(gitIsOff(state), ...buttons.keys()).then((chosen) => buttons.get(chosen ?? '')?.());
    }
  }

  /** A person who just clicked is also asked for the project's folder, if it's unknown. */
  private async planWithFolder(
    request: RedeployRequest,
    planOptions: PlanOptions,
    letGo: () => void,
    { isShown, agreed }: PerformOptions,
  ): Promise<RedeployPlan> {
    const plan = await this.plan(request, planOptions);
    // Something was deployed, but not to any of the usual folders.
    const asks = isShown === true && agreed === undefined && plan.wasDeployed;
    if (!asks || !isFolderMissing(request.place, this.deps.known)) {
      return plan;
    }
    letGo();
    return (await askForFolder(request.place, this.deps)) ? this.plan(request, planOptions) : plan;
  }

  /** Returns `undefined` if the person stops waiting for its end. */
  private async watch(
    running: RunningRedeploy,
    request: RedeployRequest,
    { isShown = false, task, isAsked }: PerformOptions & { readonly isAsked: boolean },
  ): Promise<DeployRecord | undefined> {
    if (!isShown) {
      return task === undefined ? running.ended : watchInLines(running, task.say);
    }
    if (!isAsked) {
      await this.sayIfGitIsOff(request.place);
    }
    return watchRedeploy(running, this.deps.environments);
  }

  /** Shows the progress. The result, or why it was refused, is shown where it was started. */
  private async join(running: RunningRedeploy): Promise<void> {
    await Promise.allSettled([watchRedeploy(running, this.deps.environments)]);
  }
}

/** A second click joins the running redeploy, and the first one reports the result. */
function tellOtherNode(running: RunningRedeploy, { nodeId }: RedeployRequest): void {
  if (running.request.nodeId !== undefined && running.request.nodeId !== nodeId) {
    void showInformationMessage(
      l10n.t('Node {0} is being redeployed. Try again when the redeploy is finished.', String(running.request.nodeId)),
    );
  }
}
