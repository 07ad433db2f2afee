import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Uri } from 'vscode';
import { runTransfer } from '../../../src/fileTree/transferCommands';
import { localFolder } from '../../../src/files/transfers/localFolder';
import type { Source } from '../../../src/files/transfers/transfer';
import { ShownTexts } from '../../../src/ui/shownTexts';
import { until } from '../support/event';
import { escape, Person } from '../support/person';

describe('a failed transfer', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-transfers-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const onDisk = (name: string) => join(folder, name);

  it('asks on retry before it replaces a file that appeared in the meantime', async () => {
    const person = new Person();
    const texts = new ShownTexts();
    const reading = { fails: true };
    const source: Source = {
      kind: 'file',
      name: 'a.txt',
      read: async () => {
        if (!reading.fails) return Buffer.from('theirs\n');
        reading.fails = false;
        await writeFile(onDisk('a.txt'), 'mine\n');
        throw new Error('the connection broke');
      },
    };
    try {
      await person.answering([{ presses: 'Retry' }, escape], async () => {
        await runTransfer(
          { kind: 'download', folder, sources: [source], destination: localFolder(Uri.file(folder)) },
          texts,
        );
        await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('Replace it?')));
      });
      assert.equal(await readFile(onDisk('a.txt'), 'utf8'), 'mine\n');
    } finally {
      person.leave();
      texts.dispose();
    }
  });
});
