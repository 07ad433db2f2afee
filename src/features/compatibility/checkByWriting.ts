import type { CheckResult } from '../../compatibility/compatibilityStore';
import type { StepResults, StoredText } from '../../compatibility/fact';
import { factsIn } from '../../compatibility/facts';
import { addressOf } from '../../containers/containers';
import { type FilePlace, childOf, nameOf, type Target, wholeLayer } from '../../containers/place';
import { type ProbeDeps, Recorder } from './report';
import { inScratchFolder, namesBeside, type ScratchDeps, ScratchFiles, type ScratchFolders } from './scratchFolder';

/** A check with the part that writes, and the folders that it couldn't remove. */
export interface WrittenCheck {
  readonly result: CheckResult;
  readonly left: readonly FilePlace[];
  /** Why the part that writes ended early. */
  readonly error?: unknown;
}

/** Adds the part that writes, in a new folder below `parents`, one for each node. */
export async function checkByWriting(
  deps: ProbeDeps & ScratchDeps,
  before: CheckResult,
  name: string,
): Promise<WrittenCheck> {
  const recorder = new Recorder();
  const { left, ...scratch } = await inScratchFolder(deps, name, async (folders) =>
    factsIn(await changeEverything(deps, recorder, folders)),
  );
  const isIncomplete = 'error' in scratch;
  const result = {
    ...before,
    facts: { ...before.facts, ...(isIncomplete ? {} : scratch.value) },
    observations: [...before.observations, ...(isIncomplete ? [] : recorder.observations)],
    hasWritten: true,
    isIncomplete,
    leftFolders: left.length,
  };
  return isIncomplete ? { result, left, error: scratch.error } : { result, left };
}

/** Changes files in an empty folder on each node, which is removed afterward. */
async function changeEverything(deps: ProbeDeps, recorder: Recorder, folders: ScratchFolders): Promise<StepResults> {
  const { created, shown, misdirected } = folders;
  const [first] = created;
  if (first === undefined) {
    return {};
  }
  if (misdirected.includes(first)) {
    // What is written there can't be read there, so nothing else can be found out.
    return { oneNode: 'ignored' };
  }
  const files = new ScratchFiles(deps, recorder, first, created);
  const why = shown.length > 0 ? await whyShown(files, folders) : undefined;
  return {
    oneNode: misdirected.length > 0 ? 'ignored' : why,
    ...(await storeTexts(files)),
    ...(await changeFiles(files)),
    // In a folder that several nodes show, it can't be seen which of them a change reached.
    ...(created.length > 1 && shown.length === 0 && misdirected.length === 0 ? await changeLayer(files) : {}),
  };
}

/** Finds out why other nodes show the folder that was created on the first one, as far as that can be known. */
async function whyShown(files: ScratchFiles, folders: ScratchFolders): Promise<StepResults['oneNode']> {
  if (await areParentsSeparate(files, folders)) {
    return 'everyNode';
  }
  for (const { target } of folders.shown) {
    if (await areToldApart(files, [files.folder.target, target])) {
      return 'sameFolder';
    }
  }
  const where = { ...addressOf(files.folder), nodeid: noNode, path: '/' };
  const { account, signal, recorder } = files;
  const reply = await recorder.look('GetList, a node that does not exist', () =>
    account.inspect('GetList', where, { signal }),
  );
  return reply?.code === 0 ? 'ignored' : 'sameFolder';
}

/** A node ID that the platform never assigned. */
const noNode = 2_147_483_647;

/** Whether the parent folders have different files, so that the nodes can't share them. */
async function areParentsSeparate(files: ScratchFiles, { shown, namesBefore }: ScratchFolders): Promise<boolean> {
  const own = await steadyNames(files, files.folder, namesBefore);
  for (const folder of own === undefined ? [] : shown) {
    const names = await steadyNames(files, folder, namesBefore);
    if (names !== undefined && names !== own) {
      return true;
    }
  }
  return false;
}

/**
 * Returns the names beside a scratch folder, or undefined if they have changed in the meantime, which proves nothing.
 */
