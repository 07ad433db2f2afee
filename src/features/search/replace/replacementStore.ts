import { l10n } from 'vscode';
import { type FilePlace, keyOf } from '../../../containers/place';
import type { ReplacedText } from '../../../featureApis';
import type { Journal, Kept } from '../../../files/journal/journal';
import type { Entry } from '../../../files/journal/entry';
import { digestOf, someAtOnce } from '../../../storage/stores';
import { replacementPrefix } from '../../../storage/storageKeys';
import { ExpectedError } from '../../../ui/expectedError';

/** What only another window knows, which may be closed. */
interface SecretText {
  readonly place: FilePlace;
  readonly isSecret: true;
  readonly owner: Entry['owner'];
}

/** A text that was replaced, as far as this window knows it: the texts of a file that may hold secrets are only in the window that replaced them. */
type KnownText = ReplacedText | SecretText;

/** Distinguishes the entries of texts that couldn't be restored. */
const asideSuffix = '-aside';

/**
 * What each file had before a replacement in several files, as the journal has it, so that all of it can be undone, even
 * after the window was closed. Other windows learn which files held secrets, because an undo must not pass over them.
 */
export class ReplacementStore {
  /** What only this window has, because the disk couldn't take it. */
  private readonly unkept = new Map<string, ReplacedText & { readonly name: string }>();
  /** The entries that only another window can undo. */
  private readonly elsewhere = new Set<string>();

  constructor(
    private readonly journal: Journal,
    private readonly isOpen: (window: Entry['owner']) => Promise<boolean>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Returns the name of a new replacement, which sorts by time. */
  begin(): string {
    return new Date(this.now()).toISOString();
  }

  /** Keeps the texts before the file is changed. Rejects if that fails, because then it can't be undone. */
  async keep(name: string, replaced: ReplacedText): Promise<void> {
    if ((await this.append(name, replaced, 'pending')) !== 'kept') {
      throw new ExpectedError(l10n.t("its earlier text couldn't be kept on this computer, so this couldn't be undone"));
    }
  }

  /** Keeps the texts of a file that the platform has changed. If the disk can't take them, this window has them. */
  async keepChanged(name: string, replaced: ReplacedText): Promise<void> {
    if ((await this.append(name, replaced, 'verified')) === 'failed') {
      this.unkept.set(idFor(name, replaced.place), { ...replaced, name });
    }
  }

  settle(name: string, file: FilePlace, state: 'verified' | 'unknown'): Promise<void> {
    return this.journal.settle(file.account, idFor(name, file), state);
  }

  /** Keeps a text that couldn't be restored, but doesn't let it hide an older replacement. */
  async setAside(name: string, replaced: ReplacedText): Promise<void> {
    const { place } = replaced;
    if ((await this.append(name, replaced, 'failed')) === 'kept') {
      this.unkept.delete(idFor(name, place));
      await this.journal.drop(place.account, idFor(name, place));
    }
  }

  /** Leaves a text to another window if that's still open, but doesn't let it hide an older replacement in this one. */
  async leaveToOther(name: string, { place, owner }: SecretText): Promise<boolean> {
    const isOther = owner.window !== this.journal.owner.window && (await this.isOpen(owner));
    if (isOther) {
      this.elsewhere.add(idFor(name, place));
    }
    return isOther;
  }

  drop(name: string, file: FilePlace): Promise<void> {
    this.unkept.delete(idFor(name, file));
    return this.journal.drop(file.account, idFor(name, file), idFor(name, file, asideSuffix));
  }

  /** Returns the names of the newest replacement, if there's one, and of those with texts that couldn't be restored, newest first. */
  async undoable(): Promise<readonly string[]> {
    const entries = await this.entries();
    const aside = entries.filter(({ state, id }) => state === 'failed' || this.elsewhere.has(id));
    const names = [
      ...namesOf(entries.filter((entry) => !aside.includes(entry))),
      ...[...this.unkept.values()].map(({ name }) => name),
    ];
    const newest = names.sort().slice(-1);
    return [...new Set([...newest, ...namesOf(aside)])];
  }

  /** When a replacement began, from its name. */
  timeOf(name: string): number {
    return Date.parse(name);
  }

  async texts(name: string): Promise<readonly KnownText[]> {
    const entries = (await this.entries()).filter(({ batch }) => batch === name);
    const known = await someAtOnce(entries, async ({ place, before, after, owner }): Promise<readonly KnownText[]> => {
      const [earlier, later] = await Promise.all(
        [before, after].map(async (text) => text && this.journal.text(place.account, text)),
      );
      if (typeof earlier === 'string' && typeof later === 'string') {
        return [{ place, before: earlier, after: later }];
      }
      return before?.isInMemory === true ? [{ place, isSecret: true, owner }] : [];
    });
    return [...known.flat(), ...[...this.unkept.values()].filter((one) => one.name === name)];
  }

  forgetAccount(account: string): void {
    for (const [id, { place }] of this.unkept) {
      if (place.account === account) {
        this.unkept.delete(id);
      }
    }
  }

  private append(name: string, replaced: ReplacedText, state: 'pending' | 'verified' | 'failed'): Promise<Kept> {
    const id = idFor(name, replaced.place, state === 'failed' ? asideSuffix : '');
    return this.journal.append({ id, cause: 'replace', state, batch: name, ...replaced });
  }

  private async entries(): Promise<readonly Entry[]> {
    return (await this.journal.entries()).filter(({ cause }) => cause === 'replace');
  }
}

/** Returns the names of the replacements that the entries are from, newest first. */
function namesOf(entries: readonly Entry[]): readonly string[] {
  return [...new Set(entries.map(({ batch = '' }) => batch))].sort().reverse();
}

function idFor(name: string, file: FilePlace, suffix = ''): string {
  return replacementPrefix + digestOf(`${name}\n${keyOf(file)}${suffix}`);
}
