import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, env, workspace } from 'vscode';
import { escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

const long = 'grüße & more\n'.repeat(400);
const path = '/srv/notes.txt';

describe('appending a text too long for a URL on a platform that accepts parameters only in URLs', () => {
  const stage = windowScene();
  const cp = stage.environment('shop').layer('cp');
  const { person } = stage;

  before(() => useTransport('query'));

  beforeEach(async () => {
    await cp.file(path, 'first');
    stage.platform.journal.reset();
    await env.clipboard.writeText(long);
  });

  after(() => useTransport(undefined));

  const useTransport = (transport: string | undefined) =>
    workspace.getConfiguration('gantry').update('transport', transport, ConfigurationTarget.Global);
  const onDisk = () => cp.onDisk(path);
  const appends = () => stage.count('Append');
  const append = (answer: string | typeof escape) =>
    person.answering(['From clipboard', answer], () => commands.executeCommand('gantry.file.append', cp.uri(path)));

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

describe('appending text to a file', () => {
  const stage = windowScene();
  const cp = stage.environment('shop').layer('cp');
  const { person } = stage;

  beforeEach(() => stage.parts.listings.forgetAll());

  const onDisk = () => cp.onDisk(path);
  const append = async (text: string) => {
    await env.clipboard.writeText(text);
    await person.answering(['From clipboard'], () => commands.executeCommand('gantry.file.append', cp.uri(path)));
  };
  const confirmed = { kind: 'answer', body: '{"result":0}', when: 'before' } as const;

  for (const [size, text] of Object.entries({
    short: 'listen 80;\n',
    long: `listen 80;\n${'# comment\n'.repeat(120_000)}listen 80;\n`,
  })) {
    it(`doesn't take an equal line in a ${size} file for the new one if the response is lost`, async () => {
      await writeFile(onDisk(), text);
      stage.platform.faults.add({ operation: 'Append', fault: { kind: 'reset', when: 'before' } });
      await append('listen 80;');
      assert.equal(await readFile(onDisk(), 'utf8'), text);
      assert.match(person.seen.at(-1) ?? '', /confirm/);
    });

    it(`finds the new line in a ${size} file if the response is lost`, async () => {
      await writeFile(onDisk(), text);
      stage.platform.faults.add({ operation: 'Append', fault: { kind: 'reset', when: 'after' } });
      await append('listen 80;');
      assert.equal(await readFile(onDisk(), 'utf8'), `${text}listen 80;\n`);
      assert.deepEqual(person.seen.slice(1), []);
    });

    it(`doesn't take an equal line in a ${size} file for the new one if the platform confirms an append that didn't happen`, async () => {
      await writeFile(onDisk(), text);
      stage.platform.faults.add({ operation: 'Append', fault: confirmed });
      await append('listen 80;');
      assert.match(person.seen.at(-1) ?? '', /doesn't contain the appended text/);
    });
  }

  it('sends no NUL, with which the file could no longer be edited', async () => {
    await writeFile(onDisk(), 'first\n');
    stage.platform.journal.reset();
    await append('second\0');
    assert.match(person.seen.at(-1) ?? '', /notes\.txt wasn't saved: NUL characters aren't allowed/);
    assert.equal(stage.count('Append'), 0);
    assert.equal(await readFile(onDisk(), 'utf8'), 'first\n');
  });

  it('counts as an edit of the file only if the platform accepted it', async () => {
    await writeFile(onDisk(), 'first\n');
    const edited: string[] = [];
    const listening = stage.parts.files.fileSystem.onDidAlter((changes) =>
      edited.push(...changes.map(({ place }) => place.path)),
    );
    try {
      stage.fail('Append', { kind: 'refuse', result: 4037, error: 'denied' });
      await append('last');
      assert.match(person.seen.at(-1) ?? '', /denied/);
      assert.deepEqual(edited, []);
      await append('last');
      assert.deepEqual(edited, [path]);
    } finally {
      listening.dispose();
    }
  });

  it("doesn't show what is in the clipboard, which may be a token", async () => {
    const token = '0123456789abcdef'.repeat(3).slice(0, 40);
    await writeFile(onDisk(), 'first\n');
    await env.clipboard.writeText(token);
    await person.answering([escape], () => commands.executeCommand('gantry.file.append', cp.uri(path)));
    assert.match(person.seen.join(' | '), /From clipboard: 1 line/);
    assert.ok(!person.seen.some((seen) => seen.includes(token.slice(0, 8))));
  });

  it('appends more than a megabyte', async () => {
    const text = 'grüße & more\n'.repeat(100_000);
    for (const when of [undefined, 'after'] as const) {
      await writeFile(onDisk(), 'first');
      if (when !== undefined) stage.platform.faults.add({ operation: 'Append', fault: { kind: 'reset', when } });
      await append(text);
      assert.ok((await readFile(onDisk(), 'utf8')) === `first\n${text}`);
      assert.deepEqual(person.seen.slice(1), []);
      person.seen.splice(0);
    }
  });
});

describe('appending text to a file on all nodes of a layer', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { person } = scene;

  const append = async (...texts: readonly [string, string]) => {
    for (const [node, text] of texts.entries()) await cp.put(path, text, node);
    scene.forget();
    await env.clipboard.writeText('last');
    await person.answering(['From clipboard'], () => commands.executeCommand('gantry.file.append', cp.layerUri(path)));
    return cp.texts(path);
  };

  it('begins a line on each node, also if only one of the files ends with a line break', async () => {
    assert.deepEqual(await append('first\n', 'first'), ['first\nlast\n', 'first\nlast\n']);
    assert.deepEqual(await append('first', 'other\n'), ['first\nlast\n', 'other\nlast\n']);
    assert.deepEqual(await append('first', 'other'), ['first\nlast\n', 'other\nlast\n']);
    assert.equal(scene.count('Append'), 1);
  });

  it('says on which node it failed after it succeeded on others', async () => {
    const nodeid = String(cp.nodeId(1));
    scene.fail('Append', { kind: 'refuse', result: 4037, error: 'denied' }, { parameters: { nodeid } });
    assert.deepEqual(await append('first\n', 'first'), ['first\nlast\n', 'first']);
    assert.match(person.seen.at(-1) ?? '', new RegExp(`on other nodes, but not confirmed on node ${nodeid}`));
  });

  it("isn't reported as done if another node than the main one doesn't have it", async () => {
    const sending = scene.hang('Append');
    scene.fail('Append', { kind: 'answer', body: '{"result":0}' });
    const appended = append('first\n', 'first\n');
    await sending.reached;
    await cp.put(path, 'first\nlast\n');
    sending.release();
    assert.deepEqual(await appended, ['first\nlast\n', 'first\n']);
    assert.match(person.seen.at(-1) ?? '', /doesn't contain the appended text/);
  });
});

describe('appending text to a file on the nodes of a layer that need different texts', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 3 });
  const { person } = scene;

  it('names the nodes that were not begun because one before them failed', async () => {
    const [, failing = 0, left = 0] = cp.nodes;
    for (const [node, text] of ['first\n', 'first', 'first'].entries()) await cp.put(path, text, node);
    scene.forget();
    await env.clipboard.writeText('last');
    const nodeid = String(failing);
    scene.fail('Append', { kind: 'refuse', result: 4037, error: 'denied' }, { parameters: { nodeid } });
    await person.answering(['From clipboard'], () => commands.executeCommand('gantry.file.append', cp.layerUri(path)));
    assert.deepEqual(await cp.texts(path), ['first\nlast\n', 'first', 'first']);
    const text = `not confirmed on node ${nodeid}. Check the end of the file there. Not attempted: ${left}.`;
    assert.ok(person.seen.at(-1)?.includes(text), person.seen.at(-1));
  });
});
