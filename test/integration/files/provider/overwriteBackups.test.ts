import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, env, Uri, workspace } from 'vscode';
import { Backups } from '../../../../src/files/saving/backups';
import { filePlaceOf } from '../../../../src/containers/place';
import { nextEvent, until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../../support/oneLayer';
import { Person } from '../../support/person';

const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

describe('an overwriting move or copy', () => {
  let stage: OneLayer;
  let person: Person;
  let local: string;
  const { fs } = workspace;

  before(async () => {
    stage = await startOneLayer({ nodes: 2 });
    local = await mkdtemp(join(tmpdir(), 'gantry-overwriting-'));
  });

  beforeEach(async () => {
    person = new Person();
    await rm(onDisk('/srv/www'), { recursive: true, force: true });
    await put('a.conf', 'new\n');
    await put('b.conf', 'old\n');
    await put('site/index.html', 'new site\n');
    await put('live/index.html', 'old site\n');
    await put('live/logo.png', binary);
    stage.parts.listings.forgetAll();
    // Otherwise, VS Code may know the folder from an earlier test, and its files would be someone else's.
    await fs.readDirectory(at('live'));
    stage.parts.listings.forgetAll();
    stage.platform.journal.reset();
  });

  afterEach(async () => {
    person.leave();
    const { backups, overwritten } = stage.parts.files;
    await backups.settled();
    await Promise.all((await overwritten.list()).map((kept) => overwritten.discard(kept)));
    await clearOneLayer(stage.platform);
  });

  after(async () => {
    await endOneLayer(stage);
    await rm(local, { recursive: true });
  });

  const onDisk = (path: string) => join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), path);
  const at = (name: string) => fileUri(stage.account, 'shop', `cp~${stage.nodes[0] ?? 0}`, `/srv/www/${name}`);
  const text = (name: string) => readFile(onDisk(`/srv/www/${name}`), 'utf8');
  const names = async () => (await readdir(onDisk('/srv/www'))).sort();
  const put = async (name: string, content: string | Buffer) => {
    const file = onDisk(`/srv/www/${name}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  const operations = () => stage.platform.journal.arrivals.map(({ operation }) => operation);
  const changes = () => operations().filter((name) => !['GetList', 'Read'].includes(name));
  const fail = (operation: string, nth = 1) =>
    stage.platform.faults.add({ operation, nth, fault: { kind: 'refuse', result: 4075, error: 'no space left' } });
  /** Clicks Restore in the error, and returns once the content is back. */
  const restoring = async (work: () => Thenable<unknown>, isBack: () => Promise<boolean>) => {
    await person.answering([{ presses: 'Restore' }], async () => {
      await assert.rejects(async () => work());
      await until(stage.parts.files.fileSystem.onDidChangeFile, isBack);
    });
  };
  it('keeps a text from someone else that this window has never read, until it is tried again', async () => {
    await fs.readFile(at('b.conf'));
    // As long as before, so that a listing shows no difference.
    await put('b.conf', 'OLD\n');
    await assert.rejects(
      async () => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }),
      /someone changed it after Gantry last read it, so it was kept\. Check it, then try again\./,
    );
    assert.deepEqual(changes(), []);
    assert.equal(await text('b.conf'), 'OLD\n');
    await fs.delete(at('b.conf'), { recursive: true });
    assert.deepEqual(await names(), ['a.conf', 'live', 'site']);
  });

  it('deletes what this window wrote in any way', async () => {
    await fs.readFile(at('b.conf'));
    // Windows of one browser share it.
    await env.clipboard.writeText('');
    await person.answering(['more'], () => commands.executeCommand('gantry.file.append', at('b.conf')));
    await fs.delete(at('b.conf'), { recursive: true });
    // As a replacement, a restored version, or an agent's edit does.
    await put('b.conf', 'old\n');
    await fs.readFile(at('b.conf'));
    const place = filePlaceOf(at('b.conf')) ?? assert.fail();
    const { turns, writeOver } = stage.parts.files;
    const outcome = await turns.take([place], () => writeOver(place, { before: 'old\n', text: 'newer\n' }));
    assert.equal(outcome.kind, 'saved');
    await fs.delete(at('b.conf'), { recursive: true });
    await fs.writeFile(at('b.conf'), Buffer.from('again\n'));
    await fs.delete(at('b.conf'), { recursive: true });
    assert.ok(!existsSync(onDisk('/srv/www/b.conf')));
  });

  const holds = (name: string, content: string) => async () =>
    existsSync(onDisk(`/srv/www/${name}`)) && (await text(name)) === content;

  it('replaces a file and leaves nothing behind', async () => {
    await fs.rename(at('a.conf'), at('b.conf'), { overwrite: true });
    assert.equal(await text('b.conf'), 'new\n');
    assert.deepEqual(await names(), ['b.conf', 'live', 'site']);
    assert.deepEqual(changes(), ['Delete', 'Rename']);
    const place = filePlaceOf(at('b.conf'));
    assert.ok(place);
    assert.deepEqual(await stage.parts.files.overwritten.find(place), []);
  });

  it('replaces a folder and leaves nothing behind', async () => {
    await fs.copy(at('site'), at('live'), { overwrite: true });
    await stage.parts.files.backups.settled();
    assert.equal(await text('live/index.html'), 'new site\n');
    assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    assert.deepEqual(changes(), ['Rename', 'Copy', 'Delete']);
  });

  it("restores a file that it couldn't replace", async () => {
    fail('Rename');
    await restoring(() => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }), holds('b.conf', 'old\n'));
    assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    assert.match(
      person.seen[0] ?? '',
      /Couldn't overwrite b\.conf\. Gantry kept its previous content on this computer\./,
    );
  });

  it("restores a folder that it couldn't replace, with files that aren't text", async () => {
    fail('Copy');
    await restoring(() => fs.copy(at('site'), at('live'), { overwrite: true }), holds('live/index.html', 'old site\n'));
    assert.ok((await readFile(onDisk('/srv/www/live/logo.png'))).equals(binary));
    assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    assert.match(
      person.seen[0] ?? '',
      /Couldn't overwrite live\. Gantry kept its previous content as \/srv\/www\/\.live\./,
    );
  });

  it("restores a binary file that it couldn't replace", async () => {
    fail('Rename', 2);
    const logo = onDisk('/srv/www/live/logo.png');
    await restoring(
      () => fs.rename(at('a.conf'), at('live/logo.png'), { overwrite: true }),
      () => Promise.resolve(existsSync(logo)),
    );
    assert.ok((await readFile(logo)).equals(binary));
  });

  it("keeps the old content on disk if the user doesn't restore it", async () => {
    fail('Rename');
    await person.answering([], () =>
      fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }).then(undefined, () => undefined),
    );
    const place = filePlaceOf(at('b.conf'));
    assert.ok(place);
    const [kept] = await stage.parts.files.overwritten.find(place);
    assert.equal(kept?.text, 'old\n');
  });

  it('keeps what an earlier one left on disk when the same file is overwritten or deleted again', async () => {
    const place = filePlaceOf(at('b.conf'));
    assert.ok(place);
    const { backups, overwritten } = stage.parts.files;
    const texts = async () => (await overwritten.find(place)).map((kept) => kept.text).sort();
    await person.answering([], async () => {
      for (const content of ['old\n', 'newer\n']) {
        await put('b.conf', content);
        stage.parts.listings.forgetAll();
        fail('Rename');
        await assert.rejects(async () => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }));
      }
    });
    assert.deepEqual(await texts(), ['newer\n', 'old\n']);
    await put('b.conf', 'newest\n');
    stage.parts.listings.forgetAll();
    await fs.rename(at('a.conf'), at('b.conf'), { overwrite: true });
    await backups.settled();
    assert.deepEqual(await texts(), ['newer\n', 'old\n']);
  });

  it("doesn't restore over what someone else created there", async () => {
    const rename = stage.platform.faults.add({ operation: 'Rename', fault: { kind: 'hang' } });
    await person.answering([{ presses: 'Restore' }], async () => {
      const renamed = fs.rename(at('a.conf'), at('b.conf'), { overwrite: true });
      await rename.reached;
      await put('b.conf', 'theirs\n');
      rename.release();
      await assert.rejects(async () => renamed, { code: 'FileExists' });
      await until(person.onDidSee, () => person.seen.some((one) => one.startsWith("Couldn't restore b.conf")));
    });
    assert.equal(
      person.seen.at(-1),
      "Couldn't restore b.conf: the name is taken. Rename or delete the other item, then try again.",
    );
    assert.equal(await text('b.conf'), 'theirs\n');
    assert.equal(await text('a.conf'), 'new\n');
  });

  it("doesn't restore what it moved aside over what someone else created there, also if the platform would", async () => {
    const logo = 'live/logo.png';
    const isSeen = (start: string) => person.seen.some((one) => one.startsWith(start));
    const when = until(person.onDidSee, () => isSeen("Couldn't overwrite logo.png.")).then(() => put(logo, 'theirs\n'));
    stage.platform.behaviour.existingTarget = 'overwritten';
    fail('Rename', 2);
    try {
      await person.answering([{ presses: 'Restore', when }], async () => {
        await assert.rejects(async () => fs.rename(at('a.conf'), at(logo), { overwrite: true }));
        await Promise.race([
          until(person.onDidSee, () => isSeen("Couldn't restore logo.png: the name is taken.")),
          nextEvent(stage.parts.files.backups.onDidLetGo),
        ]);
      });
    } finally {
      stage.platform.behaviour.existingTarget = 'refused';
    }
    assert.equal(await text(logo), 'theirs\n');
    const aside = (await readdir(onDisk('/srv/www/live'))).find((name) => name.startsWith('.logo.png.')) ?? '';
    assert.ok((await readFile(onDisk(`/srv/www/live/${aside}`))).equals(binary));
  });

  it("keeps the new file if the old content can't be deleted, also if the platform replaces the target of a rename", async () => {
    stage.platform.behaviour.existingTarget = 'overwritten';
    fail('Delete');
    try {
      await person.answering([], async () => {
        await fs.rename(at('a.conf'), at('live/logo.png'), { overwrite: true });
        await stage.parts.files.backups.settled();
      });
    } finally {
      stage.platform.behaviour.existingTarget = 'refused';
    }
    assert.equal(await text('live/logo.png'), 'new\n');
    assert.match(person.seen[0] ?? '', /Couldn't fully delete \S+\/logo\.png: .* What's left is in \S+\/\.logo\.png\./);
  });

  it("says why it couldn't restore, and restores when tried again", async () => {
    fail('Rename');
    fail('Write');
    await person.answering([{ presses: 'Restore' }, { presses: 'Restore' }], async () => {
      await assert.rejects(async () => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }));
      await until(stage.parts.files.fileSystem.onDidChangeFile, holds('b.conf', 'old\n'));
    });
    assert.match(person.seen.at(-1) ?? '', /^Couldn't restore b\.conf\. Couldn't .*disk is full/);
  });

  it("from this computer restores a file that it couldn't replace", async () => {
    const uri = Uri.file(join(local, 'a.conf'));
    await writeFile(uri.fsPath, 'local\n');
    fail('Write');
    await restoring(() => fs.copy(uri, at('b.conf'), { overwrite: true }), holds('b.conf', 'old\n'));
  });

  it("from this computer restores a folder that it couldn't replace", async () => {
    const uri = Uri.file(join(local, 'site'));
    await mkdir(uri.fsPath, { recursive: true });
    await writeFile(join(uri.fsPath, 'index.html'), 'local\n');
    fail('Write');
    await person.answering([], () => fs.copy(uri, at('live'), { overwrite: true }).then(undefined, () => undefined));
    const aside = (await names()).find((name) => name.startsWith('.live.')) ?? '';
    assert.equal(await text(`${aside}/index.html`), 'old site\n');
  });

  it('from this computer keeps the old folder when one file fails and another arrives later', async () => {
    const uri = Uri.file(join(local, 'two'));
    await mkdir(uri.fsPath, { recursive: true });
    await Promise.all(['one', 'two'].map((name) => writeFile(join(uri.fsPath, name), `${name}\n`)));
    const slow = stage.platform.faults.add({ operation: 'Write', fault: { kind: 'hang' } });
    fail('Write', 2);
    await person.answering([], async () => {
      const copied = fs.copy(uri, at('live'), { overwrite: true }).then(undefined, () => undefined);
      await until(person.onDidSee, () => person.seen.some((one) => one.startsWith("Couldn't overwrite live.")));
      slow.release();
      await copied;
    });
    await stage.parts.files.backups.settled();
    const aside = (await names()).find((name) => name.startsWith('.live.')) ?? '';
    assert.equal(await text(`${aside}/index.html`), 'old site\n');
  });

  it('still knows what a second delete of the same folder moved away when the first content is removed', async () => {
    const place = filePlaceOf(at('live'));
    assert.ok(place);
    const { backups, overwritten } = stage.parts.files;
    await fs.delete(at('live'), { recursive: true });
    const [first] = await overwritten.find(place);
    await put('live/index.html', 'newer site\n');
    stage.parts.listings.forgetAll();
    const removed = nextEvent(backups.onDidLetGo);
    await fs.delete(at('live'), { recursive: true });
    await removed;
    const [second] = await overwritten.find(place);
    assert.ok(first?.aside && second?.aside);
    assert.notDeepEqual(second.aside, first.aside);
  });

  it('is reported in the next window if this one ends in the middle', async () => {
    const place = filePlaceOf(at('b.conf'));
    assert.ok(place);
    const { overwritten, backups } = stage.parts.files;
    const other = new Backups(overwritten.folder, {
      owner: { window: 'ended', host: 'here' },
      announce: () => Promise.resolve(),
    });
    await other.keep({ place, base: { kind: 'unknown' }, told: undefined, text: 'lost\n' });
    await rm(onDisk('/srv/www/b.conf'));
    stage.parts.listings.forgetAll();
    await person.answering([{ presses: 'Restore' }], async () => {
      const restored = nextEvent(backups.onDidLetGo);
      await backups.offerLeft(() => Promise.resolve(false));
      await restored;
      assert.equal(await text('b.conf'), 'lost\n');
    });
    assert.match(person.seen[0] ?? '', /The window closed before b\.conf was replaced\./);
    assert.deepEqual(await overwritten.find(place), []);
  });

  describe('and a plain delete', () => {
    it('of a small text file takes one Read more than the Delete, and leaves nothing behind', async () => {
      await fs.stat(at('a.conf'));
      stage.platform.journal.reset();
      await fs.delete(at('a.conf'), { recursive: true });
      await stage.parts.files.backups.settled();
      assert.deepEqual(operations(), ['Read', 'Delete']);
      assert.deepEqual(await names(), ['b.conf', 'live', 'site']);
    });

    it('of a folder takes one Rename more, and never shows its new name', async () => {
      await fs.stat(at('a.conf'));
      stage.platform.journal.reset();
      await fs.delete(at('live'), { recursive: true });
      assert.deepEqual((await fs.readDirectory(at('.'))).map(([name]) => name).sort(), ['a.conf', 'b.conf', 'site']);
      await stage.parts.files.backups.settled();
      assert.deepEqual(changes(), ['Rename', 'Delete']);
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'site']);
    });

    it("that isn't recursive takes only the Delete", async () => {
      await fs.stat(at('a.conf'));
      stage.platform.journal.reset();
      await fs.delete(at('a.conf'));
      assert.deepEqual(operations(), ['Delete']);
    });

    it('of an empty folder lists it first, so that nothing is lost that someone has just created', async () => {
      await mkdir(onDisk('/srv/www/bare'));
      await fs.readDirectory(at('bare'));
      await fs.stat(at('a.conf'));
      stage.platform.journal.reset();
      await put('bare/theirs.txt', 'theirs\n');
      await assert.rejects(async () => fs.delete(at('bare')), /bare isn't empty/);
      assert.equal(await text('bare/theirs.txt'), 'theirs\n');
      await rm(onDisk('/srv/www/bare/theirs.txt'));
      assert.deepEqual(operations(), ['GetList']);
      await fs.delete(at('bare'));
      assert.deepEqual(operations(), ['GetList', 'GetList', 'Delete']);
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    });

    it("takes only the Delete if the token doesn't permit Rename", async () => {
      const fault = { kind: 'refuse', result: 8202, error: 'not permitted' } as const;
      stage.platform.faults.add({ operation: 'Rename', fault });
      await fs.delete(at('live'), { recursive: true });
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'site']);
    });

    it("restores a folder that can't be deleted, and says so", async () => {
      fail('Delete');
      await person.answering([], async () => {
        await fs.delete(at('live'), { recursive: true });
        await stage.parts.files.backups.settled();
      });
      assert.match(person.seen[0] ?? '', /Couldn't delete \/srv\/www\/live: .*no space left/);
      assert.equal(await text('live/index.html'), 'old site\n');
    });
  });
});
