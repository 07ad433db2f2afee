import { l10n, workspace } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { SharedCalls } from '../../async/sharedCalls';
import { locationText } from '../../containers/locationText';
import { type EnvironmentPlace, type FilePlace, keyOf, nameOf } from '../../containers/place';
import { productionSentence } from '../../containers/protectedEnvironments';
import { holdsLogin, isKeyFile, shownText } from '../../containers/secretFiles';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { ExpectedError } from '../../ui/expectedError';
import { confirm } from '../../ui/notifications';
import { type MaskedText, maskSecrets } from './secretMasks';

const section = 'gantry.agents';
/** The accounts and production environments whose content the person lets models read. */
const allowedKey = 'gantry.agents.allowed';

/**
 * What tools may read and change. What they read goes to the company that runs the model, so the person is asked before the
 * first read of an account and of each production environment, whatever VS Code was told to approve.
 */
export class AgentAccess {
  private readonly asking = new SharedCalls<boolean>();
  /** What the person declined in this window, so that a model can't go on asking until they give in. */
  private readonly declined = new Set<string>();
  /** Files whose secrets the person showed to models in this window. */
  private readonly unmasked = new Set<string>();

  constructor(
    private readonly services: Pick<Services, 'accounts' | 'state' | 'environments'>,
    own: Own,
  ) {
    own(
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(section)) {
          this.declined.clear();
        }
      }),
    );
  }

  /** Rejects if the setting or the workspace doesn't allow tools to read, or to change something. */
  demand(what: 'read' | 'write'): void {
    if (!workspace.isTrusted) {
      throw new ExpectedError(
        l10n.t("In Restricted Mode, agents can't use containers. Ask the user to trust the workspace."),
      );
    }
    const access = workspace.getConfiguration(section).get<unknown>('access');
    if (access !== 'read' && access !== 'readAndWrite') {
      throw new ExpectedError(
        l10n.t('The user turned off agent access. They can turn it on by setting gantry.agents.access to read.'),
      );
    }
    if (what === 'write' && access === 'read') {
      throw new ExpectedError(
        l10n.t(
          'Nothing was changed: agents may only read. The user can allow changes by setting gantry.agents.access to readAndWrite.',
        ),
      );
    }
  }

  /** Returns the accounts that tools may read, after asking about each once. Rejects if there's none. */
  async readable(accounts: readonly Account[]): Promise<readonly Account[]> {
    const readable: Account[] = [];
    for (const account of accounts) {
      const { slug, label } = account;
      const isAllowed = await this.isAllowed(slug, () =>
        confirm(
          l10n.t('Let agents read the containers of {0}?', label),
          [
            l10n.t(
              'What an agent reads, such as names, files, and logs, goes to the company that runs its language model. Gantry hides values of passwords and other secrets in configuration files.',
            ),
            l10n.t("You're asked once for each account and each production environment."),
          ],
          l10n.t('Allow'),
        ),
      );
      if (isAllowed) {
        readable.push(account);
      }
    }
    const [first] = accounts;
    if (readable.length === 0 && first !== undefined) {
      throw declinedReading(accounts.map(({ label }) => label).join(', '));
    }
    return readable;
  }

  /** Asks once before the first read in a production environment. Rejects if the person declines. */
  async demandEnvironment(place: EnvironmentPlace): Promise<void> {
    const { environments } = this.services;
    const sentence = await productionSentence([place], environments);
    const title = environments.titleOf(place);
    const isAllowed =
      sentence === undefined ||
      (await this.isAllowed(`${place.account}/${place.environment}`, () =>
        confirm(
          l10n.t('Let agents read {0}?', title),
          [sentence, l10n.t('What an agent reads goes to the company that runs its language model.')],
          l10n.t('Allow'),
        ),
      ));
    if (!isAllowed) {
      throw declinedReading(title);
    }
  }

  /** Asks whether models may see the secrets in a file. Rejects if the person declines. */
  async unmask(file: FilePlace): Promise<void> {
    const key = keyOf(file);
    if (this.unmasked.has(key)) {
      return;
    }
    const isAllowed = await this.ask(`secrets of ${key}`, () =>
      confirm(
        l10n.t('Show the secrets in {0} to the agent?', nameOf(file)),
        [
          locationText(file, this.services.environments),
          l10n.t('The passwords and other secrets in this file go to the company that runs its language model.'),
        ],
        l10n.t('Show Secrets'),
      ),
    );
    if (!isAllowed) {
      throw new ExpectedError(
        l10n.t('The user declined to show the secrets in this file. Continue without them: read it without unmask.'),
      );
    }
    this.unmasked.add(key);
  }

  reads(file: FilePlace): boolean {
    return !holdsLogin(file) && !isKeyFile(file);
  }

  /** Rejects files that tools never read. */
  demandFile(file: FilePlace): void {
    if (!this.reads(file)) {
      throw new ExpectedError(
        holdsLogin(file)
          ? l10n.t(
              "Couldn't read {0}: it may contain the login of a repository, which tools never return. Continue without it.",
              nameOf(file),
            )
          : l10n.t(
              "Couldn't read {0}: tools never return private keys, files in folders of keys, or /proc. Continue without it.",
              nameOf(file),
            ),
      );
    }
  }

  /** Returns a text of a file as models see it. */
  masked(file: FilePlace, text: string): MaskedText {
    const shown = shownText(file, text);
    return this.unmasked.has(keyOf(file)) ? { text: shown, masked: [] } : maskSecrets(file.path, text);
  }

  async forgetAccount(slug: string): Promise<void> {
    const { state } = this.services;
    const allowed = this.allowed.filter((one) => one !== slug && !one.startsWith(`${slug}/`));
    await state.update(allowedKey, allowed.length === 0 ? undefined : allowed);
    this.unmasked.clear();
    this.declined.clear();
  }

  private get allowed(): readonly string[] {
    const stored: unknown = this.services.state.get(allowedKey);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  }

  private async isAllowed(key: string, confirmed: () => Promise<boolean>): Promise<boolean> {
    if (this.allowed.includes(key)) {
      return true;
    }
    const [slug = ''] = key.split('/');
    const { accounts } = this.services;
    const account = accounts.find(slug);
    const isAllowed = await this.ask(key, confirmed);
    // If it was signed out during the question, another person's account may get its ID, and that one is asked about.
    const isSignedIn = account !== undefined && accounts.find(slug) === account;
    if (isAllowed && isSignedIn && !this.allowed.includes(key)) {
      await this.services.state.update(allowedKey, [...this.allowed, key]);
    }
    return isAllowed;
  }

  /** Tools often run at the same time. One question is enough. */
  private async ask(key: string, confirmed: () => Promise<boolean>): Promise<boolean> {
    if (this.declined.has(key)) {
      return false;
    }
    const isAllowed = await this.asking.share(key, confirmed);
    if (!isAllowed) {
      this.declined.add(key);
    }
    return isAllowed;
  }
}

function declinedReading(what: string): ExpectedError {
  return new ExpectedError(
    l10n.t(
      "The user doesn't let agents read {0}. Don't ask again: they can change their mind by changing gantry.agents.access, or after reloading the window.",
      what,
    ),
  );
}
