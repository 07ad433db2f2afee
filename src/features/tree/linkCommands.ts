import { commands, l10n, Range, Uri, window } from 'vscode';
import { type FilePlace, type Place, placeOf, placeOnLayer } from '../../containers/place';
import { type CommandId, logScheme, scheme } from '../../manifest';
import type { Services } from '../../services';
import { command } from '../../ui/commands/command';
import { copyLinks, type LinkTarget } from '../../trees/links';
import type { SharedElement } from '../../trees/sharedElement';
import { chooseAccount } from '../../ui/commands/accountPrompt';
import type { Account } from '../../accounts/accounts';
import { type Link, type LinkOptions, type LinkPart, parseLink, placeOfLink } from '../../containers/containerLink';
import { allEnvironments } from '../../containers/environmentIndex';
import { showWarningMessage } from '../../ui/notifications';
import { uriOf } from '../../containers/uris';

export function linkCommands(services: Pick<Services, 'accounts' | 'extensionId' | 'features'>) {
  const { tree, search } = services.features;
  const targetOf = (named: object | undefined, isInEditor: boolean): LinkTarget | undefined => {
    const element = tree.loaded?.find(named);
    const place = element && placeOfElement(element);
    return element === undefined
      ? (search.loaded?.linkTarget(named) ?? openTarget(named, isInEditor))
      : place && { place };
  };
  return {
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
  const uri = named ?? editor?.document.uri;
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

/** Opens a link in an account that's already signed in. A link can't add an account or a platform. */
export async function openLink({ path, query }: Uri, services: LinkServices): Promise<void> {
  const parsed = path === '/open' ? parseLink(query) : { problem: 'address' as const };
  if ('problem' in parsed) {
    void showWarningMessage(problemText(parsed.problem));
    return;
  }
  const link = parsed.ok;
  await services.accounts.demandRead();
  const there = services.accounts.list.filter(({ host }) => host === link.platform);
  if (there.length === 0) {
    void offerSignIn(link);
    return;
  }
  const account = await accountFor(link, there, services);
  if (account !== undefined) {
    await show(link, account, services);
  }
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
  const isThere =
    entry === 'file' && place !== undefined
      ? await openFile(place, link.options, services)
      : entry === 'folder' && (await features.tree.use((tree) => tree.show(place ?? environment)));
  if (!isThere) {
    void showWarningMessage(absenceText(link, account));
  } else if (entry === 'folder' && place !== undefined && link.options.find !== undefined) {
    await features.search.use(({ findLinked }) => findLinked(place, link.options));
  }
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

/** Starts a sign-in without prefilled values, so that a link can't choose the platform. */
async function offerSignIn({ platform, environment }: Link): Promise<void> {
  const signIn = l10n.t('Sign In…');
  const text = l10n.t(
    "Couldn't open {0}: you aren't signed in to {1}. If you trust this platform, sign in and open the link again.",
    environment,
    platform,
  );
  if ((await showWarningMessage(text, signIn)) === signIn) {
    const command: CommandId = 'gantry.account.signIn';
    await commands.executeCommand(command);
  }
}

function absenceText({ environment, target, path }: Link, { label, host }: Account): string {
  return target === undefined
    ? l10n.t("Couldn't open the link: {0} on {1} doesn't have an environment named {2}.", label, host, environment)
    : l10n.t(
        "Couldn't open the link: {0} doesn't exist in {1} · {2} (account: {3}).",
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
