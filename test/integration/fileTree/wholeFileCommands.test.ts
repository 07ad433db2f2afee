import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, Uri } from 'vscode';
import { fileUri } from '../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../support/oneLayer';
import { type Answer, escape, Person } from '../support/person';
import { inProduction } from '../support/production';

const path = '/srv/logo.bin';
const old = Buffer.from([0, 1, 2]);
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
  const files = () => ({ files: [Uri.file(join(folder, 'new logo.bin'))] });
  const replace = (...answers: readonly Answer[]) =>
    person.answering(answers, () =>
      commands.executeCommand(
        'gantry.file.replaceByUpload',
        fileUri(stage.account, 'shop', `cp~${stage.nodes[0]}`, path),
      ),
    );
  const changes = () =>
    stage.platform.journal.count(({ operation }) =>
      ['Upload', 'Write', 'Delete', 'Rename', 'Copy'].includes(operation),
    );

  it('has exactly the bytes of the selected file, and keeps its name', async () => {
    await replace(files());
    assert.deepEqual(await readFile(onDisk()), chosen);
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
