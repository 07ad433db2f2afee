import {
  type CancellationToken,
  l10n,
  Location,
  Position,
  type QuickInputButton,
  QuickPickItemKind,
  SymbolInformation,
  SymbolKind,
  ThemeIcon,
  type WorkspaceSymbolProvider,
} from 'vscode';
import { type FilePlace, isPathWithin, nameOf, parentOrSelf } from '../../../containers/place';
import { failureText } from '../../../ui/failureMessages';
import type { PickRow } from '../../../ui/quickPick';
import type { NameIndex, NameIndexState } from './nameIndex';
import { type NameQuery, parseNameQuery } from './nameSearch';
import { fileCount, grouped } from '../../../ui/countText';
import { pathIn } from './nameFolders';
import { uriOf } from '../../../containers/uris';
import type { NameIndexes } from './nameIndexes';
import { escapeIcons } from '../../../ui/escapeMarkup';

export interface FileNameRow extends PickRow {
  /** The input that the row was made for. */
  readonly text: string;
  readonly act:
    | { readonly kind: 'open'; readonly file: FilePlace }
    /** Opens a path that may not exist. */
    | { readonly kind: 'openTyped'; readonly file: FilePlace }
    | { readonly kind: 'retry' }
    /** The row only says something. */
    | { readonly kind: 'none' };
}

/** More don't help anyone, and take the window long to show. */
const maxRows = 200;
const maxExcludedShown = 10;

const besideButton: QuickInputButton = {
  iconPath: new ThemeIcon('split-horizontal'),
  get tooltip() {
    return l10n.t('Open to the Side');
  },
};

/**
 * Returns the rows for an input: files, best first, and then what isn't among them.
 * @param recent the files of the container that were opened lately
 * @param problem why the path that was typed can't be opened
 */
export function fileNameRows(
  typed: string,
  index: NameIndex,
  folder: FilePlace,
  { recent, problem }: { readonly recent: readonly FilePlace[]; readonly problem: string | undefined },
): readonly FileNameRow[] {
  const query = parseNameQuery(typed);
  const state = index.stateBelow(folder.path);
  const said = problem === undefined ? [] : [says('warning', problem, typed)];
  const files =
    query.parts.length === 0 ? untypedRows(typed, index, folder, recent) : typedRows(typed, query, index, folder);
  const isNone = files.length === 0 && said.length === 0 && !state.isGrowing && state.stopped === undefined;
  const none = isNone ? [says('search', l10n.t('No matching files'), typed)] : [];
  return [...said, ...files, ...none, ...missingRows(typed, state)];
}

/** Returns the title of the list. It counts the files while their number grows. */
export function fileNameTitle(folderName: string, { files, isGrowing }: NameIndexState): string {
  return isGrowing
    ? l10n.t('Go to File in {0}: {1} so far', folderName, fileCount(files))
    : l10n.t('Go to File in {0}', folderName);
}

/** The files opened last, and then those nearest to the folder. */
function untypedRows(
  typed: string,
  index: NameIndex,
  folder: FilePlace,
  recent: readonly FilePlace[],
): readonly FileNameRow[] {
  const opened = new Set(recent.map(({ path }) => path));
  const others = index.first(folder.path, maxRows).map((found) => placeOfName(found, folder));
  const rows = others.filter(({ path }) => !opened.has(path)).map((file) => fileRow(file, folder, typed));
  const heading = (label: string): FileNameRow => ({
    label,
    kind: QuickPickItemKind.Separator,
    text: typed,
    act: { kind: 'none' },
  });
  return recent.length === 0
    ? rows
    : [
        heading(l10n.t('recently opened')),
        ...recent.map((file) => fileRow(file, folder, typed)),
        ...(rows.length === 0 ? [] : [heading(l10n.t('files'))]),
        ...rows,
      ];
}

function typedRows(typed: string, query: NameQuery, index: NameIndex, folder: FilePlace): readonly FileNameRow[] {
  const { absolutePath } = query;
  const found = index
    .search(folder.path, query, maxRows)
    .map((one) => fileRow(placeOfName(one, folder), folder, typed));
  const isTyped = absolutePath !== undefined && nameOf({ ...folder, path: absolutePath }) !== '';
  // What the index has below the folder is in the rows. What it doesn't have may have been made since.
  const isListed = isTyped && isPathWithin(absolutePath, folder.path) && index.has(absolutePath) === true;
  return isTyped && !isListed ? [typedRow(absolutePath, folder, typed), ...found] : found;
}

function typedRow(path: string, folder: FilePlace, typed: string): FileNameRow {
  const file = { ...folder, path: path.replaceAll(/\/{2,}/g, '/') };
  const label = l10n.t('Open by path');
  return {
    label,
    description: file.path,
    iconPath: new ThemeIcon('go-to-file'),
    alwaysShow: true,
    text: typed,
    buttons: [besideButton],
    act: { kind: 'openTyped', file },
  };
}

function fileRow(file: FilePlace, folder: FilePlace, typed: string): FileNameRow {
  return {
    label: nameOf(file),
    iconPath: iconOf(nameOf(file)),
    description: folderText(file, folder),
    // What isn't typed yet is filtered by VS Code until the rows for it arrive.
    alwaysShow: typed !== '',
    buttons: [besideButton],
    text: typed,
    act: { kind: 'open', file },
  };
}

/** The file's folder, without what all rows have in common. */
function folderText(file: FilePlace, folder: FilePlace): string {
  const { path } = parentOrSelf(file);
  if (!isPathWithin(path, folder.path)) {
    return path;
  }
  return path.slice(folder.path === '/' ? 1 : folder.path.length + 1);
}

