import { ExpectedError } from '../../ui/expectedError';
import {
  commands,
  env,
  FileChangeType,
  l10n,
  TabInputText,
  type Uri,
  ViewColumn,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { unsavedIn, uriOfTab } from '../../files/tabs';
import { isAlteration, type ProvenText } from '../../files/text';
import { readProvenText } from '../../files/wholeText';
import { stopIfAborted } from '../../files/transfers/transfer';
import type { Listings } from '../../containers/listings';
import { locationText } from '../../containers/locationText';
import { confirmChange } from '../../ui/commands/protectedPrompt';
import { childOf, type FilePlace, isSameContainer, nameOf, parentOf, parentOrSelf } from '../../containers/place';
import { reportFailures, runEach, succeeded } from '../../ui/batchOutcomes';
import type { Some } from '../../ui/commands/command';
import { step } from '../../ui/commands/runner';
import { modalLines } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askValue } from '../../ui/quickPick';
import type { ShownTexts } from '../../ui/shownTexts';
import type { CommandTarget } from '../../trees/sharedElement';
import { uriOf } from '../../containers/uris';
import { rememberShown } from './changedSinceShown';
import type { Services } from '../../services';
import type { FileChange } from '../../files/provider/containerFileSystem';

export function fileCommands(services: Services) {
  const { targets } = services;
  return {
    ...openCommands(services),
    'gantry.file.create': targets.onFolder(creatingFile(services)),
    'gantry.folder.create': targets.onFolder(creatingFolder(services)),
    'gantry.file.rename': targets.onRemovable(renaming(services)),
    'gantry.file.delete': targets.onRemovable((all) => deleteIfConfirmed(all, services)),

    'gantry.file.copyPath': targets.onAll(async (all) => {
      await env.clipboard.writeText(all.map(({ place }) => place.path).join('\n'));
    }),

    'gantry.file.copyRelativePath': targets.onAll(async (all) => {
      await env.clipboard.writeText(all.map(({ place }) => relativePathOf(place)).join('\n'));
    }),
  };
}

function openCommands({ targets, containers, listings, texts, pages }: Services) {
  return {
    'gantry.file.open': targets.onAll(async (all) => {
      for (const { place } of all) {
        await commands.executeCommand('vscode.open', uriOf(place), { preview: all.length === 1 });
      }
    }, isFile),

    'gantry.file.openToSide': targets.onAll(async (all) => {
      let viewColumn: ViewColumn = ViewColumn.Beside;
      for (const { place } of all) {
        await commands.executeCommand('vscode.open', uriOf(place), { viewColumn, preview: false });
        viewColumn = ViewColumn.Active;
      }
    }, isFile),

    'gantry.file.showAsText': targets.onFile(async (file) => {
      const title = l10n.t('Reading {0}', file.path);
      const proven = await withProgress(title, ({ signal }) => readProvenText(file, { containers, listings }, signal));
      await pages.shown(file);
      await window.showTextDocument(readOnlyText(file, proven, texts), { preview: true });
    }),
  };
}

function creatingFile({ containers, listings, features }: Services) {
  return step({
    needs(folder: FilePlace) {
      // Without the right to create files, writing creates the file.
      if (containers.account(folder.account).lacks('Write')) {
        containers.ensureOffered('Create', folder);
      }
    },
    ask: (folder) => askForNew(l10n.t('New File'), folder, listings),
    progress: (_, { place }) => l10n.t('Creating {0}', place.path),
    async run(folder, { name, place }) {
      await makeFoldersAbove(place, folder);
      // VS Code's call replaces an existing file, which the prompt recognizes only in the folder itself.
      if ((await listings.lookUp(place)) !== undefined) {
        throw new ExpectedError(l10n.t('“{0}” already exists.', name));
      }
      await workspace.fs.writeFile(uriOf(place), new Uint8Array());
    },
    async done(_, __, { place }) {
      await commands.executeCommand('vscode.open', uriOf(place), { preview: false });
      await features.tree.loaded?.reveal(place);
    },
  });
}

function creatingFolder({ containers, listings, features }: Services) {
  return step({
    needs: (above: FilePlace) => containers.ensureOffered('Create', above),
    ask: (above) => askForNew(l10n.t('New Folder'), above, listings),
    progress: (_, { place }) => l10n.t('Creating {0}', place.path),
    run: (_, { place }) => workspace.fs.createDirectory(uriOf(place)),
    done: (_, __, { place }) => features.tree.loaded?.reveal(place),
  });
}

