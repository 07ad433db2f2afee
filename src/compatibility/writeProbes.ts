import { addressOf } from '../containers/containers';
import { childOf, type FilePlace, wholeLayer } from '../containers/place';
import type { SignedInParametersOf } from '../platform/contract';
import { openEnvelope } from '../platform/envelope';
import { isPlatformError, onPlatformError, type PlatformError } from '../platform/errors';
import type { FileEntry } from '../platform/wire/fileEntry';
import { fieldOf, readInteger } from '../platform/wire/scalars';
import { readTimestamp } from '../platform/wire/timestamp';
import { type Facts, knownFacts } from './facts';
import { clockFact, type ProbeDeps, type Probed, Recorder } from './observation';
import { lengthFact } from './replyFacts';

const lineEnds = 'a\r\nb\r\n';
const mark = '\uFEFFa\n';
const nonAscii = 'ä€😀\n';
const longText = 'Gantry checks long texts.\n'.repeat(8_000);
/** In a URL, each piece is a request. */
const longTextInUrl = 'Gantry checks long texts.\n'.repeat(200);

/** Finds out by writing, in an empty folder on each node, which is removed afterwards. */
export async function probeByWriting(deps: ProbeDeps, folders: readonly FilePlace[]): Promise<Probed> {
  const [first] = folders;
  if (first === undefined) {
    return { facts: {}, observations: [] };
  }
  const probes = new WriteProbes(deps, first, folders);
  return { facts: knownFacts(await probes.run()), observations: probes.recorder.observations };
}

class WriteProbes {
  readonly recorder = new Recorder();

  constructor(
    private readonly deps: ProbeDeps,
    private readonly folder: FilePlace,
    private readonly folders: readonly FilePlace[],
  ) {}

  async run(): Promise<Facts> {
    const texts = await this.writeTexts();
    const overwriting = await this.overwrite();
    const created = { ...(await this.createOnto()), ...(await this.oneNode()) };
    return {
      ...texts,
      ...overwriting,
      ...created,
      ...(await this.moveOnto('Rename', 'renameOnto')),
      ...(await this.moveOnto('Copy', 'copyOnto')),
      ...(await this.renameAcross()),
      ...(await this.remove()),
      ...(this.folders.length > 1 ? await this.layer() : {}),
    };
  }

