import { hostname } from 'node:os';
import { ConfigurationTarget, env, l10n, workspace } from 'vscode';
import type { ReplacedText } from '../../featureApis';
import { type FilePlace, keyOf, nameOf } from '../../containers/place';
import { BoundedMap } from '../../files/boundedMap';
import { retention } from '../../files/journal/entry';
import { isWithoutVersions, versionsMode } from '../../files/saving/createSaving';
import type { FileChange } from '../../files/provider/containerFileSystem';
import type { Gone } from '../../files/provider/deleteAndMove';
import type { SavedFiles } from '../../files/saving/saveFile';
import { mayBeWhole } from '../../files/saving/serverFiles';
import type { Services } from '../../services';
import { showInformationMessage } from '../../ui/notifications';
import { showStatusItem } from '../../ui/statusBar';
import { type FileVersions, type Followed, type Happened, textsAt, type VersionReason } from './fileVersions';

const section = 'gantry.versionHistory';
const maxWaiting = retention.waiting.texts;
const longestVersion = retention.version.characters;

interface Change {
  readonly place: FilePlace;
  readonly before: string | undefined;
  readonly after: string;
  readonly reason?: VersionReason | undefined;
}

type WaitingText = Change & Happened;

interface WaitingName extends Happened {
  readonly gone: Gone;
  readonly movedTo: FilePlace | undefined;
}

/** What is kept once the person agrees. Until then, it's only in memory. */
type Waiting = WaitingText | WaitingName | (Happened & { readonly followed: Followed });

interface OpenQuestion {
  /** VS Code shows a message only once: this closes it where it was before. */
  readonly showAgain: () => void;
  readonly agreed: Promise<boolean>;
}

/** Keeps what verified saves wrote, once the person agreed. */
export class VersionKeeping {
  /** In the order in which it happened. */
  private waiting: readonly Waiting[] = [];
  /** When this window deleted something last. */
  private readonly deletedAt = new BoundedMap<string, number>(maxWaiting);
  /** `dismissed`: without an answer, the next window asks again. */
  private question: OpenQuestion | 'dismissed' | undefined;

  constructor(
    readonly store: FileVersions,
    private readonly services: Services,
  ) {}

  /** Resolves once they're kept, or wait for an answer. */
  async note({ before, nodes, reason, madeAt }: SavedFiles): Promise<void> {
    if (madeAt !== undefined && versionsMode() !== 'on') {
      // The change is from an earlier window: here, the question would come out of nowhere.
      return;
    }
    const changes = nodes.flatMap(({ node, found }): readonly Change[] => {
      const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
      // What the platform returned of other bytes isn't what was there.
      const old = earlier?.kind === 'text' && mayBeWhole(earlier) ? earlier.text : undefined;
      return found.kind === 'text' ? [{ place: node, before: old, after: found.text, reason }] : [];
    });
    if ((await this.keepOrWait(changes, madeAt)) && this.question === undefined) {
      this.services.complete(this.ask());
    }
  }

  /** Keeps what was written otherwise than by a save, if the person agreed or is being asked. */
  async noteWritten(texts: readonly ReplacedText[], cause: 'replaceInFile' | 'append'): Promise<void> {
    await this.keepOrWait(texts.map((text) => ({ ...text, reason: { cause } })));
  }

  /** Notes what happened on a node, or on a layer: now, or earlier. */
  async noteFollowed(place: FilePlace, what: Followed, at = this.store.journal.now()): Promise<void> {
    await this.keepOrHold({ place, at, followed: what });
  }

  /** Says why a file has no versions, and offers again to keep them. Returns whether the person agreed. */
  async explainNone(file: FilePlace): Promise<boolean> {
    const [mode, name] = [versionsMode(), nameOf(file)];
    if (isWithoutVersions(file)) {
      // Whatever the person answers, it will have none.
      const text = l10n.t(
        'No earlier versions of {0}: it may hold secrets, or matches gantry.versionHistory.exclude.',
        name,
      );
      void showInformationMessage(text);
      return false;
    }
    if (typeof this.question === 'object' && mode === 'ask') {
      this.question.showAgain();
      // The save that asked first reports a failure.
      return this.question.agreed.catch(() => false);
    }
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
    const at = this.store.journal.now();
    for (const { place, gone } of changes) {
      if (gone !== undefined) {
        const movedTo = 'movedTo' in gone ? gone.movedTo : undefined;
        const before = 'before' in gone && !isWithoutVersions(place) ? gone.before : undefined;
        const kept = (before?.length ?? 0) <= longestVersion ? before : undefined;
        if (movedTo === undefined) {
          this.deletedAt.set(keyOf(place), at);
        }
        await this.keepOrHold({ place, at, movedTo, gone: movedTo ? { movedTo } : { ...gone, before: kept } });
      }
    }
  }

