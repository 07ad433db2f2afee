import { Disposable, EventEmitter, l10n, window } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { type FilePlace, filePlaceOf, keyOf, wholeLayer } from '../../containers/place';
import type { CommandId } from '../../manifest';
import { showStatusItem } from '../../ui/statusBar';
import { BoundedMap } from '../boundedMap';
import { activeFile } from '../tabs';
import type { SavedFiles } from './saves';
import { mayBeComplete } from './serverFiles';

/** A save of a configuration file, and what the file was before. */
interface ConfigurationSave {
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** Missing if the save created the file. */
  readonly before: string | undefined;
}

/** A configuration file on one node, with its saves since its service was last restarted from this window. */
export interface SavedConfiguration {
  readonly place: FilePlace;
  readonly after: string;
  /** Oldest first. A restart from elsewhere may have put some into use. */
  readonly saves: readonly ConfigurationSave[];
}

interface Timed extends SavedConfiguration {
  readonly at: number;
}

interface Noted extends Omit<Timed, 'after'> {
  /** Missing if it's too long. */
  readonly after: string | undefined;
}

const maxFiles = 100;
/** In characters. The memory of this window holds all texts of a file. */
const longest = 500_000;

/** The configuration files saved in this window that no restart from it has read yet, so that they can be undone. */
export class SavedConfigurations {
  private readonly all = new BoundedMap<string, Noted>(maxFiles);
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  /** Notes a verified save with what each node had before. */
  note({ before, nodes }: SavedFiles): void {
    const at = Date.now();
    for (const { node, found } of nodes) {
      const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
      if (found.kind === 'text' && isConfiguration(node.path)) {
        const text = earlier?.kind === 'text' && mayBeComplete(earlier) ? earlier.text : undefined;
        const isKnown = text !== undefined || earlier?.kind === 'absent';
        this.add({ place: node, at, after: found.text }, isKnown ? { at, before: text } : undefined);
      }
    }
    this.changed.fire();
  }

  /**
   * Notes that the file didn't exist before. New File creates a file without text on a node or a layer, and then it's
   * saved.
   */
  noteCreated(place: FilePlace): void {
    const known = this.all.get(keyOf(place));
    const isUndoable = known !== undefined && (known.saves.length > 0 || known.after === undefined);
    if (isConfiguration(place.path) && !isUndoable) {
      const { at, after } = known ?? { at: Date.now(), after: '' };
      this.all.set(keyOf(place), { place, at, after, saves: [{ at, before: undefined }] });
    }
  }

  /** Whether a restart would read the file again, on its node or on any node of its layer. */
  has(place: FilePlace): boolean {
    const { account, environment, target, path } = place;
    return target.nodeId === undefined
      ? [...this.all.values()].some(
          (one) => one.place.path === path && isIn(one.place, { account, environment, nodeGroup: target.nodeGroup }),
        )
      : this.all.has(keyOf(place));
  }

  /** Returns those on the nodes of a layer that can be undone. */
  inLayer(layer: {
    readonly account: string;
    readonly environment: string;
    readonly nodeGroup: string;
  }): readonly SavedConfiguration[] {
    return [...this.all.values()].flatMap(({ place, after, saves }) =>
      after !== undefined && saves.length > 0 && place.target.nodeId !== undefined && isIn(place, layer)
        ? [{ place, after, saves }]
        : [],
    );
  }

  /** Forgets what a restarted service has read. */
  forgetNode(nodeId: number, at: { readonly account: string; readonly environment: string }): void {
    this.drop(
      ({ place }) =>
        [undefined, nodeId].includes(place.target.nodeId) &&
        place.account === at.account &&
        place.environment === at.environment,
    );
  }

