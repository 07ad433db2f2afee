import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { type FileChangeEvent, FileChangeType, FileType, Uri, workspace } from 'vscode';
import type { ContainerFileSystem } from '../../../../../src/files/provider/containerFileSystem';
import { decodeText, encodeText } from '../../../../../src/files/text';
import { filePlaceOf } from '../../../../../src/containers/place';
import { usualBehaviour } from '../../../../localPlatform/behaviour';
import type { FaultRule } from '../../../../localPlatform/faults/fault';
import { gantry } from '../../../support/gantry';
import { untilTrue } from '../../../support/untilTrue';
import { codeOf, fixture } from './cases';
import { type GantrySubject, gantrySubject, plant, type Tree, treeOf } from './subject';

const { fs } = workspace;

/** Cases that VS Code’s own interface can't express or that don't exist on a disk. */
describe('the file system', () => {
  let subject: GantrySubject;
  let provider: ContainerFileSystem;
  let folder: Uri;
  let disk: string;
  let count = 0;

  before(async () => {
    subject = await gantrySubject();
    provider = (await gantry()).files.fileSystem;
  });

  after(() => subject.dispose());

  beforeEach(async () => {
    count += 1;
    folder = Uri.joinPath(subject.root, `own-${count}`);
    disk = join(subject.disk, `own-${count}`);
    await plant(disk, fixture);
    await subject.forget();
    subject.platform.faults.clear();
    // What a refused token lacks is remembered.
    (await gantry()).accounts.forgetRights();
    subject.platform.journal.reset();
  });

  const at = (path: string) => Uri.joinPath(folder, path);
  const outcome = async (work: PromiseLike<unknown>) => {
    try {
      await work;
      return 'done';
    } catch (error) {
      return codeOf(error);
    }
  };
  const text = async (path: string) => (await treeOf(disk))[path];

  describe('follows the options of a write', () => {
    // As in VS Code’s own provider for the disk: `overwrite` allows overwriting, `create` allows creating.
    const rows = [
      { create: true, overwrite: true, exists: 'done', missing: 'done', folder: 'FileIsADirectory' },
      { create: true, overwrite: false, exists: 'FileExists', missing: 'done', folder: 'FileExists' },
      { create: false, overwrite: true, exists: 'done', missing: 'FileNotFound', folder: 'FileIsADirectory' },
      { create: false, overwrite: false, exists: 'FileExists', missing: 'FileNotFound', folder: 'FileExists' },
    ] as const;
    for (const { create, overwrite, ...expected } of rows) {
      it(`create ${create}, overwrite ${overwrite}`, async () => {
        const options = { create, overwrite };
        const write = (path: string) => outcome(provider.writeFile(at(path), encodeText('new'), options));
        assert.deepEqual(
          { exists: await write('a.txt'), missing: await write('new.txt'), folder: await write('full') },
          expected,
        );
        assert.equal(await text('a.txt'), expected.exists === 'done' ? 'new' : 'a');
        assert.equal(await text('new.txt'), expected.missing === 'done' ? 'new' : undefined);
      });
    }

    it('and creates no parent folders', async () => {
      const options = { create: true, overwrite: true };
      assert.equal(await outcome(provider.writeFile(at('no/x.txt'), encodeText('x'), options)), 'FileNotFound');
      assert.equal(await outcome(provider.createDirectory(at('no/x'))), 'FileNotFound');
    });

    it('and sends binary data through the platform’s uploader', async () => {
      const bytes = new Uint8Array([0xff, 0x00, 0x80, 0x0a]);
      await fs.writeFile(at('logo.png'), bytes);
      assert.equal((await fs.stat(at('logo.png'))).size, 4);
      const lacking = { kind: 'refuse', result: 8202, error: 'not permitted' } as const;
      subject.platform.faults.add({ operation: 'Upload', fault: lacking });
      assert.equal(await outcome(fs.writeFile(at('a.txt'), bytes)), 'NoPermissions');
      assert.equal(await text('a.txt'), 'a');
    });

    it('and sends it after a test in which the token was refused that', async () => {
      const bytes = new Uint8Array([0xff, 0x00, 0x80, 0x0a]);
      await fs.writeFile(at('logo.png'), bytes);
      assert.equal((await fs.stat(at('logo.png'))).size, 4);
    });
  });

  it("doesn't delete a folder as empty if the response lists nothing", async () => {
    const body = JSON.stringify({ result: 0 });
    const fault = { kind: 'answer', body } as const;
    const parameters = (path: string) => ({ path: filePlaceOf(at(path))?.path ?? '' });
    subject.platform.faults.add({ operation: 'GetList', parameters: parameters('full'), times: 'always', fault });
    const before = await treeOf(disk);
    await assert.rejects(async () => fs.delete(at('full'), { recursive: false, useTrash: false }), /no list of files/);
    assert.deepEqual(await treeOf(disk), before);
    subject.platform.faults.clear();
    subject.platform.faults.add({ operation: 'GetList', parameters: parameters('new'), fault });
    await fs.createDirectory(at('new'));
    await fs.delete(at('new'), { recursive: false, useTrash: false });
    assert.ok(!('new' in (await treeOf(disk))));
  });

  it('deletes a folder that did not exist when VS Code listed it', async () => {
    assert.equal(await outcome(fs.readDirectory(at('new'))), 'FileNotFound');
    await fs.writeFile(at('new/a.txt'), encodeText('a'));
    await fs.delete(at('new'), { recursive: true, useTrash: false });
    assert.deepEqual(
      Object.keys(await treeOf(disk)).filter((path) => path.startsWith('new')),
      [],
    );
  });

  it('deletes a folder right after what was in it', async () => {
    await fs.createDirectory(at('new/below'));
    await fs.delete(at('new/below'), { recursive: true, useTrash: false });
    await fs.delete(at('new'), { recursive: false, useTrash: false });
    assert.deepEqual(
      Object.keys(await treeOf(disk)).filter((path) => path.startsWith('new')),
      [],
    );
  });

  describe('a folder that VS Code moves to the computer', () => {
    let local: string;

    beforeEach(async () => {
      local = join(await mkdtemp(join(tmpdir(), 'gantry-moved-')), 'full');
    });

    afterEach(() => rm(dirname(local), { recursive: true }));

    const move = async () => fs.rename(at('full'), Uri.file(local));
    const pathOf = (path: string) => filePlaceOf(at(path))?.path ?? '';
    const spoil = (operation: string, path: string, fault: FaultRule['fault'], times: number | 'always' = 'always') =>
      subject.platform.faults.add({ operation, parameters: { path: pathOf(path) }, times, fault });
    const isWhole = async (before: Tree) => {
      await subject.settled();
      assert.deepEqual(await treeOf(disk), before);
    };
    const noList = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    const faults = {
      'responses without a list': noList,
      'gateway errors': { kind: 'gatewayError', status: 502 },
      'a refusal': { kind: 'refuse', result: 8, error: 'permission denied' },
    } as const;

    for (const [name, fault] of Object.entries(faults)) {
      for (const path of ['full', 'full/below']) {
        it(`isn't deleted after ${name} for ${path}`, async () => {
          const before = await treeOf(disk);
          spoil('GetList', path, fault);
          await assert.rejects(move(), (error: Error) => {
            assert.match(error.message, /Couldn't delete /);
            return error.message.includes(`${pathOf(path)} couldn't be listed`);
          });
          subject.platform.faults.clear();
          await isWhole(before);
          await rm(local, { recursive: true });
          await move();
          await subject.settled();
          assert.deepEqual(Object.keys(await treeOf(local)), ['below', 'below/d.txt', 'c.txt']);
          assert.ok(!('full' in (await treeOf(disk))));
        });
      }
    }

    it('is moved after one response without a list, because Gantry lists it again', async () => {
      spoil('GetList', 'full', noList, 1);
      await move();
      assert.deepEqual(Object.keys(await treeOf(local)), ['below', 'below/d.txt', 'c.txt']);
    });

    const remove = async () => {
      await fs.delete(at('full'), { recursive: true, useTrash: false });
      await subject.settled();
      assert.ok(!('full' in (await treeOf(disk))));
    };

    /** Makes a change after VS Code has listed both folders and copied c.txt, and returns the error of the move. */
    const errorIfMeanwhile = async (change: () => PromiseLike<unknown>): Promise<string> => {
      const reading = spoil('Read', 'full/below/d.txt', { kind: 'hang' }, 1);
      const moving = move().then(
        () => 'moved',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      await reading.reached;
      await untilTrue(
        () => existsSync(join(local, 'c.txt')),
        () => "c.txt wasn't copied",
      );
      await change();
      reading.release();
      const message = await moving;
      await rm(local, { recursive: true });
      return message;
    };

    for (const path of ['full', 'full/below']) {
      it(`isn't deleted if someone creates a file in ${path} meanwhile, but is the second time`, async () => {
        const message = await errorIfMeanwhile(() => writeFile(join(disk, path, 'theirs.txt'), 'theirs'));
        assert.match(message, /Couldn't delete /);
        assert.ok(message.includes(`${pathOf(path)}/theirs.txt was created`), message);
        await isWhole(await treeOf(disk));
        assert.equal(await text(`${path}/theirs.txt`), 'theirs');
        await fs.readDirectory(at('full'));
        await fs.readDirectory(at(path));
        await writeFile(join(disk, path, 'more.txt'), 'theirs');
        await remove();
      });
    }

    it("isn't deleted if an open document has changed since it was read, but is the second time", async () => {
      await fs.readDirectory(at('full'));
      await workspace.openTextDocument(at('full/c.txt'));
      await writeFile(join(disk, 'full/c.txt'), 'a log that grows');
      await assert.rejects(remove(), /full\/c\.txt was changed after VS Code read it/);
      await fs.readDirectory(at('full'));
      await fs.readFile(at('full/c.txt'));
      await writeFile(join(disk, 'full/c.txt'), 'a log that has grown further');
      await remove();
    });

    it("isn't deleted if someone has created a folder in it that was missing when VS Code listed it", async () => {
      assert.equal(await outcome(fs.readDirectory(at('full/new'))), 'FileNotFound');
      await plant(join(disk, 'full/new'), { 'theirs.txt': 'theirs' });
      await assert.rejects(remove(), /full\/new\/theirs\.txt was created after VS Code listed its folder/);
      assert.equal(await text('full/new/theirs.txt'), 'theirs');
      await remove();
    });

    it("isn't deleted if someone changes a copied file meanwhile, but is the second time", async () => {
      const message = await errorIfMeanwhile(() => writeFile(join(disk, 'full/c.txt'), 'their text'));
      assert.ok(message.includes(`${pathOf('full')}/c.txt was changed`), message);
      assert.equal(await text('full/c.txt'), 'their text');
      await move();
      await subject.settled();
      assert.equal((await treeOf(local))['c.txt'], 'their text');
      assert.ok(!('full' in (await treeOf(disk))));
    });

    it("isn't deleted without what this window creates or saves in it meanwhile", async () => {
      const save = () => fs.writeFile(at('full/c.txt'), encodeText('our text'));
      assert.match(await errorIfMeanwhile(save), /full\/c\.txt was changed/);
      const create = () => fs.writeFile(at('full/ours.txt'), encodeText('ours'));
      assert.match(await errorIfMeanwhile(create), /full\/ours\.txt was created/);
      const createAndList = async () => {
        await fs.createDirectory(at('full/below/ours'));
        await fs.readDirectory(at('full/below'));
      };
      assert.match(await errorIfMeanwhile(createAndList), /full\/below\/ours was created/);
      assert.equal(await text('full/ours.txt'), 'ours');
      await move();
      assert.deepEqual(Object.keys(await treeOf(local)), ['below', 'below/d.txt', 'below/ours', 'c.txt', 'ours.txt']);
    });

    it('is compared again when the move is tried again', async () => {
      const create = (name: string) => errorIfMeanwhile(() => writeFile(join(disk, 'full', name), 'theirs'));
      assert.match(await create('first.txt'), /full\/first\.txt was created/);
      assert.match(await create('second.txt'), /full\/second\.txt was created/);
      await move();
      assert.deepEqual(Object.keys(await treeOf(local)), ['below', 'below/d.txt', 'c.txt', 'first.txt', 'second.txt']);
    });

    it('is deleted at once if only files have changed that VS Code has not read', async () => {
      await fs.readDirectory(at('full'));
      await fs.readDirectory(at('full/below'));
      await fs.readFile(at('full/below/d.txt'));
      await writeFile(join(disk, 'full/c.txt'), 'a log that grows');
      await remove();
    });

    it('is deleted at once after this window has read and saved a file in it', async () => {
      await fs.readDirectory(at('full'));
      await fs.readFile(at('full/c.txt'));
      await fs.writeFile(at('full/c.txt'), encodeText('our text'));
      await remove();
    });

    it('is deleted at once after this window has replaced a file and copied a folder in it on the whole layer', async () => {
      await fs.readDirectory(at('full'));
      await fs.readFile(at('full/c.txt'));
      assert.equal(await outcome(fs.readDirectory(at('full/new'))), 'FileNotFound');
      const onLayer = (path: string) => at(path).with({ path: at(path).path.replace(/~\d+/, '') });
      await fs.copy(onLayer('b.txt'), onLayer('full/c.txt'), { overwrite: true });
      await fs.copy(onLayer('full/below'), onLayer('full/new'));
      assert.equal(await text('full/c.txt'), 'bb');
      assert.equal(await text('full/new/d.txt'), 'd');
      await remove();
    });

    it('is deleted at once if a file in it had changed before VS Code read it', async () => {
      await fs.readDirectory(at('full'));
      await writeFile(join(disk, 'full/c.txt'), 'their text');
      assert.equal(decodeText(await fs.readFile(at('full/c.txt'))), 'their text');
      await remove();
    });

    it('is deleted at once if only this window has created something in it', async () => {
      await fs.readDirectory(at('full'));
      await fs.readDirectory(at('full/below'));
      await fs.writeFile(at('full/ours.txt'), encodeText('ours'));
      await fs.createDirectory(at('full/below/ours'));
      await fs.copy(at('a.txt'), at('full/below/copy.txt'));
      await remove();
    });

    it("isn't deleted if a file in it can't be read, or isn't text", async () => {
      const before = await treeOf(disk);
      spoil('Read', 'full/below/d.txt', { kind: 'gatewayError', status: 502 });
      await assert.rejects(move());
      subject.platform.faults.clear();
      await isWhole(before);
      await writeFile(join(disk, 'full/below/d.bin'), new Uint8Array([0xff, 0, 0x80]));
      await subject.forget();
      await rm(local, { recursive: true });
      await assert.rejects(move());
      await isWhole(await treeOf(disk));
      assert.ok('full/below/d.bin' in (await treeOf(disk)));
    });

    it("isn't deleted if the Explorer has listed it since, but is the second time", async () => {
      const before = await treeOf(disk);
      spoil('GetList', 'full/below', faults['a refusal']);
      await assert.rejects(async () => fs.readDirectory(at('full/below')));
      subject.platform.faults.clear();
      await fs.readDirectory(at('full/below'));
      await assert.rejects(remove(), /Couldn't delete /);
      await isWhole(before);
      await remove();
    });

    it('is deleted at once if it was a file when VS Code listed it', async () => {
      await fs.delete(at('full'), { recursive: true, useTrash: false });
      await fs.writeFile(at('full'), encodeText('a file'));
      assert.equal(await outcome(fs.readDirectory(at('full'))), 'FileNotADirectory');
      await fs.delete(at('full'), { useTrash: false });
      await fs.writeFile(at('full/ours.txt'), encodeText('ours'));
      await remove();
    });

    it("isn't deleted if someone has made a folder of what was a file when VS Code listed it", async () => {
      assert.equal(await outcome(fs.readDirectory(at('full/c.txt'))), 'FileNotADirectory');
      await rm(join(disk, 'full/c.txt'));
      await plant(join(disk, 'full/c.txt'), { 'theirs.txt': 'theirs' });
      await assert.rejects(remove(), /full\/c\.txt\/theirs\.txt was created after VS Code listed its folder/);
      await remove();
    });

    it('is deleted at once with what a failed overwrite in it has kept', async () => {
      await fs.readDirectory(at('full'));
      await fs.readDirectory(at('full/below'));
      assert.equal(await outcome(fs.rename(at('none'), at('full/below'), { overwrite: true })), 'FileNotFound');
      await remove();
    });

    it('is deleted without another question if nothing was in the folder that failed', async () => {
      spoil('GetList', 'bare', faults['a refusal']);
      await assert.rejects(async () => fs.readDirectory(at('bare')));
      subject.platform.faults.clear();
      await fs.delete(at('bare'), { recursive: true, useTrash: false });
      await subject.settled();
      assert.ok(!('bare' in (await treeOf(disk))));
    });
  });

  const methods: Readonly<Record<string, () => PromiseLike<unknown>>> = {
    stat: () => fs.stat(at('a.txt')),
    readDirectory: () => fs.readDirectory(at('full')),
    readFile: () => fs.readFile(at('a.txt')),
    writeFile: () => provider.writeFile(at('a.txt'), encodeText('new'), { create: true, overwrite: true }),
    createDirectory: () => provider.createDirectory(at('made')),
    delete: () => fs.delete(at('full'), { recursive: true, useTrash: false }),
    rename: () => fs.rename(at('a.txt'), at('renamed.txt')),
    copy: () => fs.copy(at('a.txt'), at('copied.txt')),
  };
  const always = (fault: FaultRule['fault']) => subject.platform.faults.add({ operation: '*', times: 'always', fault });

  for (const [name, run] of Object.entries(methods)) {
    describe(name, () => {
      it('is unavailable offline and changes nothing', async () => {
        const before = await treeOf(disk);
        always({ kind: 'reset', when: 'before' });
        assert.equal(await outcome(run()), 'Unavailable');
        assert.deepEqual(await treeOf(disk), before);
      });

      it('succeeds on a slow platform', async () => {
        always({ kind: 'delay', milliseconds: 150 });
        assert.equal(await outcome(run()), 'done');
      });

      it('has no permission without access to the environment', async () => {
        const refused = { kind: 'refuse', result: 702, error: 'session expired' } as const;
        for (const operation of ['GetList', 'Read', 'Write', 'Create', 'Delete', 'Rename', 'Copy']) {
          subject.platform.faults.add({ operation, times: 'always', fault: refused });
        }
        assert.equal(await outcome(run()), 'NoPermissions');
      });
    });
  }

  describe('reports', () => {
    async function eventsOf(work: () => PromiseLike<unknown>): Promise<readonly string[]> {
      const events: FileChangeEvent[] = [];
      const listening = provider.onDidChangeFile((changes) => events.push(...changes));
      await work();
      listening.dispose();
      // Watchers also get an event for the folder itself.
      const own = events.filter(({ uri }) => uri.path.startsWith(`${folder.path}/`));
      return own.map(({ type, uri }) => `${FileChangeType[type]} ${uri.path.slice(folder.path.length + 1)}`);
    }

    it('each change once', async () => {
      // A save compares what it sees with an earlier listing of the folder.
      await fs.readDirectory(folder);
      assert.deepEqual(await eventsOf(() => fs.writeFile(at('new.txt'), encodeText('x'))), ['Created new.txt']);
      assert.deepEqual(await eventsOf(() => fs.writeFile(at('a.txt'), encodeText('longer'))), ['Changed a.txt']);
      assert.deepEqual(await eventsOf(() => provider.createDirectory(at('made'))), ['Created made']);
      assert.deepEqual(await eventsOf(() => fs.delete(at('b.txt'))), ['Deleted b.txt']);
      assert.deepEqual(await eventsOf(() => fs.rename(at('a.txt'), at('z.txt'))), ['Deleted a.txt', 'Created z.txt']);
      assert.deepEqual(await eventsOf(() => fs.copy(at('z.txt'), at('y.txt'))), ['Created y.txt']);
    });

    it('a folder that a platform moves only by a copy, with a binary file, and the copy that a failed move leaves', async () => {
      const { behaviour, faults } = subject.platform;
      behaviour.renameAcrossFolders = 'refused';
      try {
        await writeFile(join(disk, 'full/logo.png'), Buffer.from([0xff, 0x00, 0x80]));
        assert.deepEqual(await eventsOf(() => fs.rename(at('full'), at('bare/full'))), [
          'Deleted full',
          'Created bare/full',
        ]);
        assert.equal((await readFile(join(disk, 'bare/full/logo.png'))).length, 3);
        // What an earlier test has deleted may be removed only now.
        const parameters = { path: filePlaceOf(at('bare/full'))?.path ?? '' };
        faults.add({ operation: 'Delete', parameters, fault: { kind: 'refuse', result: 99, error: 'busy' } });
        const failing = async () =>
          assert.rejects(async () => fs.rename(at('bare/full'), at('full')), /all or part of it still exists/);
        assert.deepEqual(await eventsOf(failing), ['Created full']);
        assert.equal(await text('bare/full/c.txt'), await text('full/c.txt'));
      } finally {
        behaviour.renameAcrossFolders = usualBehaviour.renameAcrossFolders;
      }
    });

    it('nothing if nothing changed', async () => {
      assert.deepEqual(await eventsOf(() => outcome(fs.delete(at('missing.txt')))), []);
      assert.deepEqual(await eventsOf(() => outcome(fs.rename(at('a.txt'), at('b.txt')))), []);
      assert.deepEqual(await eventsOf(() => fs.readFile(at('a.txt'))), []);
    });
  });

  it('copies to another node by reading and writing', async () => {
    const elsewhere = Uri.joinPath(folder, '..', '..').with({ path: folder.path.replace(/cp~\d+/, 'cp') });
    await fs.copy(at('full'), Uri.joinPath(elsewhere, 'copied'));
    assert.equal(await text('copied/below/d.txt'), 'd');
  });

  describe('accepts any name', () => {
    const names = [
      'two words',
      `it's "quoted"`,
      'a#b',
      '100%25',
      '100%',
      'why?',
      'crane🏗️',
      '[a-z]*.conf',
      'ümläut',
      '-rf',
      '$HOME;&|',
      '.hidden',
      'a+b',
      'a&b=c',
      '^(x)$',
      '..x',
      'x..',
      'cp~1',
      'ENDS ',
      '\\back',
      '日本語',
    ];
    for (const name of names) {
      it(JSON.stringify(name), async () => {
        const [one, other] = [Uri.joinPath(at('bare'), name), Uri.joinPath(at('full'), name)];
        await fs.writeFile(one, encodeText(name));
        assert.equal(decodeText(await fs.readFile(one)), name);
        assert.equal((await fs.stat(one)).type, FileType.File);
        assert.deepEqual(await fs.readDirectory(at('bare')), [[name, FileType.File]]);
        await fs.rename(one, other);
        await fs.copy(other, one);
        await fs.delete(other);
        assert.equal(await text(`bare/${name}`), name);
        assert.equal(await text(`full/${name}`), undefined);
      });
    }
  });
});
