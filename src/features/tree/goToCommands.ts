import { commands, l10n, QuickPickItemKind, Range, Uri, window } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { type Link, type LinkOptions, type LinkPart, parseLink, placeOfLink } from '../../containers/containerLink';
import type { Environment } from '../../containers/environment';
import { allEnvironments, reachableEnvironment } from '../../containers/environmentIndex';
import { containersIn, type EnvironmentPart } from '../../containers/environmentPart';
import type { Environments } from '../../containers/environments';
import { layerTitle } from '../../containers/locationText';
import { type FilePlace, type Place, placeOf, placeOnLayer } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import type { ProjectName } from '../../featureApis';
import { activeFile, uriOfTab } from '../../files/tabs';
import { type CommandId, logScheme, scheme } from '../../manifest';
import { undefinedIf } from '../../platform/errors';
import type { Services } from '../../services';
import { copyLinks, type LinkTarget } from '../../trees/links';
import type { SharedElement } from '../../trees/sharedElement';
import { chooseAccount } from '../../ui/commands/accountPrompt';
import { command, commandOnNothing } from '../../ui/commands/command';
import { listParts, partAt, partChoices, type PartList } from '../../ui/commands/environmentPartPrompts';
import { ExpectedError } from '../../ui/expectedError';
import { showWarningMessage } from '../../ui/notifications';
import { askChoice, type Choice } from '../../ui/quickPick';

/** Commands that lead to a place: by a name that is typed, or by a link to it. */
export function goToCommands(services: Services) {
  const { tree, search } = services.features;
  const targetOf = (named: object | undefined, isInEditor: boolean): LinkTarget | undefined => {
    const element = tree.loaded?.find(named);
    const place = element && placeOfElement(element);
    return element === undefined
      ? (search.loaded?.linkTarget(named) ?? openTarget(named, isInEditor))
      : place && { place };
  };
  return {
    'gantry.environment.goTo': commandOnNothing(() => goTo(services)),

    'gantry.link.copy': command(
      'raw',
      (call) => {
        // In menus of tabs and the Explorer, VS Code passes more than the URI.
        const isInEditor = call.count < 2;
        const named = call.isBare ? [undefined] : call.clicked;
        return named.flatMap((one) => targetOf(one, isInEditor) ?? []);
      },
      (targets) => copyLinks(targets, services),
    ),
  };
}

/**
 * Returns a file from VS Code's Explorer or, from the Command Palette and in an editor, the active one's selected lines.
 * A log leads to its end.
 */
function openTarget(named: object | undefined, isInEditor: boolean): LinkTarget | undefined {
  const editor = window.activeTextEditor;
  // A page of a file that isn't text has no editor, and while a file is read, the active editor is the one before.
  const uri = named ?? uriOfTab(window.tabGroups.activeTabGroup.activeTab) ?? activeFile();
  if (!(uri instanceof Uri)) {
    return undefined;
  }
  const isLog = uri.scheme === logScheme;
  const place = placeOf(isLog ? uri.with({ scheme }) : uri);
  const isActive = isInEditor && editor?.document.uri.toString() === uri.toString();
  return place && { place, options: isLog ? { show: 'log' } : isActive ? { line: linesText(editor.selection) } : {} };
}

/** Like `12` or `12-20`. A selection that ends at the start of a line doesn't include that line. */
function linesText({ start, end }: Range): string {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return last === start.line ? `${last + 1}` : `${start.line + 1}-${last + 1}`;
}

function placeOfElement(element: SharedElement): Place | undefined {
  switch (element.kind) {
    case 'environment': {
      const { account, name } = element.environment;
      return { kind: 'environment', account, environment: name };
    }
    case 'layer':
      return placeOnLayer(element.environment, element.layer.id, undefined);
    case 'node':
    case 'entry':
      return element.place;
    default:
      return undefined;
  }
}

type LinkServices = Pick<Services, 'accounts' | 'environments' | 'listings' | 'features'>;

