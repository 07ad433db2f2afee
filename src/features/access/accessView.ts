import type { TreeItem } from 'vscode';
import { type AccessReader, accessReaderByToken } from '../../accounts/passwordOperations';
import type { Account, Accounts } from '../../accounts/accounts';
import { byService, templateOf } from '../../accounts/tokenRights';
import type { Unlocking } from '../../accounts/unlocking';
import type { TokenEntry } from '../../platform/wire/tokens';
import { isPlatformError } from '../../platform/errors';
import type { AccessElement, OwnAccessElement, TokenElement } from './accessElement';
import { accessRow } from './accessRows';
import { RowTreeProvider } from '../../trees/rowTreeProvider';
import type { AccountElement } from '../../trees/sharedElement';
import { setContextKey } from '../../ui/contextKeys';

/** Shows each account's access tokens and open sessions. */
export class AccessView extends RowTreeProvider<OwnAccessElement> {
  private readonly lackedMethods = new Map<string, string>();

  constructor(
    accounts: Accounts,
    private readonly unlocking: Unlocking,
  ) {
    super(accounts);
    this.follow(
      unlocking.onDidChange(() => this.refresh()),
      accounts.onDidChangeRights((account) => this.showLacking(account)),
    );
  }

  getTreeItem(element: AccessElement): TreeItem {
    return accessRow(element, Date.now());
  }

  /** Reads with the unlocked session if there is one, otherwise with the token. */
  reading(account: Account): AccessReader {
    return this.unlocking.of(account.slug) ?? accessReaderByToken(account);
  }

  /** A refresh reads the tokens again, so it must not follow from the refusal to list them. */
  private showLacking({ slug, lackedMethods }: Account): void {
    const methods = lackedMethods.join();
    if (methods !== (this.lackedMethods.get(slug) ?? '')) {
      this.lackedMethods.set(slug, methods);
      this.refresh();
    }
  }

  protected override askAgain(of: AccessElement | undefined): void {
    this.accounts.forgetRights();
    super.askAgain(of);
  }

  protected override async below(element: AccessElement): Promise<AccessElement[]> {
    switch (element.kind) {
      case 'lacking':
        return element.account.lackedMethods.map((method) => ({
          ...({ kind: 'lackedMethod', account: element.account } as const),
          method,
        }));
      case 'tokens':
        return [...element.tokens];
      case 'token':
        return [...byService(element.token.apiList)].map(([service, methods]) => ({
          ...({ kind: 'service', token: element } as const),
          ...{ service, methods },
        }));
      case 'service':
        return element.methods.map((method) => ({ kind: 'method', token: element.token, method }));
      case 'sessions':
        return this.sessionsOf(element.account);
      default:
        return [];
    }
  }

  protected override async ofAccount(account: Account, under?: AccountElement): Promise<AccessElement[]> {
    const unlocked = this.unlocking.of(account.slug);
    const tokens = await readUnlessLocked(unlocked !== undefined, () => this.tokensOf(account));
    if (under === undefined) {
      await setContextKey('gantry.accessView', tokens === 'locked' ? 'locked' : 'open');
    }
    const lacking = account.lackedMethods.length > 0 ? [{ kind: 'lacking', account } as const] : [];
    if (tokens === 'locked') {
      // Without any row, VS Code shows the welcome content.
      return under === undefined && lacking.length === 0
        ? []
        : [...lacking, { kind: 'locked', account, what: 'everything' }];
    }
    return [
      ...lacking,
      ...(unlocked === undefined ? [] : [{ kind: 'unlocked', account, until: unlocked.until } as const]),
      { kind: 'tokens', account, tokens },
      { kind: 'sessions', account },
    ];
  }

  async tokensOf(account: Account): Promise<readonly TokenElement[]> {
    const reading = this.reading(account);
    const [tokens, templates, stored] = await Promise.all([
      reading.getTokens(),
      // Templates only provide names, so the tokens are shown without them too.
      reading.getTokenTemplates().catch(() => []),
      this.accounts.stored(account.slug),
    ]);
    return [...tokens].sort(byLastUse).map((token) => {
      const template = templateOf(token, templates);
      const hasTwin = tokens.some(({ id, description }) => id !== token.id && description === token.description);
      return { kind: 'token', account, token, template, isUsed: token.id === stored?.tokenId, hasTwin };
    });
  }

  private async sessionsOf(account: Account): Promise<AccessElement[]> {
    const isOpen = this.unlocking.of(account.slug) !== undefined;
    const sessions = await readUnlessLocked(isOpen, () => this.reading(account).getSessions());
    if (sessions === 'locked') {
      return [{ kind: 'locked', account, what: 'sessions' }];
    }
    const latest = ({ lastAccess }: (typeof sessions)[number]) => lastAccess?.getTime() ?? 0;
    return [...sessions]
      .sort(
        (one, other) => Number(other.current === true) - Number(one.current === true) || latest(other) - latest(one),
      )
      .map((session) => ({ kind: 'session', account, session }));
  }
}

function byLastUse(one: TokenEntry, other: TokenEntry): number {
  return (other.lastUsed?.getTime() ?? 0) - (one.lastUsed?.getTime() ?? 0) || one.id - other.id;
}

/** Returns 'locked' if the token may not read tokens or sessions, because the password can still unlock them. */
async function readUnlessLocked<T>(isOpen: boolean, read: () => Promise<T>): Promise<T | 'locked'> {
  try {
    return await read();
  } catch (error) {
    if (!isOpen && isPlatformError(error) && error.kind === 'tokenLacksMethod') {
      return 'locked';
    }
    throw error;
  }
}
