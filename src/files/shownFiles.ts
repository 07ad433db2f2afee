import {
  type Command,
  Disposable,
  env,
  type Event,
  EventEmitter,
  FileDecoration,
  type FileDecorationProvider,
  l10n,
  languages,
  LanguageStatusSeverity,
  ThemeColor,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { uriOf } from '../containers/uris';
import { flawSentence } from './wholeText';
import type { Accounts } from '../accounts/accounts';
import type { LargeFiles } from './provider/largeFiles';
import type { ReadOnlyFiles, ReadOnlyReason } from './provider/readOnlyFiles';
import { type CommandId, logScheme, scheme, type ContextKeys } from '../manifest';
import type { Listings } from '../containers/listings';
import type { Environments } from '../containers/environments';
import { locationText, shortLocationText } from '../containers/locationText';
import { isProtected, onDidChangeProtection } from '../containers/protectedEnvironments';
import { filePlaceOf, type FilePlace, keyOf, nameOf, parentOf, uriParts } from '../containers/place';
import { activeFile, uriOfTab } from './tabs';
import { setContextKey } from '../ui/contextKeys';
import { escapeMarkup, withIcon } from '../ui/escapeMarkup';
import { lackWords } from '../ui/lackText';
import { sizeText } from '../ui/sizeText';
import { createStatusItem, showStatusMessage } from '../ui/statusBar';
import type { OperationName } from '../platform/contract';

/** Shows what is known of the active file and its container. */
export function showFileStates(
  accounts: Accounts,
  environments: Environments,
  listings: Listings,
  readOnly: ReadOnlyFiles,
): Disposable {
  return Disposable.from(
    keepLacksKey(accounts),
    showReadOnlyReasons(readOnly, listings, accounts.onDidChangeRights),
    showContainerInStatusBar(environments),
  );
}

/** Shows the container of the active editor's file, to prevent edits in production instead of staging. */
function showContainerInStatusBar(
  environments: Pick<Environments, 'knownLayer' | 'titleOf' | 'onDidList'>,
): Disposable {
  const item = createStatusItem('gantry.container', l10n.t('Gantry: Container'));
  const update = () => {
    const shown = shownFile();
    const uri = shown?.scheme === logScheme ? shown.with({ scheme }) : shown;
    const place = uri && filePlaceOf(uri);
    if (place === undefined) {
      item.hide();
      return;
    }
    const title = environments.titleOf(place);
    const isProduction = isProtected({ account: place.account, name: place.environment, title });
    const icon = isProduction ? 'shield' : 'server-environment';
    const production = isProduction ? [l10n.t('production')] : [];
    item.text = withIcon(icon, [shortLocationText(place, environments), ...production].join(' · '));
    const where = l10n.t('On {0}', locationText(place, environments));
    item.tooltip = where;
    item.accessibilityInformation = { label: [where, ...production].join(', '), role: 'button' };
    item.command = {
      command: 'gantry.file.reveal' satisfies CommandId,
      title: l10n.t('Reveal in Environments View'),
      arguments: [uri],
    };
    item.show();
  };
  update();
  return Disposable.from(
    item,
    window.onDidChangeActiveTextEditor(update),
    window.tabGroups.onDidChangeTabs(update),
    window.tabGroups.onDidChangeTabGroups(update),
    workspace.onDidChangeWorkspaceFolders(update),
    environments.onDidList(update),
    onDidChangeProtection(update),
  );
}

/** The file of the active tab, which may be a page instead of text. Without one, the folder that is open alone. */
function shownFile(): Uri | undefined {
  const [folder, ...others] = workspace.workspaceFolders ?? [];
  const isNoTab = window.tabGroups.activeTabGroup.activeTab === undefined;
  return activeFile() ?? (isNoTab && others.length === 0 ? folder?.uri : undefined);
}

/** Explains why a file is read-only and what can be done about it, because VS Code only says that it is. */
function showReadOnlyReasons(readOnly: ReadOnlyFiles, listings: Listings, rightsChanged: Event<unknown>): Disposable {
  const status = languages.createLanguageStatusItem('gantry.readOnly', { scheme });
  status.name = l10n.t('Gantry: Read-Only');
  status.severity = LanguageStatusSeverity.Warning;
  const show = () => {
    const uri = window.activeTextEditor?.document.uri;
    void reasonOf(uri, readOnly, listings).then((reason) => {
      // Another editor may be active by now and has its own update.
      if (uri === window.activeTextEditor?.document.uri) {
        status.text = reason === undefined ? l10n.t('Gantry: editable') : l10n.t('Gantry: read-only');
        status.severity = reason === undefined ? LanguageStatusSeverity.Information : LanguageStatusSeverity.Warning;
        status.detail = reason === undefined ? '' : escapeMarkup(explain(reason));
        status.command = reason === undefined ? undefined : remedyOf(reason);
      }
    });
  };
  const decorations = new ReadOnlyDecorations(readOnly);
  show();
  return Disposable.from(
    status,
    decorations,
    window.registerFileDecorationProvider(decorations),
    window.onDidChangeActiveTextEditor(show),
    readOnly.onDidChange(show),
    rightsChanged(show),
  );
}

/** Shows the size of a file that was refused, because VS Code's editor only says that it's very large. */
export function showSizes(refused: LargeFiles['onDidRefuse']): Disposable {
  return refused(({ place, length }) => {
    showStatusMessage('warning', l10n.t('{0} is {1}', nameOf(place), sizeText(length, env.language)), 15_000);
  });
}

/** Lets the editor title leave out what the account of the active editor's file is known to lack. */
function keepLacksKey(accounts: Pick<Accounts, 'find' | 'onDidChange' | 'onDidChangeRights'>): Disposable {
  const update = () => {
    const uri = activeFile();
    const place = uri && filePlaceOf(uri);
    void setContextKey('gantry.editorLacks', lackWords(place && accounts.find(place.account)).join(' '));
  };
  update();
  return Disposable.from(
    window.onDidChangeActiveTextEditor(update),
    window.tabGroups.onDidChangeTabs(update),
    accounts.onDidChange(update),
    accounts.onDidChangeRights(update),
  );
}

/** Marks the known read-only files wherever VS Code shows them. */
class ReadOnlyDecorations implements FileDecorationProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  private readonly following: Disposable;
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly readOnly: ReadOnlyFiles) {
    this.following = readOnly.onDidChange((place) => this.changed.fire(uriOf(place)));
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const place = filePlaceOf(uri);
    const reason = place && this.readOnly.reasonFor(place, {});
    // These apply to every file of an account, so marking each one would be noise.
    return reason === undefined || ['tokenLacksWrite', 'nodesUnknown', 'unsafeHere'].includes(reason.kind)
      ? undefined
      : new FileDecoration('RO', l10n.t('Read-only. {0}', explain(reason)), new ThemeColor('disabledForeground'));
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }
}

