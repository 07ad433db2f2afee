import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Uri } from 'vscode';
import { ContainerFolders } from '../../../../src/files/transfers/containerFolder';
import { copyAcross } from '../../../../src/files/transfers/copyAcross';
import { localFolder, localSource } from '../../../../src/files/transfers/localFolder';
import { planTransfer } from '../../../../src/files/transfers/plan';
import { runPlan } from '../../../../src/files/transfers/runPlan';
import type { TransferTarget, Source } from '../../../../src/files/transfers/transfer';
import { maskWith } from '../../../../src/files/text';
import { Containers } from '../../../../src/containers/containers';
import { ServerSideOperations } from '../../../../src/containers/serverSideOperations';
import type { Transport } from '../../../../src/platform/sending/request';
import { onStage } from '../../../scene/onStage';
import { Scene } from '../../../scene/scene';
import { Connection } from '../../../unit/files/connection';

const webroot = '/var/www/webroot/transfers';
const binary = Buffer.from([0x89, 0x50, 0, 255, 254, 7]);
const latin1 = Buffer.from('Größe\n', 'latin1');

describe('files between the computer and containers', () => {
  const scene = onStage(new Scene({ sample: 'environments' }));
  const cp = scene.environment('shop').layer('cp').below(webroot);
  const { place, text, bytes, put, exists } = cp;
  let connection: Connection | undefined;
  let containers: Containers;
  let folders: ContainerFolders;

  beforeEach(async () => {
    await scene.putLocal('site/index.html', '<h1>Größe</h1>\n');
    await scene.putLocal('site/empty.txt', '');
    await scene.putLocal('site/img/dot.png', binary);
    await scene.putLocal('site/img/latin1.txt', latin1);
    for (const node of [0, 1]) await cp.makeFolder('', node);
    await signIn(await scene.platform.createSession());
  });

  afterEach(async () => {
    for (const node of [0, 1]) await cp.remove('', node);
    await connection?.close();
  });

  /** Separate copies of the classes for this test, down to the requests. */
  const signIn = async (token: string, transport: Transport = 'form') => {
    await connection?.close();
    connection = new Connection({ origin: scene.platform.origin, token, transport });
    const account = connection.containers.account(scene.slug);
    containers = new Containers({ find: () => account }, (layer) =>
      Promise.resolve(cp.nodes.map((nodeId) => ({ ...layer, target: { ...layer.target, nodeId } }))),
    );
    folders = new ContainerFolders(containers, new ServerSideOperations(containers));
  };
  const carry = async (sources: readonly Source[], to: TransferTarget, existing: 'replace' | 'skip' = 'skip') => {
    const { signal } = new AbortController();
    return runPlan(await planTransfer(sources, to, signal), { mayReplace: () => existing === 'replace', signal });
  };
  const upload = async () => carry([await localSource(Uri.file(scene.local('site')))], folders.destination(place('')));

  it('a folder that a response without a list hides is a failure, not an empty folder', async () => {
    await upload();
    const ofImages = { parameters: { path: place('site/img').path } };
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    const download = async (name: string) => {
      await mkdir(scene.local(name));
      const source = folders.source(place('site'), { absolutePath: place('site').path, name: 'site', isDir: true });
      return carry([source], localFolder(Uri.file(scene.local(name))));
    };
    const always = scene.fail('GetList', fault, { ...ofImages, times: 'always' });
    const { failures } = await download('first');
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['site/img'],
    );
    always.remove();
    scene.fail('GetList', fault, ofImages);
    // Only the two files that aren't text.
    assert.deepEqual((await download('second')).failures.map(({ path }) => path).sort(), [
      'site/img/dot.png',
      'site/img/latin1.txt',
    ]);
  });

  it('a folder is uploaded byte for byte: text with Write, other bytes with the uploader', async () => {
    scene.platform.journal.reset();
    const { done, failures } = await upload();
    assert.deepEqual(failures, []);
    assert.deepEqual([...done].sort(), [
      'site/empty.txt',
      'site/img/dot.png',
      'site/img/latin1.txt',
      'site/index.html',
    ]);
    assert.equal(await text('site/index.html'), '<h1>Größe</h1>\n');
    assert.equal(await text('site/empty.txt'), '');
    assert.deepEqual(await bytes('site/img/dot.png'), binary);
    assert.deepEqual(await bytes('site/img/latin1.txt'), latin1);
    const { count } = scene;
    assert.deepEqual([count('Create'), count('Write'), count('Upload')], [6, 1, 2]);
  });

  it("binary files are rejected before anything is written if the token can't upload", async () => {
    const methods = ['GetList', 'Read', 'Write', 'Create'].map((name) => `environment.file.${name}`);
    await signIn(await scene.platform.createToken({ description: 'narrow', apiList: methods }));
    const source = await localSource(Uri.file(scene.local('site/img/dot.png')));
    const { failures } = await carry([source], folders.destination(place('')));
    const [failure] = failures;
    assert.ok(failure?.error instanceof Error);
    assert.match(failure.error.message, /isn't UTF-8 text.*doesn't permit/);
    assert.ok(!exists('dot.png'));
  });

  it('a text with what agents see instead of a secret is not uploaded', async () => {
    const masked = `KEY=${maskWith('0123456789ab')}\n`;
    await scene.putLocal('site/masked.txt', masked);
    await scene.putLocal('site/latin1.txt', Buffer.from(`Größe\n${masked}`, 'latin1'));
    const { done, failures } = await upload();
    assert.equal(done.length, 4);
    assert.deepEqual(failures.map(({ path, error }) => [path, String(error).includes('masked-by-gantry-…')]).sort(), [
      ['site/latin1.txt', true],
      ['site/masked.txt', true],
    ]);
    assert.ok(!exists('site/masked.txt'));
  });

  it("failures are named, and partial files don't count as done", async () => {
    scene.fail('Write', { kind: 'diskFull', leaves: 'partial' }, { times: 'always' });
    const { done, failures } = await upload();
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['site/index.html'],
    );
    assert.equal(done.length, 3);
  });

  it('a file that someone changed after the question whether to replace it is kept', async () => {
    const { signal } = new AbortController();
    const source = await localSource(Uri.file(scene.local('site/img/dot.png')));
    await put('dot.png', 'old');
    const folder = folders.destination(place(''));
    const plan = await planTransfer([source], folder, signal);
    await put('dot.png', 'newer');
    const { done, failures } = await runPlan(plan, { mayReplace: () => true, signal });
    assert.deepEqual(done, []);
    assert.match(String(failures[0]?.error), /changed in the meantime/);
    assert.equal(await text('dot.png'), 'newer');
    assert.deepEqual((await carry([source], folder, 'replace')).failures, []);
    assert.deepEqual(await bytes('dot.png'), binary);
  });

  describe('while its bytes are sent', () => {
    /** Runs a transfer of the file. Someone else writes it before its last byte has arrived. */
    const sentWhile = async (theirs: Buffer | string) => {
      const { signal } = new AbortController();
      const source = await localSource(Uri.file(scene.local('site/img/dot.png')));
      const plan = await planTransfer([source], folders.destination(place('')), signal);
      const sending = scene.hang('Uploader');
      const sent = runPlan(plan, { mayReplace: () => true, signal });
      await sending.reached;
      await put('dot.png', theirs);
      sending.release();
      return sent;
    };

    it('a file that someone changes is kept', async () => {
      await put('dot.png', 'old');
      const { done, failures } = await sentWhile('newer');
      assert.deepEqual(done, []);
      assert.match(String(failures[0]?.error), /changed in the meantime/);
      assert.equal(await text('dot.png'), 'newer');
    });

    it('a file that someone creates with as many bytes is kept, and not taken for the one that was sent', async () => {
      const theirs = Buffer.from([...binary].reverse());
      const { done, failures } = await sentWhile(theirs);
      assert.deepEqual([done, failures.map(({ path }) => path)], [[], ['dot.png']]);
      assert.deepEqual(await bytes('dot.png'), theirs);
    });
  });

  it('leaves no empty file behind if the platform refuses to fetch the bytes', async () => {
    scene.fail('Upload', { kind: 'refuse', result: 4075, error: 'no space left' });
    const source = await localSource(Uri.file(scene.local('site/img/dot.png')));
    assert.equal((await carry([source], folders.destination(place('')))).failures.length, 1);
    assert.ok(!exists('dot.png'));
  });

  describe('on a whole layer', () => {
    const layer = () => cp.onLayer('');
    const planned = async () => {
      const { signal } = new AbortController();
      const source = await localSource(Uri.file(scene.local('site/img/dot.png')));
      return { plan: await planTransfer([source], folders.destination(layer()), signal), signal };
    };
    const both = () => cp.texts('dot.png');

    it('a file that someone changed on another node than the first after the question is kept', async () => {
      await put('dot.png', 'old');
      await put('dot.png', 'old', 1);
      const { plan, signal } = await planned();
      await put('dot.png', 'newer', 1);
      const { done, failures } = await runPlan(plan, { mayReplace: () => true, signal });
      assert.deepEqual(done, []);
      assert.match(String(failures[0]?.error), /changed in the meantime/);
      assert.deepEqual(await both(), ['old', 'newer']);
    });

    it('a file that only another node than the first has is replaced only if the person agrees', async () => {
      await put('dot.png', 'old', 1);
      const { plan, signal } = await planned();
      const asked: string[] = [];
      const mayReplace = ({ path }: { readonly path: string }) => asked.push(path) === 0;
      const { done, skipped, failures } = await runPlan(plan, { mayReplace, signal });
      assert.deepEqual([done, skipped, failures], [[], ['dot.png'], []]);
      assert.deepEqual(asked, ['dot.png']);
      assert.equal(await text('dot.png', 1), 'old');
      assert.deepEqual((await runPlan(plan, { mayReplace: () => true, signal })).failures, []);
      assert.deepEqual(await bytes('dot.png'), binary);
      assert.deepEqual(await bytes('dot.png', 1), binary);
    });

    it('a subfolder that only one node has is created on the others', async () => {
      for (const having of [0, 1]) {
        await cp.makeFolder('site/img', having);
        const site = await localSource(Uri.file(scene.local('site')));
        assert.deepEqual((await carry([site], folders.destination(layer()))).failures, []);
        for (const node of [0, 1]) {
          assert.deepEqual(await bytes('site/img/dot.png', node), binary);
          assert.equal(await text('site/index.html', node), '<h1>Größe</h1>\n');
          await cp.remove('site', node);
        }
      }
    });

    it('a folder that a node lacks is a failure that names the node', async () => {
      await cp.remove('', 1);
      const site = await localSource(Uri.file(scene.local('site')));
      await assert.rejects(carry([site], folders.destination(layer())), {
        message: `${webroot} doesn't exist on node ${cp.nodeId(1)}. Create it there, then try again.`,
      });
      assert.ok(!exists('site'));
    });

    it("a file isn't copied to a name that only another node than the first has, and not said to be", async () => {
      await put('mine.txt', 'mine');
      await put('name.txt', 'theirs', 1);
      assert.ok(connection);
      const copied = copyAcross(place('mine.txt'), cp.onLayer('name.txt'), folders, connection.listings);
      await assert.rejects(copied, { kind: 'exists' });
      assert.equal(await text('name.txt', 1), 'theirs');
      assert.ok(!exists('name.txt'));
    });

    it("a folder isn't copied into one that only another node than the first has", async () => {
      await put('mine/new.txt', 'mine');
      await put('name/theirs.txt', 'theirs', 1);
      assert.ok(connection);
      const copied = copyAcross(place('mine'), cp.onLayer('name'), folders, connection.listings);
      await assert.rejects(copied, { kind: 'exists' });
      assert.ok(!exists('name'));
      assert.deepEqual(await cp.names('name', 1), ['theirs.txt']);
    });

    it("a file that another node than the first kept didn't arrive", async () => {
      const { plan, signal } = await planned();
      await put('dot.png', 'created meanwhile', 1);
      const { done, failures } = await runPlan(plan, { signal });
      assert.deepEqual(done, []);
      assert.equal(failures.length, 1);
      assert.equal(await text('dot.png', 1), 'created meanwhile');
    });
  });

  it('the result of a lost response is checked', async () => {
    scene.fail('Write', { kind: 'reset', when: 'after' });
    const { done, failures } = await upload();
    assert.deepEqual(failures, []);
    assert.ok(done.includes('site/index.html'));
  });

  it("a folder is downloaded byte for byte, except for reported files that aren't text", async () => {
    await upload();
    const [entry] = (await containers.list(place(''))).filter(({ name }) => name === 'site');
    assert.ok(entry);
    const { done, failures } = await carry(
      [folders.source(place('site'), entry)],
      localFolder(Uri.file(scene.local('down'))),
    );
    assert.deepEqual([...done].sort(), ['site/empty.txt', 'site/index.html']);
    assert.deepEqual(failures.map(({ path }) => path).sort(), ['site/img/dot.png', 'site/img/latin1.txt']);
    assert.equal(await readFile(scene.local('down/site/index.html'), 'utf8'), '<h1>Größe</h1>\n');
    assert.ok(!existsSync(scene.local('down/site/img/dot.png')));
  });

  describe('a link to a folder', () => {
    const copied = async () => {
      await put('site/index.html', '<h1>\n');
      const [entry] = (await containers.list(place(''))).filter(({ name }) => name === 'site');
      assert.ok(entry);
      return carry([folders.source(place('site'), entry)], folders.destination(place('', 1)));
    };
    const assertNotFollowed = ({ done, failures }: Awaited<ReturnType<typeof copied>>) => {
      assert.deepEqual(done, ['site/index.html']);
      assert.deepEqual(
        failures.map(({ path, error }) => [path, error instanceof Error ? error.message : error]),
        [['site/up', "Links to folders aren't followed."]],
      );
    };

    it("isn't followed back up, also if the platform lists it as the folder that it leads to", async () => {
      await cp.makeFolder('site');
      await cp.disk().link('site/up', '.');
      assertNotFollowed(await copied());
      assert.deepEqual(await cp.names('site', 1), ['index.html']);
    });

    it("isn't followed if the platform says that it is one", async () => {
      const at = (name: string) => ({ name, absolutePath: place(`site/${name}`).path });
      const listed = [
        { ...at('index.html'), isDir: false, fileType: 'regular file', length: 5 },
        { ...at('up'), isDir: true, fileType: 'symbolic link' },
      ];
      const body = JSON.stringify({ result: 0, keywords: listed });
      const parameters = { path: place('site').path, nodeid: String(cp.nodeId()) };
      scene.fail('GetList', { kind: 'answer', body }, { parameters, times: 'always' });
      assertNotFollowed(await copied());
    });
  });

  describe('if the platform accepts parameters only in URLs', () => {
    const long = 'grüße & more\n'.repeat(1_000);

    beforeEach(async () => {
      scene.platform.behaviour.transport = 'query';
      await signIn(await scene.platform.createSession(), 'query');
      await scene.putLocal('long.txt', long);
    });

    const uploadLong = async (existing?: 'replace') =>
      carry([await localSource(Uri.file(scene.local('long.txt')))], folders.destination(place('')), existing);

    it('uploads a text too long for a URL, and replaces one', async () => {
      assert.deepEqual(await uploadLong(), { done: ['long.txt'], skipped: [], failures: [], isCanceled: false });
      assert.equal(await text('long.txt'), long);
      await put('long.txt', 'old');
      assert.deepEqual((await uploadLong('replace')).done, ['long.txt']);
      assert.equal(await text('long.txt'), long);
    });

    it('copies a text too long for a URL between nodes', async () => {
      await put('long.txt', long);
      const [entry] = await containers.list(place(''));
      assert.ok(entry);
      const { failures } = await carry([folders.source(place('long.txt'), entry)], folders.destination(place('', 1)));
      assert.deepEqual(failures, []);
      assert.equal(await text('long.txt', 1), long);
    });

    it('leaves nothing behind and says what to do if there is no way to send it', async () => {
      const problemOf = async () => {
        const { failures } = await uploadLong();
        assert.ok(failures[0]?.error instanceof Error);
        assert.ok(!exists('long.txt'));
        return failures[0].error.message;
      };
      // The first refusal is what it learns from.
      scene.fail('Uploader', { kind: 'refuse', result: 8202, error: 'not permitted' });
      await uploadLong();
      assert.match(await problemOf(), /long\.txt is too long for one request.*doesn't permit Uploader.*in pieces/);
      await signIn(await scene.platform.createSession(), 'query');
      scene.platform.behaviour.extras = 'absent';
      assert.match(await problemOf(), /long\.txt is too long for one request.*has no upload service.*in pieces/);
    });
  });

  it('a failed write leaves no empty file behind', async () => {
    scene.fail('Write', { kind: 'diskFull', leaves: 'untouched' }, { times: 'always' });
    const { failures } = await upload();
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['site/index.html'],
    );
    assert.ok(!exists('site/index.html'));
  });

  it('a failed write keeps an empty file that may have existed before', async () => {
    await put('.gitkeep', '');
    scene.fail('Create', { kind: 'reset', when: 'before' });
    scene.fail('Write', { kind: 'diskFull', leaves: 'untouched' }, { times: 'always' });
    const folder = folders.destination(place(''));
    const { signal } = new AbortController();
    await assert.rejects(folder.put('.gitkeep', Buffer.from('text\n'), undefined, signal), {
      operation: 'Write',
    });
    assert.equal(await text('.gitkeep'), '');
  });

  it('text is copied from node to node', async () => {
    await put('a.conf', 'a;\n');
    const [entry] = await containers.list(place(''));
    assert.ok(entry);
    const { failures } = await carry([folders.source(place('a.conf'), entry)], folders.destination(place('', 1)));
    assert.deepEqual(failures, []);
    assert.equal(await text('a.conf', 1), 'a;\n');
  });
});
