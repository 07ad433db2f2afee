import { ExpectedError } from '../../ui/expectedError';
import type { OperationName } from '../../platform/contract';
import * as v from 'valibot';
import { l10n, Uri } from 'vscode';
import type { DeploymentParts } from './parts';
import { projectsOpenHere } from './projectFinder';
import { projectKey, type ProjectPlace } from './projectPlace';
import type { DeploymentsView } from './view/deploymentsView';
import { layerTitle } from '../../containers/locationText';
import { failureText } from '../../ui/failureMessages';
import { command, type Handler } from '../../ui/commands/command';
import { askChoice, type Choice, type PickRow, underHeading } from '../../ui/quickPick';

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
   * Makes a command on the project that is meant.
   * @param limit the projects to offer, if not all
   */
  command(question: string, run: (place: ProjectPlace) => unknown, limit?: Partial<ProjectLimit>): Handler<'project'> {
    return command('project', ({ object }) => this.meant(object, question, limit), run);
  }

  /** Returns the project that is meant, unless the user cancels. */
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
