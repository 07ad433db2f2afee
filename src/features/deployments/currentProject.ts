import * as v from 'valibot';
import { Disposable, l10n, MarkdownString, type StatusBarItem, Uri, window, workspace } from 'vscode';
import { mustBeStarted } from '../../containers/environment';
import { layerTitle } from '../../containers/locationText';
import { filePlaceOf, type PlainUri } from '../../containers/place';
import type { CommandId } from '../../manifest';
import type { OperationName } from '../../platform/contract';
import { command, type Handler } from '../../ui/commands/command';
import { withIcon } from '../../ui/escapeMarkup';
import { ExpectedError } from '../../ui/expectedError';
import { failureText } from '../../ui/failureMessages';
import { appendPlain } from '../../ui/plainText';
import { askChoice, type Choice, type PickRow, underHeading } from '../../ui/quickPick';
import { createStatusItem } from '../../ui/statusBar';
import { stateLabel, stateText } from './deployedState/stateTexts';
import type { DeploymentParts } from './parts';
import type { ProjectFinder } from './projectFinder';
import { projectKey, type ProjectPlace } from './projectPlace';
import type { KnownProject } from './projects';
import { gitProblemText, projectText } from './projectText';
import type { LocalRepositories } from './repositories/localRepositories';
import { isFailed } from './results';
import type { DeploymentsView } from './view/deploymentsView';

const words = v.object({
  account: v.optional(v.string()),
  environment: v.string(),
  layer: v.optional(v.string()),
  context: v.optional(v.string()),
});
const sourceControl = v.object({ rootUri: v.custom<Uri>((value) => value instanceof Uri) });

interface ProjectLimit {
  readonly isOffered: (place: ProjectPlace) => boolean;
  /** What to say if there are none. */
  readonly none: string;
  /** What the command will do. Fails before anything is asked if it's known that the token may not do it. */
  readonly needs: readonly OperationName[];
}

const anyProject: ProjectLimit = {
  isOffered: () => true,
  needs: [],
  none: l10n.t('There are no projects yet. Add one in the Deployments view.'),
};

/** Determines a command's project: from its row, from what is open, or by asking. */
export class ProjectChooser {
  constructor(
    private readonly deps: Pick<DeploymentParts, 'finder' | 'repositories' | 'environments' | 'accounts'> & {
      readonly view: DeploymentsView;
    },
  ) {}

  /**
   * Makes a command on the project of a row or of what is open, or one that the user selects.
   * @param limit the projects to offer, if not all
   */
  command(question: string, run: (place: ProjectPlace) => unknown, limit?: Partial<ProjectLimit>): Handler<'project'> {
    return command('project', ({ object }) => this.meant(object, question, limit), run);
  }

  /** Returns the project of a row or of what is open, or asks for it. `undefined` if the user cancels. */
  async meant(
    named: object | undefined,
    question: string,
    limit: Partial<ProjectLimit> = {},
  ): Promise<ProjectPlace | undefined> {
    const place = await this.choose(named, question, { ...anyProject, ...limit });
    if (place !== undefined) {
      this.ensureOffered([place], limit.needs ?? []);
    }
    return place;
  }

  private async choose(
    named: object | undefined,
    question: string,
    limit: ProjectLimit,
  ): Promise<ProjectPlace | undefined> {
    const element = this.deps.view.find(named);
    if (element?.kind === 'project' || element?.kind === 'fact' || element?.kind === 'history') {
      return element.place;
    }
    const exact = v.safeParse(v.required(words), named);
    if (exact.success) {
      // A button names its project. It may not be listed yet.
      return exact.output;
    }
    const said = v.safeParse(words, named);
    return said.success
      ? this.among(this.deps.finder.named(said.output), question, { ...anyProject, needs: limit.needs })
      : this.among(await this.suggested(named), question, limit);
  }

  private async suggested(named: object | undefined): Promise<readonly ProjectPlace[]> {
    const { finder, repositories } = this.deps;
    await repositories.ready;
    const control = v.safeParse(sourceControl, named);
    if (control.success) {
      const repository = repositories.at(control.output.rootUri);
      return repository === undefined ? [] : finder.deploying([repository]);
    }
    return projectsOpenHere(finder, repositories);
  }

  private async among(
    found: readonly ProjectPlace[],
    question: string,
    { isOffered, none, needs }: ProjectLimit,
  ): Promise<ProjectPlace | undefined> {
    const suggested = found.filter(isOffered);
    const [only] = suggested;
    if (suggested.length === 1) {
      return only;
    }
    const { places, failures } = await this.deps.finder.all(suggested.length > 0 ? undefined : isOffered);
    const first = new Set(suggested.map(projectKey));
    const others = places.filter((place) => isOffered(place) && !first.has(projectKey(place)));
    if (suggested.length === 0 && others.length === 0) {
      const [failure] = failures;
      throw failure?.error instanceof Error ? failure.error : new ExpectedError(none);
    }
    this.ensureOffered([...suggested, ...others], needs);
    const shown = others.map((place) => this.choiceOf(place));
    const items = [
      ...suggested.map((place) => this.choiceOf(place)),
      ...(suggested.length === 0 ? shown : underHeading(l10n.t('other projects'), shown)),
      ...failures.map(({ error }) => failureItem(error)),
    ];
    return askChoice<ProjectPlace>(items, { placeHolder: question });
  }

