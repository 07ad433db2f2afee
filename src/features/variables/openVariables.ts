import {
  Disposable,
  type Tab,
  TabInputTextDiff,
  type TextDocument,
  TextDocumentChangeReason,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { isUtf8 } from '../../files/documents';
import { uriOfTab } from '../../files/tabs';
import type { VariablesState } from './variablesState';
import type { Secrets } from './variablesText';

/** What an open document is based on. Only in memory, and only while the document is open. */
export interface OpenVariables {
  readonly state: VariablesState;
  /** What the platform had when it was last asked. VS Code may not show it yet. */
  readonly latest: VariablesState;
  readonly secrets: Secrets;
  /** Changes whenever VS Code should read the text again. */
  readonly version: number;
  /** Whether the document's text was made from this state. VS Code may have restored it from another window. */
  readonly isRead: boolean;
  /** What was last saved, whose comments the next text keeps. */
  readonly saved: SavedText | undefined;
  /** What saves since then wanted. It may have arrived, at least on some nodes. */
  readonly attempts: readonly VariablesState[];
}

/** A text whose comments and order the platform doesn't store. */
interface SavedText {
  readonly text: string;
  /** What it begins with, unless the person has changed that. */
  readonly heading: string;
}

/** A text that VS Code has read, and may drop, because the person has typed meanwhile; or a text before a merge. */
interface KnownText {
  readonly text: string;
  readonly state: VariablesState;
  /** Whether only an undo brings it back. The person may also resolve all conflicts of a merge with it. */
  readonly isUndone?: true;
}

interface Merge {
  /** The document's text before. */
  readonly text: string;
  readonly merged: string;
  readonly state: VariablesState;
}

/** What each open document is based on, which depends on what VS Code shows of what was read. */
export class OpenVariablesByDocument implements Disposable {
  private readonly opened = new Map<string, OpenVariables>();
  private readonly knownTexts = new Map<string, KnownText>();
  /** Documents that VS Code has read with an encoding in which masks and values look different. */
  private readonly misread = new Set<string>();
  private readonly following: Disposable;
  /** Of all documents, because VS Code remembers a document's version longer than we do. */
  private lastVersion = 0;

  constructor() {
    this.following = Disposable.from(
      workspace.onDidChangeTextDocument(({ document, reason }) => this.noteShown(document, reason)),
      // VS Code keeps a document for minutes after its last tab is closed. It mustn't come back with its secrets shown.
      window.tabGroups.onDidChangeTabs(({ closed }) => this.forget(closed.map(shownUri))),
      workspace.onDidCloseTextDocument(({ uri }) => this.forget([uri])),
    );
  }

  find(uri: Uri): OpenVariables | undefined {
    return this.opened.get(uri.toString());
  }

  isMisread(uri: Uri): boolean {
    return this.misread.has(uri.toString());
  }

  /** The names of the variables in all open documents. */
  get knownNames(): readonly string[] {
    const names = [...this.opened.values()].flatMap(({ state }) => [...state.values.keys()]);
    return [...new Set(names)].sort();
  }

  /** From now on, the document's changes are changes to this state. Returns a function for when nothing was sent after all. */
  rebase(uri: Uri, base: Pick<OpenVariables, 'state' | 'latest'> & { readonly saved?: SavedText }): () => void {
    const [key, before] = [uri.toString(), this.find(uri)];
    const known = this.knownTexts.get(key);
    this.knownTexts.delete(key);
    this.update(uri, { ...base, isRead: true });
    return () => {
      const after = this.find(uri);
      if (before !== undefined && after?.state === base.state && after.attempts.length === 0) {
        this.update(uri, { ...before, latest: after.latest, secrets: after.secrets, version: after.version });
        if (known !== undefined) {
          this.knownTexts.set(key, known);
        }
      }
    };
  }

  /** The same after a merge. If the person undoes it, the document's changes are again changes to the earlier state. */
  rebaseMerged(uri: Uri, { text, merged, state }: Merge): void {
    const before = this.find(uri);
    this.rebase(uri, { state, latest: state });
    if (before !== undefined && text !== merged) {
      this.knownTexts.set(uri.toString(), { text, state: before.state, isUndone: true });
    }
  }

  update(uri: Uri, change: Partial<OpenVariables> & Pick<OpenVariables, 'state'>): OpenVariables {
    const known = this.find(uri);
    const before = known ?? {
      latest: change.state,
      secrets: 'masked',
      version: this.nextVersion(),
      isRead: false,
      saved: undefined,
    };
    const attempts = change.state === known?.state ? known.attempts : [];
    const after: OpenVariables = { ...before, attempts, ...change };
    this.opened.set(uri.toString(), after);
    return after;
  }

  /**
   * Forgets documents that were closed, unless another tab shows them, or they have unsaved changes. Not the others that no
   * tab shows: their tab may be about to open.
   */
  private forget(closed: readonly (Uri | undefined)[]): void {
    const shown = window.tabGroups.all.flatMap((group) => group.tabs).map(shownUri);
    const dirty = workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
    const kept = new Set([...shown, ...dirty].map(String));
    for (const key of closed.map(String).filter((one) => !kept.has(one))) {
      this.opened.delete(key);
      this.knownTexts.delete(key);
      this.misread.delete(key);
    }
  }

  private nextVersion(): number {
    this.lastVersion += 1;
    return this.lastVersion;
  }

  /** Once a document shows a known text, that is what its changes are based on. */
  private noteShown(document: TextDocument, reason?: TextDocumentChangeReason): void {
    const { uri } = document;
    const known = this.knownTexts.get(uri.toString());
    const isExpected = known?.isUndone !== true || reason === TextDocumentChangeReason.Undo;
    if (isExpected && known?.text === textIn(document)) {
      this.misread.delete(uri.toString());
      this.update(uri, { state: known.state, isRead: true });
    } else if (!document.isDirty && !isUtf8(document)) {
      this.misread.add(uri.toString());
    }
  }

  /** Notes a text that VS Code reads. */
  noteRead(uri: Uri, known: KnownText): void {
    this.knownTexts.set(uri.toString(), known);
    const document = documentOf(uri);
    if (document === undefined) {
      this.update(uri, { state: known.state, isRead: true });
    } else {
      this.noteShown(document);
    }
  }

  /** Gives an open document a new version, with which VS Code reads it again. Returns whether it's open. */
  renew(uri: Uri): boolean {
    const opened = this.find(uri);
    if (opened !== undefined) {
      this.opened.set(uri.toString(), { ...opened, version: this.nextVersion() });
    }
    return opened !== undefined;
  }

  dispose(): void {
    this.following.dispose();
    this.opened.clear();
  }
}

/** Returns the document of a tab that the person can edit there. */
function shownUri(tab: Tab): Uri | undefined {
  return tab.input instanceof TabInputTextDiff ? tab.input.modified : uriOfTab(tab);
}

/** Returns the open document with these variables. */
export function documentOf(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Returns a document's text with the line breaks that Gantry writes. */
export function textIn(document: TextDocument): string {
  return document.getText().replaceAll('\r\n', '\n');
}
