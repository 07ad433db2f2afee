import { l10n, window } from 'vscode';
import type { DeployRecord } from '../projects/deployRecord';
import { hasSomethingToSay, lookAhead, type Preflight, type PreflightParts } from '../projects/preflight';
import type { Projects, ProjectSettings } from '../projects/projects';
import type { Redeploys, Running } from '../projects/redeploys';
import type { Behind, Prepared, RedeployRequest } from '../projects/redeployWork';
import { withProgress } from '../ui/progress';
import { keepPatch } from './keepPatch';
import { watchRedeploy } from './redeployProgress';
import { askBeforeRedeploy, type Decision } from './redeployQuestion';
import { reportRedeploy } from './redeployReport';

export interface RedeployFlowParts extends PreflightParts {
  readonly projects: Projects;
  readonly redeploys: Redeploys;
}

/** Decides what is to be done about what a redeploy would miss or lose. `undefined`: not to redeploy. */
export type Decide = (prepared: Prepared, preflight: Preflight) => Promise<Decision | undefined>;
export type Watch = (running: Running) => Promise<DeployRecord | undefined>;

/** One redeploy as a person sees it: what is to be said before, how long it takes, how it ended. */
export class RedeployFlow {
  constructor(private readonly parts: RedeployFlowParts) {}

  async redeploy(request: RedeployRequest): Promise<void> {
    const running = this.parts.redeploys.running(request.place);
    if (running !== undefined) {
      await join(running, request);
      return;
    }
    const record = await this.perform(request, askBeforeRedeploy, watchRedeploy);
    if (record !== undefined) {
      await this.tell(record);
    }
  }

  /** Answers how it ended; `undefined` when it was decided against, or somebody else's is under way, who will tell. */
  async perform(request: RedeployRequest, decide: Decide, watch: Watch): Promise<DeployRecord | undefined> {
    const prepared = await this.ready(request, decide);
    if (prepared === undefined) {
      return undefined;
    }
    const started = this.parts.redeploys.start(prepared, await this.behind(prepared.project.settings));
    const seen = await watch(started);
    return started.request === request ? (seen ?? (await started.ended)) : undefined;
  }

  async lookAgain(record: DeployRecord): Promise<void> {
    const { projects, redeploys } = this.parts;
    const { settings } = await projects.read(record);
    const seen = await withProgress(l10n.t('Looking at what is deployed…'), async () =>
      redeploys.lookAgain(record, await this.behind(settings)),
    );
    await this.tell(seen);
  }

  private async ready(request: RedeployRequest, decide: Decide): Promise<Prepared | undefined> {
    const { prepared, preflight } = await withProgress(l10n.t('Looking at what is deployed…'), () =>
      this.look(request),
    );
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
    return this.parts.redeploys.prepare(request);
  }

  private async look(request: RedeployRequest) {
    const prepared = await this.parts.redeploys.prepare(request);
    return { prepared, preflight: await lookAhead(prepared, this.parts) };
  }

  private async push({ project }: Prepared, { local }: Preflight): Promise<void> {
    const { url = '', branch = '' } = project.settings;
    await withProgress(l10n.t('Pushing {0}…', branch), async () => local?.repository.push(url, branch));
  }

  /** Tells how it ended, with what may be done next. */
  async tell(record: DeployRecord): Promise<void> {
    await reportRedeploy(record, this.parts, {
      redeploy: (again) => this.redeploy({ place: again, nodeId: again.nodeId }),
      lookAgain: (again) => this.lookAgain(again),
    });
  }

  /** Measures by the branch's tip as it is known right now: a commit that is pushed later is not missed. */
  private async behind({ url = '', branch = '' }: ProjectSettings): Promise<Behind | undefined> {
    const repository = this.parts.repositories.withAddress(url);
    const upstream = await repository?.upstream(url, branch);
    return repository === undefined || upstream === undefined
      ? undefined
      : (commit) => repository.lacking(commit, upstream.tip);
  }
}

/** A second click joins the redeploy that is running; the first one tells how it ends. */
async function join(running: Running, { nodeId }: RedeployRequest): Promise<void> {
  if (running.request.nodeId !== undefined && running.request.nodeId !== nodeId) {
    void window.showInformationMessage(
      l10n.t('A redeploy of node {0} is running. Redeploy again when it has ended.', String(running.request.nodeId)),
    );
  }
  await watchRedeploy(running);
}