/** Opens a link, after a sign-in if that's necessary. A link itself can't add an account or a platform. */
export async function openLink({ path, query }: Uri, services: LinkServices): Promise<void> {
  const parsed = path === '/open' ? parseLink(query) : { problem: 'address' as const };
  if ('problem' in parsed) {
    void showWarningMessage(problemText(parsed.problem));
    return;
  }
  const link = parsed.ok;
  await services.accounts.demandRead();
  let there = accountsOn(link, services);
  while (there.length === 0) {
    if (!(await offerSignIn(link, services))) {
      return;
    }
    there = accountsOn(link, services);
  }
  const account = await accountFor(link, there, services);
  if (account?.isSignedOut === true) {
    await services.accounts.signInAgain(account.slug);
  }
  if (account?.isSignedOut === false) {
    await show(link, account, services);
  }
}

function accountsOn({ platform }: Link, { accounts }: LinkServices): readonly Account[] {
  return accounts.list.filter(({ host }) => host === platform);
}

/** Returns the account on the platform that has the environment. */
async function accountFor(
  { environment, platform }: Link,
  there: readonly Account[],
  services: LinkServices,
): Promise<Account | undefined> {
  const [first, ...others] = there;
  if (others.length === 0) {
    return first;
  }
  const { environments } = await allEnvironments({ list: there }, services.environments);
  const slugs = environments.filter(({ name }) => name === environment).map(({ account }) => account);
  const having = there.filter(({ slug }) => slugs.includes(slug));
  const question = l10n.t('Select the account to open {0} on {1} with', environment, platform);
  return chooseAccount(having.length === 0 ? there : having, question);
}

async function show(link: Link, account: Account, services: LinkServices): Promise<void> {
  const { features } = services;
  const { slug } = account;
  const place = placeOfLink(link, slug);
  const environment: Place = { kind: 'environment', account: slug, environment: link.environment };
  const entry = place === undefined || place.path === '/' ? 'folder' : await entryAt(place, services);
  if (entry === 'folder' && place !== undefined) {
    await undefinedIf('notFound', reachableEnvironment(place, account, services.environments));
  }
  const isThere =
    entry === 'file' && place !== undefined
      ? await openFile(place, link.options, services)
      : entry === 'folder' && (await features.tree.use((tree) => tree.show(place ?? environment)));
  if (!isThere) {
    await sayAbsent(link, account, services);
  } else if (entry === 'folder' && place !== undefined && link.options.find !== undefined) {
    await features.search.use(({ findLinked }) => findLinked(place, link.options));
  }
}

async function sayAbsent(link: Link, account: Account, services: LinkServices): Promise<void> {
  if (placeOfLink(link, account.slug) !== undefined || !(await isUnlisted(link, account, services))) {
    void showWarningMessage(absenceText(link, account));
  } else if ((await offerToAdd(link, account)) && !(await isUnlisted(link, account, services))) {
    await show(link, account, services);
  }
}

/** Whether there may be such an environment although Gantry doesn't show it: the token can't list any. */
async function isUnlisted({ environment }: Link, account: Account, services: LinkServices): Promise<boolean> {
  const overview = await services.environments.overview(account);
  return overview.isUnlisted && overview.environments.every(({ name }) => name !== environment);
}

/** Returns whether the person wants to add an environment. */
async function offerToAdd({ environment }: Link, { label, slug }: Account): Promise<boolean> {
  const add = l10n.t('Add Environment…');
  const text = l10n.t(
    "Couldn't open the link: environments of {0} can't be listed with this token. Add {1} by its name to open it.",
    label,
    environment,
  );
  if ((await showWarningMessage(text, add)) !== add) {
    return false;
  }
  const command: CommandId = 'gantry.environment.add';
  await commands.executeCommand(command, slug);
  return true;
}

