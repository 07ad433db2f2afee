import { type FilePlace, childOf, nameOf, type Target, wholeLayer } from '../containers/place';
import { knownFacts, type Facts } from './facts';
import { type ProbeDeps, type Probed, clockFact } from './observation';
import { namesBeside, ScratchFiles, type ScratchFolders } from './scratchFolder';
import { addressOf } from '../containers/containers';
import { openEnvelope } from '../platform/envelope';
import { fieldOf, readInteger } from '../platform/wire/scalars';
import type { FileEntry } from '../platform/wire/fileEntry';
import { readTimestamp } from '../platform/wire/timestamp';
import { lengthFact } from './replyFacts';

/** Finds out by writing, in an empty folder on each node, which is removed afterwards. */
export async function probeByWriting(deps: ProbeDeps, folders: ScratchFolders): Promise<Probed> {
  const { created, shown, misdirected } = folders;
  const [first, ...others] = created;
  if (first === undefined) {
    return { facts: {}, observations: [] };
  }
  if (misdirected.includes(first)) {
    // What is written there can't be read there, so nothing else can be found out.
    return { facts: { oneNode: 'ignored' }, observations: [] };
  }
  const files = new ScratchFiles(deps, first, created);
  const found = {
    ...(shown.length > 0 ? { oneNode: await sameFolderFact(files, folders) } : {}),
    ...(misdirected.length > 0 ? { oneNode: 'ignored' } : {}),
    ...(await probeTexts(files)),
    ...(await probeChanges(files)),
    // In a folder that several nodes show, it can't be seen which of them a change reached.
    ...(others.length > 0 && shown.length === 0 && misdirected.length === 0
      ? { ...(await probeOneNode(files)), ...(await probeLayer(files)) }
      : {}),
  };
  return { facts: knownFacts(found), observations: files.recorder.observations };
}

/** Finds out why other nodes show the folder that was created on the first one, as far as that can be known. */
async function sameFolderFact(files: ScratchFiles, folders: ScratchFolders): Promise<Facts['oneNode']> {
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
  const seen = await recorder.look('GetList, a node that does not exist', () =>
    account.inspect('GetList', where, { signal }),
  );
  return seen?.code === 0 ? 'ignored' : 'sameFolder';
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

/** Finds out whether the earlier changes, which were all made on the first node, also reached the other nodes. */
async function probeOneNode(files: ScratchFiles): Promise<Facts> {
  const others = files.folders.slice(1);
  const found = await Promise.all(others.map((folder) => files.entries(folder)));
  if (found.length === 0 || found.some((entries) => entries === undefined)) {
    return {};
  }
  return { oneNode: found.every((entries) => entries?.length === 0) ? 'honored' : 'everyNode' };
}

/** Finds out which nodes of a layer a change reaches. */
async function probeLayer(files: ScratchFiles): Promise<Facts> {
  const layer = wholeLayer(files.folder);
  const reach = async (masterOnly: boolean): Promise<number | undefined> => {
    const name = `masterOnly-${masterOnly}.txt`;
    const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly };
    const step = `Write, masterOnly=${masterOnly}`;
    const isWritten = await files.change(step, 'Write', { ...at, body: 'layer\n', isAppendMode: false });
    const found = await Promise.all(files.folders.map((folder) => files.entries(folder)));
    if (isWritten !== true || found.some((entries) => entries === undefined)) {
      return undefined;
    }
    return found.filter((entries) => entries?.some((entry) => entry.name === name)).length;
  };
  const [master, all] = [await reach(true), await reach(false)];
  const masterOnly = masterFact(master, all, files.folders.length);
  return { masterOnly, ...(await nodeFailure(files, layer, masterOnly === 'reversed')) };
}

/** Creates a file on all nodes that exists on the second one. */
async function nodeFailure(files: ScratchFiles, layer: FilePlace, masterOnly: boolean): Promise<Facts> {
  const [, second] = files.folders;
  if (second === undefined) {
    return {};
  }
  const name = 'node-failure.txt';
  await files.write(childOf(second, name), 'there\n');
  files.signal.throwIfAborted();
  const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly, isdir: false };
  const seen = await files.recorder.look('Create, existing file on one of several nodes', () =>
    files.account.inspect('Create', at),
  );
  const result = seen?.body === undefined ? undefined : readInteger(fieldOf(seen.body, 'result'));
  if (result === undefined || openEnvelope(seen?.body, 'zero').said !== 'failure') {
    return {};
  }
  return { nodeFailures: result === 0 ? 'nested' : 'outer' };
}

