import {
  Disposable,
  EventEmitter,
  l10n,
  languages,
  Range,
  Selection,
  type TextDocument,
  type TextDocumentContentProvider,
  type TextEditor,
  TextEditorRevealType,
  TextEditorSelectionChangeKind,
  Uri,
  window,
  workspace,
} from 'vscode';
import { SharedCalls } from '../../async/sharedCalls';
import { type FilePlace, filePlaceOf, uriParts } from '../../containers/place';
import { logScheme, scheme } from '../../manifest';
import { formatTimeOfDay } from '../../ui/relativeTime';
import { FollowedLog } from './followedLog';
import type { NodeLog } from './logSource';
import { maxCompared } from './shownLog';

export interface OpenLog {
  readonly uri: Uri;
  readonly place: FilePlace;
  readonly source: NodeLog;
  readonly log: FollowedLog;
}

function logUri(place: FilePlace): Uri {
  return Uri.from({ ...uriParts(place), scheme: logScheme });
}

/** Returns the file whose end a document shows. */
export function placeOfLog(uri: Uri): FilePlace | undefined {
  return uri.scheme === logScheme ? filePlaceOf(uri.with({ scheme })) : undefined;
}

/** Shows the ends of logs as read-only documents, and follows those that are visible. */
export class LogDocuments implements TextDocumentContentProvider, Disposable {
  readonly #opened = new Map<string, OpenLog>();
  readonly #opening = new SharedCalls<OpenLog>();
  /** What VS Code was given last, and what it shows. */
  readonly #given = new Map<string, string>();
  readonly #inEditor = new Map<string, string>();
  /** The first visible line of each editor, to see in which direction it scrolls. */
  readonly #firstLines = new WeakMap<TextEditor, number>();
  /** The editors whose cursor the person moved to an earlier line with the keyboard. */
  readonly #movedUp = new WeakSet<TextEditor>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #states = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** Fires when a log's text or state has changed. */
  readonly onDidChangeState = this.#states.event;
  readonly #following: Disposable;

