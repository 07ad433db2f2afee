import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { Uri } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { ContainerFolders } from '../../../../src/files/transfers/containerFolder';
import { localFolder, localSource } from '../../../../src/files/transfers/localFolder';
import { planTransfer } from '../../../../src/files/transfers/plan';
import { runPlan } from '../../../../src/files/transfers/runPlan';
import type { TransferTarget, Source } from '../../../../src/files/transfers/transfer';
import { createClient, splitLongText } from '../../../../src/platform/client';
import { openPool } from '../../../../src/platform/sending/undiciPool';
import { Containers } from '../../../../src/containers/containers';
import type { Transport } from '../../../../src/platform/sending/request';
import type { FilePlace } from '../../../../src/containers/place';
import { maskWith } from '../../../../src/files/text';
import { ServerSideOperations } from '../../../../src/containers/serverSideOperations';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';

const webroot = '/var/www/webroot/transfers';
const binary = Buffer.from([0x89, 0x50, 0, 255, 254, 7]);
const latin1 = Buffer.from('Größe\n', 'latin1');

describe('files between the computer and containers', () => {
  let platform: LocalPlatform;
  let local: string;
  let containers: Containers;
  let folders: ContainerFolders;
  const pool = openPool({ proxyFor: () => undefined, checkCertificates: true });
  const nodes: number[] = [];
  const lacking = new Set<string>();

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    nodes.push(...platform.nodes('shop', 'cp').map(({ id }) => id));
  });

  beforeEach(async () => {
    local = await mkdtemp(join(tmpdir(), 'gantry-transfers-'));
    await mkdir(join(local, 'site/img'), { recursive: true });
    await writeFile(join(local, 'site/index.html'), '<h1>Größe</h1>\n');
    await writeFile(join(local, 'site/empty.txt'), '');
    await writeFile(join(local, 'site/img/dot.png'), binary);
    await writeFile(join(local, 'site/img/latin1.txt'), latin1);
    for (const node of [0, 1]) await mkdir(onDisk('', node), { recursive: true });
    signIn(await platform.createSession());
  });

  afterEach(async () => {
    platform.faults.clear();
    platform.behaviour.transport = 'both';
    platform.behaviour.extras = 'present';
    lacking.clear();
    for (const node of [0, 1]) await rm(onDisk('', node), { recursive: true, force: true });
    await rm(local, { recursive: true, force: true });
  });

  after(async () => {
    await pool.close();
    await platform.dispose();
  });

  /** Separate copies of the classes for this test, down to the requests. */
  const signIn = (session: string, transport: Transport = 'form') => {
    const address = { baseUrl: platform.origin, host: new URL(platform.origin).host };
    const client = createClient({ address, transport, send: pool.send });
    const account: Account = {
      slug: 'a',
      label: 'a',
      address: platform.origin,
      host: address.host,
      isSignedOut: false,
      expiresAt: undefined,
      lacks: (operation) => lacking.has(operation),
      lackOf: (operation) => (lacking.has(operation) ? 'token' : undefined),
      ensureOffered: () => undefined,
      lacking: [],
      lackedMethods: [],
      pieces: (parameters) => splitLongText({ address, transport }, { ...parameters, session }),
      call: (operation, parameters, options) => client.callAs(session, operation, parameters, options),
      upload: (file, options) => client.upload({ ...file, session }, options),
      transport,
      inspect: (operation, parameters) => client.inspect(operation, { ...parameters, session }),
      inspectWithoutToken: (operation, madeUp, options) => client.inspect(operation, { session: madeUp }, options),
      uploadWithoutToken: async (madeUp) => {
        await client.upload({ session: madeUp, name: 'check.txt', bytes: new Uint8Array() });
      },
    };
    containers = new Containers({ find: () => account }, (layer) =>
      Promise.resolve(nodes.map((nodeId) => ({ ...layer, target: { ...layer.target, nodeId } }))),
    );
    folders = new ContainerFolders(containers, new ServerSideOperations(containers));
  };
  const onDisk = (name: string, node = 0) => join(platform.nodeFolder(nodes[node] ?? 0), webroot, name);
  const place = (path: string, node = 0): FilePlace => ({
    kind: 'file',
    account: 'a',
    environment: 'shop',
    path: join(webroot, path),
    target: { nodeGroup: 'cp', nodeId: nodes[node] ?? 0 },
  });
  const carry = async (sources: readonly Source[], to: TransferTarget, existing: 'replace' | 'skip' = 'skip') => {
    const { signal } = new AbortController();
    return runPlan(await planTransfer(sources, to, signal), { mayReplace: () => existing === 'replace', signal });
  };
  const upload = async () => carry([await localSource(Uri.file(join(local, 'site')))], folders.destination(place('')));

  it('a folder that a response without a list hides is a failure, not an empty folder', async () => {
    await upload();
    const img = { operation: 'GetList', parameters: { path: place('site/img').path } };
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    const download = async (name: string) => {
      await mkdir(join(local, name));
      const source = folders.source(place('site'), { absolutePath: place('site').path, name: 'site', isDir: true });
      return carry([source], localFolder(Uri.file(join(local, name))));
    };
    platform.faults.add({ ...img, times: 'always', fault });
    const { failures } = await download('first');
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['site/img'],
    );
    platform.faults.clear();
    platform.faults.add({ ...img, fault });
    // Only the two files that aren't text.
    assert.deepEqual((await download('second')).failures.map(({ path }) => path).sort(), [
      'site/img/dot.png',
      'site/img/latin1.txt',
    ]);
  });

  it('a folder is uploaded byte for byte: text with Write, other bytes with the uploader', async () => {
    platform.journal.reset();
    const { done, failures } = await upload();
    assert.deepEqual(failures, []);
    assert.deepEqual([...done].sort(), [
      'site/empty.txt',
      'site/img/dot.png',
      'site/img/latin1.txt',
      'site/index.html',
    ]);
    assert.equal(await readFile(onDisk('site/index.html'), 'utf8'), '<h1>Größe</h1>\n');
    assert.equal(await readFile(onDisk('site/empty.txt'), 'utf8'), '');
    assert.deepEqual(await readFile(onDisk('site/img/dot.png')), binary);
    assert.deepEqual(await readFile(onDisk('site/img/latin1.txt')), latin1);
    const count = (name: string) => platform.journal.count(({ operation }) => operation === name);
    assert.deepEqual([count('Create'), count('Write'), count('Upload')], [4, 1, 2]);
  });

  it("binary files are rejected before anything is written if the token can't upload", async () => {
    const methods = ['GetList', 'Read', 'Write', 'Create'].map((name) => `environment.file.${name}`);
    signIn(await platform.createToken({ description: 'narrow', apiList: methods }));
    const source = await localSource(Uri.file(join(local, 'site/img/dot.png')));
    const { failures } = await carry([source], folders.destination(place('')));
    const [failure] = failures;
    assert.ok(failure?.error instanceof Error);
    assert.match(failure.error.message, /isn't UTF-8 text.*doesn't permit/);
    await assert.rejects(readFile(onDisk('dot.png')), { code: 'ENOENT' });
  });

  it('a text with what agents see instead of a secret is not uploaded', async () => {
    const masked = `KEY=${maskWith('0123456789ab')}\n`;
    await writeFile(join(local, 'site/masked.txt'), masked);
    await writeFile(join(local, 'site/latin1.txt'), Buffer.from(`Größe\n${masked}`, 'latin1'));
    const { done, failures } = await upload();
    assert.equal(done.length, 4);
    assert.deepEqual(failures.map(({ path, error }) => [path, String(error).includes('masked-by-gantry-…')]).sort(), [
      ['site/latin1.txt', true],
      ['site/masked.txt', true],
    ]);
    await assert.rejects(readFile(onDisk('site/masked.txt')), { code: 'ENOENT' });
  });

  it("failures are named, and partial files don't count as done", async () => {
    platform.faults.add({
      operation: 'Write',
      times: 'always',
      fault: { kind: 'diskFull', leaves: 'partial' },
    });
    const { done, failures } = await upload();
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['site/index.html'],
    );
    assert.equal(done.length, 3);
  });

  it('a file that someone changed after the question whether to replace it is kept', async () => {
    const { signal } = new AbortController();
    const source = await localSource(Uri.file(join(local, 'site/img/dot.png')));
    await writeFile(onDisk('dot.png'), 'old');
    const folder = folders.destination(place(''));
    const plan = await planTransfer([source], folder, signal);
    await writeFile(onDisk('dot.png'), 'newer');
    const { done, failures } = await runPlan(plan, { mayReplace: () => true, signal });
    assert.deepEqual(done, []);
    assert.match(String(failures[0]?.error), /changed in the meantime/);
    assert.equal(await readFile(onDisk('dot.png'), 'utf8'), 'newer');
    assert.deepEqual((await carry([source], folder, 'replace')).failures, []);
    assert.deepEqual(await readFile(onDisk('dot.png')), binary);
  });

  describe('on a whole layer', () => {
    const layer = (): FilePlace => ({ ...place(''), target: { nodeGroup: 'cp' } });
    const planned = async () => {
      const { signal } = new AbortController();
      const source = await localSource(Uri.file(join(local, 'site/img/dot.png')));
      return { plan: await planTransfer([source], folders.destination(layer()), signal), signal };
    };
    const both = () => Promise.all([0, 1].map((node) => readFile(onDisk('dot.png', node), 'utf8')));

    it('a file that someone changed on another node than the first after the question is kept', async () => {
      await writeFile(onDisk('dot.png'), 'old');
      await writeFile(onDisk('dot.png', 1), 'old');
      const { plan, signal } = await planned();
      await writeFile(onDisk('dot.png', 1), 'newer');
      const { done, failures } = await runPlan(plan, { mayReplace: () => true, signal });
      assert.deepEqual(done, []);
      assert.match(String(failures[0]?.error), /changed in the meantime/);
      assert.deepEqual(await both(), ['old', 'newer']);
    });

    it('a file that only another node than the first has is replaced only if the person agrees', async () => {
      await writeFile(onDisk('dot.png', 1), 'old');
      const { plan, signal } = await planned();
      const asked: string[] = [];
      const mayReplace = ({ path }: { readonly path: string }) => asked.push(path) === 0;
      assert.deepEqual(await runPlan(plan, { mayReplace, signal }), { done: [], skipped: ['dot.png'], failures: [] });
      assert.deepEqual(asked, ['dot.png']);
      assert.equal(await readFile(onDisk('dot.png', 1), 'utf8'), 'old');
      assert.deepEqual((await runPlan(plan, { mayReplace: () => true, signal })).failures, []);
      assert.deepEqual(await readFile(onDisk('dot.png')), binary);
      assert.deepEqual(await readFile(onDisk('dot.png', 1)), binary);
    });

    it('a subfolder that only one node has is created on the others', async () => {
      for (const having of [0, 1]) {
        await mkdir(onDisk('site/img', having), { recursive: true });
        const site = await localSource(Uri.file(join(local, 'site')));
        assert.deepEqual((await carry([site], folders.destination(layer()))).failures, []);
        for (const node of [0, 1]) {
          assert.deepEqual(await readFile(onDisk('site/img/dot.png', node)), binary);
          assert.equal(await readFile(onDisk('site/index.html', node), 'utf8'), '<h1>Größe</h1>\n');
          await rm(onDisk('site', node), { recursive: true });
        }
      }
    });

    it('a folder that a node lacks is a failure that names the node', async () => {
      await rm(onDisk('', 1), { recursive: true });
      const { done, failures } = await carry(
        [await localSource(Uri.file(join(local, 'site')))],
        folders.destination(layer()),
      );
      assert.deepEqual(done, []);
      assert.deepEqual(
        failures.map(({ error }) => (error instanceof Error ? error.message : error)),
        [`${webroot} doesn't exist on node ${nodes[1] ?? 0}. Create it there, then try again.`],
      );
    });

    it("a file that another node than the first kept didn't arrive", async () => {
      const { plan, signal } = await planned();
      await writeFile(onDisk('dot.png', 1), 'created meanwhile');
      const { done, failures } = await runPlan(plan, { signal });
      assert.deepEqual(done, []);
      assert.equal(failures.length, 1);
      assert.equal(await readFile(onDisk('dot.png', 1), 'utf8'), 'created meanwhile');
    });
  });

  it('the result of a lost response is checked', async () => {
    platform.faults.add({ operation: 'Write', fault: { kind: 'reset', when: 'after' } });
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
      localFolder(Uri.file(join(local, 'down'))),
    );
    assert.deepEqual([...done].sort(), ['site/empty.txt', 'site/index.html']);
    assert.deepEqual(failures.map(({ path }) => path).sort(), ['site/img/dot.png', 'site/img/latin1.txt']);
    assert.equal(await readFile(join(local, 'down/site/index.html'), 'utf8'), '<h1>Größe</h1>\n');
    await assert.rejects(readFile(join(local, 'down/site/img/dot.png')), { code: 'ENOENT' });
  });

  describe('if the platform accepts parameters only in URLs', () => {
    const long = 'grüße & more\n'.repeat(1_000);

    beforeEach(async () => {
      platform.behaviour.transport = 'query';
      signIn(await platform.createSession(), 'query');
      await writeFile(join(local, 'long.txt'), long);
    });

    const uploadLong = async (existing?: 'replace') =>
      carry([await localSource(Uri.file(join(local, 'long.txt')))], folders.destination(place('')), existing);

    it('uploads a text too long for a URL, and replaces one', async () => {
      assert.deepEqual(await uploadLong(), { done: ['long.txt'], skipped: [], failures: [] });
      assert.equal(await readFile(onDisk('long.txt'), 'utf8'), long);
      await writeFile(onDisk('long.txt'), 'old');
      assert.deepEqual((await uploadLong('replace')).done, ['long.txt']);
      assert.equal(await readFile(onDisk('long.txt'), 'utf8'), long);
    });

    it('copies a text too long for a URL between nodes', async () => {
      await writeFile(onDisk('long.txt'), long);
      const [entry] = await containers.list(place(''));
      assert.ok(entry);
      const { failures } = await carry([folders.source(place('long.txt'), entry)], folders.destination(place('', 1)));
      assert.deepEqual(failures, []);
      assert.equal(await readFile(onDisk('long.txt', 1), 'utf8'), long);
    });

    it('leaves nothing behind and says what to do if there is no way to send it', async () => {
      const problemOf = async () => {
        const { failures } = await uploadLong();
        assert.ok(failures[0]?.error instanceof Error);
        await assert.rejects(readFile(onDisk('long.txt')), { code: 'ENOENT' });
        return failures[0].error.message;
      };
      lacking.add('Uploader');
      assert.match(await problemOf(), /long\.txt is too long for one request.*doesn't permit Uploader.*in pieces/);
      lacking.clear();
      platform.behaviour.extras = 'absent';
      assert.match(await problemOf(), /long\.txt is too long for one request.*has no upload service.*in pieces/);
    });
  });

  it('a failed write leaves no empty file behind', async () => {
    platform.faults.add({ operation: 'Write', times: 'always', fault: { kind: 'diskFull', leaves: 'untouched' } });
    const { failures } = await upload();
    assert.deepEqual(
      failures.map(({ path }) => path),
      ['site/index.html'],
    );
    await assert.rejects(readFile(onDisk('site/index.html')), { code: 'ENOENT' });
  });

  it('a failed write keeps an empty file that may have existed before', async () => {
    await writeFile(onDisk('.gitkeep'), '');
    platform.faults.add({ operation: 'Create', fault: { kind: 'reset', when: 'before' } });
    platform.faults.add({ operation: 'Write', times: 'always', fault: { kind: 'diskFull', leaves: 'untouched' } });
    const folder = folders.destination(place(''));
    const { signal } = new AbortController();
    await assert.rejects(folder.put('.gitkeep', Buffer.from('text\n'), undefined, signal), {
      operation: 'Write',
    });
    assert.equal(await readFile(onDisk('.gitkeep'), 'utf8'), '');
  });

  it('text is copied from node to node', async () => {
    await writeFile(onDisk('a.conf'), 'a;\n');
    const [entry] = await containers.list(place(''));
    assert.ok(entry);
    const { failures } = await carry([folders.source(place('a.conf'), entry)], folders.destination(place('', 1)));
    assert.deepEqual(failures, []);
    assert.equal(await readFile(onDisk('a.conf', 1), 'utf8'), 'a;\n');
  });
});
