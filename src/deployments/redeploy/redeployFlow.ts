import { l10n } from 'vscode';
import type { DeployRecord } from '../history/deployRecord';
import { hasSomethingToSay, runPreflight, type Preflight, type PreflightDeps } from './redeployPreflight';
import type { Behind } from '../deployedState/inspectNodes';
import { gitIsOff } from '../projectText';
import type { ProjectFolders } from '../repositories/projectFolders';
import { projectKey, type ProjectPlace } from '../projectPlace';
import type { Projects, ProjectSettings } from '../projects';
import type { ProjectLock } from '../projectLock';
import type { Redeploys, RunningRedeploy } from './redeploys';
import type { Prepared, RedeployRequest } from './redeployOperation';
import { showInformationMessage } from '../../ui/notifications';
import { withLook, withPatience } from '../../ui/progress';
import { askForFolder } from './projectFolderPrompt';
import { keepPatch } from '../nodeEdits/savePatchPrompt';
import { reasonForWaiting } from '../projectLockNotice';
import { watchRedeploy } from './redeployProgressNotice';
import { askBeforeRedeploy, type Decision } from './redeployPrompt';
import { showRedeployResult } from './redeployResultNotice';

export interface RedeployFlowDeps extends PreflightDeps {
  readonly projects: Projects;
  readonly redeploys: Redeploys;
  readonly folders: ProjectFolders;
  readonly turns: ProjectLock;
}

/** Decides what is to be done about what a redeploy would miss or lose. `undefined`: not to redeploy. */
export type Decide = (prepared: Prepared, preflight: Preflight) => Promise<Decision | undefined>;
/** Finds out where a project lies that was not found. Answers whether that is known now. */
export type Locate = (place: ProjectPlace, folders: ProjectFolders) => Promise<boolean>;
export type Watch = (running: RunningRedeploy) => Promise<DeployRecord | undefined>;

/** One redeploy as a person sees it: what is to be said before, how long it takes, how it ended. */
export class RedeployFlow {
  /** Redeploys that were asked for by a click and have not ended. */
  private readonly begun = new Set<string>();
  /** Once in a window is enough. */
  private hasRemarked = false;

  constructor(private readonly deps: RedeployFlowDeps) {}

  async redeploy(request: RedeployRequest): Promise<void> {
    const running = this.deps.redeploys.running(request.place);
    if (running !== undefined) {
      await join(running, request);
      return;
    }
    const key = projectKey(request.place);
    if (this.begun.has(key)) {
      // What the first click looks at or asks is before the person's eyes already.
      return;
    }
    this.begun.add(key);
    const record = await this.perform(request, askBeforeRedeploy, watchRedeploy, askForFolder).finally(() =>
      this.begun.delete(key),
    );
    if (record !== undefined) {
      await this.tell(record);
    }
  }

  /** Asks where a project lies, and looks there at what the last redeploy left. */
  async askForFolder(place: ProjectPlace, last: DeployRecord | undefined): Promise<void> {
    const { redeploys } = this.deps;
    // The clone may be in one of the usual folders, which haven't been checked yet.
    await withLook(l10n.t('Checking what is deployed…'), () => redeploys.heads(place));
    if ((await askForFolder(place, this.deps.folders)) && last?.verdict.kind === 'unverified') {
      await this.lookAgain(last);
    }
  }

  /** Answers how it ended; `undefined` when it was decided against, or somebody else's is under way, who will tell. */
  async perform(
    request: RedeployRequest,
    decide: Decide,
    watch: Watch,
    locate: Locate = () => Promise.resolve(false),
  ): Promise<DeployRecord | undefined> {
    const prepared = await this.ready(request, decide, locate);
    if (prepared === undefined) {
      return undefined;
    }
    const started = await this.start(prepared);
    if (started === undefined) {
      return undefined;
    }
    const seen = (await watch(started)) ?? (await started.ended);
    if (started.request !== request) {
      return undefined;
    }
    const { folders } = this.deps;
    return folders.isMissedAfter(seen) && (await locate(request.place, folders)) ? this.seenAgain(seen) : seen;
  }

  /** What nobody looks for in this window, if it is a Git project. */
  async notLookedFor(place: ProjectPlace): Promise<string | undefined> {
    const { repositories, projects } = this.deps;
    await repositories.ready;
    return repositories.available || projects.last(place)?.settings.type === 'SVN' ? undefined : gitIsOff();
  }

