import { Disposable, EventEmitter, l10n } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import type { Listing } from '../../containers/listingCache';
import type { Listings } from '../../containers/listings';
import type { FilePlace } from '../../containers/place';
import { askByPick, type QuestionFrame, type OwnQuestion } from '../prompts';
import { failureText } from '../failureMessages';
import type { PickList, PickRow } from '../quickPick';

interface PathBrowsing extends PathRules {
  readonly key: string;
  readonly prompt: string;
  readonly start: FilePlace;
  readonly listings: Listings;
}

type Row = PathRow & PickRow;

/**
 * Asks for a path, by browsing a container's folders or by typing. The text after the last slash filters the folder's
 * entries. Only lists folders and changes nothing.
 */
export function pathQuestion(browsing: PathBrowsing): OwnQuestion {
  return {
    kind: 'own',
    key: browsing.key,
    value: browsing.start.path,
    ask: (frame) =>
      askByPick<Row>(frame, { placeholder: browsing.prompt, keepScrollPosition: false }, (pick, resolve) => {
        const browser = new PathBrowser(pick, browsing, frame);
        return [
          new Disposable(() => browser.dispose()),
          pick.onDidAccept(() => browser.accept()),
          browser.onDidChoose((path) => {
            frame.keep(path);
            resolve({ kind: 'answer', text: path });
          }),
        ];
      }),
  };
}

class PathBrowser implements Disposable {
  private readonly chosen = new EventEmitter<string>();
  private readonly listening: Disposable;
  private turn = {};
  /** The input for which the current rows were made. */
  private shownFor: string | undefined;
  /** Enter was pressed before the rows matched the input. */
  private isEnterPending = false;
  readonly onDidChoose = this.chosen.event;

  constructor(
    private readonly pick: PickList<Row>,
    private readonly browsing: PathBrowsing,
    frame: QuestionFrame,
  ) {
    this.listening = pick.onDidChangeValue(() => {
      this.isEnterPending = false;
      void this.show();
    });
    this.enter(frame.value === '' ? '/' : frame.value, frame.problem);
  }

  /** If the rows are out of date, accept the typed path and not the active row. */
  accept(): void {
    if (this.pick.value === this.shownFor) {
      this.act(this.pick.selectedItems[0]);
    } else {
      this.isEnterPending = true;
    }
  }

  dispose(): void {
    this.turn = {};
    Disposable.from(this.listening, this.chosen).dispose();
  }

  private act(row: Row | undefined): void {
    switch (row?.act.kind) {
      case 'use':
        this.chosen.fire(row.act.path);
        break;
      case 'enter':
        this.enter(row.act.path);
        break;
      case 'again':
        void this.show();
        break;
      default:
      // An informational row.
    }
  }

  private enter(folder: string, problem?: string): void {
    this.isEnterPending = false;
    // Leave the input empty at the root, so that the placeholder is visible.
    this.pick.value = folder === '/' ? '' : `${folder}/`;
    void this.show(problem);
  }

  /** Drops a late result for outdated input. */
  private async show(problem?: string): Promise<void> {
    const turn = {};
    this.turn = turn;
    const typed = this.pick.value;
    const { folder } = splitPath(typed);
    this.pick.busy = true;
    const found = await this.list(folder);
    if (this.turn === turn) {
      this.pick.busy = false;
      this.pick.items = pathRows(typed, found, this.browsing, problem).map(asItem);
      this.shownFor = typed;
      if (this.isEnterPending) {
        this.isEnterPending = false;
        this.act(this.pick.items.find((row) => 'path' in row.act && row.act.path === typedPath(typed)));
      }
    }
  }

  private async list(path: string): Promise<Listing | { readonly error: string } | undefined> {
    const { start, listings } = this.browsing;
    try {
      return await listings.list({ ...start, path });
    } catch (error) {
      // The user may want a folder that doesn't exist yet.
      return isPlatformError(error) && error.kind === 'notFound' ? undefined : { error: failureText(error) };
    }
  }
}

const icons = { use: 'check', enter: 'folder', again: 'refresh', none: 'warning' } as const;

/** Always shows every row, because they are already filtered, and by other rules than VS Code's. */
function asItem(row: PathRow): Row {
  return { ...row, icon: row.icon ?? icons[row.act.kind], alwaysShow: true };
}

export interface PathRules {
  readonly wanted: 'folder' | 'any';
  /** The label for a path that doesn't exist yet; omitted if only existing paths are allowed. */
  readonly ifMissing?: string;
  /** Offers the root last, so that Enter doesn't select the whole container by mistake. */
  readonly avoidsRoot?: true;
  /** Returns why a path may not be selected. */
  readonly problem?: (path: string) => string | undefined;
}

/**
 * A row of the prompt and its action. Labels of rows that use the input don't repeat it, because VS Code moves matching
 * rows up.
 */