  /** Fails if none of the projects' accounts may do what's needed. */
  ensureOffered(places: readonly ProjectPlace[], needs: readonly OperationName[]): void {
    const { accounts, environments } = this.deps;
    const lacked = places.flatMap((place) => {
      const account = accounts.find(place.account);
      const operation = needs.find((one) => account?.lacks(one));
      return operation === undefined ? [] : [{ place, account, operation }];
    });
    const [first] = lacked;
    if (first !== undefined && lacked.length === places.length) {
      const { layer, context } = first.place;
      const object = { environment: environments.titleOf(first.place), layer, context };
      first.account?.ensureOffered(first.operation, object);
    }
  }

  private choiceOf(place: ProjectPlace): Choice<ProjectPlace> {
    const { environments } = this.deps;
    const where = `${environments.titleOf(place)} · ${layerTitle(place, environments)}`;
    return { label: place.context, description: where, value: place };
  }
}

function failureItem(error: unknown): PickRow {
  return { label: l10n.t("Couldn't list all projects"), icon: 'warning', detail: failureText(error), alwaysShow: true };
}

/** The known projects of what is open in this window. Sends no request. */
function projectsOpenHere(finder: ProjectFinder, repositories: LocalRepositories): readonly KnownProject[] {
  const projectOf = (uri: PlainUri) => {
    const place = filePlaceOf(uri);
    return (place && finder.projectAt(place)) ?? [];
  };
  // The active editor's file decides first.
  const file = window.activeTextEditor?.document.uri;
  const held = file === undefined ? [] : [projectOf(file)].flat();
  if (held.length > 0) {
    return held;
  }
  const folders = (workspace.workspaceFolders ?? []).flatMap(({ uri }) => projectOf(uri));
  const open = [...folders, ...finder.deploying(repositories.all)];
  return [...new Map(open.map((project) => [projectKey(project), project])).values()];
}

/** Shows the open files' project and how far it is behind its branch. A click offers what can be done with it. */
export function showProjectInStatusBar(deps: DeploymentParts): Disposable {
  const { accounts, environments, repositories, redeploys, deployedStates, projects } = deps;
  const item = createStatusItem('gantry.project', l10n.t('Gantry: Project'));
  // No arguments: when a command with arguments is replaced, VS Code drops the old ones before the window has the new
  // command, and clicking at that moment does nothing. The command finds the project in the same way as this item.
  item.command = 'gantry.project.showActions' satisfies CommandId;
  const looked = new Set<string>();
  const look = async (project: KnownProject) => {
    // First, so that listing the environments doesn't ask anyone to sign in.
    await projects.lastOrRead(project, { unattended: true });
    const account = accounts.find(project.account);
    if (account !== undefined) {
      await environments.soon(account, Infinity);
    }
    if (mustBeStarted(environments.known(project.account, project.environment)?.status)) {
      // The next listing may say that it runs.
      looked.delete(projectKey(project));
    } else {
      await deployedStates.look(project, { unattended: true });
    }
  };
  const update = () => {
    const [project, ...others] = candidates(deps);
    if (project === undefined) {
      item.hide();
      return;
    }
    fill(item, project, others, deps);
    item.show();
    const key = projectKey(project);
    if (
      !looked.has(key) &&
      deployedStates.last(project) === undefined &&
      accounts.find(project.account)?.isSignedOut === false &&
      !mustBeStarted(environments.known(project.account, project.environment)?.status)
    ) {
      looked.add(key);
      // The user didn't ask for it: the Deployments view shows a failure, and here the state stays empty.
      look(project).catch(() => undefined);
    }
  };
  update();
  return Disposable.from(
    item,
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidChangeWorkspaceFolders(update),
    environments.onDidList(update),
    // What was known of its projects goes, too.
    accounts.onDidSignOut(() => looked.clear()),
    ...[accounts, repositories, redeploys, deployedStates, projects].map(({ onDidChange }) => onDidChange(update)),
  );
}

/** Returns the candidates, starting with the projects being redeployed. */
function candidates({ finder, repositories, redeploys }: DeploymentParts): readonly KnownProject[] {
  const open = projectsOpenHere(finder, repositories);
  const isRunning = (project: KnownProject) => redeploys.running(project) !== undefined;
  return [...open.filter(isRunning), ...open.filter((project) => !isRunning(project))];
}

function fill(
  item: StatusBarItem,
  project: KnownProject,
  others: readonly KnownProject[],
  { redeploys, deployedStates, repositories, environments }: DeploymentParts,
): void {
  const running = redeploys.running(project);
  // What was found before says nothing while it changes.
  const results = running === undefined ? (deployedStates.last(project) ?? []) : [];
  const name = projectText(project, environments);
  const state = running === undefined ? stateLabel(results) : l10n.t('redeploying…');
  const isBusy = running !== undefined || deployedStates.lastCheck(project) === 'running';
  const icon = isBusy ? 'sync~spin' : results.some(isFailed) ? 'error' : 'rocket';
  // Without the branch, which VS Code's own item shows, because small windows cut off what's farther right.
  const parts = [name, state].filter((part) => part !== '');
  item.text = withIcon(icon, parts.join(' · '));
  item.accessibilityInformation = { label: l10n.t('Project {0}', parts.join(', ')), role: 'button' };
  const tooltip = new MarkdownString(undefined, true);
  appendPlain(tooltip.appendMarkdown('**'), l10n.t('Show Actions for {0}', name)).appendMarkdown('**\n\n');
  results.forEach((result) => appendPlain(tooltip, stateText(result).sentence).appendMarkdown('\n\n'));
  if (!repositories.available) {
    appendPlain(tooltip, gitProblemText(repositories.state)).appendMarkdown('\n\n');
  }
  if (others.length > 0) {
    appendPlain(
      tooltip,
      others.length === 1
        ? l10n.t('1 more project is deployed from the open repositories.')
        : l10n.t('{0} more projects are deployed from the open repositories.', String(others.length)),
    );
  }
  item.tooltip = tooltip;
}
