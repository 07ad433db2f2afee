import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { type TextDocument, workspace } from 'vscode';
import { defaultSaveLimits } from '../../../../src/files/saving/saveFile';
import { closeWithoutSaving, replaceAll } from '../../support/editing';
import { nextEvent, until } from '../../support/event';
import { type WindowFile, windowScene } from '../../support/windowScene';

const edited = 'listen 8080;\n';
const recheckPauses = [10];
const hour = 3_600_000;

describe('a platform that stops responding during a save', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');

  before(() => void Object.assign(scene.parts.files.saveLimits, { patience: 400, recheckPauses }));
  after(() => void Object.assign(scene.parts.files.saveLimits, defaultSaveLimits));

  const keptOf = async (file: WindowFile) => (await file.kept())[0]?.text;

  async function editedFile() {
    const file = await cp.newFile('silent.conf', 'listen 80;\n');
    const document = await file.document();
    await replaceAll(document, edited);
    scene.platform.journal.reset();
    return { document, file };
  }

  /** On a slow machine, the offer to stop waiting may come before the request that the test is about. */
  const stopsWaiting = (document: TextDocument, { reached }: { readonly reached: Promise<unknown> }) =>
    scene.person.answering([{ presses: 'Stop Waiting', when: reached }], () => document.save());

  it('is reported to the user, and a late response still completes the save', async () => {
    const { document, file } = await editedFile();
    const hanging = scene.hang('Write');
    const saved = scene.person.answering([], () => document.save());
    await nextEvent(scene.person.onDidSee);
    assert.match(scene.person.seen.join(' | '), /isn't responding\. silent\.conf isn't saved yet\./);
    hanging.release();
    assert.ok(await saved);
    assert.equal(await file.text(), edited);
  });

  it('leaves the text in its tab when the user stops waiting, and gets no later requests', async () => {
    const { document, file } = await editedFile();
    const swallowed = scene.fail('*', { kind: 'swallow' }, { times: 'always' });
    assert.equal(await stopsWaiting(document, swallowed), false);
    assert.ok(document.isDirty);
    assert.equal(await keptOf(file), edited);
    assert.ok(!scene.requests().includes('Write'));
    assert.equal(await file.text(), 'listen 80;\n');
    scene.platform.faults.clear();
    assert.ok(await document.save());
    assert.equal(await keptOf(file), undefined);
  });

  it('is checked for the result when it responds again, and Gantry offers a save that never arrived', async () => {
    const { document, file } = await editedFile();
    // The platform handles the check before the write, but doesn't respond to the write or anything after it.
    const swallowed = scene.fail('*', { kind: 'swallow' }, { nth: 3, times: 'always' });
    assert.equal(await stopsWaiting(document, swallowed), false);
    assert.equal(scene.count('Write'), 1);
    assert.equal(await keptOf(file), edited);
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    await scene.person.answering([{ presses: 'Save' }], () => {
      scene.platform.faults.clear();
      return saved;
    });
    assert.match(scene.person.seen.join(' | '), /is responding again, but silent\.conf still isn't saved\./);
    assert.equal(await file.text(), edited);
  });

  it('saves nothing that was typed after the save, even if that save had arrived', async () => {
    const { document, file } = await editedFile();
    // The write arrives, but there are no responses anymore.
    const hanging = { operation: '*', nth: 3, times: 'always', fault: { kind: 'hang', when: 'after' } } as const;
    assert.equal(await stopsWaiting(document, scene.platform.faults.add(hanging)), false);
    await replaceAll(document, 'half typed');
    const lookedUp = nextEvent(scene.parts.files.uncertain.onDidLookUp);
    scene.platform.faults.clear();
    assert.equal((await lookedUp).isSaved, true);
    await nextTurn();
    assert.equal(await file.text(), edited);
    assert.ok(document.isDirty);
  });

  it('is checked for the result even if the document was reverted, so that what it saved is noted', async () => {
    const { document, file } = await editedFile();
    const { files } = scene.parts;
    Object.assign(files.saveLimits, { recheckPauses: [hour] });
    // The write arrives, but there are no responses anymore.
    const hanging = { operation: '*', nth: 3, times: 'always', fault: { kind: 'hang', when: 'after' } } as const;
    assert.equal(await stopsWaiting(document, scene.platform.faults.add(hanging)), false);
    scene.platform.faults.clear();
    await closeWithoutSaving();
    Object.assign(files.saveLimits, { recheckPauses });
    const told = nextEvent(files.onDidVerify);
    // As if it only began now.
    files.uncertain.note(file.place, file.place, edited);
    const { nodes, before: earlier, isUnannounced } = await told;
    const textsOf = (versions: typeof nodes) => versions.map(({ found }) => found.kind === 'text' && found.text);
    assert.deepEqual([textsOf(earlier), textsOf(nodes), isUnannounced], [['listen 80;\n'], [edited], true]);
    assert.equal(await file.text(), edited);
  });

  it('is checked for the result of a save to all nodes', async () => {
    const { document, file } = await editedFile();
    const { place } = file;
    const swallowed = scene.fail('Write', { kind: 'swallow' }, { times: 'always' });
    scene.parts.files.edits.setScope(place, 'layer');
    const lookedUp = nextEvent(scene.parts.files.uncertain.onDidLookUp);
    assert.equal(await stopsWaiting(document, swallowed), false);
    assert.equal((await lookedUp).isSaved, false);
    scene.parts.files.edits.setScope(place, 'place');
  });

  it('is checked for the result even if something else writes the file meanwhile', async () => {
    const { document, file } = await editedFile();
    const write = scene.fail('Write', { kind: 'swallow' });
    const firstLook = scene.hang('Read', { nth: 2 });
    const lookedUp = nextEvent(scene.parts.files.uncertain.onDidLookUp);
    assert.equal(await stopsWaiting(document, write), false);
    await firstLook.reached;
    await workspace.fs.writeFile(file.uri, Buffer.from('by an extension\n'));
    firstLook.release();
    assert.equal((await lookedUp).isSaved, false);
    assert.ok(document.isDirty);
  });

  for (const [why, result, error] of [
    ["can't be checked", 4037, 'permission denied'],
    [
      'may not be checked because that could wake up its environment',
      2212,
      'Not allowed for current Environment status [ENV_STATUS_TYPE_SLEEP]',
    ],
  ] as const) {
    it(`is told of if it ${why}`, async () => {
      const { document } = await editedFile();
      const { person } = scene;
      const write = scene.fail('Write', { kind: 'swallow' });
      scene.fail('Read', { kind: 'refuse', result, error }, { nth: 2, times: 'always' });
      const isTold = () => person.seen.some((text) => text.startsWith("Couldn't confirm that silent.conf was saved: "));
      await person.answering([{ presses: 'Stop Waiting', when: write.reached }], async () => {
        assert.equal(await document.save(), false);
        await until(person.onDidSee, isTold);
      });
      assert.ok(document.isDirty);
    });
  }

  it('is checked several times before a save counts as missing, because the write may still arrive', async () => {
    const { document } = await editedFile();
    const write = scene.hang('Write');
    // The first read is the check before the write, and the second finds that the text is missing.
    const secondLook = scene.fail('Read', { kind: 'hang' }, { nth: 3 });
    const lookedUp = nextEvent(scene.parts.files.uncertain.onDidLookUp);
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    assert.equal(await stopsWaiting(document, write), false);
    await secondLook.reached;
    const written = scene.platform.journal.next(({ operation }) => operation === 'Write');
    write.release();
    await written;
    secondLook.release();
    assert.equal((await lookedUp).isSaved, true);
    // Gantry saves the document then. In the next test, nobody would stop that from waiting for the platform.
    await saved;
  });

  it('is reported for a file in the open folder, whose listing is requested again', async () => {
    const { document } = await editedFile();
    const { listings } = scene.parts;
    const anchors = Reflect.get(listings, 'anchors') as unknown;
    Reflect.set(listings, 'anchors', () => [cp.place('/srv')]);
    try {
      listings.forgetAll();
      const swallowed = scene.fail('*', { kind: 'swallow' }, { times: 'always' });
      assert.equal(await stopsWaiting(document, swallowed), false);
    } finally {
      Reflect.set(listings, 'anchors', anchors);
    }
  });

  it('completes a save that had arrived without another write', async () => {
    const { document, file } = await editedFile();
    const hanging = scene.fail('Write', { kind: 'hang', when: 'after' });
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    assert.equal(await stopsWaiting(document, hanging), false);
    await saved;
    assert.ok(!document.isDirty);
    assert.equal(await file.text(), edited);
    assert.equal(scene.count('Write'), 1);
    assert.equal(await keptOf(file), undefined);
  });

  it('completes a save that had arrived, even if VS Code notices only later that it has failed', async () => {
    const { document, file } = await editedFile();
    const { place } = file;
    const hanging = scene.fail('Write', { kind: 'hang', when: 'after' });
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    // VS Code joins a save of the same text to one that is still under way, as far as it knows.
    const isFound = hanging.reached.then(async () => {
      const lookedUp = nextEvent(scene.parts.files.uncertain.onDidLookUp);
      scene.parts.files.uncertain.note(place, place, edited);
      await lookedUp;
      Object.assign(scene.parts.files.saveLimits, { recheckPauses: [hour] });
    });
    const isSaved = await scene.person.answering([{ presses: 'Stop Waiting', when: isFound }], () => document.save());
    Object.assign(scene.parts.files.saveLimits, { recheckPauses });
    assert.equal(isSaved, false);
    await saved;
    assert.ok(!document.isDirty);
    assert.equal(await file.text(), edited);
    assert.equal(scene.count('Write'), 1);
  });
});
