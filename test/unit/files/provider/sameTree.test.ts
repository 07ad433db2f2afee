import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compareTrees } from '../../../../src/files/provider/moves';
import { PlatformError } from '../../../../src/platform/errors';
import type { FileEntry } from '../../../../src/platform/wire/fileEntry';
import { fileAt } from '../../../scene/fileAt';

/** A file by its text, or a folder by the names in it. */
interface Tree {
  readonly [name: string]: string | Tree;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a request waits for. A rejection is its answer. */
type Wait = (request: string) => Promise<void> | undefined;

interface CompareOptions {
  readonly reads?: boolean;
  readonly wait?: Wait;
}

/** Compares `/old` with `/new`, and returns the requests, too. Without `reads`, only names and lengths are compared. */
async function compare(disk: Tree, { reads = true, wait }: CompareOptions = {}) {
  const requests: string[] = [];
  let [running, most] = [0, 0];
  const at = (path: string) =>
    path.split('/').reduce<string | Tree | undefined>((above, name) => {
      return name === '' || typeof above === 'string' ? above : above?.[name];
    }, disk);
  const textAt = (path: string) => {
    const found = at(path);
    return typeof found === 'string' ? found : assert.fail(path);
  };
  const entryAt = (path: string): FileEntry | undefined => {
    const found = at(path);
    const usual = { absolutePath: path, name: path.slice(path.lastIndexOf('/') + 1) };
    if (typeof found === 'string') return { ...usual, isDir: false, length: Buffer.byteLength(found) };
    return found && { ...usual, isDir: true };
  };
  const answer = async <T>(request: string, result: T): Promise<T> => {
    requests.push(request);
    running += 1;
    most = Math.max(most, running);
    await (wait?.(request) ?? turn()).finally(() => (running -= 1));
    return result;
  };
  const tree = (path: string) => ({ place: fileAt(path), entry: entryAt(path) });
  const likeness = await compareTrees(tree('/old'), tree('/new'), {
    list: ({ path }) =>
      answer(
        `list ${path}`,
        Object.keys(at(path) ?? {}).flatMap((name) => entryAt(`${path}/${name}`) ?? []),
      ),
    ...(reads ? { read: ({ path }) => answer(`read ${path}`, textAt(path)) } : {}),
  });
  return { likeness, requests, most };
}

const likeness = async (disk: Tree, options?: CompareOptions) => (await compare(disk, options)).likeness;

describe('the comparison of two trees', () => {
  const tree = { a: 'one', folder: { b: 'two', deeper: { c: 'three' } } };

  it('finds them the same, with one request for each folder and file of both', async () => {
    const { likeness: found, requests } = await compare({ old: tree, new: tree });
    assert.equal(found, 'same');
    assert.deepEqual(
      requests.filter((request) => request.includes('/old')),
      [
        'list /old',
        'read /old/a',
        'list /old/folder',
        'read /old/folder/b',
        'list /old/folder/deeper',
        'read /old/folder/deeper/c',
      ],
    );
    assert.equal(requests.length, 12);
  });

  it('compares no more than four pairs at a time', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}`, 'text']));
    assert.deepEqual((await compare({ old: many, new: many })).most, 8);
  });

  it('accepts that the copy has more', async () => {
    assert.equal(
      await likeness({ old: tree, new: { ...tree, more: 'x', folder: { ...tree.folder, d: 'y' } } }),
      'same',
    );
  });

  it('finds a difference in what is missing, is something else, or has another length or text', async () => {
    const others: readonly (string | Tree)[] = [{}, 'file', { a: 'one', b: { c: 'd' } }, { a: { b: 'c' } }, { a: 'o' }];
    for (const other of others) {
      assert.equal(await likeness({ old: { a: 'one', b: 'two' }, new: other }), 'different', JSON.stringify(other));
    }
    assert.equal(await likeness({ old: { a: 'one' }, new: { a: 'eno' } }), 'different');
    assert.equal(await likeness({ old: { a: 'one' }, new: { a: 'eno' } }, { reads: false }), 'same');
    assert.equal(await likeness({ new: tree }), 'different');
  });

  it('proves nothing about a text that the platform may have altered', async () => {
    const damaged = { a: 'on\uFFFD', b: { c: 'd' } };
    assert.equal(await likeness({ old: damaged, new: damaged }), 'unproven');
    assert.equal(await likeness({ old: damaged, new: { ...damaged, b: { c: 'D' } } }), 'different');
  });

  it('proves nothing about content that the platform refuses to return for both', async () => {
    const refusal = new PlatformError({ kind: 'platform', operation: 'Read', message: 'binary', result: 99 });
    const wait: Wait = (request) => (request.startsWith('read') ? Promise.reject(refusal) : undefined);
    assert.equal(await likeness({ old: tree, new: tree }, { wait }), 'unproven');
    const waitForOne: Wait = (request) => (request === 'read /new/a' ? Promise.reject(refusal) : undefined);
    await assert.rejects(likeness({ old: tree, new: tree }, { wait: waitForOne }), refusal);
  });

  it('fails if a folder of either cannot be listed, and sends nothing more', async () => {
    const failure = new PlatformError({ kind: 'timeout', operation: 'GetList', message: 'late' });
    const sent: string[] = [];
    const wait: Wait = (request) => {
      sent.push(request);
      return request === 'list /new/folder' ? Promise.reject(failure) : undefined;
    };
    await assert.rejects(likeness({ old: { folder: tree }, new: { folder: tree } }, { wait }), failure);
    assert.deepEqual(sent, ['list /old', 'list /new', 'list /old/folder', 'list /new/folder']);
  });

  it('compares no others after a difference, but those that it compares already', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    const [old, copy] = ['same', 'mess'].map((text) => Object.fromEntries(names.map((name) => [name, text])));
    const { likeness: found, requests } = await compare({ old: old ?? {}, new: copy ?? {} });
    assert.equal(found, 'different');
    assert.deepEqual(requests.length, 2 + 2 * 4);
  });

  it('goes deeper while a slow folder is awaited', async () => {
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const wait: Wait = (request) => {
      if (request === 'read /new/quick/deep/file') release();
      return request === 'list /new/slow' ? slow : undefined;
    };
    const both = { slow: {}, quick: { deep: { file: 'text' } } };
    assert.equal(await likeness({ old: both, new: both }, { wait }), 'same');
  });
});
