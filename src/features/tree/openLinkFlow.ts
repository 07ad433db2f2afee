import { commands, l10n, Range, type Uri, type UriHandler } from 'vscode';
import { chooseAccount } from '../../accounts/accountPrompt';
import type { Account } from '../../accounts/accounts';
import { type Link, type LinkOptions, type LinkPart, parseLink, placeOfLink } from '../../containers/containerLink';
import { allEnvironments } from '../../containers/environmentIndex';
import type { FilePlace, Place } from '../../containers/place';
import type { CommandId } from '../../manifest';
import { showWarningMessage } from '../../ui/notifications';
import { uriOf } from '../../containers/uris';
import type { Services } from '../../services';

/** Opens a link in an account that's already signed in. A link can't add an account or a platform. */
export class LinkHandler implements UriHandler {
  constructor(
    private readonly services: Pick<Services, 'accounts' | 'environments' | 'listings' | 'features' | 'report'>,
  ) {}

  async handleUri(uri: Uri): Promise<void> {
    try {
      await this.open(uri);
    } catch (error) {
      this.services.report(error);
    }
  }

  private async open({ path, query }: Uri): Promise<void> {
    const parsed = path === '/open' ? parseLink(query) : { problem: 'address' as const };
    if ('problem' in parsed) {
      void showWarningMessage(problemText(parsed.problem));
      return;
    }
    const link = parsed.ok;
    await this.services.accounts.demandRead();
    const there = this.services.accounts.list.filter(({ host }) => host === link.platform);
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
    const { environments } = await allEnvironments({ list: there }, this.services.environments);
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
        ? await this.openFile(place, link.options)
        : entry === 'folder' && (await this.services.features.tree.use(({ show }) => show(place ?? environment)));
    if (!isThere) {
      void showWarningMessage(absenceText(link, account));
    } else if (entry === 'folder' && place !== undefined && link.options.find !== undefined) {
      await this.services.features.search.use(({ findLinked }) => findLinked(place, link.options));
    }
  }

  private async openFile(place: FilePlace, { show, line }: LinkOptions): Promise<true> {
    const uri = uriOf(place);
    if (show === 'log' && place.target.nodeId !== undefined) {
      await this.services.features.logs.use(({ open }) => open(uri));
    } else {
      const selection = linesIn(line);
      await commands.executeCommand('vscode.open', uri, selection && { selection });
    }
    return true;
  }

  private async entryAt(place: FilePlace): Promise<'file' | 'folder' | undefined> {
    const entry = await this.services.listings.entry(place);
    return entry && (entry.isDir ? 'folder' : 'file');
  }
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
