import { l10n, window } from 'vscode';
import type { DeployRecord } from '../projects/deployRecord';
import type { LocalRepositories } from '../projects/localRepositories';
import type { Projects, ProjectSettings } from '../projects/projects';
import type { Running } from '../projects/redeploys';
import type { Redeploys } from '../projects/redeploys';
import type { Behind, RedeployRequest } from '../projects/redeployWork';
import { withProgress } from '../ui/progress';
import { watchRedeploy } from './redeployProgress';
import { reportRedeploy } from './redeployReport';

export interface RedeployFlowParts {
  readonly projects: Projects;
  readonly redeploys: Redeploys;
  readonly repositories: LocalRepositories;
}

/** One redeploy as a person sees it: what is to be said before, how long it takes, how it ended. */
export class RedeployFlow {
  constructor(private readonly parts: RedeployFlowParts) {}

  async redeploy(request: RedeployRequest): Promise<void> {
    const { redeploys } = this.parts;
    const running = redeploys.running(request.place);
    if (running !== undefined) {
      await join(running, request);
      return;
    }
    const prepared = await withProgress(l10n.t('Looking at what is deployed…'), () => redeploys.prepare(request));
    const started = redeploys.start(prepared, await this.behind(prepared.project.settings));
    const seen = await watchRedeploy(started);
    if (started.request !== request) {
      // Somebody else's click started it while this one was looking; that one tells how it ended.
      return;
    }
    await this.report(seen ?? (await started.ended));
  }

  async lookAgain(record: DeployRecord): Promise<void> {
    const { projects, redeploys } = this.parts;
    const { settings } = await projects.read(record);
    const seen = await withProgress(l10n.t('Looking at what is deployed…'), async () =>
      redeploys.lookAgain(record, await this.behind(settings)),
    );
    await this.report(seen);
  }

  private async report(record: DeployRecord): Promise<void> {
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
