import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import { existsSync } from 'node:fs';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../../support/oneLayer';
import { escape, Person } from '../../support/person';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';

describe('duplicating a file or folder', () => {
  let stage: OneLayer;
  let person: Person;

  before(async () => {
    stage = await startOneLayer();
    await mkdir(onDisk('/srv/sites'), { recursive: true });
  });

  beforeEach(async () => {
    person = new Person();
    await writeFile(onDisk('/srv/shop.conf'), 'one\n');
    await writeFile(onDisk('/srv/sites/a.conf'), 'a\n');
    stage.parts.listings.forgetAll();
    stage.platform.journal.reset();
  });

  afterEach(async () => {
    person.leave();
    await clearOneLayer(stage.platform);
  });

  after(() => endOneLayer(stage));

  const onDisk = (path: string) => join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), path);
  const uriOf = (path: string) => fileUri(stage.account, 'shop', `cp~${stage.nodes[0]}`, path);
  const duplicate = (path: string) => commands.executeCommand('gantry.file.duplicate', uriOf(path));
  const sent = (operation: string) => stage.platform.journal.entries.filter((entry) => entry.operation === operation);

  it('copies it on the platform under the name that the user enters', async () => {
    await person.answering(['shop.conf.bak'], () => duplicate('/srv/shop.conf'));
    assert.equal(await readFile(onDisk('/srv/shop.conf.bak'), 'utf8'), 'one\n');
    assert.equal(sent('Copy').length, 1);
    assert.equal(sent('Read').length, 0);
  });

  it('copies a folder with its content', async () => {
    await person.answering(['sites.old'], () => duplicate('/srv/sites'));
    assert.equal(await readFile(onDisk('/srv/sites.old/a.conf'), 'utf8'), 'a\n');
  });

  for (const [command, run] of Object.entries({
    Duplicate: () => person.answering(['sites.new'], () => duplicate('/srv/sites')),
    'Copy and Paste': async () => {
      await mkdir(onDisk('/srv/to'), { recursive: true });
      await commands.executeCommand('gantry.file.copy', uriOf('/srv/sites'));
      await commands.executeCommand('gantry.folder.paste', uriOf('/srv/to'));
    },
  })) {
    it(`copies nothing of what was just deleted in a folder: ${command}`, async () => {
      await mkdir(onDisk('/srv/sites/images'));
      await workspace.fs.delete(uriOf('/srv/sites/images'), { recursive: true });
      await run();
      const copy = command === 'Duplicate' ? '/srv/sites.new' : '/srv/to/sites';
      assert.deepEqual(await readdir(onDisk(copy)), ['a.conf']);
      await stage.parts.files.backups.settled();
      assert.deepEqual(await readdir(onDisk('/srv/sites')), ['a.conf']);
    });
  }

  it('does nothing if the user cancels', async () => {
    await person.answering([escape], () => duplicate('/srv/shop.conf'));
    assert.equal(sent('Copy').length, 0);
  });
});

const longAgo = new Date('2020-02-02T02:02:02Z');

describe('Cut and Paste to another node', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let nodes: readonly number[];

  before(async () => {
    ({ platform, account, parts, nodes } = await startOneLayer({ nodes: 2 }));
    for (const node of [0, 1]) await mkdir(onDisk('/srv/to', node), { recursive: true });
    await mkdir(onDisk('/srv/from'));
  });

  afterEach(() => clearOneLayer(platform));

  after(() => endOneLayer({ platform, account, parts }));

  const onDisk = (where: string, node = 0) => join(platform.nodeFolder(nodes[node] ?? 0), where);
  const uriOf = (where: string, node = 0) => fileUri(account, 'shop', `cp~${nodes[node]}`, where);

  /** The time in the listing stays the same. */
  async function put(path: string, text: string): Promise<void> {
    await writeFile(onDisk(path), text);
    await utimes(onDisk(path), longAgo, longAgo);
  }

  async function cutAndPaste(path: string, meanwhile: () => Promise<void>): Promise<readonly string[]> {
    await put(path, 'old\n');
    parts.listings.forgetAll();
    const write = platform.faults.add({ operation: 'Write', fault: { kind: 'hang' } });
    const person = new Person();
    try {
      await person.answering(['Move'], async () => {
        await commands.executeCommand('gantry.file.cut', uriOf(path));
        const pasted = commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
        await write.reached;
        await meanwhile();
        write.release();
        await pasted;
      });
      return person.seen;
    } finally {
      person.leave();
    }
  }

  it('deletes the original once the copy holds the same text', async () => {
    const path = '/srv/from/moved.conf';
    await cutAndPaste(path, () => Promise.resolve());
    assert.equal(await readFile(onDisk('/srv/to/moved.conf', 1), 'utf8'), 'old\n');
    assert.ok(!existsSync(onDisk(path)));
  });

  it('keeps the original if someone changed it meanwhile, to the same length and with the same time', async () => {
    const path = '/srv/from/changed.conf';
    const seen = await cutAndPaste(path, () => put(path, 'new\n'));
    assert.equal(await readFile(onDisk(path), 'utf8'), 'new\n');
    assert.ok(
      seen.some((one) => one.includes('differs')),
      seen.join(' | '),
    );
  });

  it('can be pasted again if the user refused the move', async () => {
    const path = '/srv/from/refused.conf';
    await put(path, 'old\n');
    parts.listings.forgetAll();
    const person = new Person();
    const paste = () => commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
    try {
      await commands.executeCommand('gantry.file.cut', uriOf(path));
      await person.answering([escape], paste);
      assert.ok(existsSync(onDisk(path)));
      await person.answering(['Move'], paste);
    } finally {
      person.leave();
    }
    assert.equal(await readFile(onDisk('/srv/to/refused.conf', 1), 'utf8'), 'old\n');
  });
});