  constructor(private readonly openLog: (place: FilePlace) => Promise<NodeLog>) {
    this.#following = Disposable.from(
      window.onDidChangeVisibleTextEditors(() => this.#noteVisible()),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#noteScrolled(textEditor)),
      window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        if (kind === TextEditorSelectionChangeKind.Keyboard) {
          this.#noteCursor(textEditor);
        }
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#noteShown(document);
        }
      }),
      workspace.onDidOpenTextDocument(({ uri }) => this.#noteOpened(uri)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#noteClosed(uri)),
    );
  }

  find(uri: Uri | undefined): OpenLog | undefined {
    return uri && this.#opened.get(uri.toString());
  }

  /** Shows a log: its end, or its first line at or after a moment, if there's one. */
  async show(place: FilePlace, moment?: number, signal?: AbortSignal): Promise<void> {
    const uri = logUri(place);
    const opened = await this.#open(uri, place);
    const line = moment === undefined ? undefined : await opened.log.showMoment(moment);
    if (signal?.aborted === true) {
      return;
    }
    const document = await workspace.openTextDocument(uri);
    const isLog = document.languageId === 'log';
    const shown = isLog ? document : await languages.setTextDocumentLanguage(document, 'log');
    const editor = await window.showTextDocument(shown, { preview: false });
    if (line === undefined) {
      opened.log.moveTo('end');
      this.#revealEnd(editor);
    } else {
      // Its document may have been open before earlier lines were loaded.
      await this.#shown(uri);
      select(editor, line);
      editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.AtTop);
    }
    this.#noteVisible();
  }

  /** Follows a log from its end. */
  follow({ uri, log }: OpenLog): void {
    log.follow();
    editorsOf(uri).forEach((editor) => this.#revealEnd(editor));
  }

  /** Puts earlier lines before those that are visible, which stay where they are. */
  async loadEarlier({ uri, log }: OpenLog): Promise<void> {
    const [editor] = editorsOf(uri);
    const [first, lines, text] = [editor?.visibleRanges[0]?.start.line ?? 0, editor?.document.lineCount ?? 0, log.text];
    await log.loadEarlier();
    if (log.text !== text && editor !== undefined) {
      await this.#shown(uri);
      const line = first + editor.document.lineCount - lines;
      select(editor, line);
      editor.revealRange(new Range(line, 0, line, 0), TextEditorRevealType.AtTop);
    }
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const place = placeOfLog(uri);
    if (place === undefined) {
      return '';
    }
    const key = uri.toString();
    const { text } = (await this.#open(uri, place)).log;
    const before = this.#given.get(key) ?? '';
    const isExtended = text.startsWith(before) || text.endsWith(before);
    // VS Code would compare the two character by character, which takes long if they differ much.
    const isEmptied = !isExtended && Math.max(text.length, before.length) <= maxCompared;
    const given = isEmptied ? '' : text;
    this.#given.set(key, given);
    return given;
  }

  dispose(): void {
    Disposable.from(this.#following, this.#changed, this.#states).dispose();
    this.#opened.forEach(({ log }) => log.dispose());
    this.#opened.clear();
  }

  #open(uri: Uri, place: FilePlace): Promise<OpenLog> {
    const key = uri.toString();
    const known = this.#opened.get(key);
    return known !== undefined
      ? Promise.resolve(known)
      : this.#opening.share(key, async () => {
          const source = await this.openLog(place);
          const log = await FollowedLog.open(source, { changed: () => this.#noteChanged(uri), rotationText });
          // No one waits for the next requests.
          source.options = { unattended: true };
          const opened = { uri, place, source, log };
          this.#opened.set(key, opened);
          return opened;
        });
  }

  #noteChanged(uri: Uri): void {
    if (this.find(uri)?.log.text !== this.#given.get(uri.toString())) {
      this.#changed.fire(uri);
    }
    this.#states.fire();
  }

  #noteVisible(): void {
    for (const { uri, log } of this.#opened.values()) {
      if (editorsOf(uri).length > 0) {
        log.show();
      } else {
        log.hide();
      }
    }
  }

  /** Scrolling up stops the view from moving with new lines; scrolling to the end makes it move again. */
  #noteScrolled(editor: TextEditor): void {
    const opened = this.find(editor.document.uri);
    const [range] = editor.visibleRanges;
    if (opened === undefined || range === undefined) {
      return;
    }
    // Whether it scrolled isn't known of a text that was just changed.
    const before = this.#firstLines.get(editor) ?? range.start.line;
    this.#firstLines.set(editor, range.start.line);
    if ((editor.visibleRanges.at(-1) ?? range).end.line >= editor.document.lineCount - 2) {
      // The end may still be visible although the cursor was moved to an earlier line.
      if (!this.#movedUp.has(editor) || range.start.line > before) {
        opened.log.moveTo('end');
      }
    } else if (range.start.line < before) {
      opened.log.moveTo('above');
    }
  }

  /** A cursor on an earlier line stays there, as a screen reader reads from it; on the last line, it moves with new ones. */
  #noteCursor(editor: TextEditor): void {
    const opened = this.find(editor.document.uri);
    if (opened === undefined) {
      return;
    }
    if (editor.selection.active.line < editor.document.lineCount - 1) {
      this.#movedUp.add(editor);
      opened.log.moveTo('above');
    } else {
      this.#movedUp.delete(editor);
      opened.log.moveTo('end');
    }
  }

  #revealEnd(editor: TextEditor): void {
    this.#movedUp.delete(editor);
    revealEnd(editor);
  }

  #noteShown(document: TextDocument): void {
    const opened = this.find(document.uri);
    if (opened === undefined) {
      return;
    }
    const given = this.#given.get(document.uri.toString()) ?? '';
    this.#inEditor.set(document.uri.toString(), given);
    if (given !== opened.log.text) {
      // It was emptied first.
      this.#changed.fire(document.uri);
    }
    const editors = editorsOf(document.uri);
    // Lines may have been removed at the start, which isn't scrolling.
    editors.forEach((editor) => this.#firstLines.delete(editor));
    if (opened.log.position === 'end') {
      editors.forEach((editor) => revealEnd(editor, { withCursor: !this.#movedUp.has(editor) }));
    }
    this.#states.fire();
  }

  #noteOpened(uri: Uri): void {
    const [key, given] = [uri.toString(), this.#given.get(uri.toString())];
    if (given !== undefined && !this.#inEditor.has(key)) {
      this.#inEditor.set(key, given);
    }
  }

  /** Changing the language closes a document and opens it again. */
  #noteClosed(uri: Uri): void {
    const opened = this.find(uri);
    if (opened !== undefined && !workspace.textDocuments.some((one) => one.uri.toString() === uri.toString())) {
      opened.log.dispose();
      this.#opened.delete(uri.toString());
      this.#given.delete(uri.toString());
      this.#inEditor.delete(uri.toString());
      this.#states.fire();
    }
  }

  /** Resolves once VS Code shows the log's current text, or the log is closed. */
  #shown(uri: Uri): Promise<void> {
    const isShown = () => {
      const opened = this.find(uri);
      return opened === undefined || this.#inEditor.get(uri.toString()) === opened.log.text;
    };
    return new Promise((resolve) => {
      if (isShown()) {
        resolve();
        return;
      }
      const listening = this.onDidChangeState(() => {
        if (isShown()) {
          listening.dispose();
          resolve();
        }
      });
    });
  }
}

function editorsOf(uri: Uri): readonly TextEditor[] {
  return window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri.toString());
}

function revealEnd(editor: TextEditor, { withCursor = true } = {}): void {
  const line = editor.document.lineCount - 1;
  if (withCursor && editor.selection.isEmpty) {
    select(editor, line);
  }
  editor.revealRange(new Range(line, 0, line, 0));
}

function select(editor: TextEditor, line: number): void {
  editor.selection = new Selection(line, 0, line, 0);
}

export function rotationText(moment: number): string {
  return l10n.t('The log was rotated or truncated at {0}.', formatTimeOfDay(moment));
}

export function slowFilterText(): string {
  return l10n.t("The filter's regular expression takes too long, so all lines are shown. Use a simpler one.");
}