interface PathRow {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly icon?: string;
  readonly act:
    | { readonly kind: 'use'; readonly path: string }
    | { readonly kind: 'enter'; readonly path: string }
    | { readonly kind: 'again' }
    | { readonly kind: 'none' };
}

const maxShown = 500;

/** Splits the input into the folder before the last slash and the name after it. */
export function splitPath(typed: string): { readonly folder: string; readonly rest: string } {
  const text = typed.trimStart();
  const path = text.startsWith('/') ? text : `/${text}`;
  const end = path.lastIndexOf('/');
  return {
    folder:
      path
        .slice(0, end)
        .replaceAll(/\/{2,}/g, '/')
        .replace(/\/$/, '') || '/',
    rest: path.slice(end + 1),
  };
}

/** Returns the typed path as rows show it. */
function typedPath(typed: string): string {
  const { folder, rest } = splitPath(typed);
  return join(folder, rest);
}

/** Returns the rows for an input. `found`: the folder's entries, `undefined` if missing, or the listing error. */
export function pathRows(
  typed: string,
  found: Listing | { readonly error: string } | undefined,
  rules: PathRules,
  problem?: string,
): PathRow[] {
  const { folder, rest } = splitPath(typed);
  const path = join(folder, rest);
  const said: PathRow[] = problem === undefined ? [] : [{ label: problem, act: { kind: 'none' } }];
  if (found === undefined) {
    return [...said, ...missing(path, rules)];
  }
  if ('error' in found) {
    const again = { label: found.error, icon: 'warning', detail: l10n.t('Press Enter to retry.') };
    // The user may want the path even if it can't be listed.
    return [...said, { ...again, act: { kind: 'again' } }, ...chosen(path, l10n.t('Use anyway'), rules)];
  }
  const inside = contents(folder, rest, found, rules);
  const here = rest === '' ? [...chosen(folder, l10n.t('Use this folder'), rules), ...above(folder)] : [];
  // If only existing paths are allowed, hint at a missing one only when nothing matches.
  const mayBeNew = rules.ifMissing !== undefined || inside.length === 0;
  const isNew = rest !== '' && !found.has(rest) && mayBeNew;
  const [first, last] = folder === '/' && rules.avoidsRoot === true ? [[], here] : [here, []];
  return [...said, ...first, ...inside, ...(isNew ? missing(path, rules) : []), ...last];
}

/** Returns a row that selects the path, if that's allowed. */
function chosen(path: string, label: string, { problem }: PathRules): PathRow[] {
  return problem?.(path) === undefined ? [{ label, description: path, act: { kind: 'use', path } }] : [];
}

function above(folder: string): PathRow[] {
  const path = folder.slice(0, folder.lastIndexOf('/')) || '/';
  return folder === '/' ? [] : [{ label: '..', icon: 'arrow-up', act: { kind: 'enter', path } }];
}

function missing(path: string, { ifMissing, problem }: PathRules): PathRow[] {
  // Nobody sees one that was pasted with the path of a new folder.
  const isSpaced = ifMissing !== undefined && path.endsWith(' ');
  const reason = problem?.(path) ?? (isSpaced ? l10n.t("The path can't end with a space.") : undefined);
  if (reason !== undefined) {
    return [{ label: reason, icon: 'warning', act: { kind: 'none' } }];
  }
  return ifMissing === undefined
    ? [{ label: l10n.t("Doesn't exist"), description: path, icon: 'warning', act: { kind: 'none' } }]
    : [{ label: ifMissing, description: path, icon: 'new-folder', act: { kind: 'use', path } }];
}

function contents(folder: string, rest: string, found: Listing, { wanted }: PathRules): PathRow[] {
  const sought = rest.toLowerCase();
  const matching = [...found.values()]
    .filter(({ name, isDir }) => (isDir || wanted === 'any') && name.toLowerCase().includes(sought))
    .sort((a, b) => rank(a, sought) - rank(b, sought) || a.name.localeCompare(b.name, undefined, { numeric: true }));
  const rows = matching.slice(0, maxShown).map(({ name, isDir }): PathRow => {
    const path = join(folder, name);
    return isDir
      ? { label: name, act: { kind: 'enter', path } }
      : { label: name, icon: 'file', act: { kind: 'use', path } };
  });
  const more = matching.length - rows.length;
  const narrow = l10n.t('{0} more: type to filter', more);
  return more > 0 ? [...rows, { label: narrow, icon: 'ellipsis', act: { kind: 'none' } }] : rows;
}

/** Ranks exact matches first, then prefixes; folders before files. */
function rank({ name, isDir }: { name: string; isDir: boolean }, sought: string): number {
  const lower = name.toLowerCase();
  return (lower === sought ? 0 : lower.startsWith(sought) ? 2 : 4) + (isDir ? 0 : 1);
}

function join(folder: string, name: string): string {
  return name === '' ? folder : `${folder === '/' ? '' : folder}/${name}`;
}
