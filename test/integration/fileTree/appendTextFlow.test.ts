import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, env, workspace } from 'vscode';
import { fileUri } from '../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../support/oneLayer';
import { escape, Person } from '../support/person';

const long = 'grüße & more\n'.repeat(400);
const path = '/srv/notes.txt';

describe('appending a text too long for a URL on a platform that accepts parameters only in URLs', () => {
  let stage: OneLayer;
  let person: Person;

  before(async () => {
    stage = await startOneLayer();
    await useTransport('query');
  });

  beforeEach(async () => {
    person = new Person();
    await writeFile(onDisk(), 'first');
    stage.parts.listings.forgetAll();
    stage.platform.journal.reset();
    await env.clipboard.writeText(long);
  });

  afterEach(async () => {
    person.leave();
    await clearOneLayer(stage.platform);
  });

  after(async () => {
    await useTransport(undefined);
    await endOneLayer(stage);
  });

  const useTransport = (transport: string | undefined) =>
    workspace.getConfiguration('gantry').update('transport', transport, ConfigurationTarget.Global);
  const node = () => stage.nodes[0] ?? 0;
  const onDisk = () => join(stage.platform.nodeFolder(node()), path);
  const appends = () => stage.platform.journal.count(({ operation }) => operation === 'Append');
  const append = (answer: string | typeof escape) =>
    person.answering(['From the clipboard', answer], () =>
      commands.executeCommand('gantry.file.append', fileUri(stage.account, 'shop', `cp~${node()}`, path)),
    );

  it('sends pieces, and checks each piece whose response is lost', async () => {
    stage.platform.faults.add({ operation: 'Append', nth: 2, fault: { kind: 'reset', when: 'after' } });
    await append('Append in Pieces');
    assert.equal(await readFile(onDisk(), 'utf8'), `first\n${long}`);
    assert.ok(appends() > 2);
  });

  it('asks before it sends anything', async () => {
    await append(escape);
    assert.equal(appends(), 0);
    assert.equal(await readFile(onDisk(), 'utf8'), 'first');
  });

  it('reports a partial append when a later piece fails', async () => {
    const fault = { kind: 'refuse', result: 4075, error: 'no space left' } as const;
    stage.platform.faults.add({ operation: 'Append', nth: 2, fault });
    await append('Append in Pieces');
    assert.match(person.seen.at(-1) ?? '', /Only part of the text was appended to \/srv\/notes\.txt/);
    assert.equal(appends(), 2);
  });
});