async function openFile(place: FilePlace, { show, line }: LinkOptions, { features }: LinkServices): Promise<true> {
  const uri = uriOf(place);
  if (show === 'log' && place.target.nodeId !== undefined) {
    await features.logs.use(({ open }) => open(uri));
  } else {
    const selection = linesIn(line);
    await commands.executeCommand('vscode.open', uri, selection && { selection });
  }
  return true;
}

async function entryAt(place: FilePlace, { listings }: LinkServices): Promise<'file' | 'folder' | undefined> {
  const entry = await listings.entry(place);
  return entry && (entry.isDir ? 'folder' : 'file');
}

function linesIn(text = ''): Range | undefined {
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const line = Math.max(0, Number(first) - 1);
  return first === undefined
    ? undefined
    : last === undefined
      ? new Range(line, 0, line, 0)
      : new Range(line, 0, Math.max(line, Number(last) - 1), Number.MAX_SAFE_INTEGER);
}

/**
 * Starts a sign-in without prefilled values, so that a link can't choose the platform. Returns whether the person signed
 * in, which may be to another platform.
 */
async function offerSignIn({ platform, environment }: Link, { features }: LinkServices): Promise<boolean> {
  const signIn = l10n.t('Sign In…');
  const text = l10n.t(
    "Couldn't open {0}: you aren't signed in to {1}. If you trust this platform, sign in to open the link.",
    environment,
    platform,
  );
  return (
    (await showWarningMessage(text, signIn)) === signIn &&
    (await features.signIn.use((feature) => feature.signIn())) !== undefined
  );
}

function absenceText({ environment, target, path }: Link, { label, host }: Account): string {
  return target === undefined
    ? l10n.t(
        "Couldn't open the link: {0} on {1} doesn't have an environment named {2}. Sign in with an account that has it.",
        label,
        host,
        environment,
      )
    : l10n.t(
        "Couldn't open the link: {0} doesn't exist in {1} · {2} (account: {3}). Ask the sender for a new link.",
        path,
        environment,
        target,
        label,
      );
}

function problemText(part: LinkPart | 'address'): string {
  switch (part) {
    case 'address':
      return l10n.t("Couldn't open the link: it isn't a Gantry link. Gantry links contain “gantry.gantry/open?”.");
    case 'platform':
      return l10n.t("Couldn't open the link: it doesn't specify a platform. Ask the sender for the complete link.");
    case 'environment':
      return l10n.t("Couldn't open the link: it doesn't specify an environment. Ask the sender for the complete link.");
    case 'target':
      return l10n.t(
        "Couldn't open the link: it doesn't specify a layer or node. Ask the sender for the complete link.",
      );
    case 'path':
      return l10n.t(
        "Couldn't open the link: it doesn't specify a file or folder. Ask the sender for the complete link.",
      );
  }
}

interface Targets {
  readonly parts: PartList<EnvironmentPart>;
  readonly projects: readonly ProjectName[];
}

/** Asks for an environment, a node or a project by any of its names, and shows its row. Typing sends no request. */
async function goTo(services: Pick<Services, 'accounts' | 'environments' | 'features'>): Promise<void> {
  const { tree, deployments } = services.features;
  const listed = listTargets(services);
  const choices = listed.then((targets) => choicesOf(targets, services.environments));
  const value = await askChoice<string>(choices, {
    placeHolder: l10n.t('Name, domain, node ID, or project, for example my-shop'),
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

function choicesOf({ parts, projects }: Targets, environments: Environments): readonly Choice[] {
  const titles = new Map(
    parts.all.map(({ environment }) => [environmentKeyOf(environment.account, environment.name), environment.title]),
  );
  const rows = projects.map((project, index) => {
    const { account, environment, context } = project;
    const title = titles.get(environmentKeyOf(account, environment));
    const names = [title, title === environment ? undefined : environment, layerTitle(project, environments)];
    return {
      label: context,
      icon: 'repo',
      value: projectValue(index),
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