  /** Notes that something that was deleted is there again. */
  async noteReturned(place: FilePlace): Promise<void> {
    const isDeletion = (one: Waiting) =>
      'gone' in one && one.movedTo === undefined && keyOf(one.place) === keyOf(place);
    this.waiting = this.waiting.filter((one) => !isDeletion(one));
    const at = this.deletedAt.get(keyOf(place));
    if (at !== undefined) {
      await this.store.noteReturned({ place, at });
    }
  }

  forgetAccount(account: string): void {
    this.waiting = this.waiting.filter(({ place }) => place.account !== account);
  }

  /** Returns whether the person is still to decide. */
  private async keepOrWait(all: readonly Change[], madeAt?: number): Promise<boolean> {
    const at = madeAt ?? this.store.journal.now();
    const changes = all
      .filter(
        ({ place, before, after }) => after !== before && after.length <= longestVersion && !isWithoutVersions(place),
      )
      // The question may be answered much later.
      .map((one) => ({ ...one, at, before: (one.before?.length ?? 0) <= longestVersion ? one.before : undefined }));
    if (changes.length === 0 || versionsMode() === 'off') {
      return false;
    }
    if (versionsMode() === 'on') {
      // The setting has the answer before those that wait are kept.
      await this.keep([...this.takeWaiting(), ...changes]);
      return false;
    }
    if (this.question !== 'dismissed') {
      this.wait(changes);
    }
    return true;
  }

  /** Until the person agreed, only what happens to a text that waits is held. */
  private async keepOrHold(event: Exclude<Waiting, WaitingText>): Promise<void> {
    const mode = versionsMode();
    if (mode === 'on') {
      await this.keep([...this.takeWaiting(), event]);
    } else if (mode === 'ask') {
      const names = this.waiting.filter((one) => 'gone' in one);
      if (textsAt(event.place, this.waiting.filter(isText), names).length > 0) {
        this.wait([event]);
      }
    }
  }

  private wait(more: readonly Waiting[]): void {
    const all = [...this.waiting, ...more];
    const newest = [isText, (one: Waiting) => !isText(one)].flatMap((isOne) => all.filter(isOne).slice(-maxWaiting));
    this.waiting = all.filter((one) => newest.includes(one));
  }

  private ask(): Promise<boolean> {
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
        : l10n.t(
            'Gantry keeps them on {0}, the computer that this window is connected to, for up to 30 days.',
            hostname(),
          );
    const text = `${l10n.t('Keep earlier versions of the files you save or delete, so that you can compare and restore them?')} ${where}`;
    const { answer, showAgain } = showUntilAnswered(text, keep, never);
    const agreed = this.settle(answer, keep).finally(() => void hint.dispose());
    this.question = { showAgain, agreed };
    return agreed;
  }

  /** Returns whether the person agreed. */
  private async settle(answer: Promise<string | undefined>, keep: string): Promise<boolean> {
    let chosen: string | undefined;
    try {
      chosen = await answer;
      if (chosen !== undefined) {
        // Until the setting has the answer, saves wait as before, and don't ask again.
        await setKeep(chosen === keep ? 'on' : 'off');
      }
    } finally {
      // If the setting can't be changed, the next save asks again.
      this.question = chosen === undefined ? 'dismissed' : undefined;
    }
    const waiting = this.takeWaiting();
    if (chosen === keep) {
      await this.keep(waiting);
    }
    return chosen === keep;
  }

  private takeWaiting(): readonly Waiting[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }

  /** The store keeps them one after the other. Nothing of an account is kept after it signed out. */
  private async keep(waiting: readonly Waiting[]): Promise<void> {
    const { store } = this;
    const { accounts, report } = this.services;
    const wanted = waiting.filter(({ place }) => accounts.find(place.account) !== undefined);
    const noted = wanted.map((one) => {
      const { place, at } = one;
      if (isText(one)) {
        return store.note(place, one.before, one.after, one);
      }
      return 'gone' in one ? store.noteGone(place, one.gone, at) : store.noteFollowed(place, one.followed, at);
    });
    await Promise.all(noted).catch(report);
  }
}

function isText(one: Waiting): one is WaitingText {
  return 'after' in one;
}

/** Shows a message. If it's shown again, the answer is that of the one shown last, or of any with a button. */
function showUntilAnswered(...message: Parameters<typeof showInformationMessage>) {
  let shown = 0;
  let showAgain = (): void => undefined;
  const answer = new Promise<string | undefined>((resolve, reject) => {
    showAgain = () => {
      shown += 1;
      const own = shown;
      showInformationMessage(...message).then((chosen) => {
        if (chosen !== undefined || own === shown) {
          resolve(chosen);
        }
      }, reject);
    };
  });
  showAgain();
  return { answer, showAgain };
}

function keepButton(): string {
  return l10n.t('Keep Versions');
}

function setKeep(value: 'on' | 'off'): Thenable<void> {
  return workspace.getConfiguration(section).update('keep', value, ConfigurationTarget.Global);
}