  /** Notes that a file has an earlier text again, and which saves are left to undo. */
  noteUndone(left: Omit<Noted, 'at'>): void {
    if (left.saves.length === 0) {
      this.all.delete(keyOf(left.place));
    } else {
      this.all.set(keyOf(left.place), { ...left, at: Date.now() });
    }
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  forgetAccount(account: string): void {
    this.drop(({ place }) => place.account === account);
  }

  /** @param save missing if it isn't known what the file was before */
  private add(one: Omit<Timed, 'saves'>, save?: ConfigurationSave): void {
    const { place, after } = one;
    const known = this.all.get(keyOf(place)) ?? this.all.get(keyOf(wholeLayer(place)));
    const saves = savesWith(known ?? { saves: [], after: undefined }, save, after);
    const same = saves.findIndex(({ before }) => before === after);
    if (same === 0) {
      this.all.delete(keyOf(place));
    } else {
      this.all.set(keyOf(place), withinLimit({ ...one, saves: same > 0 ? saves.slice(0, same) : saves }));
    }
  }

  private drop(isDropped: (one: Noted) => boolean): void {
    for (const [key, one] of this.all) {
      if (isDropped(one)) {
        this.all.delete(key);
      }
    }
    this.changed.fire();
  }
}

function savesWith(
  known: Omit<Noted, 'place' | 'at'>,
  save: ConfigurationSave | undefined,
  after: string,
): readonly ConfigurationSave[] {
  const { saves } = known;
  const last = saves.at(-1);
  if (save === undefined) {
    // Going back further would discard a text that isn't known.
    return [];
  }
  if (last !== undefined && save.before === after && known.after === after) {
    // Save to All Nodes is one save, also for a node that got the text before.
    return [...saves.slice(0, -1), { ...last, at: save.at }];
  }
  if (save.before === undefined || known.after !== save.before) {
    // Going back further would discard what someone else saved in between.
    return [save];
  }
  // New File creates a file without text.
  const isFirstText = known.after === '' && last !== undefined && last.before === undefined;
  return isFirstText ? [...saves.slice(0, -1), { ...last, at: save.at }] : [...saves, save];
}

/** Forgets the oldest texts of a file if all of them are too long. */
function withinLimit({ after, saves, ...one }: Timed): Noted {
  let length = after.length;
  const kept = [...saves].reverse().filter(({ before = '' }) => (length += before.length) <= longest);
  return { ...one, after: after.length > longest ? undefined : after, saves: kept.reverse() };
}

/** Whether a service probably reads the file only when it starts. */
function isConfiguration(path: string): boolean {
  return path.startsWith('/etc/') || /\.(conf|cnf|cfg|ini)$/.test(path);
}

function isIn(
  { account, environment, target }: FilePlace,
  layer: { readonly account: string; readonly environment: string; readonly nodeGroup: string },
): boolean {
  return account === layer.account && environment === layer.environment && target.nodeGroup === layer.nodeGroup;
}

/** Offers a restart for a configuration file that was saved, because a running service doesn't read it again. */
export function offerRestart(
  saved: Pick<SavedConfigurations, 'has' | 'onDidChange'>,
  accounts: Pick<Accounts, 'find' | 'onDidChangeRights'>,
): Disposable {
  let offer: Disposable | undefined;
  let offered: string | undefined;
  const hide = (): void => {
    offer?.dispose();
    offer = undefined;
  };
  const update = (): void => {
    const uri = activeFile();
    const place = uri && filePlaceOf(uri);
    const isAbsent = place !== undefined && accounts.find(place.account)?.lacks('RestartServices') === true;
    const file = place !== undefined && saved.has(place) && !isAbsent ? uri : undefined;
    if (file?.toString() === offered) {
      // VS Code ignores a click on an item that is just being recreated.
      return;
    }
    hide();
    offered = file?.toString();
    if (file !== undefined) {
      offer = showStatusItem('gantry.restart', {
        name: l10n.t('Gantry: Restart Service'),
        icon: 'debug-restart',
        text: l10n.t('Restart Service…'),
        tooltip: l10n.t('Restart the service so that the saved configuration takes effect'),
        command: {
          command: 'gantry.service.restart' satisfies CommandId,
          title: l10n.t('Restart Service…'),
          arguments: [file],
        },
      });
    }
  };
  return Disposable.from(
    new Disposable(hide),
    window.onDidChangeActiveTextEditor(update),
    saved.onDidChange(update),
    accounts.onDidChangeRights(update),
  );
}