async function reasonOf(
  uri: Uri | undefined,
  readOnly: ReadOnlyFiles,
  listings: Listings,
): Promise<ReadOnlyReason | undefined> {
  const place = uri && filePlaceOf(uri);
  if (place === undefined) {
    return undefined;
  }
  const peek = await listings.peek(place).catch(() => undefined);
  return readOnly.reasonFor(place, peek?.kind === 'there' ? peek.entry : {});
}

function explain(reason: ReadOnlyReason): string {
  switch (reason.kind) {
    case 'tokenLacksWrite':
      return l10n.t(
        "The access token doesn't permit {0}. Add it to the token in the dashboard, then refresh the Environments view.",
        'environment.file.Write',
      );
    case 'nodesUnknown':
      return l10n.t("Gantry doesn't know all the nodes in this layer, so it can't verify saves.");
    case 'unsafeHere':
      return l10n.t("The compatibility check found that this platform doesn't save files safely.");
    case 'refused':
      return l10n.t("The container's user doesn't have permission to write this file.");
    case 'tooLarge':
      return l10n.t("It's too large for Gantry to check for conflicts.");
    case 'linkInName':
      return l10n.t(
        "Part of its path would become a link in error messages, which isn't safe. Rename the file to edit it.",
      );
    case 'special':
      return l10n.t("It isn't a regular file ({0}).", reason.fileType);
    case 'flaw':
      return flawSentence(reason.flaw);
  }
}

function remedyOf(reason: ReadOnlyReason): Command | undefined {
  const command = (title: string, id: CommandId): Command => ({ title, command: id });
  switch (reason.kind) {
    case 'flaw':
      return command(l10n.t('Reload File'), 'gantry.file.reload');
    case 'refused':
      return command(l10n.t('Allow Editing'), 'gantry.file.allowEditing');
    case 'nodesUnknown':
      return command(l10n.t('Enter Node IDs…'), 'gantry.layer.enterNodes');
    case 'unsafeHere':
      return command(l10n.t('Check Compatibility…'), 'gantry.platform.checkCompatibility');
    case 'tokenLacksWrite':
      return { title: l10n.t('Show Missing Permissions'), command: 'gantry.access.focus' };
    case 'tooLarge':
    case 'linkInName':
    case 'special':
      return undefined;
  }
}

