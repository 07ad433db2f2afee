import { redeployMessage } from '../redeploy/redeployResultText';
import { window } from 'vscode';
import type { Account } from '../../../accounts/accounts';
import { type Environment, mustBeStarted, takesProjects } from '../../../containers/environment';
import { layerTitle } from '../../../containers/locationText';
import type { DeploymentParts } from '../parts';
import { isChanged } from '../settings/projectDrafts';
import { listedProjects, projectKey, type ProjectPlace } from '../projectPlace';
import {
  type DeploymentElement,
  type DeploymentRows,
  deploymentRows,
  factsOfProject,
  type ProjectElement,
} from './deploymentRows';
import { SharedCalls } from '../../../async/sharedCalls';
import { type AccountElement, byKind, type SharedRows } from '../../../trees/sharedElement';
import { maxUnfolded, RowTree } from '../../../trees/rowTree';
import { sharedKinds } from '../../../trees/sharedRows';
import { nodesNow } from '../deployedState/deployedState';

type ProjectRow = Pick<ProjectElement, 'place' | 'isListed' | 'namesLayer'>;

/** Shows each environment's projects, their deployed state, and the redeploys started here. */
export class DeploymentsView extends RowTree<DeploymentElement> {
  /** The elements that VS Code holds. A refresh must pass the same object. */
  private readonly handedOut = new Map<string, ProjectElement>();
  /** The nodes are checked once although a row is made several times meanwhile. */
  private readonly looks = new SharedCalls<unknown>();
  private readonly rows = new Map<string, ProjectElement>();

  constructor(
    private readonly deps: Pick<
      DeploymentParts,
      | 'accounts'
      | 'environments'
      | 'projects'
      | 'redeploys'
      | 'history'
      | 'deployedStates'
      | 'repositories'
      | 'drafts'
      | 'findDeployedCommits'
    >,
  ) {
    super({
      accounts: deps.accounts,
      kinds: byKind<DeploymentRows & SharedRows>({
        ...sharedKinds,
        environment: {
          ...sharedKinds.environment,
          children: ({ environment }) => this.projectsOf(environment),
        },
        noProject: { row: deploymentRows.noProject },
        project: {
          // VS Code may hold an older element.
          row: (element) => deploymentRows.project(this.rows.get(projectKey(element.place)) ?? element),
          isTimed: () => true,
          children: ({ place }) => this.factsOf(place),
          retry: (element) => this.retry(element),
        },
        fact: { row: deploymentRows.fact },
        history: { row: deploymentRows.history, children: ({ place }) => this.redeploysOf(place) },
        redeploy: { row: deploymentRows.redeploy, isTimed: () => true },
      }),
      ofAccount: (account, under) => this.ofAccount(account, under),
    });
    const { environments, projects, redeploys, history, deployedStates, repositories, drafts } = deps;
    const refreshAll = () => this.refresh();
    const refresh = (place: ProjectPlace) => void this.refreshRow(projectKey(place));
    this.follow(
      environments.onDidChange(refreshAll),
      deps.accounts.onDidChangeRights(refreshAll),
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
      // Another window may have applied or discarded a draft.
      window.onDidChangeWindowState(({ focused }) => {
        for (const [key] of [...this.rows].filter(([, { hasDraft }]) => focused && hasDraft)) {
          void this.refreshRow(key);
        }
      }),
    );
  }

  /** Returns a project's row, after loading the rows above it. */
  rowOf(project: ProjectPlace): Promise<DeploymentElement | undefined> {
    return this.findDown((row) => leadsTo(row, project));
  }