function placeOfName(
  { folder, name }: { readonly folder: string; readonly name: string },
  within: FilePlace,
): FilePlace {
  return { ...within, path: pathIn(folder, name) };
}

function missingRows(typed: string, state: NameIndexState): readonly FileNameRow[] {
  const { files, isFull, stopped, unreadable, excluded, links } = state;
  const [first] = unreadable;
  const rows: FileNameRow[] = [];
  if (stopped !== undefined) {
    const text = l10n.t('{0} Not all files are listed. Press Enter to retry.', failureText(stopped));
    rows.push({ ...says('warning', text, typed), act: { kind: 'retry' } });
  }
  if (isFull) {
    const text = l10n.t(
      'Only the first {0} files are listed. To find others, run Go to File in a subfolder.',
      grouped(files),
    );
    rows.push(says('warning', text, typed));
  }
  if (first !== undefined) {
    const others = unreadable.length - 1;
    const text = failureText(first.error);
    const more =
      others === 1
        ? l10n.t("{0} Couldn't read 1 more folder.", text)
        : l10n.t("{0} Couldn't read {1} more folders.", text, grouped(others));
    rows.push(says('warning', others === 0 ? text : more, typed));
  }
  if (links > 0) {
    rows.push(says('info', l10n.t('Symbolic links to folders, not followed: {0}', links), typed));
  }
  if (excluded.length > 0) {
    const names = [...excluded.slice(0, maxExcludedShown), ...(excluded.length > maxExcludedShown ? ['…'] : [])];
    rows.push(says('info', l10n.t('Excluded folders: {0} (gantry.search.exclude)', names.join(', ')), typed));
  }
  return rows;
}

/** The text is no label, because VS Code moves rows up whose label contains what was typed. */
function says(icon: string, text: string, typed: string): FileNameRow {
  return { label: '', icon, description: text, alwaysShow: true, text: typed, act: { kind: 'none' } };
}

/** By the ends of names. The stable API has no icons of the file icon theme for such rows. */
const icons: readonly (readonly [ending: RegExp, icon: string])[] = [
  [/\.(jsonc?|map|lock)$/, 'json'],
  [/\.(md|markdown|rst)$/, 'markdown'],
  [/\.(png|jpe?g|gif|svg|webp|ico|avif|mp4|webm|mp3|woff2?)$/, 'file-media'],
  [/\.(zip|tar|t?gz|bz2|xz|zst|7z|rar|war|ear|jar)$/, 'file-zip'],
  [/\.pdf$/, 'file-pdf'],
  [/\.(sql|sqlite3?|db)$/, 'database'],
  [/\.(sh|bash|zsh|bat|ps1)$/, 'terminal'],
  [/\.(conf|cnf|ini|ya?ml|toml|properties|env)$|^\.(env|htaccess)/, 'settings'],
  [/\.log(\.\d+)?$/, 'output'],
  [
    /\.([cm]?[jt]sx?|php\d?|py|rb|java|go|rs|c|h|cpp|cs|css|s[ac]ss|less|html?|xml|twig|vue|phtml|pl|lua)$/,
    'file-code',
  ],
];

function iconOf(name: string): ThemeIcon {
  const lower = name.toLowerCase();
  const icon = icons.find(([ending]) => ending.test(lower))?.[1];
  return icon === undefined ? ThemeIcon.File : new ThemeIcon(icon);
}

const maxSymbols = 200;
/** How long after a failed refresh the next one may start, in milliseconds. */
const pauseAfterFailure = 30_000;

/** Answers `#` in Quick Open with the names of files in the open folders. */
export class FileNameSymbols implements WorkspaceSymbolProvider {
  /** In milliseconds. VS Code shows nothing of other extensions either until all have answered. */
  longestWait = 500;
  private readonly failedAt = new WeakMap<NameIndex, number>();

  constructor(
    private readonly indexes: Pick<NameIndexes, 'of'>,
    private readonly openFolders: () => readonly FilePlace[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  async provideWorkspaceSymbols(typed: string, token: CancellationToken): Promise<SymbolInformation[]> {
    const query = parseNameQuery(typed);
    if (query.parts.length === 0) {
      return [];
    }
    const searched = this.openFolders().map((folder) => ({ folder, index: this.indexes.of(folder) }));
    await withinTime(Promise.all(searched.map(({ index }) => this.refresh(index))), this.longestWait, token);
    if (token.isCancellationRequested) {
      return [];
    }
    return searched.flatMap(({ folder, index }) =>
      // VS Code itself shows the path.
      index.search(folder.path, query, maxSymbols).map((found) => {
        const path = pathIn(found.folder, found.name);
        const location = new Location(uriOf({ ...folder, path }), new Position(0, 0));
        return new SymbolInformation(escapeIcons(found.name), SymbolKind.File, '', location);
      }),
    );
  }

  /** Each typed character comes here, so a server that doesn't answer isn't asked each time. */
  private async refresh(index: NameIndex): Promise<void> {
    const failedAt = this.failedAt.get(index);
    if (!index.needsRefresh() || (failedAt !== undefined && this.now() - failedAt < pauseAfterFailure)) {
      return;
    }
    await index.refresh();
    if (index.needsRefresh()) {
      this.failedAt.set(index, this.now());
    }
  }
}

async function withinTime(work: Promise<unknown>, milliseconds: number, token: CancellationToken): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      canceling.dispose();
      resolve();
    };
    const timer = setTimeout(() => end(), milliseconds);
    const canceling = token.onCancellationRequested(() => end());
    void work.finally(end);
  });
}