/** What commands in the Explorer need, by the context key for folders whose account lacks it. */
const lackedKeys = [
  ['gantry.foldersWithoutWrite', 'Write'],
  ['gantry.foldersWithoutUpload', 'Upload'],
  ['gantry.foldersWithoutUnpackById', 'UnpackById'],
  ['gantry.foldersWithoutUnpackByType', 'UnpackByType'],
  ['gantry.foldersWithoutAddFavorite', 'AddFavorite'],
] as const satisfies readonly (readonly [keyof ContextKeys, OperationName])[];

type FoldersKey = 'gantry.foldersOnSeveralNodes' | 'gantry.deployedFolders' | (typeof lackedKeys)[number][0];
type KeptKeys = { readonly [K in FoldersKey]: ContextKeys[K] };

/**
 * The folders of open files and of those in the Explorer, for context keys: `when` clauses can only look up a file's
 * folder. VS Code asks for the decoration of every file that it shows in the Explorer, so this learns the folders from
 * that, without a request.
 */
export class ShownFolders implements Disposable {
  private readonly folders = new Map<string, FilePlace>();
  private readonly updates = new Set<() => void>();
  private readonly listening: Disposable;

  constructor(private readonly report: (error: unknown) => void) {
    const noteTabs = () => this.note(window.tabGroups.all.flatMap(({ tabs }) => tabs).map(uriOfTab));
    noteTabs();
    this.listening = Disposable.from(
      window.tabGroups.onDidChangeTabs(noteTabs),
      window.registerFileDecorationProvider({
        provideFileDecoration: (uri) => {
          this.note([uri]);
          return undefined;
        },
      }),
    );
  }

  /**
   * Keeps a context key with the paths of those folders that match, and checks them again after an event. Folders of
   * several accounts can have the same path.
   */
  keepKey(
    key: keyof KeptKeys,
    matches: (folder: FilePlace) => boolean,
    changed: (listener: () => void) => Disposable,
    { ofAccounts = 'some' }: { readonly ofAccounts?: 'some' | 'all' } = {},
  ): Disposable {
    let shown = '';
    const update = () => {
      const all = [...this.folders.values()].map((folder) => ({ path: uriParts(folder).path, is: matches(folder) }));
      const excluded = new Set(ofAccounts === 'all' ? all.filter(({ is }) => !is).map(({ path }) => path) : []);
      const paths = all.filter(({ is, path }) => is && !excluded.has(path)).map(({ path }) => path);
      const now = paths.sort().join('\n');
      if (now !== shown) {
        shown = now;
        setContextKey(key, paths).catch(this.report);
      }
    };
    this.updates.add(update);
    update();
    return Disposable.from(changed(update), new Disposable(() => this.updates.delete(update)));
  }

  dispose(): void {
    this.listening.dispose();
  }

  private note(uris: readonly (Uri | undefined)[]): void {
    const known = this.folders.size;
    for (const uri of uris) {
      const place = uri && filePlaceOf(uri);
      const folder = place && parentOf(place);
      if (folder !== undefined) {
        this.folders.set(keyOf(folder), folder);
      }
    }
    if (this.folders.size !== known) {
      this.updates.forEach((update) => update());
    }
  }
}

/** A layer that isn't known yet may have several nodes. */
export function keepSeveralNodesKey(
  shown: ShownFolders,
  environments: Pick<Environments, 'knownLayer' | 'onDidList'>,
): Disposable {
  const mayHaveSeveralNodes = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return layer === undefined || layer.nodes.length > 1;
  };
  return shown.keepKey('gantry.foldersOnSeveralNodes', mayHaveSeveralNodes, environments.onDidList);
}

/** Folders whose account is known to lack what a command needs, so that menus in the Explorer leave it out. */
export function keepLackedKeys(
  shown: ShownFolders,
  accounts: Pick<Accounts, 'find' | 'onDidChange' | 'onDidChangeRights'>,
): Disposable {
  const changed = (listener: () => void) =>
    Disposable.from(accounts.onDidChange(listener), accounts.onDidChangeRights(listener));
  const isLackedIn = ({ account }: FilePlace, operation: OperationName) =>
    accounts.find(account)?.lacks(operation) === true;
  return Disposable.from(
    ...lackedKeys.map(([key, operation]) =>
      shown.keepKey(key, (folder) => isLackedIn(folder, operation), changed, { ofAccounts: 'all' }),
    ),
  );
}
