import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { NodeEditLog } from '../../../../../src/features/deployments/nodeEdits/nodeEditLog';
import { scratchFolder } from '../../../../host/folders';
import { openJournal } from '../../../../unit/files/journal/journalSetUp';
import { fileAt } from '../../../../scene/fileAt';

describe('The record of edits that a redeploy would discard', () => {
  let folder: string;
  const logs: NodeEditLog[] = [];
  beforeEach(() => {
    folder = scratchFolder('edits');
  });
  afterEach(async () => {
    logs.splice(0).forEach((log) => log.dispose());
    await rm(folder, { recursive: true, force: true });
  });

  const place = fileAt('/var/www/webroot/ROOT/index.php');
  /** A window of someone who didn't agree to keep versions, and what it was told. */
  const openWindow = () => {
    const { journal, troubles } = openJournal(folder, { hasConsent: () => false });
    const log = new NodeEditLog(journal, () => true);
    logs.push(log);
    return { log, troubles };
  };
  const open = () => openWindow().log;
  const onDisk = async () => {
    const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    return (await Promise.all(found.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join(
      '\n',
    );
  };

  it('has no text on the disk, but its window has it', async () => {
    const log = open();
    await log.note(place, { what: 'changed', before: 'text from before' });
    await log.note(place, { what: 'removed' });
    assert.ok(!(await onDisk()).includes('text from'));
    const [edit] = await log.of('a');
    assert.deepEqual([edit?.what, edit?.before], ['removed', 'text from before']);
  });

  it('is the same in the next window, which has the text if a version has it, and else its digest', async () => {
    await open().note(place, { what: 'changed', before: 'old' });
    const next = open();
    const [edit] = await next.of('a');
    assert.deepEqual([edit?.what, edit?.path, edit?.before], ['changed', place.path, undefined]);
    assert.ok(edit?.digest !== undefined);
    // Removing what the window before edited keeps what it was.
    await next.note(place, { what: 'removed' });
    const { journal } = openJournal(folder);
    await journal.append({ cause: 'save', state: 'verified', place, before: 'old', after: 'new' });
    const known = (await next.find(place)) ?? assert.fail();
    assert.equal(known.before, undefined, 'it is read only where it is needed');
    const found = await next.withText(known);
    assert.deepEqual([found.what, found.before, found.digest], ['removed', 'old', edit.digest]);
  });

  it("says once if it can't be written, and lets no save fail", async () => {
    const { log, troubles } = openWindow();
    // A file in place of the folder can't be written to, even by root.
    await writeFile(join(folder, 'a'), '');
    await log.note(place, { what: 'changed', before: 'old' });
    await log.note(fileAt('/var/www/webroot/ROOT/about.php'), { what: 'removed' });
    assert.deepEqual(
      troubles.map((trouble) => [trouble.kind, 'error' in trouble && String(trouble.error).includes('a')]),
      [['editNotNoted', true]],
    );
    await rm(join(folder, 'a'));
    await log.note(place, { what: 'changed', before: 'old' });
    assert.equal((await log.of('a')).length, 1);
    // The deletion is unknown until the file is edited again.
    assert.equal((await log.read('a')).unknown, 1);
    await writeFile(join(folder, 'b'), '');
    await log.note({ ...place, account: 'b' }, { what: 'changed', before: 'old' });
    assert.equal(troubles.length, 2, 'the disk could be written in between');
    await log.note(fileAt('/var/www/webroot/ROOT/about.php'), { what: 'removed' });
    assert.deepEqual([(await log.read('a')).unknown, (await log.of('a')).length], [0, 2]);
    await log.forgetAccount('b');
    await rm(join(folder, 'b'));
    assert.equal((await log.read('b')).unknown, 0);
  });

  it('says when a project below an unpacked archive was redeployed, and when it is unpacked again', async () => {
    const log = open();
    const above = fileAt('/var/www/webroot');
    const [archive, redeployed] = ['/tmp/site.tar', ['/var/www/webroot/ROOT']];
    const told: string[] = [];
    log.onDidChange(({ path }) => told.push(path));
    const unpack = async () => {
      await log.note(above, { what: 'unpacked', archive });
      return (await log.find(above, archive)) ?? assert.fail();
    };
    const first = await unpack();
    await log.learn(first, { redeployed });
    assert.deepEqual((await log.find(above, archive))?.redeployed, redeployed);
    assert.equal(told.length, 2);
    const second = await unpack();
    assert.deepEqual([second.redeployed, told.length], [undefined, 3]);
    await log.learn(first, { redeployed });
    assert.equal((await log.find(above, archive))?.redeployed, undefined, 'it was unpacked again in the meantime');
    assert.equal(told.length, 3);
  });

  it('has not even the digest of a text that may hold secrets', async () => {
    const log = open();
    for (const name of ['.env', '.env~', 'tls.key.bak', '.ssh/config']) {
      const secret = fileAt(`/var/www/webroot/ROOT/${name}`);
      await log.note(secret, { what: 'changed', before: 'PASSWORD=1' });
      const edit = await log.find(secret);
      assert.deepEqual([edit?.what, edit?.before, edit?.digest], ['changed', undefined, undefined], name);
      // What was applied to the clone is known by digests, too.
      const applied = { node: 'a0', made: 'a1' };
      await log.learn(edit ?? assert.fail(), { applied });
      await log.note(secret, { what: 'changed' });
      assert.deepEqual((await log.find(secret))?.applied, applied);
      assert.equal((await open().find(secret))?.applied, undefined);
    }
  });
});
