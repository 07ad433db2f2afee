import { type Disposable, EventEmitter } from 'vscode';
import type { Account } from '../accounts/accounts';
import { type Environment, environmentOf } from './environment';

/** The environments of every account: asked for when first wanted, kept until refreshed. */
export class Environments implements Disposable {
  private readonly asked = new Map<string, Promise<readonly Environment[]>>();
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  of(account: Account): Promise<readonly Environment[]> {
    const known = this.asked.get(account.slug);
    if (known !== undefined) {
      return known;
    }
    const asked = this.ask(account);
    this.asked.set(account.slug, asked);
    asked.catch(() => {
      // A failure is not kept: whoever asks next asks the platform again.
      if (this.asked.get(account.slug) === asked) {
        this.asked.delete(account.slug);
      }
    });
    return asked;
  }

  refresh(): void {
    this.asked.clear();
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async ask(account: Account): Promise<readonly Environment[]> {
    const { environments } = await account.call('GetEnvs', {});
    return environments.map((listed) => environmentOf(account.slug, listed));
  }
}
