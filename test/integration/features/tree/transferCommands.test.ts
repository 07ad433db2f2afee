import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env, Uri } from 'vscode';
import { runTransfer } from '../../../../src/features/tree/transferFlow';
import { localFolder } from '../../../../src/files/transfers/localFolder';
import type { Source, TransferTarget } from '../../../../src/files/transfers/transfer';
import { ExpectedError } from '../../../../src/ui/expectedError';
import { ShownTexts } from '../../../../src/ui/shownTexts';
import { until } from '../../support/event';
import { escape, Person } from '../../support/person';
import { windowScene } from '../../support/windowScene';

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

describe('a transfer that replaces files', () => {
  it('asks again on retry if someone changed the file after the person had agreed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-transfers-'));
    const file = join(folder, 'a.txt');
    await writeFile(file, 'theirs\n');
    const [person, texts] = [new Person(), new ShownTexts()];
    const target = localFolder(Uri.file(folder));
    let version = '1';
    const destination: TransferTarget = {
      ...target,
      contents: () => Promise.resolve(new Map([['a.txt', { kind: 'file', version }]])),
      put: () => {
        // Someone else changes it while this fails.
        version = '2';
        return Promise.reject(new ExpectedError('the connection broke'));
      },
    };
    const source: Source = { kind: 'file', name: 'a.txt', read: () => Promise.resolve(Buffer.from('mine\n')) };
    const isAskedAgain = () => {
      const failedAt = person.seen.findIndex((seen) => seen.startsWith("Couldn't download"));
      return failedAt >= 0 && person.seen.slice(failedAt).some((seen) => seen.includes('Replace it?'));
    };
    try {
      for (const replaceSeen of [false, true]) {
        version = '1';
        const seen = new Map([['a.txt', version]]);
        await person.answering(
          [...(replaceSeen ? [] : ['Replace']), { presses: 'Retry' }, escape] as const,
          async () => {
            await runTransfer({ kind: 'download', folder, sources: [source], destination, seen, replaceSeen }, texts);
            await until(person.onDidSee, isAskedAgain);
          },
        );
        assert.match(person.seen.join(' | '), /It was changed in the meantime\./);
      }
    } finally {
      person.leave();
      texts.dispose();
      await rm(folder, { recursive: true });
    }
  });
});

describe('the message of a failed transfer', () => {
  const bug = () => Promise.reject(new TypeError('x is undefined'));
  const works = () => Promise.resolve(Buffer.from('b'));
  const copied = /^Copied diagnostics/;

  for (const kind of ['upload', 'download'] as const) {
    for (const [which, reads] of [['the only file', [bug]] as const, ['one of two files', [bug, works]] as const]) {
      it(`offers the diagnostics if ${which} failed unexpectedly: ${kind}`, async () => {
        await env.clipboard.writeText('');
        await pressAfter(kind, reads, copied);
        assert.match(await env.clipboard.readText(), /^# Gantry diagnostics[^]*Z TypeError/);
      });
    }
  }

  it("doesn't offer them if the error says what to do", async () => {
    const full = () => Promise.reject(new ExpectedError('The disk is full.'));
    await assert.rejects(pressAfter('upload', [full], /The disk is full/), /not asked/);
  });

  /** Transfers a file for each `read`, presses the button for the diagnostics, and waits for a message. */
  async function pressAfter(
    kind: 'upload' | 'download',
    reads: readonly (() => Promise<Buffer>)[],
    message: RegExp,
  ): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-transfers-'));
    const [person, texts] = [new Person(), new ShownTexts()];
    const sources = reads.map((read, index): Source => ({ kind: 'file', name: `${index}.txt`, read }));
    try {
      await person.answering([{ presses: 'Copy Diagnostics' }], async () => {
        await runTransfer({ kind, folder, sources, destination: localFolder(Uri.file(folder)) }, texts);
        await until(person.onDidSee, () => person.seen.some((seen) => message.test(seen)));
      });
    } finally {
      person.leave();
      texts.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  }
});

describe('a download of several files', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  beforeEach(async () => {
    const inexact = Buffer.from('Gr\xfc\xdfe\n', 'latin1');
    for (const name of ['a.bin', 'b.bin', 'fonts/c.bin']) await cp.put(`/srv/${name}`, inexact);
    await cp.put('/srv/text.txt', 'text\n');
  });

  const at = (name: string) => cp.uri(`/srv/${name}`);
  const download = (answers: Parameters<Person['answering']>[0], ...names: readonly [string, ...string[]]) => {
    const uris = names.map(at);
    return person.answering(answers, () => commands.executeCommand('gantry.file.download', uris[0], uris));
  };

  it("asks for no folder if the platform can't return any of them exactly", async () => {
    for (const [first, ...others] of [['a.bin', 'b.bin'], ['fonts']] as const) {
      await download([], first, ...others);
      assert.match(person.seen.join(' | '), /can't return any of its files exactly/);
    }
  });

  it('asks for a folder if one of them is exact, reads that one once, and reports the others', async () => {
    scene.platform.journal.reset();
    await download([{ files: [Uri.file(scene.local())] }], 'a.bin', 'text.txt', 'fonts');
    assert.equal(await readFile(scene.local('text.txt'), 'utf8'), 'text\n');
    const reads = scene.platform.journal.entries.filter(
      ({ operation, parameters }) => operation === 'Read' && parameters['path'] === '/srv/text.txt',
    );
    assert.equal(reads.length, 1);
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('2 of 3')));
  });
});

describe('Upload from URL', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  it('sends nothing if a file of this name appeared after the folder was listed', async () => {
    await scene.parts.listings.list(cp.place('/srv'));
    await cp.put('/srv/site.zip', 'theirs\n');
    scene.platform.journal.reset();
    await person.answering(['http://127.0.0.1:9/site.zip', 'site.zip'], () =>
      commands.executeCommand('gantry.folder.uploadFromUrl', cp.uri('/srv')),
    );
    assert.match(person.seen.join(' | '), /site\.zip was changed in the meantime, so nothing was uploaded/);
    assert.equal(scene.count('Upload'), 0);
    assert.equal(await cp.text('/srv/site.zip'), 'theirs\n');
  });
});
