import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import type { Parts } from '../../../src/extension';
import type { LocalPlatform } from '../../localPlatform/localPlatform';
import { fileUri } from '../support/gantry';
import { clearOneLayer, endOneLayer, startOneLayer } from '../support/oneLayer';
import { escape, Person } from '../support/person';

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
