import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { planTransfer } from '../../../../src/files/transfers/plan';
import { runPlan } from '../../../../src/files/transfers/runPlan';
import type { TransferFailure, TransferTarget, ExistingEntry, Source } from '../../../../src/files/transfers/transfer';
import { isPlatformError, PlatformError } from '../../../../src/platform/errors';

interface Tree {
  readonly [name: string]: string | Tree;
}

function sources(tree: Tree): Source[] {
  return Object.entries(tree).map(([name, content]) =>
    typeof content === 'string'
      ? { kind: 'file', name, read: () => Promise.resolve(Buffer.from(content)) }
      : { kind: 'folder', name, children: () => Promise.resolve(sources(content)) },
  );
}

/** A disk that works, except for the faults that a test sets for a path. */
class Disk {
  readonly files = new Map<string, Buffer>();
  readonly folders = new Set<string>(['']);
  readonly puts: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;

  constructor(
    readonly wrong: Readonly<Record<string, 'refuse' | 'cut short' | 'lose the answer' | 'lose the request'>> = {},
    /** What it says of the version of each file. A disk of this computer says nothing. */
    readonly version?: string,
  ) {}

  at(path = ''): TransferTarget {
    const below = (name: string) => (path === '' ? name : `${path}/${name}`);
    const isHere = (key: string) => key !== '' && key.slice(0, Math.max(0, key.lastIndexOf('/'))) === path;
    const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);
    return {
      contents: () => {
        const file = { kind: 'file', version: this.version } as const;
        const files = [...this.files.keys()].filter(isHere).map((key) => [nameOf(key), file] as const);
        const folders = [...this.folders].filter(isHere).map((key) => [nameOf(key), { kind: 'folder' }] as const);
        return Promise.resolve(new Map<string, ExistingEntry>([...files, ...folders]));
      },
      folder: (name) => this.at(below(name)),
      make: () => this.make(path),
      put: (name, bytes, replaced) => this.put(below(name), Buffer.from(bytes), replaced !== undefined),
      arrived: () => {
        const here = [...this.files].filter(([key]) => isHere(key));
        return Promise.resolve(new Map(here.map(([key, bytes]) => [nameOf(key), { lengths: [bytes.length] }])));
      },
    };
  }

  private make(path: string): Promise<void> {
    if (this.wrong[path] === 'refuse') {
      return Promise.reject(refusal(path));
    }
    this.folders.add(path);
    return Promise.resolve();
  }

  private async put(path: string, bytes: Buffer, replace: boolean): Promise<void> {
    this.puts.push(path);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    this.atOnce -= 1;
    assert.ok(replace || !this.files.has(path), `${path} was there`);
    const wrong = this.wrong[path];
    if (wrong === 'refuse') {
      throw refusal(path);
    }
    if (wrong !== 'lose the request') {
      this.files.set(path, wrong === 'cut short' ? bytes.subarray(0, 1) : bytes);
    }
    if (wrong === 'lose the answer' || wrong === 'lose the request') {
      throw new PlatformError({ kind: 'timeout', operation: 'Write', message: 'no answer', isOutcomeUnknown: true });
    }
  }
}

const refusal = (path: string) => new PlatformError({ kind: 'forbidden', operation: 'Write', message: path });

async function carry(
  tree: Tree,
  disk: Disk,
  existing: 'replace' | 'skip' = 'skip',
  signal = new AbortController().signal,
) {
  return runPlan(await planTransfer(sources(tree), disk.at(), signal), {
    mayReplace: () => existing === 'replace',
    signal,
  });
}

const obstaclesOf = (failures: readonly TransferFailure[]) =>
  failures.map(({ error }) => (isPlatformError(error) ? error.obstacle : error));

const site: Tree = { 'index.html': 'hello', css: { 'a.css': 'a', 'b.css': 'bb', deep: { 'c.css': 'ccc' } } };

