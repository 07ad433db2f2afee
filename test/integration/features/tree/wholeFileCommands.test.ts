import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, Uri } from 'vscode';
import { filePlaceOf } from '../../../../src/containers/place';
import { until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../../support/oneLayer';
import { type Answer, escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';

const path = '/srv/logo.bin';
const old = Buffer.from([0, 1, 2]);
const theirs = Buffer.from([0, 3]);
const chosen = Buffer.from([0, 255, 254, 7]);

describe('a file replaced by an upload', () => {
  let stage: OneLayer;
  let person: Person;
  let folder: string;

  before(async () => {
    stage = await startOneLayer();
    folder = await mkdtemp(join(tmpdir(), 'gantry-replace-'));
    await writeFile(join(folder, 'new logo.bin'), chosen);
  });

  beforeEach(async () => {
    person = new Person();
    await writeFile(onDisk(), old);
    stage.parts.listings.forgetAll();
  });

  afterEach(async () => {
    person.leave();
    await clearOneLayer(stage.platform);
  });

  after(async () => {
    await endOneLayer(stage);
    await rm(folder, { recursive: true, force: true });
  });

  const onDisk = () => join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), path);
  const uri = () => fileUri(stage.account, 'shop', `cp~${stage.nodes[0]}`, path);
  const folderPlace = () =>
    filePlaceOf(uri().with({ path: uri().path.slice(0, -'/logo.bin'.length) })) ?? assert.fail();
  const files = () => ({ files: [Uri.file(join(folder, 'new logo.bin'))] });
  const replace = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.file.replaceByUpload', uri()));
  const questions = () => person.seen.filter((seen) => seen.includes('Replace it?'));
  const changes = () =>
    stage.platform.journal.count(({ operation }) =>
      ['Upload', 'Write', 'Delete', 'Rename', 'Copy'].includes(operation),
    );

  it('has exactly the bytes of the selected file, and keeps its name', async () => {
    await replace(files());
    assert.deepEqual(await readFile(onDisk()), chosen);
  });

  it('is replaced again without a question', async () => {
    await stage.parts.listings.list(folderPlace());
    await replace(files());
    await replace(files());
    assert.deepEqual(questions(), []);
    assert.deepEqual(await readFile(onDisk()), chosen);
  });

  it('is replaced only after a question if someone changed it after this window listed it', async () => {
    await stage.parts.listings.list(folderPlace());
    await writeFile(onDisk(), theirs);
    await replace(files(), escape);
    assert.match(
      person.seen.join(' | '),
      /“logo\.bin” already exists\. Replace it\? \| It was changed in the meantime\./,
    );
    assert.deepEqual(await readFile(onDisk()), theirs);
    await inProduction(['shop'], async () => {
      await stage.parts.listings.refresh(folderPlace());
      await writeFile(onDisk(), old);
      await replace(files(), escape);
      assert.match(person.seen.join(' | '), /production.*It was changed in the meantime\./s);
    });
    assert.deepEqual(await readFile(onDisk()), old);
  });

  it('is replaced on retry only after a question if someone changed it after the upload failed', async () => {
    const fault = { kind: 'refuse', result: 4075, error: 'full' } as const;
    const refused = stage.platform.faults.add({ operation: 'Upload', fault });
    const when = refused.reached.then(() => writeFile(onDisk(), theirs));
    await person.answering([files(), { presses: 'Retry', when }, escape], async () => {
      const asked = until(person.onDidSee, () => questions().length > 0);
      await commands.executeCommand('gantry.file.replaceByUpload', uri());
      await asked;
    });
    assert.deepEqual(await readFile(onDisk()), theirs);
  });

  it('stays as it is if no file is selected', async () => {
    const before = changes();
    await replace(escape);
    assert.deepEqual(await readFile(onDisk()), old);
    assert.equal(changes(), before);
  });

  it('is replaced in production only after a question that says so', async () => {
    await inProduction(['shop'], async () => {
      await replace(files(), escape);
      assert.match(person.seen.join(' | '), /production/);
      assert.deepEqual(await readFile(onDisk()), old);
      await replace(files(), 'Replace');
      assert.deepEqual(await readFile(onDisk()), chosen);
    });
  });

  it('is not reported as replaced if the platform refuses the upload', async () => {
    stage.platform.faults.add({ operation: 'Upload', fault: { kind: 'refuse', result: 4075, error: 'full' } });
    await replace(files());
    assert.match(person.seen.join(' | '), /Couldn't upload/);
    assert.deepEqual(await readFile(onDisk()), old);
  });
});
