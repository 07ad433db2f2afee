import { commands, env, l10n, Uri, type UriHandler, window } from 'vscode';
import { chooseAccount } from '../accounts/accountPrompt';
import type { Account, Accounts } from '../accounts/accounts';
import { type Link, type LinkPart, linkToPlace, parseLink, placeOfLink, writeLink } from '../containers/containerLink';
import { allEnvironments } from '../containers/environmentIndex';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import { type FilePlace, type Place, placeOf, placeOnLayer } from '../containers/place';
import type { CommandId } from '../manifest';
import { clickedRows } from '../trees/rowTreeProvider';
import type { SharedElement } from '../trees/sharedElement';
import { showWarningMessage } from '../ui/notifications';
import { uriOf } from './commandTargets';
import type { EnvironmentsView } from './environmentsView';

export interface LinkCommandsDeps {
  readonly accounts: Accounts;
  readonly view: Pick<EnvironmentsView, 'find'>;
  /** The extension's ID in VS Code. */
  readonly extensionId: string;
}

export function linkCommands({ accounts, view, extensionId }: LinkCommandsDeps) {
  const linkOf = (received: unknown): string | undefined => {
    const element = view.find(received);
    const place = element === undefined ? placeIn(received) : placeOfElement(element);
    const account = place && accounts.find(place.account);
    return place === undefined || place.kind === 'account' || account === undefined
      ? undefined
      : `${env.uriScheme}://${extensionId}/open?${writeLink(linkToPlace(place, account.host))}`;
  };
  return {
    async 'gantry.link.copy'(...received: readonly unknown[]) {
      const links = clickedRows(received).flatMap((row) => linkOf(row) ?? []);
      if (links.length > 0) {
        await env.clipboard.writeText(links.join('\n'));
        window.setStatusBarMessage(l10n.t('$(link) Link copied'), 3000);
      }
    },
  };
}

/** Returns a file from VS Code's Explorer or, from the Command Palette, the active one. */
function placeIn(received: unknown): Place | undefined {
  const uri = received ?? window.activeTextEditor?.document.uri;
  return uri instanceof Uri ? placeOf(uri) : undefined;
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

export interface OpenLinkDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly listings: Listings;
  /** Reveals a place in the Environments view. Returns whether it exists. */
  readonly show: (place: Place) => Promise<boolean>;
  /** Reports a failure. */
  readonly report: (error: unknown) => void;
}

/** Opens a link in an account that's already signed in. A link can't add an account or a platform. */
export class LinkHandler implements UriHandler {
  constructor(private readonly deps: OpenLinkDeps) {}

  async handleUri(uri: Uri): Promise<void> {
    try {
      await this.open(uri);
    } catch (error) {
      this.deps.report(error);
    }
  }

  private async open({ path, query }: Uri): Promise<void> {
    const parsed = path === '/open' ? parseLink(query) : { problem: 'address' as const };
    if ('problem' in parsed) {
      void showWarningMessage(problemText(parsed.problem));
      return;
    }
    const link = parsed.ok;
    await this.deps.accounts.demandRead();
    const there = this.deps.accounts.list.filter(({ host }) => host === link.platform);
    if (there.length === 0) {
      void offerSignIn(link);
      return;
    }
    const account = await this.accountFor(link, there);
    if (account !== undefined) {
      await this.show(link, account);
    }
  }

  /** Returns the account on the platform that has the environment. */
  private async accountFor({ environment, platform }: Link, there: readonly Account[]): Promise<Account | undefined> {
    const [first, ...others] = there;
    if (others.length === 0) {
      return first;
    }
    const { environments } = await allEnvironments({ list: there }, this.deps.environments);
    const slugs = environments.filter(({ name }) => name === environment).map(({ account }) => account);
    const having = there.filter(({ slug }) => slugs.includes(slug));
    const question = l10n.t('Select the account to open {0} on {1} with', environment, platform);
    return chooseAccount(having.length === 0 ? there : having, question);
  }

  private async show(link: Link, account: Account): Promise<void> {
    const { slug } = account;
    const place = placeOfLink(link, slug);
    const environment: Place = { kind: 'environment', account: slug, environment: link.environment };
    const entry = place === undefined || place.path === '/' ? 'folder' : await this.entryAt(place);
    const isThere =
      entry === 'file' && place !== undefined
        ? await commands.executeCommand('vscode.open', uriOf(place)).then(() => true)
        : entry === 'folder' && (await this.deps.show(place ?? environment));
    if (!isThere) {
      void showWarningMessage(absenceText(link, account));
    }
  }

  private async entryAt(place: FilePlace): Promise<'file' | 'folder' | undefined> {
    const entry = await this.deps.listings.entry(place);
    return entry && (entry.isDir ? 'folder' : 'file');
  }
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
