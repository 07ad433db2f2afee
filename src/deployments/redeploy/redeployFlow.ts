import { l10n } from 'vscode';
import {
  changeSince,
  gitOff,
  hasSomethingToSay,
  runPreflight,
  type Preflight,
  type PreflightDeps,
  type SettingsToDeploy,
  thingsAtStake,
} from './redeployPreflight';
import { gitIsOff, projectText } from '../projectText';
import type { Environments } from '../../containers/environments';
import type { Held, ProjectLock } from '../projectLock';
import type { ProjectPlace } from '../projectPlace';
import { isCanceled, isPlatformError } from '../../platform/errors';
import type { Projects, ProjectSettings } from '../projects';
import { type Redeploys, redeployTurn, type RedeployTurn, type RunningRedeploy } from './redeploys';
import type { Behind, Prepared, RedeployRequest } from './redeployOperation';
import type { GitExtensionState } from '../repositories/gitExtension';
import { trustButton } from '../repositories/trustPrompt';
import { type DeployRecord, hasDeployed } from './redeployResult';
import { showFailure, showInformationMessage } from '../../ui/notifications';
import type { TaskRun } from '../../ui/taskTerminal';
import { withCancelableRead, withDetachableProgress } from '../../ui/progress';
import { askForFolder, isFolderMissing, type ProjectFolderDeps } from './projectFolderPrompt';
import { keepPatch } from '../nodeEdits/savePatchPrompt';
import { askBeforeRedeploy, type Decision } from './redeployPrompt';
import { watchRedeploy } from './redeployProgress';
import { type NextSteps, showRedeployResult } from './redeployResultNotice';
import { CloneRepairs, type WedgedClones } from './wedgedClones';

export interface RedeployFlowDeps extends PreflightDeps, ProjectFolderDeps {
  readonly projects: Projects;
  readonly redeploys: Redeploys;
  readonly lock: ProjectLock;
  readonly wedgedClones: WedgedClones;
  readonly environments: Environments;
}

