import { hostname } from 'node:os';
import { ConfigurationTarget, env, l10n, workspace } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import type { ReplacedText } from '../../featureApis';
import { type FilePlace, keyOf } from '../../containers/place';
import { mayHoldSecrets } from '../../containers/secretFiles';
import { versionsMode } from '../../files/saving/createSaving';
import type { FileChange } from '../../files/provider/containerFileSystem';
import type { SavedFiles } from '../../files/saving/saves';
import { showInformationMessage } from '../../ui/notifications';
import { showStatusItem } from '../../ui/statusBar';
import type { FileVersions, Followed, VersionReason } from './fileVersions';

const section = 'gantry.versionHistory';
/** In characters. A longer text would push out the versions of many other files. */
const longest = 1_000_000;
/** So many texts wait for the answer to the question. */
const maxWaiting = 50;

interface Change {
  readonly place: FilePlace;
  readonly before: string | undefined;
  readonly after: string;
  readonly reason?: VersionReason | undefined;
}

interface WaitingChange extends Change {
  readonly at: number;
}

/** Keeps what verified saves wrote, once the person agreed. */
export class VersionKeeping {
  private waiting: readonly WaitingChange[] = [];
  /** `dismissed`: without an answer, the next window asks again. */
  private question: 'open' | 'dismissed' | undefined;

  constructor(
    readonly store: FileVersions,
    private readonly accounts: Accounts,
    private readonly report: (error: unknown) => void,
  ) {}

  async note({ before, nodes, reason }: SavedFiles): Promise<void> {
    const changes = nodes.flatMap(({ node, found }): readonly Change[] => {
      const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
      const old = earlier?.kind === 'text' ? earlier.text : undefined;
      return found.kind === 'text' ? [{ place: node, before: old, after: found.text, reason }] : [];
    });
    if (!(await this.keepOrWait(changes)) || this.question !== undefined) {
      return;
    }
    this.question = 'open';
    await this.ask();
  }

  /** Keeps what was written otherwise than by a save, if the person agreed or is being asked. */
  async noteWritten(texts: readonly ReplacedText[], cause: 'replaceInFile' | 'append'): Promise<void> {
    await this.keepOrWait(texts.map((text) => ({ ...text, reason: { cause } })));
  }

  /** Notes what happened on a node, or on a layer. */
  async noteFollowed(place: FilePlace, what: Followed): Promise<void> {
    if (this.accounts.find(place.account) !== undefined) {
      await this.store.noteFollowed(place, what);
    }
  }

  /** Says why a file has no versions, and offers again to keep them. Returns whether the person agreed. */
  async explainNone(name: string): Promise<boolean> {
    const mode = versionsMode();
    const [text, ...buttons] =
      mode === 'on'
        ? [l10n.t('No earlier versions of {0}. Gantry keeps them when you save the file.', name)]
        : [l10n.t('No earlier versions of {0}: gantry.versionHistory.keep is {1}.', name, mode), keepButton()];
    const isAgreed = (await showInformationMessage(text, ...buttons)) !== undefined;
    if (isAgreed) {
      await setKeep('on');
      await this.keep(this.takeWaiting());
    }
    return isAgreed;
  }

  /** Notes what was deleted, or got another name. */
  async noteGone(changes: readonly FileChange[]): Promise<void> {
    for (const { place, gone } of changes) {
      if (gone !== undefined && this.accounts.find(place.account) !== undefined) {
        const before = 'before' in gone && !isExcluded(place) ? gone.before : undefined;
        const kept = (before?.length ?? 0) <= longest ? before : undefined;
        await this.store.noteGone(place, 'before' in gone ? { before: kept } : gone);
      }
    }
  }

  forgetAccount(account: string): void {
    this.waiting = this.waiting.filter(({ place }) => place.account !== account);
  }

  /** Returns whether the person is still to decide. */
  private async keepOrWait(all: readonly Change[]): Promise<boolean> {
    const at = this.store.journal.now();
    const changes = all
      .filter(({ place, before, after }) => after !== before && after.length <= longest && !isExcluded(place))
      // The question may be answered much later.
      .map((one) => ({ ...one, at, before: (one.before?.length ?? 0) <= longest ? one.before : undefined }));
    if (changes.length === 0 || versionsMode() === 'off') {
      return false;
    }
    if (versionsMode() === 'on') {
      // The setting has the answer before those that wait are kept.
      await this.keep([...this.takeWaiting(), ...changes]);
      return false;
    }
    if (this.question !== 'dismissed') {
      this.waiting = [...this.waiting, ...changes].slice(-maxWaiting);
    }
    return true;
  }

  private async ask(): Promise<void> {
    const keep = keepButton();
    const never = l10n.t("Don't Keep Versions");
    // The message hides after some seconds. The question stays open in VS Code's list of notifications.
    const hint = showStatusItem('gantry.keepVersions', {
      name: l10n.t('Gantry: Version History'),
      icon: 'question',
      tooltip: l10n.t('Show the question about earlier versions'),
      command: 'notifications.showList',
    });
    const where =
      env.remoteName === undefined
        ? l10n.t('Gantry keeps them on this computer for up to 30 days.')
        : l10n.t('Gantry keeps them on {0}, where it runs in this window, for up to 30 days.', hostname());
    const text = `${l10n.t('Keep earlier versions of the files you save, so that you can compare and restore them?')} ${where}`;
    let chosen: string | undefined;
    try {
      chosen = await showInformationMessage(text, keep, never);
      if (chosen !== undefined) {
        // Until the setting has the answer, saves wait as before, and don't ask again.
        await setKeep(chosen === keep ? 'on' : 'off');
      }
    } finally {
      hint.dispose();
      // If the setting can't be changed, the next save asks again.
      this.question = chosen === undefined ? 'dismissed' : undefined;
    }
    const waiting = this.takeWaiting();
    if (chosen === keep) {
      await this.keep(waiting);
    }
  }

  private takeWaiting(): readonly WaitingChange[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }

  /** The store keeps them one after the other. Nothing of an account is kept after it signed out. */
  private async keep(changes: readonly WaitingChange[]): Promise<void> {
    const { store, accounts, report } = this;
    const wanted = changes.filter(({ place }) => accounts.find(place.account) !== undefined);
    const noted = wanted.map(({ place, before, after, ...rest }) => store.note(place, before, after, rest));
    await Promise.all(noted).catch(report);
  }
}

function keepButton(): string {
  return l10n.t('Keep Versions');
}

function setKeep(value: 'on' | 'off'): Thenable<void> {
  return workspace.getConfiguration(section).update('keep', value, ConfigurationTarget.Global);
}

/** Files that usually hold secrets are left out whatever the setting says. */
function isExcluded(place: FilePlace): boolean {
  const value = workspace.getConfiguration(section).get<unknown>('exclude');
  return mayHoldSecrets(place, Array.isArray(value) ? value.filter((pattern) => typeof pattern === 'string') : []);
}
