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
  /** The container that is looked through, in the folder where it begins. */
  readonly start: FilePlace;
  readonly listings: Listings;
}

type Row = PathRow & QuickPickItem;

/**
 * Asks for a path by going through a container's folders, or by typing: what is typed after the last slash narrows what the
 * folder before it holds. It lists folders and does nothing else.
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
  /** What was typed when the rows were made that are shown. */
  private shownFor: string | undefined;
  /** Enter was pressed before the rows followed what was typed. */
  private hurried = false;
  readonly onDidChoose = this.chosen.event;

  constructor(
    private readonly pick: QuickPick<Row>,
    private readonly browsing: PathPromptDeps,
    frame: QuestionFrame,
  ) {
    this.listening = pick.onDidChangeValue(() => {
      this.hurried = false;
      void this.show();
    });
    this.enter(frame.value === '' ? '/' : frame.value, frame.problem);
  }

  /** Rows that are still those of what was typed a moment ago are not what the person means: what is typed is. */
  accept(): void {
    if (this.pick.value === this.shownFor) {
      this.act(this.pick.selectedItems[0]);
    } else {
      this.hurried = true;
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
      // A row that only says something.
    }
  }

  private enter(folder: string, problem?: string): void {
    this.hurried = false;
    // At the root nothing is filled in, so that the question can be read.
    this.pick.value = folder === '/' ? '' : `${folder}/`;
    void this.show(problem);
  }

  /** An answer that comes late, for what is no longer typed, is not shown. */
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
      if (this.hurried) {
        this.hurried = false;
        this.act(this.pick.items.find((row) => 'path' in row.act && row.act.path === typedPath(typed)));
      }
    }
  }

  private async list(path: string): Promise<Listing | { readonly error: string } | undefined> {
    const { start, listings } = this.browsing;
    try {
      return await listings.list({ ...start, path });
    } catch (error) {
      // A folder that is not there yet may be what is wanted.
      return isPlatformError(error) && error.kind === 'notFound' ? undefined : { error: failureText(error) };
    }
  }
}

const icons = { use: 'check', enter: 'folder', again: 'refresh', none: 'warning' } as const;

/** Everything is shown always: what is typed was matched already, and not by VS Code's own rules. */
function asItem(row: PathRow): Row {
  const icon = row.icon ?? icons[row.act.kind];
  return { ...row, label: `$(${icon}) ${row.label}`, alwaysShow: true };
}
