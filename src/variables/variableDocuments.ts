import {
  Disposable,
  EventEmitter,
  type Event,
  type FileChangeEvent,
  FileChangeType,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  l10n,
  type TextDocument,
  type Uri,
  workspace,
} from 'vscode';
import type { Account } from '../accounts/accounts';
import { SharedCalls } from '../async/sharedCalls';
import type { ContainerNames } from '../containers/locationText';
import type { FilePlace } from '../containers/place';
import { fileSystemError } from '../files/provider/fileSystemErrors';
import { isUtf8, type OpenVariables, OpenVariablesByDocument } from './openVariables';
import { headingOf, textOf } from './variablesHeading';
import { commonVariables, type VariablesState } from './variablesState';
import { type Secrets, showOrMask } from './variablesText';
import { documentOf, isFolder, variablesPlaceOf } from './variablesUri';

export interface VariablesToSave {
  readonly place: FilePlace;
  readonly uri: Uri;
  readonly text: string;
  readonly opened: OpenVariables;
  /** Called with what the platform has if it differs, so that reverting the document shows it. */
  readonly noteLatest: (latest: VariablesState) => void;
  /** Called before this is sent. */
  readonly noteAttempt: (wanted: VariablesState) => void;
}

/** What the saved text says, and what the platform has afterward, which others may have changed. */
export type SavedVariables = Pick<OpenVariables, 'state' | 'latest'>;

interface VariableDocumentsDeps {
  readonly environments: ContainerNames;
  readonly read: (place: FilePlace) => Promise<VariablesState>;
  /** Whether no change could be saved, as far as is known. */
  readonly isReadOnly: (place: FilePlace) => boolean;
  readonly rightsChanged: Event<Pick<Account, 'slug'>>;
  /** Rejects if the platform doesn't have what was changed in the text. */
  readonly save: (save: VariablesToSave) => Promise<SavedVariables>;
}

/** Provides container variables as text. Saving a document sends its changes. */
export class VariableDocuments implements FileSystemProvider, Disposable {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  private readonly reading = new SharedCalls<OpenVariables>();
  private readonly following: Disposable;
  readonly opened = new OpenVariablesByDocument();
  readonly onDidChangeFile = this.changed.event;
  readonly createDirectory = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  constructor(private readonly deps: VariableDocumentsDeps) {
    this.following = Disposable.from(
      this.opened,
      // What was saved is shown with the values that the platform has, and with new secrets masked.
      workspace.onDidSaveTextDocument(({ uri }) => this.readAgain(uri)),
      deps.rightsChanged(({ slug }) => this.checkAgain(slug)),
    );
  }

  /** Reads the variables again, unless the document has unsaved changes. */
  async refresh(uri: Uri, place: FilePlace): Promise<void> {
    if (documentOf(uri)?.isDirty !== true) {
      const latest = await this.deps.read(place);
      this.opened.update(uri, { state: this.opened.find(uri)?.state ?? latest, latest });
      this.readAgain(uri);
    }
  }

  /** Shows or masks secrets. Returns the text for a document with unsaved changes, which isn't read again. */
  setSecrets(document: TextDocument, secrets: Secrets): string | undefined {
    const { uri, isDirty } = document;
    const opened = this.opened.find(uri);
    if (opened === undefined) {
      return undefined;
    }
    this.opened.update(uri, { ...opened, secrets });
    if (isDirty) {
      return showOrMask(document.getText(), commonVariables(opened.state), secrets);
    }
    this.readAgain(uri);
    return undefined;
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    if (isFolder(uri)) {
      return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { place, opened } = await this.open(uri);
    // What was typed can still be saved, which also finds out whether the right is still missing.
    const isReadOnly = this.deps.isReadOnly(place) && documentOf(uri)?.isDirty !== true;
    // VS Code reads a document again if its time or size differs. With a later time, it would refuse to save a document
    // without asking the platform, which alone knows whether anything has changed. The text's own size could be the
    // same when its version differs.
    return {
      ...{ type: FileType.File, ctime: 0, mtime: 1, size: opened.version },
      ...(isReadOnly ? { permissions: FilePermission.Readonly } : {}),
    };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const { place, opened } = await this.open(uri);
    const text = textOf({ ...opened, place, state: opened.latest }, this.deps.environments);
    this.opened.noteRead(uri, { text, state: opened.latest });
    return new TextEncoder().encode(text);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const { place, opened } = await this.open(uri);
    const { state, attempts } = opened;
    const text = this.decode(content, uri);
    const saved = await this.deps.save({
      ...{ place, uri, opened, text },
      noteLatest: (latest) => this.opened.update(uri, { state, latest }),
      noteAttempt: (wanted) => this.opened.update(uri, { state, attempts: [...attempts, wanted] }),
    });
    const heading = headingOf(place, state, this.deps.environments);
    this.opened.rebase(uri, { ...saved, saved: { text: text.replaceAll('\r\n', '\n'), heading } });
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotADirectory(uri);
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }

  private async open(uri: Uri): Promise<{ readonly place: FilePlace; readonly opened: OpenVariables }> {
    const place = variablesPlaceOf(uri);
    if (place === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    const opened =
      this.opened.find(uri) ??
      (await this.reading.share(uri.toString(), async () => {
        const state = await this.deps.read(place).catch((error: unknown) => {
          throw fileSystemError(error, uri);
        });
        return this.opened.update(uri, { state, latest: state });
      }));
    return { place, opened };
  }

  /** The person may have chosen another encoding, in which masks and values would change, some to question marks. */
  private decode(content: Uint8Array, uri: Uri): string {
    if (this.opened.isMisread(uri)) {
      throw FileSystemError.Unavailable(l10n.t('Nothing was sent. Reopen the variables as UTF-8.'));
    }
    const document = documentOf(uri);
    if (document !== undefined && !isUtf8(document)) {
      throw FileSystemError.Unavailable(l10n.t('Nothing was sent. Save the variables as UTF-8.'));
    }
    return new TextDecoder().decode(content);
  }

  /** Makes VS Code check again whether an account's open documents are read-only. */
  private checkAgain(account: string): void {
    const open = workspace.textDocuments.filter(({ uri }) => variablesPlaceOf(uri)?.account === account);
    this.changed.fire(open.map(({ uri }) => ({ uri, type: FileChangeType.Changed })));
  }

  /** Lets VS Code read the document again, unless it has unsaved changes. */
  private readAgain(uri: Uri): void {
    if (this.opened.renew(uri)) {
      this.changed.fire([{ uri, type: FileChangeType.Changed }]);
    }
  }
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