function masterFact(master: number | undefined, all: number | undefined, nodes: number): Facts['masterOnly'] {
  if (master === undefined || all === undefined) {
    return undefined;
  }
  if (all === nodes) {
    return master === nodes ? 'ignored' : 'honored';
  }
  return master === nodes ? 'reversed' : 'masterAlways';
}

const lineEnds = 'a\r\nb\r\n';
const mark = '\uFEFFa\n';
const nonAscii = 'ä€😀\n';
const longText = 'Gantry checks long texts.\n'.repeat(8_000);
/** In a URL, each piece is a request. */
const longTextInUrl = 'Gantry checks long texts.\n'.repeat(200);

/** Each text goes to a new file, so that nothing depends on how existing files are overwritten. */
async function probeTexts(files: ScratchFiles): Promise<Facts> {
  const long = files.account.transport === 'query' ? longTextInUrl : longText;
  const texts = { lineEnds, mark, nonAscii, long };
  const seen: { -readonly [K in keyof typeof texts]?: Stored } = {};
  for (const name of ['lineEnds', 'mark', 'nonAscii', 'long'] as const) {
    const stored = await store(files, name, texts[name]);
    if (stored !== undefined) {
      seen[name] = stored;
    }
  }
  const stampedAt = readTimestamp(seen.nonAscii?.entry.lastModified);
  const lengths = seen.nonAscii?.entry.length;
  const altered = (name: keyof typeof texts) => {
    const length = seen[name]?.entry.length;
    if (seen[name] === undefined || length === undefined) {
      return undefined;
    }
    return lengthFact(texts[name], length) === 'other' ? 'altered' : 'exact';
  };
  return {
    readTexts: readFact(seen, texts),
    lengths: lengths === undefined ? undefined : lengthFact(nonAscii, lengths),
    writeLineEnds: altered('lineEnds'),
    writeMark: altered('mark'),
    writeNonAscii: altered('nonAscii'),
    writeLong: seen.long !== undefined && seen.long.text !== long ? 'altered' : altered('long'),
    fileClock: clockFact(stampedAt, Date.now()),
  };
}

async function store(files: ScratchFiles, name: string, text: string): Promise<Stored | undefined> {
  const file = childOf(files.folder, `${name}.txt`);
  const at = { ...addressOf(file), path: file.path };
  const { account } = files;
  const [first = text, ...rest] = account.pieces({ ...at, body: text });
  const isWritten = await files.change(`Write, ${name}`, 'Write', { ...at, body: first, isAppendMode: false });
  for (const piece of rest) {
    await files.change(`Append, ${name}`, 'Append', { ...at, body: piece });
  }
  return isWritten === true ? stored(files, file) : undefined;
}

async function stored(files: ScratchFiles, file: FilePlace): Promise<Stored | undefined> {
  const entry = (await files.entries(files.folder))?.find(({ absolutePath }) => absolutePath === file.path);
  const text = entry === undefined ? undefined : await files.text(file);
  return entry === undefined || text === undefined ? undefined : { text, entry };
}

interface Stored {
  readonly text: string;
  readonly entry: FileEntry;
}

type Texts = Readonly<Record<'lineEnds' | 'mark' | 'nonAscii' | 'long', string>>;

function readFact(seen: { readonly [K in keyof Texts]?: Stored }, texts: Texts): Facts['readTexts'] {
  const { lineEnds: ends, mark: marked, nonAscii: beyond } = seen;
  if (ends === undefined || marked === undefined || beyond === undefined) {
    return undefined;
  }
  if (beyond.text === Buffer.from(texts.nonAscii).toString('latin1')) {
    return 'latin1';
  }
  if (beyond.text !== texts.nonAscii) {
    return 'other';
  }
  const losesEnds = ends.text === texts.lineEnds.replaceAll('\r\n', '\n');
  const losesMark = marked.text === texts.mark.slice(1);
  const isOther = (ends.text !== texts.lineEnds && !losesEnds) || (marked.text !== texts.mark && !losesMark);
  if (isOther) {
    return 'other';
  }
  return losesEnds ? (losesMark ? 'normalized' : 'lineFeeds') : losesMark ? 'withoutMark' : 'exact';
}

