import type { TreeItem } from 'vscode';
import type { Account, Accounts } from '../../accounts/accounts';
import type { Environment } from '../../containers/environment';
import type { Environments } from '../../containers/environments';
import type { DeployHistory } from '../history/deployHistory';
import type { DeployedStates } from '../deployedState/deployedStates';
import type { LocalRepositories } from '../repositories/localRepositories';
import { isChanged, type ProjectDrafts } from '../settings/projectDrafts';
import { listedProjects, projectKey, type ProjectPlace, takesProjects } from '../projectPlace';
import type { Projects } from '../projects';
import type { Redeploys } from '../redeploy/redeploys';
import type { DeploymentElement, OwnDeploymentElement, ProjectElement } from './deploymentElement';
import { deploymentRow, factsOfProject } from './deploymentRows';
import { RowTreeProvider } from '../../trees/rowTreeProvider';

export interface DeploymentsViewDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly projects: Projects;
  readonly redeploys: Redeploys;
  readonly history: DeployHistory;
  readonly deployedStates: DeployedStates;
  readonly repositories: LocalRepositories;
  readonly drafts: ProjectDrafts;
}

type ProjectRow = Pick<ProjectElement, 'place' | 'isListed' | 'namesLayer'>;

/** Shows each environment's projects, their deployed state, and the redeploys started here. */
export class DeploymentsView extends RowTreeProvider<OwnDeploymentElement> {
  /** The elements that VS Code holds. A refresh must pass the same object. */
  private readonly handedOut = new Map<string, ProjectElement>();
  /** The projects' current elements. */
  private readonly rows = new Map<string, ProjectElement>();

  constructor(private readonly deps: DeploymentsViewDeps) {
    super(deps.accounts);
    const { environments, projects, redeploys, history, deployedStates, repositories, drafts } = deps;
    const refreshAll = () => this.refresh();
    const refresh = (place: ProjectPlace) => void this.refreshRow(projectKey(place));
    this.follow(
      environments.onDidChange(refreshAll),
      projects.onDidChange(refreshAll),
      redeploys.onDidChange(refresh),
      history.onDidChange(refresh),
      deployedStates.onDidChange(refresh),
      repositories.onDidChangeAvailability(() => {
        for (const key of this.rows.keys()) {
          void this.refreshRow(key);
        }
      }),
      drafts.onDidChange((id) => void this.refreshRow(id)),
    );
  }

  getTreeItem(element: DeploymentElement): TreeItem {
    // VS Code may hold an older element.
    const known = element.kind === 'project' ? this.rows.get(projectKey(element.place)) : undefined;
    return deploymentRow(known ?? element);
  }

  protected override askAgain(): void {
    this.deps.deployedStates.forget();
    this.deps.environments.refresh();
  }

  protected override async below(element: DeploymentElement): Promise<DeploymentElement[]> {
    switch (element.kind) {
      case 'environment':
        return this.projectsOf(element.environment);
      case 'project':
        return this.factsOf(element.place);
      case 'history':
        return (await this.deps.history.of(element.place)).map((record) => ({ kind: 'redeploy', record }));
      default:
        return [];
    }
  }

  protected override async ofAccount(account: Account): Promise<DeploymentElement[]> {
    const { environments, projects } = this.deps;
    const known = await environments.overview(account);
    const rows = known.environments
      .filter(({ layers }) => layers.length === 0 || layers.some(takesProjects))
      .map((environment) => {
        return { kind: 'environment', environment, isUnfolded: projects.of(environment).length > 0 } as const;
      });
    return known.isUnlisted ? [...rows, { kind: 'unlisted', account }] : rows;
  }

  private async projectsOf(environment: Environment): Promise<DeploymentElement[]> {
    const places = this.deps.projects.of(environment);
    if (places.length === 0) {
      return [{ kind: 'noProject', environment }];
    }
    const namesLayer = new Set(places.map(({ layer }) => layer)).size > 1;
    const listed = new Set(listedProjects(environment).map(projectKey));
    return Promise.all(
      places.map((place) => this.projectAt({ place, namesLayer, isListed: listed.has(projectKey(place)) })),
    );
  }

  private async projectAt(row: ProjectRow): Promise<ProjectElement> {
    const { place } = row;
    const element = await this.describe(row, await this.read(place));
    this.handedOut.set(projectKey(place), element);
    this.rows.set(projectKey(place), element);
    if (element.read.kind === 'read' && element.drift === undefined) {
      // The row is shown at once, while the nodes are asked what is deployed.
      this.deps.deployedStates.look(place).catch((error: unknown) => {
        this.rows.set(projectKey(place), { ...element, read: { kind: 'failed', error } });
        this.refreshRows(element);
      });
    }
    return element;
  }

  private read(place: ProjectPlace): Promise<ProjectElement['read']> {
    return this.deps.projects.read(place).then(
      (project) => ({ kind: 'read', project }),
      (error: unknown) => ({ kind: 'failed', error }),
    );
  }

  private async describe(
    { place, namesLayer, isListed }: ProjectRow,
    read: ProjectElement['read'],
  ): Promise<ProjectElement> {
    const { drafts, deployedStates, history, redeploys } = this.deps;
    await drafts.restored();
    const draft = drafts.find(projectKey(place));
    // Read this first, so that everything else is current.
    // If the history can't be read, the rows below the project say so.
    const last = await history.last(place).catch(() => undefined);
    return {
      kind: 'project',
      place,
      isListed,
      namesLayer,
      read,
      drift: deployedStates.last(place),
      last,
      hasDraft: draft !== undefined && isChanged(draft),
      running: redeploys.running(place)?.phase,
    };
  }

  /** Refreshes a project's row from known data, without a request. */
  private async refreshRow(key: string): Promise<void> {
    const before = this.rows.get(key);
    if (before !== undefined) {
      this.rows.set(key, await this.describe(before, before.read));
      this.refreshRows(this.handedOut.get(key));
    }
  }

  private async factsOf(place: ProjectPlace): Promise<DeploymentElement[]> {
    const shown = this.rows.get(projectKey(place));
    if (shown?.read.kind === 'failed') {
      throw shown.read.error;
    }
    const records = await this.deps.history.of(place);
    await this.deps.repositories.ready;
    const isGitOff = !this.deps.repositories.available;
    const facts = shown === undefined ? [] : factsOfProject(shown.read.project, shown.drift ?? [], isGitOff);
    return [
      ...facts.map((fact): DeploymentElement => ({ kind: 'fact', place, fact })),
      ...(records.length === 0 ? [] : [{ kind: 'history', place, length: records.length } as const]),
    ];
  }
}