/** Decides what to do about what a redeploy would miss or discard. `undefined`: not to redeploy. */
export type ConfirmRedeploy = (prepared: Prepared, preflight: Preflight) => Promise<Decision | undefined>;
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
    const decide: ConfirmRedeploy = (prepared, preflight) => {
      isAsked = true;
      return askBeforeRedeploy(prepared, preflight);
    };
    const watch: Watch = async (one) => {
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
        await watch(turn.joined);
      }
      if (started === undefined) {
        return undefined;
      }
      signal?.addEventListener('abort', started.stop, { once: true });
      const watched = await watch(started).finally(() => signal?.removeEventListener('abort', started.stop));
      const record = watched ?? (await started.ended);
      // The platform deployed it to some folder.
      const isMissing = hasDeployed(record) && isFolderMissing(record, this.deps.known);
      return isMissing ? this.located(record, () => locate(request.place)) : record;
    };
    return repairs.tellUnlessSent(work).finally(() => turn.letGo());
  }

  /** Checks again once the folder is known. If that is canceled or fails, the result stays as it is. */
  private async located(record: DeployRecord, locate: () => Promise<boolean>): Promise<DeployRecord> {
    try {
      return (await locate()) ? await this.inspectAgain(record) : record;
    } catch (error) {
      if (!isCanceled(error) && !isPlatformError(error)) {
        const project = projectText(record, this.deps.environments);
        void showFailure(l10n.t("Couldn't check the deployed commit of {0}.", project), error);
      }
      return record;
    }
  }

  /**
   * Asks what to do about what a redeploy with these settings would discard, and about local work that it would miss if
   * that's wanted. Returns what to decide by when it's performed: it asks again only about something else, such as a file
   * edited in the meantime. `undefined`: not to redeploy.
   */
  async decisionOn(
    request: RedeployRequest,
    settings: SettingsToDeploy,
    { asksAboutLocal, commit }: { readonly asksAboutLocal: boolean; readonly commit?: string | undefined },
  ): Promise<ConfirmRedeploy | undefined> {
    // The production environment was named by the question before.
    const asked = (all: Preflight) => ({
      ...all,
      local: asksAboutLocal ? all.local : undefined,
      production: undefined,
    });
    const { prepared, preflight } = await this.look(request, settings, commit);
    const first = asked(preflight);
    const decision = hasSomethingToSay(first)
      ? await this.decided(prepared, first, askBeforeRedeploy)
      : { push: false, keepPatch: false };
    if (decision === undefined) {
      return undefined;
    }
    const agreed = new Set(thingsAtStake(first));
    return async (now, found) =>
      thingsAtStake(asked(found)).every((thing) => agreed.has(thing))
        ? // The patch is saved already.
          { push: decision.push, keepPatch: false, repair: decision.repair }
        : askBeforeRedeploy(now, asked(found));
  }

  /**
   * Checks what a redeploy would do.
   * @param settings will have replaced the project's own by the time of the redeploy
   * @param commit the tip of their branch, if it isn't pushed yet
   */
  look(request: RedeployRequest, settings: Partial<SettingsToDeploy> = {}, commit?: string) {
    return withCancelableRead(checking(), async () => {
      const { project, ...state } = await this.deps.redeploys.prepare(request);
      const prepared = { ...state, project: { ...project, settings: { ...project.settings, ...settings } } };
      return { prepared, preflight: await runPreflight(prepared, this.deps, commit) };
    });
  }

  /** Asks for a project's folder, and checks there what the last redeploy did. */
  async askForFolder(place: ProjectPlace, last: DeployRecord | undefined): Promise<void> {
    // The clone may be in one of the usual folders, which haven't been checked yet.
    await withCancelableRead(checking(), () => this.deps.inspector.heads({ place }));
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
    let { prepared, preflight: found } = await this.look(request);
    // Something was deployed, but not to any of the usual folders.
    if (prepared.wasDeployed && isFolderMissing(request.place, this.deps.known) && (await locate(request.place))) {
      ({ prepared, preflight: found } = await this.look(request));
    }
    const { settings } = prepared.project;
    const preflight = { ...found, changed: agreed.settings && changeSince(agreed.settings, prepared.project) };
    const atStake = thingsAtStake(preflight);
    const isNew = preflight.changed !== undefined || !atStake.every((thing) => agreed.things.has(thing));
    if (!isNew && (isAgain || !preflight.mustConfirm)) {
      return { ...prepared, beforeRepair: agreed.repairs.before };
    }
    const decision = await this.decided(prepared, preflight, decide);
    if (decision === undefined) {
      return undefined;
    }
    atStake.forEach((thing) => agreed.things.add(thing));
    agreed.settings = settings;
    if (decision.push) {
      await withDetachableProgress(l10n.t('Pushing {0}', settings.branch ?? ''), async () =>
        preflight.local?.repository.push(settings),
      );
    }
    const { repair } = decision;
    const taken = await agreed.turn.take();
    if (taken === undefined) {
      return undefined;
    }
    if (repair !== undefined) {
      await agreed.repairs.run(prepared, preflight.wedged, repair);
    }
    // Another person may have deployed in the meantime, or changed the settings.
    const now = await this.deps.redeploys.prepare(request);
    return taken === 'now' && changeSince(settings, now.project) === undefined
      ? { ...now, beforeRepair: agreed.repairs.before }
      : this.ready(request, decide, locate, { agreed, isAgain: true });
  }

  /** The decision, once the patch is kept that it may ask for. `undefined`: not to redeploy. */
  private async decided(
    prepared: Prepared,
    preflight: Preflight,
    decide: ConfirmRedeploy,
  ): Promise<Decision | undefined> {
    const decision = await decide(prepared, preflight);
    return decision?.keepPatch === true && !(await keepPatch(prepared, preflight)) ? undefined : decision;
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
    return withCancelableRead(checking(), async () => {
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

const checking = () => l10n.t('Checking deployed commit');

/** A second click joins the running redeploy, and the first one reports the result. */
function tellOtherNode(running: RunningRedeploy, { nodeId }: RedeployRequest): void {
  if (running.request.nodeId !== undefined && running.request.nodeId !== nodeId) {
    void showInformationMessage(
      l10n.t('Node {0} is being redeployed. Try again when the redeploy is finished.', String(running.request.nodeId)),
    );
  }
}
