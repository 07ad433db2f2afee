import { Disposable, EventEmitter, type QuickPick, type QuickPickItem } from 'vscode';
import { isPlatformError } from '../platform/errors';
import type { Listing } from './listingCache';
import type { Listings } from './listings';
import type { FilePlace } from './place';

import { askByPick, type QuestionFrame, type OwnQuestion } from '../ui/prompts';
import { type PathRow, pathRows, type PathRules, splitPath, typedPath } from './pathRows';
import { failureText } from '../ui/failureMessages';

export interface PathPromptDeps extends PathRules {
  readonly key: string;
  readonly prompt: string;
  /** The folder to start in. */
  readonly start: FilePlace;
  readonly listings: Listings;
}

type Row = PathRow & QuickPickItem;

/**
 * Asks for a path, by browsing a container's folders or by typing. The text after the last slash filters the folder's
 * entries. Only lists folders and changes nothing.
 */
export function pathQuestion(browsing: PathPromptDeps): OwnQuestion {
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
    private readonly pick: QuickPick<Row>,
    private readonly browsing: PathPromptDeps,
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
  const icon = row.icon ?? icons[row.act.kind];
  return { ...row, label: `$(${icon}) ${row.label}`, alwaysShow: true };
}