async function steadyNames(
  files: ScratchFiles,
  folder: FilePlace,
  namesBefore: ScratchFolders['namesBefore'],
): Promise<string | undefined> {
  const scratch = nameOf(folder);
  const [before, now] = [namesBefore.get(folder), await namesBeside(files, folder)].map(
    (names) => names && JSON.stringify([...names].filter((name) => name !== scratch).sort()),
  );
  return before === now ? now : undefined;
}

/** What usually differs from node to node: each has its own, even if they share other folders. */
const ownFolder = '/etc';
const ownFiles = ['/etc/hostname', '/etc/hosts'];

/** Whether reads show that two nodes have different files of their own. */
async function areToldApart(files: ScratchFiles, [one, other]: readonly [Target, Target]): Promise<boolean> {
  const look = async (target: Target): Promise<readonly (string | undefined)[]> => {
    const at = (path: string): FilePlace => ({ ...files.folder, target, path });
    const entries = await files.entries(at(ownFolder));
    const rows = entries?.map(({ name, length, lastModified }) => [name, length, lastModified]).sort();
    const texts = await Promise.all(ownFiles.map((path) => files.text(at(path))));
    return [rows && JSON.stringify(rows), ...texts];
  };
  const [before, there, after] = [await look(one), await look(other), await look(one)];
  return before.some(
    (value, index) =>
      value !== undefined && there[index] !== undefined && value === after[index] && value !== there[index],
  );
}

const lineEnds = 'a\r\nb\r\n';
const mark = '\uFEFFa\n';
const nonAscii = 'ä€😀\n';
const line = 'Gantry checks long texts.\n';

/** Each text goes to a new file, so that nothing depends on how existing files are overwritten. */
async function storeTexts(files: ScratchFiles): Promise<StepResults> {
  return {
    lineEnds: await store(files, 'lineEnds', lineEnds),
    mark: await store(files, 'mark', mark),
    nonAscii: await store(files, 'nonAscii', nonAscii),
    // In a URL, each piece is a request.
    long: await store(files, 'long', line.repeat(files.account.transport === 'query' ? 200 : 8_000)),
  };
}

async function store(files: ScratchFiles, name: string, sent: string): Promise<StoredText | undefined> {
  const file = childOf(files.folder, `${name}.txt`);
  const at = { ...addressOf(file), path: file.path };
  const [first = sent, ...rest] = files.account.pieces({ ...at, body: sent });
  const isWritten = await files.change(`Write, ${name}`, 'Write', { ...at, body: first, isAppendMode: false });
  for (const piece of rest) {
    await files.change(`Append, ${name}`, 'Append', { ...at, body: piece });
  }
  const entries = isWritten === true ? await files.entries(files.folder) : undefined;
  const listedAt = Date.now();
  const entry = entries?.find(({ absolutePath }) => absolutePath === file.path);
  const text = entry && (await files.text(file));
  return text === undefined
    ? undefined
    : { sent, text, listedAt, length: entry?.length, lastModified: entry?.lastModified };
}

/** Finds out what happens to a file that exists, and whether files can be moved and deleted. */
async function changeFiles(files: ScratchFiles): Promise<StepResults> {
  return {
    ...(await overwrite(files)),
    created: await createOnto(files),
    isKeptByRename: await isKeptBy(files, 'Rename'),
    isKeptByCopy: await isKeptBy(files, 'Copy'),
    isMoved: await moveAcross(files),
    isDeleted: await remove(files),
  };
}

async function overwrite(files: ScratchFiles): Promise<StepResults> {
  const file = childOf(files.folder, 'overwrite.txt');
  const at = { ...addressOf(file), path: file.path };
  const write = (body: string, isAppendMode: boolean) =>
    files.change(`Write, isAppendMode=${isAppendMode}`, 'Write', { ...at, body, isAppendMode });
  const changed = async (before: string, sent: string, change: () => ReturnType<typeof write>) => {
    const after = (await change()) === true ? await files.text(file) : undefined;
    return after === undefined ? undefined : { before, sent, after };
  };
  const [one, two, three, four] = ['one\n', 'two\n', 'three\n', 'four\n'];
  await write(one, false);
  const overwritten = await changed(one, two, () => write(two, false));
  const added = await changed(overwritten?.after ?? '', three, () => write(three, true));
  const appended = await changed(added?.after ?? '', four, () =>
    files.change('Append', 'Append', { ...at, body: four }),
  );
  return { overwritten, added, appended };
}

