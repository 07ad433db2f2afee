import { commands, l10n } from 'vscode';
import type { Environments } from '../../containers/environments';
import type { CommandId } from '../../manifest';
import { copyDiagnostics, showErrorMessage, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { withCancelableRead, withDetachableProgress } from '../../ui/progress';
import type { TaskRun } from '../../ui/taskTerminal';
import { deployedChanges } from '../history/deployedCommits';
import { showDeployLog } from '../history/deployLogDocuments';
import type { Held, ProjectLock } from '../projectLock';
import { placeOfProject, type ProjectPlace } from '../projectPlace';
import type { Projects, ProjectSettings } from '../projects';
import { checkingDeployed, gitIsOff } from '../projectText';
import type { GitExtensionState } from '../repositories/gitExtension';
import type { LocalRepositories } from '../repositories/localRepositories';
import { trustButton } from '../repositories/trustPrompt';
import { isFailed, isFolderUnknown, severityOf } from '../results';
import { askBeforeRedeploy, type ConfirmRedeploy, decided } from './ask';
import {
  changeSince,
  gitOff,
  type PlanOptions,
  type Prepared,
  type RedeployPlan,
  type RedeployPlans,
  type RedeployRequest,
} from './plan';
import { askForFolder, isFolderMissing, type ProjectFolderDeps } from './projectFolderPrompt';
import { watchRedeploy } from './redeployProgress';
import { type DeployRecord, isSurprising, nodeThatFailed } from './redeployResult';
import { redeployMessage } from './redeployResultText';
import { type Redeploys, redeployTurn, type RedeployTurn, type RunningRedeploy } from './redeploys';
import { openSettings, settingsButton } from './rollBackPrompt';
import { isAtStake, isNew } from './stakes';
import { ResultNotRecorded } from './update';
import { CloneRepairs, type WedgedClones } from './wedgedClones';

/** Finds out a project's folder where no clone was found. Returns whether it is known now. */
export type FindProjectFolder = (place: ProjectPlace) => Promise<boolean>;
export type Watch = (running: RunningRedeploy) => Promise<DeployRecord | undefined>;

/** What the user agreed to, so that only something else is asked about again. */
interface Agreement {
  readonly things: Set<string>;
  /** `undefined` if nothing was said about them. */
  settings: ProjectSettings | undefined;
  readonly repairs: CloneRepairs;
  readonly turn: RedeployTurn;
}

interface PerformOptions {
  readonly locate?: FindProjectFolder | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly task?: TaskRun;
  /** What holds the project already, for longer than this redeploy. */
  readonly held?: Held;
}

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
      readonly environments: Environments;
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
    const locate = (place: ProjectPlace) => askForFolder(place, this.deps);
    let isAsked = false;
    const decide: ConfirmRedeploy = (plan) => {
      isAsked = true;
      return askBeforeRedeploy(plan);
    };
    const watch: Watch = async (one) => {
      tellOtherNode(one, request);
      if (!isAsked) {
        await this.sayIfGitIsOff(request.place);
      }
      return watchRedeploy(one, this.deps.environments);
    };
    const record = await this.perform(request, decide, watch, { locate }).finally(() => click.dispose());
    if (record !== undefined) {
      await this.showResult(record);
    }
  }

  /**
   * Returns the result; `undefined` if the user decided against it, or joined a redeploy whose result is shown elsewhere.
   * @param options.signal prevents the redeploy if it's aborted before the Update is sent
   */
  async perform(
    request: RedeployRequest,
    decide: ConfirmRedeploy,
    watch: Watch,
    { locate = () => Promise.resolve(false), task, signal = task?.signal, held }: PerformOptions = {},
  ): Promise<DeployRecord | undefined> {
    const repairs = new CloneRepairs(this.deps.wedgedClones, signal);
    const turn = redeployTurn(request, this.deps, { task, signal, within: held });
    const agreed: Agreement = { things: new Set(), settings: request.agreed, repairs, turn };
    const decideUnheld: ConfirmRedeploy = (...found) => turn.ask(() => decide(...found));
    const locateUnheld: FindProjectFolder = async (place) => (await turn.ask(() => locate(place))) === true;
    const start = async (isAgain: boolean): Promise<RunningRedeploy | undefined> => {
      const prepared = await this.ready(request, decideUnheld, locateUnheld, { agreed, isAgain });
      const taken = prepared && (await turn.take());
      // The other change may decide what the redeploy discards.
      return taken === 'waited' ? start(true) : taken && turn.start(prepared);
    };
    const work = async () => {
      const started = await start(false);
      if (turn.joined !== undefined) {
        // Its error is shown where it was started.
        await Promise.allSettled([watch(turn.joined)]);
      }
      if (started === undefined) {
        return undefined;
      }
      signal?.addEventListener('abort', started.stop, { once: true });
      const watched = await watch(started).finally(() => signal?.removeEventListener('abort', started.stop));
      return watched ?? started.ended;
    };
    let isSent = false;
    try {
      const result = await work();
      isSent = result !== undefined || turn.joined !== undefined;
      return result;
    } catch (error) {
      isSent = error instanceof ResultNotRecorded;
      throw error;
    } finally {
      turn.letGo();
      if (!isSent) {
        repairs.tell();
      }
    }
  }

  /**
   * Asks what to do about what a redeploy with these settings would discard, and about local work that it would miss if
   * that's wanted. Returns what to decide by when it's performed: it asks again only about something else, such as a file
   * edited in the meantime. `undefined`: not to redeploy.
   */
  async decisionOn(
    request: RedeployRequest,
    { asksAboutLocal, ...options }: PlanOptions & { readonly asksAboutLocal: boolean },
  ): Promise<ConfirmRedeploy | undefined> {
    // The production environment was named by the question before.
    const asked = (plan: RedeployPlan) => ({
      ...plan,
      local: asksAboutLocal ? plan.local : undefined,
      production: undefined,
    });
    const first = asked(await this.plan(request, options));
    const answer = isAtStake(first)
      ? await decided(first, askBeforeRedeploy)
      : { decision: { push: false, keepPatch: false }, agreed: [] };
    if (answer === undefined) {
      return undefined;
    }
    const { decision } = answer;
    const agreed = new Set(answer.agreed);
    return async (plan) =>
      isNew(asked(plan), agreed)
        ? askBeforeRedeploy(asked(plan))
        : {
            ...decision,
            // A second redeploy may have nothing to push, and the patch is saved already.
            push: decision.push && plan.local?.unpushed.length !== 0,
            keepPatch: false,
            wasMadeBefore: true,
          };
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

  private async ready(
    request: RedeployRequest,
    decide: ConfirmRedeploy,
    locate: FindProjectFolder,
    { agreed, isAgain }: { readonly agreed: Agreement; readonly isAgain: boolean },
  ): Promise<Prepared | undefined> {
    const options = { beforeRepair: agreed.repairs.before };
    let found = await this.plan(request, options);
    // Something was deployed, but not to any of the usual folders.
    if (found.wasDeployed && isFolderMissing(request.place, this.deps.known) && (await locate(request.place))) {
      found = await this.plan(request, options);
    }
    const { settings } = found.project;
    const plan = { ...found, changed: agreed.settings && changeSince(agreed.settings, found.project) };
    if (!isNew(plan, agreed.things) && (isAgain || !plan.mustConfirm)) {
      return found;
    }
    const answer = await decided(plan, decide);
    if (answer === undefined) {
      return undefined;
    }
    answer.agreed.forEach((thing) => agreed.things.add(thing));
    agreed.settings = settings;
    const { push, repair, wasMadeBefore } = answer.decision;
    if (push) {
      await withDetachableProgress(l10n.t('Pushing {0}', settings.branch ?? ''), async () =>
        plan.local?.repository.push(settings),
      );
    }
    const taken = await agreed.turn.take();
    if (taken === undefined) {
      return undefined;
    }
    if (repair !== undefined) {
      await agreed.repairs.run(plan, repair);
    }
    if (wasMadeBefore === true && !push && repair === undefined && taken === 'now') {
      return found;
    }
    // In the meantime, someone may have edited a file, changed the settings, or deployed.
    return this.ready(request, decide, locate, { agreed, isAgain: true });
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

/** Opens the log on a node that most likely says what happened during a redeploy that left no log itself. */
async function showNodeLog({ account, environment: name, layer, startedAt }: DeployRecord, id: number): Promise<void> {
  const row = { environment: { account, name }, layer: { id: layer }, node: { id } };
  await commands.executeCommand('gantry.logs.open' satisfies CommandId, row, startedAt, 'deployment');
}