  private async ofAccount(account: Account, under: AccountElement | undefined): Promise<DeploymentElement[]> {
    const { environments, projects } = this.deps;
    const known = await environments.overview(account);
    const withProjects = new Set(known.environments.filter((one) => projects.of(one).length > 0));
    if (under === undefined && withProjects.size === 0 && !known.isUnlisted) {
      // Without any row, VS Code shows the welcome content.
      return [];
    }
    const rows = known.environments
      .filter(({ layers }) => layers.length === 0 || layers.some(takesProjects))
      .map((environment) => {
        const isUnfolded = withProjects.size <= maxUnfolded && withProjects.has(environment);
        return { kind: 'environment', environment, isUnfolded } as const;
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
    const { status } = this.deps.environments.known(place.account, place.environment) ?? {};
    // A look at the nodes may wake up the environment, which is for a person to decide.
    if (element.read.kind === 'read' && element.results === undefined && !mustBeStarted(status)) {
      // The row is shown at once, while the nodes are asked what is deployed.
      const looked = this.looks.share(projectKey(place), () => this.deps.deployedStates.look(place));
      looked.catch((error: unknown) => {
        if (this.handedOut.get(projectKey(place)) === element) {
          this.rows.set(projectKey(place), { ...element, read: { kind: 'failed', error } });
          this.refresh(element);
        }
      });
    }
    return element;
  }

  private retry(element: ProjectElement): void {
    const { place } = element;
    // What is on its way may be what failed.
    this.looks.forget(projectKey(place));
    // If it fails again, the row says so.
    this.deps.projects.readAgain(place).catch(() => undefined);
    // The row of a project shows why it couldn't be read, so it's made again. The other rows there are known.
    this.refresh(this.getParent(element));
  }

  private read(place: ProjectPlace): Promise<ProjectElement['read']> {
    return this.deps.projects.lastOrRead(place).then(
      (project) => ({ kind: 'read', project }),
      (error: unknown) => ({ kind: 'failed', error }),
    );
  }

  private async describe(
    { place, namesLayer, isListed }: ProjectRow,
    read: ProjectElement['read'],
  ): Promise<ProjectElement> {
    const { drafts, deployedStates, environments, history, redeploys, repositories } = this.deps;
    const draft = await drafts.refresh(projectKey(place));
    // Read this first, so that everything else is current.
    // If the history can't be read, the rows below the project say so.
    const last = await history.last(place).catch(() => undefined);
    return {
      kind: 'project',
      place,
      environmentTitle: environments.titleOf(place),
      layerTitle: layerTitle(place, environments),
      isListed,
      namesLayer,
      read,
      // What was found before says nothing while it changes.
      results: redeploys.running(place) === undefined ? deployedStates.last(place) : [],
      checked: deployedStates.lastCheck(place),
      last,
      hasDraft: draft !== undefined && isChanged(draft),
      running: redeploys.running(place)?.phase,
      hasClone: read.kind === 'read' && repositories.withAddress(read.project.settings.url) !== undefined,
    };
  }

  private async redeploysOf(place: ProjectPlace): Promise<DeploymentElement[]> {
    const records = await this.deps.history.of(place);
    const commits = await this.deps.findDeployedCommits(place, records);
    return records.map((record) => {
      const message = redeployMessage(record, this.deps.environments);
      return { kind: 'redeploy', record, message, commit: commits.get(nodesNow(record.nodes).commit ?? '') };
    });
  }

  /** Refreshes a project's row from known data, without a request. */
  private async refreshRow(key: string): Promise<void> {
    const before = this.rows.get(key);
    if (before !== undefined) {
      const last = this.deps.projects.last(before.place);
      const read =
        before.read.kind === 'failed' || last === undefined ? before.read : { ...before.read, project: last };
      this.rows.set(key, await this.describe(before, read));
      this.refresh(this.handedOut.get(key));
    }
  }

  private async factsOf(place: ProjectPlace): Promise<DeploymentElement[]> {
    const shown = this.rows.get(projectKey(place));
    if (shown?.read.kind === 'failed') {
      throw shown.read.error;
    }
    const records = await this.deps.history.of(place);
    await this.deps.repositories.ready;
    const git = this.deps.repositories.state;
    const facts = shown === undefined ? [] : factsOfProject(shown.read.project, shown.results ?? [], git);
    return [
      ...facts.map((fact): DeploymentElement => ({ kind: 'fact', place, fact })),
      ...(records.length === 0 ? [] : [{ kind: 'history', place, length: records.length } as const]),
    ];
  }
}

/** Whether the row is the project's or above it. */
function leadsTo(row: DeploymentElement, project: ProjectPlace): 'here' | 'below' | undefined {
  switch (row.kind) {
    case 'account':
      return row.account.slug === project.account ? 'below' : undefined;
    case 'environment': {
      const { account, name } = row.environment;
      return account === project.account && name === project.environment ? 'below' : undefined;
    }
    case 'project':
      return projectKey(row.place) === projectKey(project) ? 'here' : undefined;
    default:
      return undefined;
  }
}