/** Finds out what happens to a file that exists, and whether files can be moved and deleted. */
async function probeChanges(files: ScratchFiles): Promise<Facts> {
  return {
    ...(await overwrite(files)),
    ...(await createOnto(files)),
    ...(await moveOnto(files, 'Rename', 'renameOnto')),
    ...(await moveOnto(files, 'Copy', 'copyOnto')),
    ...(await renameAcross(files)),
    ...(await remove(files)),
  };
}

async function overwrite(files: ScratchFiles): Promise<Facts> {
  const file = childOf(files.folder, 'overwrite.txt');
  const at = { ...addressOf(file), path: file.path };
  const write = (body: string, isAppendMode: boolean) =>
    files.change(`Write, isAppendMode=${isAppendMode}`, 'Write', { ...at, body, isAppendMode });
  await write('one\n', false);
  const overwritten = (await write('two\n', false)) === true ? await files.text(file) : undefined;
  const before = overwritten ?? '';
  const added = (await write('three\n', true)) === true ? await files.text(file) : undefined;
  const middle = added ?? '';
  const isAppended = await files.change('Append', 'Append', { ...at, body: 'four\n' });
  const after = isAppended === true ? await files.text(file) : undefined;
  return {
    overwriting: wordFor(overwritten, { replaces: 'two\n', appends: 'one\ntwo\n' }),
    appendMode: wordFor(added, { appends: `${before}three\n`, overwrites: 'three\n' }),
    append: wordFor(after, { appends: `${middle}four\n`, overwrites: 'four\n' }),
  };
}

async function createOnto(files: ScratchFiles): Promise<Facts> {
  const file = childOf(files.folder, 'create.txt');
  const at = { ...addressOf(file), path: file.path };
  await files.write(file, 'kept\n');
  const isCreated = await files.change('Create, existing file', 'Create', { ...at, isdir: false });
  const text = isCreated === undefined ? undefined : await files.text(file);
  if (text === undefined) {
    return {};
  }
  return { createOnto: text !== 'kept\n' ? 'overwrites' : isCreated === true ? 'ignored' : 'refused' };
}

async function moveOnto(
  files: ScratchFiles,
  operation: 'Rename' | 'Copy',
  fact: 'renameOnto' | 'copyOnto',
): Promise<Facts> {
  const source = childOf(files.folder, `${operation}-source.txt`);
  const target = childOf(files.folder, `${operation}-target.txt`);
  for (const [file, body] of [
    [source, 'source\n'],
    [target, 'target\n'],
  ] as const) {
    await files.write(file, body);
  }
  const where = addressOf(source);
  await (operation === 'Rename'
    ? files.change('Rename, onto a file', 'Rename', { ...where, oldPath: source.path, newPath: target.path })
    : files.change('Copy, onto a file', 'Copy', { ...where, src: source.path, dest: target.path }));
  const text = await files.text(target);
  return text === undefined ? {} : { [fact]: text === 'target\n' ? 'refused' : 'overwrites' };
}

async function renameAcross(files: ScratchFiles): Promise<Facts> {
  const folder = childOf(files.folder, 'folder');
  const file = childOf(files.folder, 'across.txt');
  const at = addressOf(file);
  await files.change('Create, folder', 'Create', { ...at, path: folder.path, isdir: true });
  await files.write(file, 'moved\n');
  const moved = await files.change('Rename, into another folder', 'Rename', {
    ...at,
    oldPath: file.path,
    newPath: childOf(folder, 'across.txt').path,
  });
  return moved === undefined ? {} : { renameAcrossFolders: moved ? 'done' : 'refused' };
}

async function remove(files: ScratchFiles): Promise<Facts> {
  const file = childOf(files.folder, 'delete.txt');
  const at = { ...addressOf(file), path: file.path };
  await files.write(file, 'deleted\n');
  const isDeleted = await files.change('Delete', 'Delete', at);
  const entries = await files.entries(files.folder);
  if (isDeleted !== true || entries === undefined) {
    return {};
  }
  return { deleting: entries.some(({ name }) => name === 'delete.txt') ? 'nothing' : 'done' };
}

function wordFor<W extends string>(
  text: string | undefined,
  texts: Readonly<Record<W, string>>,
): W | 'other' | undefined {
  if (text === undefined) {
    return undefined;
  }
  for (const word in texts) {
    if (texts[word] === text) {
      return word;
    }
  }
  return 'other';
}
