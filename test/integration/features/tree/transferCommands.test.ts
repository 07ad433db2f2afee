import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env, FileChangeType, Uri, workspace } from 'vscode';
import { runTransfer } from '../../../../src/features/tree/transferFlow';
import { localFolder } from '../../../../src/files/transfers/localFolder';
import type { Source, TransferTarget } from '../../../../src/files/transfers/transfer';
import { Canceled } from '../../../../src/platform/errors';
import { ExpectedError } from '../../../../src/ui/expectedError';
import { ShownTexts } from '../../../../src/ui/shownTexts';
import type { SetFault } from '../../../localPlatform/faults/faults';
import { cancelProgress } from '../../support/cancelProgress';
import { nextEvent, until } from '../../support/event';
import { type Answer, escape, Person } from '../../support/person';
import { labelOf, rowsBelow } from '../../support/trees';
import { untilTrue } from '../../support/untilTrue';
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

describe("a transfer to a folder that can't be listed", () => {
  it('says why, also on retry', async () => {
    const [person, texts] = [new Person(), new ShownTexts()];
    const unlisted = new ExpectedError('the folder is gone');
    const lists = [true, false];
    const destination: TransferTarget = {
      ...localFolder(Uri.file(tmpdir())),
      contents: () => (lists.shift() === true ? Promise.resolve(new Map()) : Promise.reject(unlisted)),
      put: () => Promise.reject(new ExpectedError('the connection broke')),
    };
    const source: Source = { kind: 'file', name: 'a.txt', read: () => Promise.resolve(Buffer.from('mine\n')) };
    const transfer = { kind: 'upload', folder: '/srv', sources: [source], destination } as const;
    try {
      await person.answering([{ presses: 'Retry' }], async () => {
        await runTransfer(transfer, texts);
        await until(person.onDidSee, () => person.seen.some((seen) => seen.includes(unlisted.message)));
      });
      await assert.rejects(runTransfer(transfer, texts), unlisted);
    } finally {
      person.leave();
      texts.dispose();
    }
  });
});

describe('a canceled transfer', () => {
  it("says how many files were transferred, and doesn't say that it's done", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-transfers-'));
    const [person, texts] = [new Person(), new ShownTexts()];
    const target = localFolder(Uri.file(folder));
    let tellWritten: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (tellWritten = resolve));
    const destination: TransferTarget = { ...target, put: (...put) => target.put(...put).then(tellWritten) };
    const sources: readonly Source[] = [
      { kind: 'file', name: 'quick.txt', read: () => Promise.resolve(Buffer.from('quick\n')) },
      { kind: 'file', name: 'slow.txt', read: untilCanceled },
    ];
    const leave = cancelProgress(written);
    try {
      await person.answering([], () => runTransfer({ kind: 'download', folder: '/home', sources, destination }, texts));
      assert.deepEqual(person.seen, ['Canceled. Downloaded 1 of 2 files to /home.']);
    } finally {
      leave();
      person.leave();
      texts.dispose();
      await rm(folder, { recursive: true });
    }
  });

  function untilCanceled(signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((_, reject) => {
      const canceled = () => reject(new Canceled('Read', { isOutcomeUnknown: false }));
      signal.addEventListener('abort', canceled, { once: true });
    });
  }
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

describe('an upload', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  it('tells only of what arrived, and of a replaced file as changed', async () => {
    await cp.put('/srv/site/there.bin', Buffer.from([0, 255]));
    for (const name of ['there.bin', 'refused.bin', 'css/new.bin', 'css/more.bin']) {
      await scene.putLocal(`site/${name}`, Buffer.from([0, 254, 7]));
    }
    scene.forget();
    const told: unknown[] = [];
    const listening = scene.parts.files.fileSystem.onDidAlter((changes) =>
      told.push(...changes.map(({ place, type }) => [place.path, FileChangeType[type]])),
    );
    const upload = (...answers: readonly Answer[]) =>
      person.answering([{ files: [Uri.file(scene.local('site'))] }, ...answers], () =>
        commands.executeCommand('gantry.folder.uploadFolder', cp.uri('/srv')),
      );
    await upload(escape);
    assert.deepEqual(told, []);
    const refused = { kind: 'refuse', result: 4037, error: 'denied' } as const;
    scene.fail('Upload', refused, { parameters: { destPath: '/srv/site/refused.bin' } });
    await upload('Replace');
    listening.dispose();
    assert.deepEqual(told, [
      ['/srv/site/css', 'Created'],
      ['/srv/site/there.bin', 'Changed'],
    ]);
  });
});

describe('an upload whose response is lost', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const bytes = Buffer.from([0, 254, 7]);

  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'Upload Files': async () => {
      const chosen = { files: [Uri.file(await scene.putLocal('logo.bin', bytes))] };
      await scene.person.answering([chosen, 'Replace'], () =>
        commands.executeCommand('gantry.folder.uploadFiles', cp.uri('/srv')),
      );
    },
    'the Explorer': () => assert.rejects(Promise.resolve(workspace.fs.writeFile(cp.uri('/srv/logo.bin'), bytes))),
    'the Explorer, of a text': async () => {
      await cp.put('/srv/logo.bin', 'before\n');
      scene.forget();
      scene.fail('Write', { kind: 'reset' });
      // The first is the check before the write.
      scene.fail('Read', { kind: 'refuse', result: 99, error: 'busy' }, { nth: 2, times: 'always' });
      await assert.rejects(Promise.resolve(workspace.fs.writeFile(cp.uri('/srv/logo.bin'), Buffer.from('text\n'))));
    },
  };
  for (const [way, upload] of Object.entries(ways)) {
    it(`tells of the file that it replaces as changed, because that may have arrived: ${way}`, async () => {
      await cp.put('/srv/logo.bin', Buffer.from([0, 255]));
      scene.forget();
      const told: unknown[] = [];
      const listening = scene.parts.files.fileSystem.onDidAlter((changes) =>
        told.push(...changes.map(({ place, type }) => [place.path, FileChangeType[type]])),
      );
      scene.fail('Upload', { kind: 'reset' });
      await upload();
      listening.dispose();
      assert.deepEqual(told, [['/srv/logo.bin', 'Changed']]);
    });
  }
});

