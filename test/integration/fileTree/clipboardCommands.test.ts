import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { fileUri } from '../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../support/oneLayer';
import { escape, Person } from '../support/person';

describe('duplicating a file or folder', () => {
  let stage: OneLayer;
  let person: Person;

  before(async () => {
    stage = await startOneLayer();
    await mkdir(onDisk('/srv/sites'), { recursive: true });
  });

  beforeEach(async () => {
    person = new Person();
    await writeFile(onDisk('/srv/shop.conf'), 'one\n');
    await writeFile(onDisk('/srv/sites/a.conf'), 'a\n');
    stage.parts.listings.forgetAll();
    stage.platform.journal.reset();
  });

  afterEach(async () => {
    person.leave();
    await clearOneLayer(stage.platform);
  });

  after(() => endOneLayer(stage));

  const onDisk = (path: string) => join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), path);
  const duplicate = (path: string) =>
    commands.executeCommand('gantry.file.duplicate', fileUri(stage.account, 'shop', `cp~${stage.nodes[0]}`, path));
  const sent = (operation: string) => stage.platform.journal.entries.filter((entry) => entry.operation === operation);

  it('copies it on the platform under the name that the user enters', async () => {
    await person.answering(['shop.conf.bak'], () => duplicate('/srv/shop.conf'));
    assert.equal(await readFile(onDisk('/srv/shop.conf.bak'), 'utf8'), 'one\n');
    assert.equal(sent('Copy').length, 1);
    assert.equal(sent('Read').length, 0);
  });

  it('copies a folder with its content', async () => {
    await person.answering(['sites.old'], () => duplicate('/srv/sites'));
    assert.equal(await readFile(onDisk('/srv/sites.old/a.conf'), 'utf8'), 'a\n');
  });

  it('does nothing if the user cancels', async () => {
    await person.answering([escape], () => duplicate('/srv/shop.conf'));
    assert.equal(sent('Copy').length, 0);
  });
});
