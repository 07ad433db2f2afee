import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { commands, Uri } from 'vscode';
import { until } from '../../support/event';
import { type Answer, escape } from '../../support/person';
import { inProduction } from '../../support/production';
import { windowScene } from '../../support/windowScene';

const path = '/srv/logo.bin';
const old = Buffer.from([0, 1, 2]);
const theirs = Buffer.from([0, 3]);
const chosen = Buffer.from([0, 255, 254, 7]);

describe('a file replaced by an upload', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  beforeEach(async () => {
    await scene.putLocal('new logo.bin', chosen);
    await cp.file(path, old);
  });

  const uri = () => cp.uri(path);
  const folderPlace = () => cp.place('/srv');
  const files = () => ({ files: [Uri.file(scene.local('new logo.bin'))] });
  const replace = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.file.replaceByUpload', uri()));
  const questions = () => person.seen.filter((seen) => seen.includes('Replace it?'));
  const changes = () =>
    scene.platform.journal.count(({ operation }) =>
      ['Upload', 'Write', 'Delete', 'Rename', 'Copy'].includes(operation),
    );

  it('has exactly the bytes of the selected file, and keeps its name', async () => {
    await replace(files());
    assert.deepEqual(await cp.bytes(path), chosen);
  });

  it('is replaced again without a question', async () => {
    await scene.parts.listings.list(folderPlace());
    await replace(files());
    await replace(files());
    assert.deepEqual(questions(), []);
    assert.deepEqual(await cp.bytes(path), chosen);
  });

  it('is replaced only after a question if someone changed it after this window listed it', async () => {
    await scene.parts.listings.list(folderPlace());
    await cp.put(path, theirs);
    await replace(files(), escape);
    assert.match(
      person.seen.join(' | '),
      /“logo\.bin” already exists\. Replace it\? \| It was changed in the meantime\./,
    );
    assert.deepEqual(await cp.bytes(path), theirs);
    await inProduction(['shop'], async () => {
      await scene.parts.listings.refresh(folderPlace());
      await cp.put(path, old);
      await replace(files(), escape);
      assert.match(person.seen.join(' | '), /production.*It was changed in the meantime\./s);
    });
    assert.deepEqual(await cp.bytes(path), old);
  });

  it('is replaced on retry only after a question if someone changed it after the upload failed', async () => {
    const fault = { kind: 'refuse', result: 4075, error: 'full' } as const;
    const refused = scene.fail('Upload', fault);
    const when = refused.reached.then(() => cp.put(path, theirs));
    await person.answering([files(), { presses: 'Retry', when }, escape], async () => {
      const asked = until(person.onDidSee, () => questions().length > 0);
      await commands.executeCommand('gantry.file.replaceByUpload', uri());
      await asked;
    });
    assert.deepEqual(await cp.bytes(path), theirs);
  });

  it('stays as it is if no file is selected', async () => {
    const before = changes();
    await replace(escape);
    assert.deepEqual(await cp.bytes(path), old);
    assert.equal(changes(), before);
  });

  it('is replaced in production only after a question that says so', async () => {
    await inProduction(['shop'], async () => {
      await replace(files(), escape);
      assert.match(person.seen.join(' | '), /production/);
      assert.deepEqual(await cp.bytes(path), old);
      await replace(files(), 'Replace');
      assert.deepEqual(await cp.bytes(path), chosen);
    });
  });

  it('is not reported as replaced if the platform refuses the upload', async () => {
    scene.fail('Upload', { kind: 'refuse', result: 4075, error: 'full' });
    await replace(files());
    assert.match(person.seen.join(' | '), /Couldn't upload/);
    assert.deepEqual(await cp.bytes(path), old);
  });
});
