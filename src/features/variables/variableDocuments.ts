import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  FilePermission,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  l10n,
  type TextDocument,
  Uri,
  workspace,
} from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { SharedCalls } from '../../async/sharedCalls';
import type { Containers } from '../../containers/containers';
import type { Environments } from '../../containers/environments';
import { type ContainerNames, locationText } from '../../containers/locationText';
import { type FilePlace, filePlaceOf, placeOf, uriParts } from '../../containers/place';
import { isUtf8 } from '../../files/documents';
import { fileSystemError } from '../../files/provider/fileSystemErrors';
import { scheme, variablesScheme } from '../../manifest';
import { documentOf, type OpenVariables, OpenVariablesByDocument } from './openVariables';
import { askToOverwrite, readVariables, saveVariables, VariablesConflict } from './saveVariablesFlow';
import { commonVariables, differingNames, uneditableNames, type VariablesState } from './variablesState';
import { formatVariables, replaceValues, type Secrets, showOrMask } from './variablesText';

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

  constructor(
    private readonly environments: Environments,
    private readonly containers: Containers,
    private readonly accounts: Accounts,
  ) {
    this.following = Disposable.from(
      this.opened,
      // What was saved is shown with the values that the platform has, and with new secrets masked.
      workspace.onDidSaveTextDocument(({ uri }) => this.readAgain(uri)),
      accounts.onDidChangeRights(({ slug }) => this.checkAgain(slug)),
    );
  }

  /** Reads the variables again, unless the document has unsaved changes. */
  async refresh(uri: Uri, place: FilePlace): Promise<void> {
    if (documentOf(uri)?.isDirty !== true) {
      const latest = await readVariables(place, this.containers);
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
    const lacksRight = this.accounts.find(place.account)?.lacks('AddContainerEnvVars') === true;
    const isReadOnly = lacksRight && documentOf(uri)?.isDirty !== true;
    // VS Code reads a document again if its time or size differs. With a later time, it would refuse to save a document
    // without asking the platform, which alone knows whether anything has changed. The text's own size could be the
    // same when its version differs.
    return {
      type: FileType.File,
      ctime: 0,
      mtime: 1,
      size: opened.version,
      ...(isReadOnly ? { permissions: FilePermission.Readonly } : {}),
    };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const { place, opened } = await this.open(uri);
    const text = textOf({ ...opened, place, state: opened.latest }, this.environments);
    this.opened.noteRead(uri, { text, state: opened.latest });
    return new TextEncoder().encode(text);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const { place, opened } = await this.open(uri);
    const { state, attempts } = opened;
    const text = this.decode(content, uri);
    const noteAttempt = (wanted: VariablesState) => this.opened.update(uri, { state, attempts: [...attempts, wanted] });
    const save = { place, uri, opened, text, noteAttempt };
    const saved = await saveVariables(save, this.environments, this.containers).catch(async (error: unknown) => {
      if (error instanceof VariablesConflict) {
        // So that reverting the document shows it.
        this.opened.update(uri, { state, latest: error.now });
        await askToOverwrite(error, save);
        const goBack = this.opened.rebase(uri, { state: error.now, latest: error.now });
        // The question before this is sent names everything that it changes.
        await this.writeFile(uri, content).catch((again: unknown) => {
          goBack();
          throw again;
        });
        return undefined;
      }
      throw error;
    });
    if (saved === undefined) {
      return;
    }
    const heading = headingOf(place, state, this.environments);
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
        const state = await readVariables(place, this.containers).catch((error: unknown) => {
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

/** Starts the name of each document. The language of these documents is associated with it. */
const nameStart = 'Variables of';

export function variablesUri(place: FilePlace): Uri {
  const { nodeGroup, nodeId } = place.target;
  const name = nodeId === undefined ? `${nameStart} layer ${nodeGroup}` : `${nameStart} node ${nodeId}`;
  return Uri.from({ ...uriParts({ ...place, path: `/${name}` }), scheme: variablesScheme });
}

/** Returns the node or layer whose variables a document shows. */
export function variablesPlaceOf(uri: Uri): FilePlace | undefined {
  const place = uri.scheme === variablesScheme ? filePlaceOf(uri.with({ scheme })) : undefined;
  const container = place === undefined ? undefined : { ...place, path: '/' };
  return container !== undefined && variablesUri(container).path === uri.path ? container : undefined;
}

/** VS Code checks the parent folders before it writes a file. */
function isFolder(uri: Uri): boolean {
  const place = uri.scheme === variablesScheme ? placeOf(uri.with({ scheme })) : undefined;
  return place !== undefined && (place.kind !== 'file' || place.path === '/');
}

interface DocumentContent extends Pick<OpenVariables, 'state' | 'secrets' | 'saved'> {
  readonly place: FilePlace;
}

/** Returns the text of a document with these variables, and with the comments that were last saved in it. */
export function textOf({ place, state, secrets, saved }: DocumentContent, names: ContainerNames): string {
  const [heading, values] = [headingOf(place, state, names), commonVariables(state)];
  if (saved === undefined) {
    return `${heading}\n${formatVariables(values, secrets)}`;
  }
  const isHeaded = saved.text.startsWith(saved.heading);
  const text = isHeaded ? heading + saved.text.slice(saved.heading.length) : saved.text;
  return replaceValues(text, values, secrets);
}

/** Explains the document, and names what it doesn't show. */
export function headingOf(place: FilePlace, state: VariablesState, names: ContainerNames): string {
  const [differing, uneditable] = [differingNames(state), uneditableNames(state)];
  const lines = [
    l10n.t('Variables of {0}', locationText(place, names)),
    l10n.t('When you save, Gantry shows the changes and asks before it sends them.'),
    l10n.t('Your comments stay until you close this document.'),
    l10n.t('Write line breaks and spaces at either end as in JSON: {0}', 'NAME="a\\nb "'),
    ...(differing.length === 0
      ? []
      : [
          l10n.t('These differ between nodes, and stay as they are unless you add a line: {0}', differing.join(', ')),
          l10n.t('To remove one of them, edit the variables of a node.'),
        ]),
    ...(uneditable.length === 0
      ? []
      : [
          l10n.t(
            "These can't be edited here because of their names: {0}",
            uneditable.map((one) => JSON.stringify(one)).join(', '),
          ),
        ]),
  ];
  // Names come from the platform, and must not start a line of their own.
  return lines.map((line) => `# ${line.replace(/\p{Cc}/gu, ' ')}\n`).join('');
}
