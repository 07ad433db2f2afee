import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'mocha';
import { type TextDocument, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import { defaultSaveLimits } from '../../../../src/files/saving/saveFile';
import { placeOf } from '../../../../src/containers/place';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { replaceAll } from '../../support/editing';
import { nextEvent } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, startOneLayer } from '../../support/oneLayer';
import { Person } from '../../support/person';

const edited = 'listen 8080;\n';
const recheckPauses = [10];
const hour = 3_600_000;

describe('a platform that stops responding during a save', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let node: number;
  let person: Person;
  let count = 0;

  before(async () => {
    const started = await startOneLayer();
    ({ platform, account, parts } = started);
    node = started.nodes[0] ?? 0;
    Object.assign(parts.files.saveLimits, { patience: 400, recheckPauses });
    person = new Person();
  });

  afterEach(() => clearOneLayer(platform));

  after(async () => {
    person.leave();
    Object.assign(parts.files.saveLimits, defaultSaveLimits);
    await endOneLayer({ platform, account, parts });
  });

  const operations = () => platform.journal.arrivals.map(({ operation }) => operation);
  const keptOf = async ({ uri }: TextDocument) => {
    const place = placeOf(uri);
    assert.ok(place?.kind === 'file');
    return (await parts.files.kept.find(place))[0]?.text;
  };

  async function editedFile(): Promise<{ readonly document: TextDocument; readonly onDisk: string }> {
    count += 1;
    const path = `/srv/silent-${count}.conf`;
    const onDisk = join(platform.nodeFolder(node), path);
    await writeFile(onDisk, 'listen 80;\n');
    parts.listings.forgetAll();
    const document = await workspace.openTextDocument(fileUri(account, 'shop', `cp~${node}`, path));
    await replaceAll(document, edited);
    platform.journal.reset();
    return { document, onDisk };
  }

  /** On a slow machine, the offer to stop waiting may come before the request that the test is about. */
  const stopsWaiting = (document: TextDocument, { reached }: { readonly reached: Promise<unknown> }) =>
    person.answering([{ presses: 'Stop Waiting', when: reached }], () => document.save());

  it('is reported to the user, and a late response still completes the save', async () => {
    const { document, onDisk } = await editedFile();
    const hanging = platform.faults.add({ operation: 'Write', fault: { kind: 'hang' } });
    const saved = person.answering([], () => document.save());
    await nextEvent(person.onDidSee);
    assert.match(person.seen.join(' | '), /isn't responding\. silent-\d+\.conf isn't saved yet\./);
    hanging.release();
    assert.ok(await saved);
    assert.equal(await readFile(onDisk, 'utf8'), edited);
  });

  it('leaves the text in its tab when the user stops waiting, and gets no later requests', async () => {
    const { document, onDisk } = await editedFile();
    const swallowed = platform.faults.add({ operation: '*', times: 'always', fault: { kind: 'swallow' } });
    assert.equal(await stopsWaiting(document, swallowed), false);
    assert.ok(document.isDirty);
    assert.equal(await keptOf(document), edited);
    assert.ok(!operations().includes('Write'));
    assert.equal(await readFile(onDisk, 'utf8'), 'listen 80;\n');
    platform.faults.clear();
    assert.ok(await document.save());
    assert.equal(await keptOf(document), undefined);
  });

  it('is checked for the result when it responds again, and Gantry offers a save that never arrived', async () => {
    const { document, onDisk } = await editedFile();
    // The platform handles the check before the write, but doesn't respond to the write or anything after it.
    const swallowed = platform.faults.add({ operation: '*', nth: 3, times: 'always', fault: { kind: 'swallow' } });
    assert.equal(await stopsWaiting(document, swallowed), false);
    assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
    assert.equal(await keptOf(document), edited);
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    await person.answering([{ presses: 'Save' }], () => {
      platform.faults.clear();
      return saved;
    });
    assert.match(person.seen.join(' | '), /is responding again, but silent-\d+\.conf still isn't saved\./);
    assert.equal(await readFile(onDisk, 'utf8'), edited);
  });

  it('saves nothing that was typed after the save, even if that save had arrived', async () => {
    const { document, onDisk } = await editedFile();
    // The write arrives, but there are no responses anymore.
    const hanging = { operation: '*', nth: 3, times: 'always', fault: { kind: 'hang', when: 'after' } } as const;
    assert.equal(await stopsWaiting(document, platform.faults.add(hanging)), false);
    await replaceAll(document, 'half typed');
    const lookedUp = nextEvent(parts.files.uncertain.onDidLookUp);
    platform.faults.clear();
    assert.equal((await lookedUp).isSaved, true);
    await nextTurn();
    assert.equal(await readFile(onDisk, 'utf8'), edited);
    assert.ok(document.isDirty);
  });

  it('is checked for the result of a save to all nodes', async () => {
    const { document } = await editedFile();
    const place = placeOf(document.uri);
    assert.ok(place?.kind === 'file');
    const swallowed = platform.faults.add({ operation: 'Write', times: 'always', fault: { kind: 'swallow' } });
    parts.files.edits.setScope(place, 'layer');
    const lookedUp = nextEvent(parts.files.uncertain.onDidLookUp);
    assert.equal(await stopsWaiting(document, swallowed), false);
    assert.equal((await lookedUp).isSaved, false);
    parts.files.edits.setScope(place, 'place');
  });

  it('is checked several times before a save counts as missing, because the write may still arrive', async () => {
    const { document } = await editedFile();
    const write = platform.faults.add({ operation: 'Write', fault: { kind: 'hang' } });
    // The first read is the check before the write, and the second finds that the text is missing.
    const secondLook = platform.faults.add({ operation: 'Read', nth: 3, fault: { kind: 'hang' } });
    const lookedUp = nextEvent(parts.files.uncertain.onDidLookUp);
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    assert.equal(await stopsWaiting(document, write), false);
    await secondLook.reached;
    const written = platform.journal.next(({ operation }) => operation === 'Write');
    write.release();
    await written;
    secondLook.release();
    assert.equal((await lookedUp).isSaved, true);
    // Gantry saves the document then. In the next test, nobody would stop that from waiting for the platform.
    await saved;
  });

  it('is reported for a file in the open folder, whose listing is requested again', async () => {
    const { document } = await editedFile();
    const { listings } = parts;
    const anchors = Reflect.get(listings, 'anchors') as unknown;
    Reflect.set(listings, 'anchors', () => [placeOf(fileUri(account, 'shop', `cp~${node}`, '/srv'))]);
    try {
      listings.forgetAll();
      const swallowed = platform.faults.add({ operation: '*', times: 'always', fault: { kind: 'swallow' } });
      assert.equal(await stopsWaiting(document, swallowed), false);
    } finally {
      Reflect.set(listings, 'anchors', anchors);
    }
  });

  it('completes a save that had arrived without another write', async () => {
    const { document, onDisk } = await editedFile();
    const hanging = platform.faults.add({ operation: 'Write', fault: { kind: 'hang', when: 'after' } });
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    assert.equal(await stopsWaiting(document, hanging), false);
    await saved;
    assert.ok(!document.isDirty);
    assert.equal(await readFile(onDisk, 'utf8'), edited);
    assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
    assert.equal(await keptOf(document), undefined);
  });

  it('completes a save that had arrived, even if VS Code notices only later that it has failed', async () => {
    const { document, onDisk } = await editedFile();
    const place = placeOf(document.uri);
    assert.ok(place?.kind === 'file');
    const hanging = platform.faults.add({ operation: 'Write', fault: { kind: 'hang', when: 'after' } });
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    // VS Code joins a save of the same text to one that is still under way, as far as it knows.
    const isFound = hanging.reached.then(async () => {
      const lookedUp = nextEvent(parts.files.uncertain.onDidLookUp);
      parts.files.uncertain.note(place, place, edited);
      await lookedUp;
      Object.assign(parts.files.saveLimits, { recheckPauses: [hour] });
    });
    const isSaved = await person.answering([{ presses: 'Stop Waiting', when: isFound }], () => document.save());
    Object.assign(parts.files.saveLimits, { recheckPauses });
    assert.equal(isSaved, false);
    await saved;
    assert.ok(!document.isDirty);
    assert.equal(await readFile(onDisk, 'utf8'), edited);
    assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
  });
});
