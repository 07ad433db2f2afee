import { commands, Disposable, FileChangeType, l10n, Selection, ThemeIcon, ViewColumn } from 'vscode';
import { byName } from '../../containers/listingCache';
import { folderName } from '../../containers/locationText';
import { type FilePlace, filePlaceOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import type { Own } from '../../gantry';
import { isCanceled } from '../../platform/errors';
import type { Services } from '../../services';
import { command } from '../../ui/commands/command';
import { failureText } from '../../ui/failureMessages';
import { type PickList, showPick } from '../../ui/quickPick';
import { FileNameSymbols, fileNameRows, fileNameTitle, type FileNameRow } from './goToFile/goToFileRows';
import type { NameIndex } from './goToFile/nameIndex';
import { NameIndexes } from './goToFile/nameIndexes';
import { type NameQuery, parseNameQuery } from './goToFile/nameSearch';
import { searchFolder } from './searchFolderPrompt';
import { searchLimits, searchPace } from './searchSettings';

const kinds = {
  [FileChangeType.Created]: 'created',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'deleted',
} as const;

/** Go to File, and file names for `#` in Quick Open. */
export function createGoToFile(services: Services, own: Own) {
  const { accounts, listings, openFolders, fileSystem, onDidList } = services;
  const indexes = own(
    new NameIndexes(
      {
        list: (folder, signal) => listings.list(folder, signal),
        knownListing: (folder) => listings.known(folder),
        pace: searchPace,
        now: () => performance.now(),
      },
      () => searchLimits().exclude,
    ),
  );
  own(
    onDidList(({ folder, entries, askedAt }) => {
      indexes.forEach((index) => index.noteListing(folder, byName(entries), askedAt));
    }),
  );
  own(
    fileSystem.onDidChangeFile((changes) => {
      for (const { uri, type } of changes) {
        const place = filePlaceOf(uri);
        if (place !== undefined) {
          indexes.forEach((index) => index.noteChange(place, kinds[type]));
        }
      }
    }),
  );
  own(accounts.onDidSignOut(({ slug }) => indexes.forgetAccount(slug)));
  return {
    indexes,
    symbols: new FileNameSymbols(indexes, openFolders),
    commands: {
      'gantry.search.goToFile': command(
        'folder',
        (call) => searchFolder(l10n.t('Go to File'), call, services, 'container'),
        (folder) => goToFile(folder, services, indexes),
      ),
    },
  };
}

interface ChosenFile {
  readonly file: FilePlace;
  readonly position: NameQuery['position'];
  readonly isBeside: boolean;
}

/** While an index grows, its rows are shown anew after so many milliseconds. */
const pauseBetweenUpdates = 150;
/** How long new rows may need to reach the window, in milliseconds. */
const longestDelay = 1_000;

/** Asks for a file below a folder by its name or path, and opens it. */
async function goToFile(folder: FilePlace, services: Services, indexes: NameIndexes): Promise<void> {
  const look = {
    placeholder: l10n.t('File name or path. Add :12 to go to line 12.'),
    keepScrollPosition: true,
    buttons: [{ iconPath: new ThemeIcon('refresh'), tooltip: l10n.t('Refresh') }],
  };
  const chosen = await showPick<FileNameRow, ChosenFile>(look, (pick, resolve) => {
    const list = new FileNameList(pick, folder, services, indexes, resolve);
    return [
      new Disposable(() => list.dispose()),
      pick.onDidChangeValue(() => list.typed()),
      pick.onDidAccept(() => list.accept(pick.selectedItems[0])),
      pick.onDidTriggerButton(() => list.refresh()),
      pick.onDidTriggerItemButton((row) => list.act(row, { isBeside: true })),
    ];
  });
  if (chosen !== undefined) {
    await open(chosen);
  }
}

async function open({ file, position, isBeside }: ChosenFile): Promise<void> {
  const selection = position && new Selection(position.line, position.column, position.line, position.column);
  await commands.executeCommand('vscode.open', uriOf(file), {
    preview: false,
    viewColumn: isBeside ? ViewColumn.Beside : ViewColumn.Active,
    ...(selection === undefined ? {} : { selection }),
  });
}

/** The list of files, which follows the input and the index. */
class FileNameList {
  private index: NameIndex;
  private readonly recent: readonly FilePlace[];
  private stopFollowing: () => void;
  private readonly name: string;
  private update: NodeJS.Timeout | undefined;
  private problem: string | undefined;
  private replacedAt = 0;
  /** The typed path that is being checked. */
  private checking: string | undefined;

  constructor(
    private readonly pick: PickList<FileNameRow>,
    private readonly folder: FilePlace,
    private readonly services: Services,
    private readonly indexes: NameIndexes,
    private readonly resolve: (chosen: ChosenFile | undefined) => void,
  ) {
    this.name = folderName(folder, services.environments);
    this.recent = services.recentFiles.of(folder);
    this.index = indexes.of(folder);
    this.stopFollowing = this.follow();
    this.show();
  }

  private follow(): () => void {
    const stop = this.index.onDidChange(() => {
      this.update ??= setTimeout(() => this.show(), pauseBetweenUpdates);
    });
    void this.index.refresh();
    return stop;
  }

  typed(): void {
    this.problem = undefined;
    this.checking = undefined;
    this.show();
  }

  accept(row: FileNameRow | undefined): void {
    // Enter may be pressed before the window has the rows for the last character. VS Code names the row by its number
    // then, which may be that of a row that only says something.
    const isRecent = performance.now() - this.replacedAt < longestDelay;
    const isCurrent = row?.text === this.pick.value && !(isRecent && row.act.kind === 'none');
    const current = isCurrent ? row : this.rows().find(({ act }) => act.kind === 'open' || act.kind === 'openTyped');
    if (current !== undefined) {
      this.act(current, { isBeside: false });
    }
  }

  act({ act }: FileNameRow, { isBeside }: { readonly isBeside: boolean }): void {
    const { position } = parseNameQuery(this.pick.value);
    switch (act.kind) {
      case 'open':
        this.resolve({ file: act.file, position, isBeside });
        break;
      case 'openTyped':
        void this.check({ file: act.file, position, isBeside });
        break;
      case 'retry':
        void this.index.refresh();
        this.show();
        break;
      default:
      // An informational row.
    }
  }

  /** Lists the folder again, for changes by others that Gantry can't know of. */
  refresh(): void {
    this.services.listings.forget(this.folder);
    void this.index.refreshAgain(this.folder);
    this.show();
  }

  dispose(): void {
    this.checking = undefined;
    this.stopFollowing();
    clearTimeout(this.update);
  }

  /** Opens a path only if there's a file, because an editor would say less about what is wrong. */
  private async check(chosen: ChosenFile): Promise<void> {
    const text = this.pick.value;
    this.checking = text;
    this.show();
    const problem = await this.problemOf(chosen.file);
    if (this.checking !== text) {
      return;
    }
    this.checking = undefined;
    if (problem === undefined) {
      this.resolve(chosen);
    } else if (problem !== 'canceled') {
      this.problem = problem.text;
    }
    this.show();
  }

  private async problemOf(file: FilePlace): Promise<{ readonly text: string } | 'canceled' | undefined> {
    try {
      const entry = await this.services.listings.entry(file);
      if (entry === undefined) {
        return { text: l10n.t("{0} doesn't exist.", file.path) };
      }
      return entry.isDir ? { text: l10n.t('{0} is a folder.', file.path) } : undefined;
    } catch (error) {
      return isCanceled(error) ? 'canceled' : { text: failureText(error) };
    }
  }

  private show(): void {
    clearTimeout(this.update);
    this.update = undefined;
    if (this.index.isDisposed) {
      // The account was signed out.
      this.resolve(undefined);
      return;
    }
    if (!this.index.isGrowing && !this.index.covers(this.folder)) {
      // The index of a folder above turned out not to enter this one, for example because it's a link.
      this.stopFollowing();
      this.index = this.indexes.of(this.folder);
      this.stopFollowing = this.follow();
    }
    const state = this.index.stateBelow(this.folder.path);
    const rows = this.rows();
    const [active] = this.pick.activeItems;
    const before = this.pick.items.find(({ act }) => act.kind !== 'none');
    this.pick.title = fileNameTitle(this.name, state);
    this.pick.busy = state.isGrowing || this.checking !== undefined;
    if (rows.length === this.pick.items.length && rows.every((row, at) => isSameRow(row, this.pick.items[at]))) {
      return;
    }
    this.pick.items = rows;
    this.replacedAt = performance.now();
    // Someone who has moved down the list stays at the file while others are added.
    const isMoved = active !== undefined && active !== before && active.act.kind !== 'none';
    const same = isMoved ? rows.find((row) => isSameRow(row, active)) : undefined;
    if (same !== undefined) {
      this.pick.activeItems = [same];
    }
  }

  private rows(): readonly FileNameRow[] {
    const { index, folder, recent, problem } = this;
    return fileNameRows(this.pick.value, index, folder, { recent, problem });
  }
}

function isSameRow(one: FileNameRow, other: FileNameRow | undefined): boolean {
  return one.label === other?.label && one.description === other.description && one.text === other.text;
}
