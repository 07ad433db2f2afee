import { ConfigurationTarget, l10n, workspace } from 'vscode';
import { type FilePlace, keyOf } from '../containers/place';
import type { SavedFiles } from '../files/saving/saves';
import { PathFilter } from '../containers/pathFilter';
import { showInformationMessage } from '../ui/notifications';
import type { VersionStore } from './versionStore';

const section = 'gantry.versionHistory';
/** In characters. A longer text would push out the versions of many other files. */
const longest = 1_000_000;
/** So many texts wait for the answer to the question. */
const mostWaiting = 50;

interface Change {
  readonly place: FilePlace;
  readonly before: string | undefined;
  readonly after: string;
}

/** Keeps what verified saves wrote, once the person agreed. */
export class VersionKeeping {
  private waiting: readonly Change[] = [];
  private hasAsked = false;

  constructor(
    private readonly store: Pick<VersionStore, 'note'>,
    private readonly report: (error: unknown) => void,
  ) {}

  /** Whether earlier versions are kept; `ask` until the person has decided. */
  get mode(): 'ask' | 'on' | 'off' {
    const value = workspace.getConfiguration(section).get<unknown>('keep');
    return value === 'on' || value === 'off' ? value : 'ask';
  }

  async note({ before, nodes }: SavedFiles): Promise<void> {
    const changes = nodes.flatMap(({ node, found }): readonly Change[] => {
      const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
      const old = earlier?.kind === 'text' ? earlier.text : undefined;
      const isWanted = found.kind === 'text' && found.text.length <= longest && !isExcluded(node);
      return isWanted && found.text !== old ? [{ place: node, before: old, after: found.text }] : [];
    });
    if (changes.length === 0 || this.mode === 'off') {
      return;
    }
    if (this.mode === 'on') {
      await this.keep(changes);
      return;
    }
    this.waiting = [...this.waiting, ...changes].slice(-mostWaiting);
    if (!this.hasAsked) {
      this.hasAsked = true;
      await this.ask();
    }
  }

  private async ask(): Promise<void> {
    const keep = l10n.t('Keep Versions');
    const never = l10n.t("Don't Keep");
    const text = l10n.t(
      'Should Gantry keep earlier versions of the files you save on this computer? You can then compare and restore them.',
    );
    const chosen = await showInformationMessage(text, keep, never);
    const { waiting } = this;
    this.waiting = [];
    // After an answer, the setting decides. Without one, the next window asks again.
    this.hasAsked = chosen === undefined;
    if (chosen === undefined) {
      return;
    }
    await workspace
      .getConfiguration(section)
      .update('keep', chosen === keep ? 'on' : 'off', ConfigurationTarget.Global);
    if (chosen === keep) {
      await this.keep(waiting);
    }
  }

  private async keep(changes: readonly Change[]): Promise<void> {
    try {
      for (const { place, before, after } of changes) {
        await this.store.note(place, before, after);
      }
    } catch (error) {
      this.report(error);
    }
  }
}

/** Files that usually hold secrets. */
function isExcluded(place: FilePlace): boolean {
  const value = workspace.getConfiguration(section).get<unknown>('exclude');
  const patterns = Array.isArray(value) ? value.filter((pattern) => typeof pattern === 'string') : [];
  return new PathFilter({ ...place, path: '/' }, { excludeSetting: patterns }).isExcluded(place.path);
}