function renaming({ containers, listings, environments, features }: Services) {
  return step({
    needs: ([{ place }]: Some<CommandTarget>) => containers.ensureOffered('Rename', place),
    async ask([{ place }]) {
      await containers.changeAddress(place, 'rename');
      const ensureSameNodes = await containers.rememberNodes([place], 'rename');
      const above = parentOrSelf(place);
      const value = nameOf(place);
      const there = await listings.list(above);
      const title = l10n.t('Rename {0}', value);
      const prompt = l10n.t('Enter a new name in {0}', above.path);
      const name = await askName({ title, prompt, value, taken: (text) => there.has(text) });
      return name === undefined ? undefined : { target: childOf(above, name), ensureSameNodes };
    },
    confirm: ([{ place }], { target }) => ({
      when: 'inProduction',
      places: [place],
      titles: environments,
      question: l10n.t('Rename “{0}” to “{1}”?', place.path, nameOf(target)),
      paragraphs: [mayBeMissed()],
      button: l10n.t('Rename'),
    }),
    progress: ([{ place }]) => l10n.t('Renaming {0}', nameOf(place)),
    async run([{ place }], { target, ensureSameNodes }) {
      await ensureSameNodes();
      await moveWithinContainer(place, target);
    },
    done: (_, __, { target }) => features.tree.loaded?.reveal(target),
  });
}

async function deleteIfConfirmed(toDelete: Some<CommandTarget>, services: Services): Promise<void> {
  const { containers } = services;
  const places = toDelete.map(({ place }) => place);
  containers.ensureOffered('Delete', ...places);
  // Before the question, because there may be nothing to ask.
  await Promise.all(places.map((place) => containers.changeAddress(place, 'delete')));
  const ensureSameNodes = await containers.rememberNodes(places, 'delete');
  const shown = rememberShown(places, services);
  try {
    if (!(await confirmDelete(toDelete, services)) || !(await shown.confirmChanged())) {
      return;
    }
  } finally {
    shown.dispose();
  }
  await ensureSameNodes();
  await deleteAll(toDelete, services);
}

function isFile({ isFolder }: CommandTarget): boolean {
  return !isFolder;
}

/** The path in the opened folder, as in VS Code's Explorer, or in the container if its folder isn't open. */
function relativePathOf(place: FilePlace): string {
  const uri = uriOf(place);
  const isOpen = workspace.getWorkspaceFolder(uri) !== undefined;
  return isOpen ? workspace.asRelativePath(uri, false) : place.path.slice(1);
}

/** Opens a text as the platform returned it. It can't be saved, and its tab says if it isn't exactly the file. */
export function readOnlyText(file: FilePlace, { text, flaw }: ProvenText, texts: ShownTexts): Uri {
  return texts.add(isAlteration(flaw) ? l10n.t('(not exact) {0}', nameOf(file)) : nameOf(file), text);
}

async function askForNew(title: string, folder: FilePlace, listings: Listings) {
  const there = await listings.list(folder);
  const prompt = l10n.t('Name or path in {0}, for example notes or a/b', folder.path);
  const name = await askName({ title, prompt, taken: (text) => there.has(text), path: true });
  return name === undefined ? undefined : { name, place: childOf(folder, name) };
}

async function makeFoldersAbove(file: FilePlace, known: FilePlace): Promise<void> {
  const above = parentOf(file);
  if (above !== undefined && above.path !== known.path) {
    await workspace.fs.createDirectory(uriOf(above));
  }
}

/** Moves within a container. Editors of the moved files move too, including unsaved edits. */
export async function moveWithinContainer(from: FilePlace, to: FilePlace): Promise<void> {
  const [source, target] = [uriOf(from), uriOf(to)];
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = [...workspace.textDocuments.map(({ uri }) => uri), ...tabs.flatMap((tab) => uriOfTab(tab) ?? [])];
  if (!shown.some((uri) => isAtOrBelow(uri, source))) {
    await workspace.fs.rename(source, target, { overwrite: false });
    return;
  }
  const edit = new WorkspaceEdit();
  edit.renameFile(source, target, { overwrite: false });
  if (!(await workspace.applyEdit(edit))) {
    throw new ExpectedError(
      l10n.t("Couldn't move {0} to {1}. See the Window log in the Output panel for details.", from.path, to.path),
    );
  }
}

export const mayBeMissed = () => l10n.t('Programs in the container that use it may stop working.');

/** Throws if something at or below these places has changes that aren't saved. */
export function ensureSaved(places: readonly FilePlace[]): void {
  const [unsaved] = places.flatMap((place) => unsavedIn(place) ?? []);
  if (unsaved !== undefined) {
    throw new ExpectedError(l10n.t('{0} has unsaved changes. Save or revert them first.', nameOf(unsaved)));
  }
}

function isAtOrBelow(uri: Uri, folder: Uri): boolean {
  return `${uri.toString()}/`.startsWith(`${folder.toString()}/`);
}

/** Closes editors of deleted files, except those with unsaved edits. */
async function closeEditorsOf(place: FilePlace): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const closing = tabs.filter(
    ({ input, isDirty }) => !isDirty && input instanceof TabInputText && isAtOrBelow(input.uri, uriOf(place)),
  );
  await window.tabGroups.close(closing);
}