describe('a transfer', () => {
  it('copies a tree and reports the result', async () => {
    const disk = new Disk();
    const { done, skipped, failures, isCanceled } = await carry(site, disk);
    assert.ok(!isCanceled);
    assert.deepEqual([...disk.folders].sort(), ['', 'css', 'css/deep']);
    assert.deepEqual([...done].sort(), ['css/a.css', 'css/b.css', 'css/deep/c.css', 'index.html']);
    assert.equal(String(disk.files.get('css/deep/c.css')), 'ccc');
    assert.deepEqual([skipped, failures], [[], []]);
  });

  it('skips or replaces existing files, as the user chose', async () => {
    const disk = new Disk();
    disk.files.set('index.html', Buffer.from('mine'));
    const first = await carry(site, disk, 'skip');
    assert.deepEqual(first.skipped, ['index.html']);
    assert.equal(String(disk.files.get('index.html')), 'mine');
    await carry(site, disk, 'replace');
    assert.equal(String(disk.files.get('index.html')), 'hello');
  });

  for (const version of [undefined, '5 yesterday']) {
    it(`is not reported as done if the response was lost and the old file, ${version ?? 'of no known version'}, had the same length`, async () => {
      const disk = new Disk({ 'index.html': 'lose the request' }, version);
      disk.files.set('index.html', Buffer.from('olleh'));
      const { done, failures } = await carry({ 'index.html': 'hello' }, disk, 'replace');
      assert.deepEqual(done, []);
      assert.deepEqual(
        failures.map(({ path }) => path),
        ['index.html'],
      );
    });
  }

  it('continues after a failure and reports it', async () => {
    const disk = new Disk({ 'css/a.css': 'refuse' });
    const { done, failures } = await carry(site, disk);
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['css/a.css'],
    );
    assert.equal(done.length, 3);
  });

  it("tries nothing in a folder that couldn't be created, and reports only the folder", async () => {
    const disk = new Disk({ css: 'refuse' });
    const { done, failures } = await carry(site, disk);
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['css'],
    );
    assert.deepEqual(done, ['index.html']);
    assert.deepEqual(disk.puts, ['index.html']);
  });

  it('counts nothing as done that is incomplete', async () => {
    const { failures } = await carry(site, new Disk({ 'css/b.css': 'cut short' }));
    assert.deepEqual(obstaclesOf(failures), ['sizeDiffers']);
  });

  it("checks the result of a write whose response was lost, and doesn't repeat it", async () => {
    const disk = new Disk({ 'css/a.css': 'lose the answer', 'css/b.css': 'lose the request' });
    const { done, failures } = await carry(site, disk);
    assert.ok(done.includes('css/a.css'));
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['css/b.css'],
    );
    assert.equal(disk.puts.filter((path) => path === 'css/a.css').length, 1);
  });

  it('replaces no folder with a file, and no file with a folder', async () => {
    const disk = new Disk();
    disk.files.set('css', Buffer.from('x'));
    disk.folders.add('index.html');
    const { done, failures } = await carry(site, disk, 'replace');
    assert.deepEqual(done, []);
    assert.deepEqual(obstaclesOf(failures), ['otherKind', 'otherKind']);
  });

  it('changes nothing before the plan is complete', async () => {
    const disk = new Disk();
    const tree: Source[] = [
      ...sources(site),
      { kind: 'folder', name: 'late', children: () => Promise.reject(new Error('cannot be read')) },
    ];
    const plan = await planTransfer(tree, disk.at(), new AbortController().signal);
    assert.deepEqual(disk.puts, []);
    assert.equal(disk.folders.size, 1);
    assert.deepEqual(
      plan.failures.map(({ path }) => path),
      ['late'],
    );
  });

  it('is planned with parents before their folders, and without waiting for a slow folder', async () => {
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const folder = (name: string, children: () => Promise<Source[]>): Source => ({ kind: 'folder', name, children });
    const disk = new Disk();
    for (const path of ['slow', 'quick']) disk.folders.add(path);
    const target: TransferTarget = {
      ...disk.at(),
      folder: (name) => ({
        ...disk.at(name),
        contents: (...asked) =>
          (name === 'slow' ? slow : Promise.resolve()).then(() => disk.at(name).contents(...asked)),
      }),
    };
    const deep = folder('b', () => {
      release();
      return Promise.resolve(sources({ c: { file: 'x' } }));
    });
    const all = [
      folder('slow', () => Promise.resolve(sources({ a: { file: 'x' } }))),
      folder('quick', () => Promise.resolve([folder('a', () => Promise.resolve([deep]))])),
    ];
    const { signal } = new AbortController();
    const { folders, files, failures } = await planTransfer(all, target, signal);
    const paths = folders.map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => path !== 'slow/a'),
      ['quick/a', 'quick/a/b', 'quick/a/b/c'],
    );
    assert.equal(paths.length, 4);
    assert.deepEqual(files.map(({ path }) => path).sort(), ['quick/a/b/c/file', 'slow/a/file']);
    assert.deepEqual(failures, []);
  });

  it('is planned without folders that cannot be read, which it names', async () => {
    const refused = new PlatformError({ kind: 'forbidden', operation: 'GetList', message: 'no' });
    const disk = new Disk();
    disk.folders.add('there');
    const target: TransferTarget = {
      ...disk.at(),
      folder: (name) => ({ ...disk.at(name), contents: () => Promise.reject(refused) }),
    };
    const all: Source[] = [
      { kind: 'folder', name: 'closed', children: () => Promise.reject(refused) },
      ...sources({ there: { below: { file: 'x' } }, 'a.txt': 'a' }),
    ];
    const plan = await planTransfer(all, target, new AbortController().signal);
    assert.deepEqual([plan.folders.length, plan.files.map(({ path }) => path)], [0, ['a.txt']]);
    assert.deepEqual(plan.failures, [
      { path: 'closed', error: refused },
      { path: 'there', error: refused },
    ]);
  });

  it('accounts for every file when it is stopped', async () => {
    const stopping = new AbortController();
    const disk = new Disk();
    const many: Tree = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, 'x']));
    const plan = await planTransfer(sources(many), disk.at(), stopping.signal);
    const report = await runPlan(plan, {
      signal: stopping.signal,
      onProgress: (_, share) => {
        if (share > 0.2) stopping.abort();
      },
    });
    const all = [...report.done, ...report.skipped, ...report.failures.map(({ path }) => path)];
    assert.equal(new Set(all).size, 40);
    assert.ok(report.isCanceled);
    assert.ok(report.done.length < 20 && report.skipped.length > 20, `${report.done.length} done`);
    assert.deepEqual([...disk.files.keys()].sort(), [...report.done].sort());
  });

  it('never replaces an item with another of the same name in the same transfer', async () => {
    const disk = new Disk();
    disk.files.set('index.html', Buffer.from('old!!'));
    const both = [...sources({ 'index.html': 'first' }), ...sources({ 'index.html': 'other' })];
    const { signal } = new AbortController();
    const plan = await planTransfer(both, disk.at(), signal);
    const { done, failures } = await runPlan(plan, { mayReplace: () => true, signal });
    assert.equal(String(disk.files.get('index.html')), 'first');
    assert.deepEqual(done, ['index.html']);
    assert.deepEqual(obstaclesOf(failures), ['sameName']);
  });

  it('processes at most four files at a time', async () => {
    const disk = new Disk();
    await carry(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, 'x'])), disk);
    assert.equal(disk.mostAtOnce, 4);
  });

  it('reports each file as done if and only if it is complete, whatever goes wrong', async () => {
    const wrong = fc.constantFrom('refuse', 'cut short', 'lose the answer', 'lose the request', undefined);
    const names = ['a', 'd/b', 'd/c', 'd/e/f', 'd', 'd/e'] as const;
    const tree: Tree = { a: 'aa', d: { b: 'bb', c: 'cc', e: { f: 'ff' } } };
    await fc.assert(
      fc.asyncProperty(fc.array(wrong, { minLength: 6, maxLength: 6 }), async (faults) => {
        const given = names.flatMap((name, index) => {
          const fault = faults[index];
          return fault === undefined ? [] : [[name, fault] as const];
        });
        const disk = new Disk(Object.fromEntries(given));
        const { done } = await carry(tree, disk);
        const whole = [...disk.files].filter(([, bytes]) => bytes.length === 2).map(([path]) => path);
        assert.deepEqual([...done].sort(), whole.sort());
      }),
      { numRuns: 200 },
    );
  });
});