  /** Each text goes to a new file, so that nothing depends on how existing files are overwritten. */
  private async writeTexts(): Promise<Facts> {
    const long = this.deps.account.transport === 'query' ? longTextInUrl : longText;
    const texts = { lineEnds, mark, nonAscii, long };
    const seen: { -readonly [K in keyof typeof texts]?: Stored } = {};
    for (const name of ['lineEnds', 'mark', 'nonAscii', 'long'] as const) {
      const stored = await this.store(name, texts[name]);
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

  private async store(name: string, text: string): Promise<Stored | undefined> {
    const file = childOf(this.folder, `${name}.txt`);
    const at = { ...addressOf(file), path: file.path };
    const { account } = this.deps;
    const [first = text, ...rest] = account.pieces({ ...at, body: text });
    const isWritten = await this.change(`Write, ${name}`, 'Write', { ...at, body: first, isAppendMode: false });
    for (const piece of rest) {
      await this.change(`Append, ${name}`, 'Append', { ...at, body: piece });
    }
    return isWritten === true ? this.stored(file) : undefined;
  }

  private async overwrite(): Promise<Facts> {
    const file = childOf(this.folder, 'overwrite.txt');
    const at = { ...addressOf(file), path: file.path };
    const write = (body: string, isAppendMode: boolean) =>
      this.change(`Write, isAppendMode=${isAppendMode}`, 'Write', { ...at, body, isAppendMode });
    await write('one\n', false);
    const overwritten = (await write('two\n', false)) === true ? await this.text(file) : undefined;
    const before = overwritten ?? '';
    const added = (await write('three\n', true)) === true ? await this.text(file) : undefined;
    const middle = added ?? '';
    const isAppended = await this.change('Append', 'Append', { ...at, body: 'four\n' });
    const after = isAppended === true ? await this.text(file) : undefined;
    return {
      overwriting: wordFor(overwritten, { replaces: 'two\n', appends: 'one\ntwo\n' }),
      appendMode: wordFor(added, { appends: `${before}three\n`, overwrites: 'three\n' }),
      append: wordFor(after, { appends: `${middle}four\n`, overwrites: 'four\n' }),
    };
  }

  private async createOnto(): Promise<Facts> {
    const file = childOf(this.folder, 'create.txt');
    const at = { ...addressOf(file), path: file.path };
    await this.change('Write, new file', 'Write', { ...at, body: 'kept\n', isAppendMode: false });
    const isCreated = await this.change('Create, existing file', 'Create', { ...at, isdir: false });
    const text = isCreated === undefined ? undefined : await this.text(file);
    if (text === undefined) {
      return {};
    }
    return { createOnto: text !== 'kept\n' ? 'overwrites' : isCreated === true ? 'ignored' : 'refused' };
  }

  private async moveOnto(operation: 'Rename' | 'Copy', fact: 'renameOnto' | 'copyOnto'): Promise<Facts> {
    const source = childOf(this.folder, `${operation}-source.txt`);
    const target = childOf(this.folder, `${operation}-target.txt`);
    for (const [file, body] of [
      [source, 'source\n'],
      [target, 'target\n'],
    ] as const) {
      const at = { ...addressOf(file), path: file.path };
      await this.change('Write, new file', 'Write', { ...at, body, isAppendMode: false });
    }
    const where = addressOf(source);
    await (operation === 'Rename'
      ? this.change('Rename, onto a file', 'Rename', { ...where, oldPath: source.path, newPath: target.path })
      : this.change('Copy, onto a file', 'Copy', { ...where, src: source.path, dest: target.path }));
    const text = await this.text(target);
    return text === undefined ? {} : { [fact]: text === 'target\n' ? 'refused' : 'overwrites' };
  }

  private async renameAcross(): Promise<Facts> {
    const folder = childOf(this.folder, 'folder');
    const file = childOf(this.folder, 'across.txt');
    const at = addressOf(file);
    await this.change('Create, folder', 'Create', { ...at, path: folder.path, isdir: true });
    await this.change('Write, new file', 'Write', { ...at, path: file.path, body: 'moved\n', isAppendMode: false });
    const moved = await this.change('Rename, into another folder', 'Rename', {
      ...at,
      oldPath: file.path,
      newPath: childOf(folder, 'across.txt').path,
    });
    return moved === undefined ? {} : { renameAcrossFolders: moved ? 'done' : 'refused' };
  }

  private async remove(): Promise<Facts> {
    const file = childOf(this.folder, 'delete.txt');
    const at = { ...addressOf(file), path: file.path };
    await this.change('Write, new file', 'Write', { ...at, body: 'deleted\n', isAppendMode: false });
    const isDeleted = await this.change('Delete', 'Delete', at);
    const entries = await this.entries(this.folder);
    if (isDeleted !== true || entries === undefined) {
      return {};
    }
    return { deleting: entries.some(({ name }) => name === 'delete.txt') ? 'nothing' : 'done' };
  }

  /** Everything so far was written to the first node only. */
  private async oneNode(): Promise<Facts> {
    const others = this.folders.slice(1);
    const found = await Promise.all(others.map((folder) => this.entries(folder)));
    if (found.length === 0 || found.some((entries) => entries === undefined)) {
      return {};
    }
    return { oneNode: found.every((entries) => entries?.length === 0) ? 'honored' : 'everyNode' };
  }

  private async layer(): Promise<Facts> {
    const layer = wholeLayer(this.folder);
    const reach = async (masterOnly: boolean): Promise<number | undefined> => {
      const name = `masterOnly-${masterOnly}.txt`;
      const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly };
      const step = `Write, masterOnly=${masterOnly}`;
      const isWritten = await this.change(step, 'Write', { ...at, body: 'layer\n', isAppendMode: false });
      const found = await Promise.all(this.folders.map((folder) => this.entries(folder)));
      if (isWritten !== true || found.some((entries) => entries === undefined)) {
        return undefined;
      }
      return found.filter((entries) => entries?.some((entry) => entry.name === name)).length;
    };
    const [master, all] = [await reach(true), await reach(false)];
    const masterOnly = masterFact(master, all, this.folders.length);
    return { masterOnly, ...(await this.nodeFailure(layer, masterOnly === 'reversed')) };
  }

  /** Creates a file on all nodes that exists on the second one. */
  private async nodeFailure(layer: FilePlace, masterOnly: boolean): Promise<Facts> {
    const [, second] = this.folders;
    if (second === undefined) {
      return {};
    }
    const name = 'node-failure.txt';
    const onSecond = childOf(second, name);
    await this.change('Write, new file', 'Write', {
      ...addressOf(onSecond),
      ...{ path: onSecond.path, body: 'there\n', isAppendMode: false },
    });
    this.deps.signal.throwIfAborted();
    const at = { ...addressOf(layer), path: childOf(layer, name).path, masterOnly, isdir: false };
    const seen = await this.recorder.look('Create, existing file on one of several nodes', () =>
      this.deps.account.inspect('Create', at),
    );
    const result = seen?.body === undefined ? undefined : readInteger(fieldOf(seen.body, 'result'));
    if (result === undefined || openEnvelope(seen?.body, 'zero').said !== 'failure') {
      return {};
    }
    return { nodeFailures: result === 0 ? 'nested' : 'outer' };
  }

  /**
   * Changes something in the folder. Not canceled while it runs, so that nothing arrives after the folder was removed.
   * Stops the check if the response was lost.
   */
  private async change<N extends 'Write' | 'Append' | 'Create' | 'Rename' | 'Copy' | 'Delete'>(
    step: string,
    operation: N,
    values: SignedInParametersOf<N>,
  ): Promise<boolean | undefined> {
    this.deps.signal.throwIfAborted();
    const lost: PlatformError[] = [];
    const done = await this.recorder.attempt(step, () =>
      this.deps.account.call(operation, values).catch((error: unknown) => {
        lost.push(...(isPlatformError(error) && error.isOutcomeUnknown ? [error] : []));
        throw error;
      }),
    );
    const [error] = lost;
    if (error !== undefined) {
      throw error;
    }
    return done;
  }

  private async stored(file: FilePlace): Promise<Stored | undefined> {
    const entry = (await this.entries(this.folder))?.find(({ absolutePath }) => absolutePath === file.path);
    const text = entry === undefined ? undefined : await this.text(file);
    return entry === undefined || text === undefined ? undefined : { text, entry };
  }

  private async text(file: FilePlace): Promise<string | undefined> {
    const { account, signal } = this.deps;
    return account
      .call('Read', { ...addressOf(file), path: file.path }, { signal })
      .then(({ body }) => body)
      .catch(onPlatformError(() => undefined));
  }

  private async entries(folder: FilePlace): Promise<readonly FileEntry[] | undefined> {
    const { account, signal } = this.deps;
    return account
      .call('GetList', { ...addressOf(folder), path: folder.path }, { signal })
      .then(({ entries }) => entries)
      .catch(onPlatformError(() => undefined));
  }
}

interface Stored {
  readonly text: string;
  readonly entry: FileEntry;
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

function masterFact(master: number | undefined, all: number | undefined, nodes: number): Facts['masterOnly'] {
  if (master === undefined || all === undefined) {
    return undefined;
  }
  if (all === nodes) {
    return master === nodes ? 'ignored' : 'honored';
  }
  return master === nodes ? 'reversed' : 'masterAlways';
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