async function deleteAll(toDelete: readonly CommandTarget[], services: Services): Promise<void> {
  const { queue, fileSystem, announce, features, report } = services;
  const [first] = toDelete;
  const since = Date.now();
  const title =
    toDelete.length === 1 && first !== undefined
      ? l10n.t('Deleting {0}', nameOf(first.place))
      : l10n.t('Deleting {0} items', toDelete.length);
  const { outcomes, canceled } = await withProgress(title, ({ signal, say }) =>
    runEach(toDelete, async (target) => {
      const { place } = target;
      stopIfAborted(signal);
      say(place.path, toDelete.length === 1 ? undefined : toDelete.indexOf(target) / toDelete.length);
      // Also after a failure, because part of a folder may be deleted.
      let change: FileChange = { place, type: FileChangeType.Deleted };
      let isCertain = false;
      try {
        change = await queue.take([place], () => fileSystem.deleteInTurn(place, { signal, keepsText: true }));
        isCertain = true;
        await closeEditorsOf(place);
      } finally {
        announce([change], { isCertain });
      }
    }),
  );
  const deleted = succeeded(outcomes).map(({ place }) => place);
  void features.versions.use(({ offerDeleted }) => offerDeleted(deleted, since)).catch(report);
  if (canceled !== undefined) {
    report(canceled);
  }
  await reportFailures(
    outcomes,
    ({ place }) => place.path,
    (failed, all) => l10n.t("Couldn't delete {0} of {1} items.", failed, all),
  );
}

async function confirmDelete(toDelete: Some<CommandTarget>, services: Services): Promise<boolean> {
  const { environments, features } = services;
  const [first] = toDelete;
  const name = nameOf(first.place);
  const locationOf = ({ place }: CommandTarget) => locationText(place, environments);
  const isTogether = toDelete.every(({ place }) => isSameContainer(place, first.place));
  const question =
    toDelete.length > 1
      ? l10n.t('Delete these {0} files and folders?', toDelete.length)
      : first.isFolder
        ? l10n.t('Delete the folder “{0}” and everything in it?', name)
        : l10n.t('Delete “{0}”?', name);
  const lines = toDelete.map((one) => (isTogether ? one.place.path : `${one.place.path} · ${locationOf(one)}`));
  // Without them, it says that nothing can be restored, and still deletes what is to be deleted.
  const restorable = await features.versions
    .use(({ restorableText }) => restorableText(toDelete))
    .catch(() => undefined);
  const where = isTogether ? whereText(toDelete.length === 1, restorable !== undefined, locationOf(first)) : undefined;
  const consequence = [where, restorable ?? (isTogether ? undefined : l10n.t("This can't be undone."))];
  const places = toDelete.map(({ place }) => place);
  const paragraphs = [modalLines(lines), consequence.filter(Boolean).join(' ')];
  return confirmChange(places, environments, { question, paragraphs, button: l10n.t('Delete') });
}

function whereText(isOne: boolean, isRestorable: boolean, where: string): string {
  if (isRestorable) {
    return isOne ? l10n.t('This deletes it from {0}.', where) : l10n.t('This deletes them from {0}.', where);
  }
  return isOne
    ? l10n.t('This permanently deletes it from {0}.', where)
    : l10n.t('This permanently deletes them from {0}.', where);
}

const longestName = 255;

interface NameQuestion {
  readonly title: string;
  readonly prompt: string;
  /** The initial value. The part before the extension is selected. */
  readonly value?: string;
  /** Whether an entry with this name exists. */
  readonly taken: (name: string) => boolean;
  /** Whether a path such as `a/b` is allowed; its folders are then created. */
  readonly path?: boolean;
  /** Whether the initial value is a proposal. Otherwise, it's the current name, and entering it changes nothing. */
  readonly isNew?: boolean;
}

/** Asks for a file or folder name and validates it while typing. */
export async function askName(question: NameQuestion): Promise<string | undefined> {
  const { title, prompt, value = '', taken, path = false, isNew = false } = question;
  const current = isNew ? '' : value;
  const end = value.lastIndexOf('.');
  const entered = await askValue({
    title,
    prompt,
    value,
    valueSelection: [0, end > 0 ? end : value.length],
    validateInput: (text) => (text === current && current !== '' ? undefined : nameProblem(text, { path, taken })),
  });
  return entered === current || entered === '' ? undefined : entered;
}

export function nameProblem(text: string, { path, taken }: Pick<NameQuestion, 'path' | 'taken'>): string | undefined {
  if (text === '') {
    return l10n.t('Enter a name.');
  }
  if (text.includes('/') && path !== true) {
    return l10n.t("A name can't contain a slash.");
  }
  const parts = text.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) {
    return l10n.t("“{0}” isn't a valid file or folder name.", text);
  }
  if (parts.some((part) => Buffer.byteLength(part) > longestName)) {
    return l10n.t('This name is too long.');
  }
  return taken(text) ? l10n.t('“{0}” already exists.', text) : undefined;
}
