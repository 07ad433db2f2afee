import type { Page } from 'playwright-core';
import { answer, pick, runCommand } from '../../host/vscode/workbench';
import type { LocalPlatform } from '../../localPlatform/localPlatform';
import { dialogButton } from './dialogs';
import { rowIn } from './sections';
import { signInButton, typeAddress } from './signIn';

/** The name of the account on the second platform. */
export const secondAccount = 'second@gantry.example';

/** Signs in to up to two platforms, so that each test starts with the accounts that it needs. */
export class TwoAccounts {
  constructor(
    private readonly page: Page,
    private readonly platform: LocalPlatform,
    private readonly other: LocalPlatform,
  ) {}

  /** Signs in and out as needed, because the previous test may have left other accounts. */
  async startWith(wanted: 'none' | 'first' | 'both'): Promise<void> {
    const { email, password } = this.platform.sample;
    const welcome = signInButton(this.page);
    await welcome.or(this.row(/./)).first().waitFor();
    const hasSecond = await this.row(secondAccount).isVisible();
    if (wanted === 'first' && !hasSecond && (await this.row('Saltmarsh Tea').isVisible())) return;
    if (wanted === 'both' && hasSecond && (await this.row(email).isVisible())) return;
    if (hasSecond) {
      await this.signOut(secondAccount);
      await this.row(secondAccount).waitFor({ state: 'detached' });
    }
    if (!(await welcome.isVisible())) {
      await this.signOut();
      await welcome.waitFor();
    }
    if (wanted === 'none') return;
    await this.enterPassword(this.platform.origin, email, password);
    await this.row('Saltmarsh Tea').waitFor();
    if (wanted === 'first') return;
    await this.enterToken(await this.createNarrowToken());
    await this.row(secondAccount).waitFor();
  }

  async enterPassword(origin: string, login: string, password: string): Promise<void> {
    await signInButton(this.page).click();
    await typeAddress(this.page, origin);
    await pick(this.page, 'Email and password');
    await answer(this.page, 'Your email address', login);
    await answer(this.page, 'Your password', password);
    await pick(this.page, '90 days');
  }

  /** Signs in to the second platform with a token. */
  async enterToken(token: string): Promise<void> {
    await runCommand(this.page, 'Gantry: Sign In…');
    await typeAddress(this.page, this.other.origin);
    await pick(this.page, /Access token/);
    await answer(this.page, 'Your access token', token);
    await answer(this.page, 'Name for this account', secondAccount);
  }

  /** Creates a token on the second platform that isn't allowed to list environments. */
  createNarrowToken(): Promise<string> {
    const methods = ['environment.file.GetList', 'environment.file.Read', 'environment.control.GetEnvInfo'];
    return this.other.createToken({ description: 'narrow', apiList: methods });
  }

  /** Signs out of this account, or of the only one. */
  private async signOut(account?: string): Promise<void> {
    await runCommand(this.page, 'Gantry: Sign Out…');
    if (account !== undefined) await pick(this.page, account);
    await dialogButton(this.page, 'Sign Out').click();
  }

  private row(label: string | RegExp) {
    return rowIn(this.page, 'Environments', label);
  }
}
