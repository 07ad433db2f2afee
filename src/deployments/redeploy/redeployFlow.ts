import { l10n } from 'vscode';
import { changeSince, gitOff, type RedeployPlan, type PlanDeps, planOf, type PlanOptions } from './plan';
import { isAtStake, isNew, keysAgreedTo } from './stakes';
import { checkingDeployed, gitIsOff } from '../projectText';
import type { Environments } from '../../containers/environments';
import type { Held, ProjectLock } from '../projectLock';
import type { ProjectPlace } from '../projectPlace';
import type { Projects, ProjectSettings } from '../projects';
import { type Redeploys, redeployTurn, type RedeployTurn, type RunningRedeploy } from './redeploys';
import type { Behind, Prepared, RedeployRequest } from './redeployOperation';
import type { GitExtensionState } from '../repositories/gitExtension';
import { trustButton } from '../repositories/trustPrompt';
import type { DeployRecord } from './redeployResult';
import { showInformationMessage } from '../../ui/notifications';
import type { TaskRun } from '../../ui/taskTerminal';
import { withCancelableRead, withDetachableProgress } from '../../ui/progress';
import { askForFolder, isFolderMissing, type ProjectFolderDeps } from './projectFolderPrompt';
import { keepPatch } from '../nodeEdits/savePatchPrompt';
import { askBeforeRedeploy, type Decision } from './redeployPrompt';
import { watchRedeploy } from './redeployProgress';
import { type NextSteps, showRedeployResult } from './redeployResultNotice';
import { CloneRepairs, type WedgedClones } from './wedgedClones';

export interface RedeployFlowDeps extends PlanDeps, ProjectFolderDeps {
  readonly projects: Projects;
  readonly redeploys: Redeploys;
  readonly lock: ProjectLock;
  readonly wedgedClones: WedgedClones;
  readonly environments: Environments;
}

/** Decides what to do about what a redeploy would miss or discard. `undefined`: not to redeploy. */
export type ConfirmRedeploy = (plan: RedeployPlan) => Promise<Decision | undefined>;
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

/** One redeploy as a person sees it: the questions before, the progress, the result. */
export class RedeployFlow {
  /** Whether a message in this window has said that Gantry can't check for unpushed commits. */
  private hasSaidGitIsOff = false;

  constructor(private readonly deps: RedeployFlowDeps) {}

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
      return this.watch(one);
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
      const behind = prepared && (await this.behind(prepared.project.settings));
      const taken = prepared && (await turn.take());
      // The other change may decide what the redeploy discards.
      return taken === 'waited' ? start(true) : taken && turn.start(prepared, behind);
    };
    const work = async () => {
      const started = await start(false);
      if (turn.joined !== undefined) {
        repairs.forget();
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
    return repairs.tellUnlessSent(work).finally(() => turn.letGo());
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
    const decided = isAtStake(first)
      ? await this.decided(first, askBeforeRedeploy)
      : { decision: { push: false, keepPatch: false }, agreed: [] };
    if (decided === undefined) {
      return undefined;
    }
    const { decision } = decided;
    const agreed = new Set(decided.agreed);
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
  plan(request: RedeployRequest, { settings, commit, before, beforeRepair }: PlanOptions = {}): Promise<RedeployPlan> {
    return withCancelableRead(checkingDeployed(), async () => {
      // Whether an edit still exists depends on the commit that its node has now.
      const edits = before && (await this.deps.edits.count(request.place).catch(() => undefined));
      const { project, ...state } = await this.deps.redeploys.prepare(request, edits === 0 ? before : undefined);
      const prepared = {
        ...state,
        beforeRepair,
        project: { ...project, settings: { ...project.settings, ...settings } },
      };
      return planOf(prepared, this.deps, commit);
    });
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
    const running = this.deps.redeploys.running(record);
    if (running === undefined) {
      await this.showResult(await this.inspectAgain(record));
    } else {
      await this.join(running);
    }
  }

  /** Shows how it ended, with what may be done next. */
  async showResult(record: DeployRecord, { restoreSettings }: Pick<NextSteps, 'restoreSettings'> = {}): Promise<void> {
    await showRedeployResult(record, this.deps, {
      redeploy: () => this.redeploy({ place: record, nodeId: record.nodeId, delay: record.delay }),
      lookAgain: () => this.lookAgain(record),
      askForFolder: () => this.askForFolder(record, record),
      restoreSettings,
    });
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
    const decided = await this.decided(plan, decide);
    if (decided === undefined) {
      return undefined;
    }
    decided.agreed.forEach((thing) => agreed.things.add(thing));
    agreed.settings = settings;
    const { push, repair, wasMadeBefore } = decided.decision;
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
      await agreed.repairs.run(plan, plan.wedged, repair);
    }
    if (wasMadeBefore === true && !push && repair === undefined && taken === 'now') {
      return found;
    }
    // In the meantime, someone may have edited a file, changed the settings, or deployed.
    return this.ready(request, decide, locate, { agreed, isAgain: true });
  }

  /** The decision, and what is agreed to by it, once the patch is kept that it may ask for. `undefined`: not to redeploy. */
  private async decided(plan: RedeployPlan, decide: ConfirmRedeploy) {
    const { request, edits, local } = plan;
    const decision = await decide(plan);
    const patch =
      decision?.keepPatch === true ? await keepPatch(request.place, edits, local?.repository.root) : undefined;
    return decision === undefined || (decision.keepPatch && patch === undefined)
      ? undefined
      : { decision, agreed: keysAgreedTo(plan, decision.repair, patch) };
  }

  private watch(running: RunningRedeploy): Promise<DeployRecord | undefined> {
    return watchRedeploy(running, this.deps.environments);
  }

  /** Shows the progress. The result, or why it was refused, is shown where it was started. */
  private async join(running: RunningRedeploy): Promise<void> {
    await Promise.allSettled([this.watch(running)]);
  }

  private inspectAgain(record: DeployRecord): Promise<DeployRecord> {
    const { projects, redeploys } = this.deps;
    return withCancelableRead(checkingDeployed(), async () => {
      const { settings } = await projects.read(record);
      return redeploys.lookAgain(record, await this.behind(settings));
    });
  }

  /** Compares with the branch's tip as of now, so that a commit pushed later doesn't count as missing. */
  private async behind(settings: ProjectSettings): Promise<Behind | undefined> {
    const repository = this.deps.repositories.withAddress(settings.url);
    const upstream = await repository?.upstream(settings);
    return repository && upstream && ((commit) => repository.lacking(commit, upstream.tip));
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