async function createOnto(files: ScratchFiles): Promise<StepResults['created']> {
  const file = childOf(files.folder, 'create.txt');
  await files.write(file, 'kept\n');
  const at = { ...addressOf(file), path: file.path, isdir: false };
  const isDone = await files.change('Create, existing file', 'Create', at);
  const text = isDone === undefined ? undefined : await files.text(file);
  return isDone === undefined || text === undefined ? undefined : { isDone, isKept: text === 'kept\n' };
}

async function isKeptBy(files: ScratchFiles, operation: 'Rename' | 'Copy'): Promise<boolean | undefined> {
  const source = childOf(files.folder, `${operation}-source.txt`);
  const target = childOf(files.folder, `${operation}-target.txt`);
  await files.write(source, 'source\n');
  await files.write(target, 'target\n');
  const where = addressOf(source);
  await (operation === 'Rename'
    ? files.change('Rename, onto a file', 'Rename', { ...where, oldPath: source.path, newPath: target.path })
    : files.change('Copy, onto a file', 'Copy', { ...where, src: source.path, dest: target.path }));
  const text = await files.text(target);
  return text === undefined ? undefined : text === 'target\n';
}

async function moveAcross(files: ScratchFiles): Promise<boolean | undefined> {
  const folder = childOf(files.folder, 'folder');
  const file = childOf(files.folder, 'across.txt');
  const at = addressOf(file);
  await files.change('Create, folder', 'Create', { ...at, path: folder.path, isdir: true });
  await files.write(file, 'moved\n');
  const newPath = childOf(folder, 'across.txt').path;
  return files.change('Rename, into another folder', 'Rename', { ...at, oldPath: file.path, newPath });
}

async function remove(files: ScratchFiles): Promise<boolean | undefined> {
  const file = childOf(files.folder, 'delete.txt');
  await files.write(file, 'deleted\n');
  const isReported = await files.change('Delete', 'Delete', { ...addressOf(file), path: file.path });
  const entries = await files.entries(files.folder);
  return isReported === true ? entries?.every(({ name }) => name !== 'delete.txt') : undefined;
}

/** Finds out which nodes changes reach: the earlier ones, which were made on the first node, and changes of the whole layer. */
async function changeLayer(files: ScratchFiles): Promise<StepResults> {
  const onOthers = await entriesOnEach(files, files.folders.slice(1));
  const layer = wholeLayer(files.folder);
  const reach = async (masterOnly: boolean): Promise<number | undefined> => {
    const name = `masterOnly-${masterOnly}.txt`;
    const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly };
    const step = `Write, masterOnly=${masterOnly}`;
    const isWritten = await files.change(step, 'Write', { ...at, body: 'layer\n', isAppendMode: false });
    const found = await entriesOnEach(files, files.folders);
    return isWritten === true
      ? found?.filter((entries) => entries.some((entry) => entry.name === name)).length
      : undefined;
  };
  const reached = { true: await reach(true), false: await reach(false), nodes: files.folders.length };
  return {
    oneNode: onOthers && (onOthers.every((entries) => entries.length === 0) ? 'honored' : 'everyNode'),
    reached,
    nodeFailure: await createOnSecond(files, layer, factsIn({ reached }).masterOnly === 'reversed'),
  };
}

/** Creates a file on all nodes that exists on the second one. */
async function createOnSecond(
  files: ScratchFiles,
  layer: FilePlace,
  masterOnly: boolean,
): Promise<StepResults['nodeFailure']> {
  const [, second] = files.folders;
  if (second === undefined) {
    return undefined;
  }
  const name = 'node-failure.txt';
  await files.write(childOf(second, name), 'there\n');
  files.signal.throwIfAborted();
  const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly, isdir: false };
  return files.recorder.look('Create, existing file on one of several nodes', () =>
    files.account.inspect('Create', at),
  );
}

/** Returns what each folder has, or undefined if one can't be listed. */
async function entriesOnEach(files: ScratchFiles, folders: readonly FilePlace[]) {
  const found = await Promise.all(folders.map((folder) => files.entries(folder)));
  const known = found.filter((entries) => entries !== undefined);
  return known.length === found.length ? known : undefined;
}
