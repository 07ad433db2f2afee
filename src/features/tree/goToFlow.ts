import { ExpectedError } from '../../ui/expectedError';
import { l10n, QuickPickItemKind } from 'vscode';
import type { Environment } from '../../containers/environment';
import { containersIn, type EnvironmentPart } from '../../containers/environmentPart';
import { listParts, partAt, partChoices, type PartList } from '../../containers/environmentPartPrompts';
import { type Place, placeOnLayer } from '../../containers/place';
import type { ProjectName } from '../../featureApis';
import type { Services } from '../../services';
import { askChoice, type Choice } from '../../ui/quickPick';

interface Targets {
  readonly parts: PartList<EnvironmentPart>;
  readonly projects: readonly ProjectName[];
}

/** Asks for an environment, a node or a project by any of its names, and shows its row. Typing sends no request. */
export async function goTo(services: Pick<Services, 'accounts' | 'environments' | 'features'>): Promise<void> {
  const { tree, deployments } = services.features;
  const listed = listTargets(services);
  const value = await askChoice<string>(listed.then(choicesOf), {
    placeHolder: l10n.t('Name, domain, node ID, or context, for example my-shop'),
  });
  if (value === undefined) {
    return;
  }
  const { parts, projects } = await listed;
  const part = partAt(parts, value);
  const project = projects.find((_, index) => value === projectValue(index));
  if (part !== undefined && !(await tree.use(({ show }) => show(placeOfPart(part))))) {
    throw new ExpectedError(l10n.t('{0} no longer exists.', part.node?.name ?? part.environment.title));
  }
  if (project !== undefined && !(await deployments.use(({ show }) => show(project)))) {
    throw new ExpectedError(l10n.t('{0} is no longer a project in {1}.', project.context, project.environment));
  }
}

async function listTargets(services: Parameters<typeof goTo>[0]): Promise<Targets> {
  await services.accounts.demandRead();
  const [parts, projects] = await Promise.all([
    listParts(services, targetsIn),
    services.features.deployments.use(({ allProjects }) => allProjects()),
  ]);
  return { parts, projects };
}

/** An environment and its nodes. A layer has no name that anyone would look for. */
function targetsIn(environment: Environment): readonly EnvironmentPart[] {
  const nodes = containersIn(environment).filter(({ node }) => node !== undefined);
  return [{ environment, layer: undefined, node: undefined }, ...nodes];
}

function choicesOf({ parts, projects }: Targets): readonly Choice[] {
  const titles = new Map(
    parts.all.map(({ environment }) => [environmentKeyOf(environment.account, environment.name), environment.title]),
  );
  const rows = projects.map(({ account, environment, layer, context }, index) => {
    const title = titles.get(environmentKeyOf(account, environment));
    const names = [title, title === environment ? undefined : environment, layer];
    return {
      ...{ label: context, icon: 'repo', value: projectValue(index) },
      description: names.filter((name) => name !== undefined).join(' · '),
    };
  });
  const heading = { label: l10n.t('Projects'), kind: QuickPickItemKind.Separator, value: '' };
  // There are more nodes than anything else, so they come last.
  return [
    ...partChoices({ ...parts, problems: [] }, ({ node }) => node === undefined),
    ...(rows.length === 0 ? [] : [heading]),
    ...rows,
    ...partChoices(parts, ({ node }) => node !== undefined),
  ];
}

function projectValue(index: number): string {
  return `project ${index}`;
}

function environmentKeyOf(account: string, environment: string): string {
  return `${account}/${environment}`;
}

function placeOfPart({ environment, layer, node }: EnvironmentPart): Place {
  return layer === undefined
    ? { kind: 'environment', account: environment.account, environment: environment.name }
    : placeOnLayer(environment, layer.id, node?.id);
}
