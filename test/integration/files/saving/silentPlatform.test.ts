import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { type TextDocument, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../../../src/extension';
import { usualSaveLimits } from '../../../../src/files/saving/saveFile';
import { placeOf } from '../../../../src/containers/place';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { replaceAll } from '../../support/editing';
import { nextEvent } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, startOneLayer } from '../../support/oneLayer';
import { Person } from '../../support/person';

const edited = 'listen 8080;\n';

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
    Object.assign(parts.files.saveLimits, { patience: 50, lookAgain: [10] });
    person = new Person();
  });

  afterEach(() => clearOneLayer(platform));

  after(async () => {
    person.leave();
    Object.assign(parts.files.saveLimits, usualSaveLimits);
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

  const stopsWaiting = (document: TextDocument) =>
    person.answering([{ presses: 'Stop Waiting' }], () => document.save());

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
    platform.faults.add({ operation: '*', times: 'always', fault: { kind: 'swallow' } });
    assert.equal(await stopsWaiting(document), false);
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
    // The platform answers the check before the write, but neither the write nor anything after it.
    platform.faults.add({ operation: '*', nth: 3, times: 'always', fault: { kind: 'swallow' } });
    assert.equal(await stopsWaiting(document), false);
    assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
    assert.equal(await keptOf(document), edited);
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    await person.answering([{ presses: 'Save' }], () => {
      platform.faults.clear();
      return saved;
    });
    assert.match(person.seen.join(' | '), /is responding again\. silent-\d+\.conf wasn't saved\./);
    assert.equal(await readFile(onDisk, 'utf8'), edited);
  });

  it('completes a save that had arrived without another write', async () => {
    const { document, onDisk } = await editedFile();
    const hanging = platform.faults.add({ operation: 'Write', fault: { kind: 'hang', when: 'after' } });
    const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one === document);
    const stopped = stopsWaiting(document);
    await hanging.reached;
    assert.equal(await stopped, false);
    await saved;
    assert.ok(!document.isDirty);
    assert.equal(await readFile(onDisk, 'utf8'), edited);
    assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
    assert.equal(await keptOf(document), undefined);
  });
});