  async lookAgain(record: DeployRecord): Promise<void> {
    const { redeploys } = this.deps;
    const running = redeploys.running(record);
    if (running !== undefined) {
      await watchRedeploy(running);
      return;
    }
    await this.tell(await this.seenAgain(record));
  }

  private seenAgain(record: DeployRecord): Promise<DeployRecord> {
    const { projects, redeploys } = this.deps;
    return withLook(l10n.t('Checking what is deployed…'), async () => {
      const { settings } = await projects.read(record);
      return redeploys.lookAgain(record, await this.behind(settings));
    });
  }

  /** Where a redeploy would take edits in the container away, asks what becomes of them. Answers whether to go on. */
  async mayTakeEdits(request: RedeployRequest): Promise<boolean> {
    const { prepared, preflight } = await withLook(l10n.t('Checking what is deployed…'), () => this.look(request));
    const onlyEdits = { ...preflight, local: undefined };
    if (!hasSomethingToSay(onlyEdits)) {
      return true;
    }
    const decision = await askBeforeRedeploy(prepared, onlyEdits);
    return decision !== undefined && (!decision.keepPatch || (await keepPatch(prepared, preflight)));
  }

  private async ready(request: RedeployRequest, decide: Decide, locate: Locate): Promise<Prepared | undefined> {
    const looking = l10n.t('Checking what is deployed…');
    let { prepared, preflight } = await withLook(looking, () => this.look(request));
    const { folders } = this.deps;
    if (folders.isMissedBefore(prepared) && (await locate(request.place, folders))) {
      ({ prepared, preflight } = await withLook(looking, () => this.look(request)));
    }
    if (!hasSomethingToSay(preflight)) {
      return prepared;
    }
    const decision = await decide(prepared, preflight);
    if (decision === undefined || (decision.keepPatch && !(await keepPatch(prepared, preflight)))) {
      return undefined;
    }
    if (decision.push) {
      await this.push(prepared, preflight);
    }
    // Meanwhile somebody else may have deployed.
    return this.deps.redeploys.prepare(request);
  }

  /** Starts when nothing else changes the project from here; `undefined` where the person had no patience for that. */
  private async start(prepared: Prepared): Promise<RunningRedeploy | undefined> {
    const { redeploys, turns } = this.deps;
    const { request, project } = prepared;
    const behind = await this.behind(project.settings);
    const change = turns.changing(request.place);
    if (change === undefined) {
      return redeploys.start(prepared, behind);
    }
    return (await reasonForWaiting(request.place, change)) ? this.start(await redeploys.prepare(request)) : undefined;
  }

  private async look(request: RedeployRequest) {
    const prepared = await this.deps.redeploys.prepare(request);
    return { prepared, preflight: await runPreflight(prepared, this.deps) };
  }

  private async push({ project }: Prepared, { local }: Preflight): Promise<void> {
    const { url = '', branch = '' } = project.settings;
    await withPatience(l10n.t('Pushing {0}…', branch), async () => local?.repository.push(url, branch));
  }

  /** Tells how it ended, with what may be done next. */
  async tell(record: DeployRecord): Promise<void> {
    const remark = this.hasRemarked ? undefined : await this.notLookedFor(record);
    this.hasRemarked ||= remark !== undefined;
    await showRedeployResult(
      record,
      { ...this.deps, remark },
      {
        redeploy: (again) => this.redeploy({ place: again, nodeId: again.nodeId }),
        lookAgain: (again) => this.lookAgain(again),
        askForFolder: (again) => this.askForFolder(again, again),
      },
    );
  }

  /** Measures by the branch's tip as it is known right now: a commit that is pushed later is not missed. */
  private async behind({ url = '', branch = '' }: ProjectSettings): Promise<Behind | undefined> {
    const repository = this.deps.repositories.withAddress(url);
    const upstream = await repository?.upstream(url, branch);
    return repository === undefined || upstream === undefined
      ? undefined
      : (commit) => repository.lacking(commit, upstream.tip);
  }
}

/** A second click joins the redeploy that is running; the first one tells how it ends. */
async function join(running: RunningRedeploy, { nodeId }: RedeployRequest): Promise<void> {
  if (running.request.nodeId !== undefined && running.request.nodeId !== nodeId) {
    void showInformationMessage(
      l10n.t('A redeploy of node {0} is running. Redeploy again when it has ended.', String(running.request.nodeId)),
    );
  }
  await watchRedeploy(running);
}