describe('an upload that is retried', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  /** Uploads files and presses Retry, which is to ask about a file. Something happens once a request waits. */
  const upload = async (
    files: Readonly<Record<string, Uint8Array | string>>,
    waits: SetFault,
    meanwhile: () => Promise<void>,
  ) => {
    const local = Object.entries(files).map(([name, content]) => scene.putLocal(name, content));
    const chosen = { files: (await Promise.all(local)).map((path) => Uri.file(path)) };
    await person.answering([chosen, { presses: 'Retry' }, escape], async () => {
      const asked = until(person.onDidSee, () => person.seen.some((seen) => seen.includes('Replace it?')));
      const uploading = commands.executeCommand('gantry.folder.uploadFiles', cp.uri('/srv'));
      await waits.reached;
      await meanwhile();
      waits.release();
      await uploading;
      await asked;
    });
  };

  it('asks before it replaces a text that someone else edited after it had arrived', async () => {
    const second = scene.hang('Write', { parameters: { path: '/srv/b.txt' } });
    await upload({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, second, async () => {
      const arrived = () => cp.exists('/srv/a.txt') && readFileSync(cp.onDisk('/srv/a.txt'), 'utf8') === 'a\n';
      await untilTrue(arrived, () => 'a.txt has not arrived');
      await cp.put('/srv/a.txt', 'the text of someone else\n');
    });
    assert.equal(await cp.text('/srv/a.txt'), 'the text of someone else\n');
    assert.equal(await cp.text('/srv/b.txt'), 'b\n');
  });

  it('asks before it replaces a binary file that someone else created while its bytes were sent', async () => {
    const theirs = Buffer.from([0, 3, 255]);
    const sending = scene.hang('Uploader');
    await upload({ 'dot.png': Buffer.from([0, 255, 254, 7]) }, sending, () => cp.put('/srv/dot.png', theirs));
    assert.deepEqual(await cp.bytes('/srv/dot.png'), theirs);
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

  it('says that they no longer exist, and asks for nothing', async () => {
    const view = scene.parts.environmentsView;
    for (const names of [['gone.txt'], ['gone.txt', 'gone too.txt']]) {
      for (const name of names) await cp.put(`/srv/${name}`, 'text\n');
      scene.parts.listings.forgetAll();
      const rows = (await rowsBelow(view, 'shop', 'nginxphp', 'nginxphp', 'srv')).filter((row) =>
        names.includes(labelOf(view, row)),
      );
      for (const name of names) await cp.remove(`/srv/${name}`);
      scene.parts.listings.forgetAll();
      await person.answering([], () => commands.executeCommand('gantry.file.download', rows[0], rows));
      assert.match(person.seen.join(' | '), /Couldn't read gone( too)?\.txt on node \d+: it doesn't exist/);
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

describe('a download of one file', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  it('says nothing if it is canceled', async () => {
    await cp.put('/srv/text.txt', 'text\n');
    const reading = scene.hang('Read', { parameters: { path: '/srv/text.txt' } });
    const leave = cancelProgress(reading.reached);
    try {
      await person.answering([], () => commands.executeCommand('gantry.file.download', cp.uri('/srv/text.txt')));
    } finally {
      leave();
      reading.release();
    }
    assert.deepEqual(person.seen, []);
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

  describe('to a whole layer', () => {
    const layer = scene.environment('blog').layer('cp', { nodes: 2 });
    const upload = (name: string, ...answers: readonly Answer[]) =>
      person.answering(['http://127.0.0.1:9/site.zip', name, ...answers], () =>
        commands.executeCommand('gantry.folder.uploadFromUrl', layer.layerUri('/srv')),
      );

    beforeEach(() => scene.forget());

    it('asks about a file that only another node than the main one has', async () => {
      await layer.put('/srv/second.zip', 'old\n', 1);
      await upload('second.zip', escape);
      assert.match(person.seen.join(' | '), /“second\.zip” already exists\. Replace it\?/);
      assert.equal(scene.count('Upload'), 0);
    });

    it('sends nothing if someone changed it on another node during the question', async () => {
      await layer.putEverywhere('/srv/both.zip', 'old\n');
      const asked = nextEvent(person.onDidSee, () => person.seen.some((seen) => seen.includes('Replace it?')));
      const when = asked.then(() => layer.put('/srv/both.zip', 'theirs, and longer\n', 1));
      await upload('both.zip', { presses: 'Replace', when });
      assert.match(person.seen.join(' | '), /both\.zip was changed in the meantime, so nothing was uploaded/);
      assert.equal(scene.count('Upload'), 0);
      assert.equal(await layer.text('/srv/both.zip', 1), 'theirs, and longer\n');
    });

    it("doesn't count it as uploaded if a node lacks it afterward", async () => {
      const sending = scene.hang('Upload');
      scene.fail('Upload', { kind: 'answer', body: '{"result":0}' });
      const uploaded = upload('first.zip');
      await sending.reached;
      await layer.put('/srv/first.zip', 'only here\n');
      sending.release();
      await uploaded;
      assert.match(
        person.seen.join(' | '),
        /Couldn't upload \/srv\/first\.zip, although the platform reported success/,
      );
    });
  });
});
