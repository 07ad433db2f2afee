import assert from 'node:assert/strict';
import { chmod, stat, utimes } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { saveFile, type SaveLimits, type SaveRequest } from '../../../../src/files/saving/saveFile';
import { Connection } from '../connection';
import { ConnectedScene } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

const limits: Pick<SaveLimits, 'pauses'> = { pauses: [0, 0] };
const path = '/srv/site.conf';
const old = 'listen 80;\n';
const edited = 'listen 8080;\n';

describe('a save', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });

  beforeEach(async () => {
    await cp.putEverywhere(path, old);
  });

  /** Opens the file as an editor does. The result can be saved later. */
  async function edit(text = edited, rest: Partial<SaveRequest> = {}): Promise<SaveRequest> {
    const place = rest.place ?? cp.place(path);
    const version = await scene.open(place);
    const base = { kind: 'version', version } as const;
    scene.platform.journal.reset();
    return { place, nodes: [place], text, base, accepted: [], ...rest };
  }

  const save = (request: SaveRequest) => saveFile(request, scene.files, limits);
  const { fail } = scene;

  it('checks, writes, and verifies with five requests, three in sequence', async () => {
    const outcome = await save(await edit());
    assert.equal(outcome.kind, 'saved');
    assert.equal(await cp.text(path), edited);
    assert.deepEqual([...scene.requests()].sort(), ['GetList', 'GetList', 'Read', 'Read', 'Write']);
    const write = scene.platform.journal.arrivals.findIndex(({ operation }) => operation === 'Write');
    assert.equal(write, 2);
  });

  describe("in a folder that can't be listed", () => {
    const closed = '/srv/closed/site.conf';

    beforeEach(async () => {
      await cp.put(closed, old);
      await chmod(cp.onDisk('/srv/closed'), 0o311);
    });

    afterEach(() => chmod(cp.onDisk('/srv/closed'), 0o755));

    const begun = (text = old) => {
      const place = cp.place(closed);
      const base = { kind: 'version', version: { text, place } } as const;
      return { place, nodes: [place], text: edited, base, accepted: [] };
    };

    it("doesn't count as failed because a response without text looks like the previously empty file", async () => {
      await cp.put(closed, '');
      const missing = { kind: 'answer', body: '{"result":0}' } as const;
      scene.fail('Read', missing, { times: 'always' });
      fail('Write', { kind: 'refuse', result: 99, error: 'no', when: 'after' });
      const outcome = await save(begun(''));
      assert.equal(await cp.text(closed), edited);
      assert.equal(outcome.kind, 'incomplete');
    });

    it('is checked and verified by the text alone', async () => {
      const outcome = await save(begun());
      assert.equal(outcome.kind, 'saved');
      assert.equal(await cp.text(closed), edited);
      fail('Write', { kind: 'wrongText', text: 'listen 8081;\n' });
      const wrong = await save({ ...begun(edited), text: 'listen 8082;\n' });
      assert.equal(wrong.kind, 'incomplete');
    });

    it('has a conflict if someone else changed or deleted the file, even a long one', async () => {
      await cp.put(closed, 'listen 81;\n');
      assert.equal((await save(begun())).kind, 'conflict');
      assert.equal(await cp.text(closed), 'listen 81;\n');
      await cp.put(closed, 'y'.repeat(2_000));
      assert.equal((await save(begun('x'.repeat(2_000)))).kind, 'conflict');
      assert.equal((await save(begun('y'.repeat(2_000)))).kind, 'saved');
      await cp.remove(closed);
      const gone = await save(begun(edited));
      assert.ok(gone.kind === 'conflict' && gone.nodes.every(({ found }) => found.kind === 'absent'));
    });
  });

  it("returns the new file's listing entry", async () => {
    const outcome = await save(await edit());
    assert.ok(outcome.kind === 'saved');
    const [node] = outcome.nodes;
    assert.ok(node?.found.kind === 'text');
    assert.equal(node.found.entry.length, Buffer.byteLength(edited));
  });

  it('reports a change by others as a conflict and writes nothing, even if the length is the same', async () => {
    const request = await edit();
    await cp.put(path, 'listen 81;\n');
    const outcome = await save(request);
    assert.ok(outcome.kind === 'conflict');
    const [node] = outcome.nodes;
    assert.ok(node?.found.kind === 'text');
    assert.equal(node.found.text, 'listen 81;\n');
    assert.equal(await cp.text(path), 'listen 81;\n');
    assert.ok(!scene.requests().includes('Write'));
  });

  it('reports a conflict if only the start of a longer file is returned, and that is the text from before', async () => {
    const request = await edit();
    await cp.put(path, `${old}${'# added by someone else\n'.repeat(20)}`);
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0, body: old }) } as const;
    scene.fail('Read', fault, { times: 'always' });
    assert.equal((await save(request)).kind, 'conflict');
    assert.ok(!scene.requests().includes('Write'));
  });

  it('writes nothing if the file already has the new text', async () => {
    const request = await edit();
    await cp.put(path, edited);
    assert.equal((await save(request)).kind, 'saved');
    assert.ok(!scene.requests().includes('Write'));
  });

  it('reports a deleted file as a conflict, and re-creates it if that was accepted', async () => {
    const request = await edit();
    await cp.remove(path);
    const outcome = await save(request);
    assert.deepEqual(outcome.kind === 'conflict' && outcome.nodes.map(({ found }) => found.kind), ['absent']);
    assert.equal((await save({ ...request, accepted: [{ kind: 'absent' }] })).kind, 'saved');
    assert.equal(await cp.text(path), edited);
  });

  it('overwrites the accepted version and nothing newer', async () => {
    const request = await edit();
    await cp.put(path, 'theirs\n');
    const outcome = await save(request);
    assert.ok(outcome.kind === 'conflict');
    const accepted = outcome.nodes.map(({ found }) => found);
    await cp.put(path, 'theirs, later\n');
    assert.equal((await save({ ...request, accepted })).kind, 'conflict');
    await cp.put(path, 'theirs\n');
    assert.equal((await save({ ...request, accepted })).kind, 'saved');
    assert.equal(await cp.text(path), edited);
  });

  it('has a conflict if the base version is unknown', async () => {
    assert.equal((await save(await edit(edited, { base: { kind: 'unknown' } }))).kind, 'conflict');
    assert.equal((await save(await edit(old, { base: { kind: 'unknown' } }))).kind, 'saved');
  });

  it("compares the editor's version of a text if the exact text is unknown", async () => {
    await cp.put(path, '\uFEFFone\r\ntwo\r\n');
    const request = await edit('\uFEFFone\r\ntwo!\r\n');
    assert.ok(request.base.kind === 'version');
    const version = { ...request.base.version, text: 'one\ntwo\n' };
    assert.equal((await save({ ...request, base: { kind: 'version', version } })).kind, 'conflict');
    assert.equal((await save({ ...request, base: { kind: 'version', version, approximate: true } })).kind, 'saved');
  });

  describe('of a long text', () => {
    const long = 'x'.repeat(2 * 1024 * 1024);

    it("doesn't count as saved if the file has a different text of the same length", async () => {
      await cp.putLongAgo(path, long);
      const request = await edit(`${long}y`);
      fail('Write', { kind: 'wrongText', text: `${long}Y` });
      assert.equal((await save(request)).kind, 'incomplete');
    });

    it("has no conflict if only the file's time changed", async () => {
      await cp.putLongAgo(path, long);
      const request = await edit(`${long}y`);
      await utimes(cp.onDisk(path), 1_000, 1_000);
      assert.equal((await save(request)).kind, 'saved');
    });

    it('has a conflict if a different text of the same length was written, even with the same time', async () => {
      const theirs = 'z'.repeat(long.length);
      // Simulates a node with a wrong clock or rounded times: the time says that nothing has changed.
      await cp.putLongAgo(path, long);
      const request = await edit(`${long}y`);
      await cp.putLongAgo(path, theirs);
      assert.equal((await save(request)).kind, 'conflict');
      assert.equal(await cp.text(path), theirs);
    });
  });

  describe('that fails', () => {
    it('changes nothing if the check fails', async () => {
      const request = await edit();
      scene.fail('Read', { kind: 'reset' }, { times: 3 });
      const outcome = await save(request);
      assert.equal(outcome.kind, 'failed');
      assert.equal(await cp.text(path), old);
    });

    it('checks a write that got no response but happened', async () => {
      for (const fault of [
        { kind: 'reset', when: 'after' },
        { kind: 'gatewayError', status: 504, when: 'after' },
        { kind: 'truncate', bytes: 3 },
      ] as const) {
        await cp.put(path, old);
        const request = await edit();
        fail('Write', fault);
        assert.equal((await save(request)).kind, 'saved', fault.kind);
        assert.equal(scene.count('Write'), 1);
      }
    });

    it('checks a write whose response comes too slowly', async () => {
      const { origin } = scene.platform;
      const hurried = new Connection({ origin, token: scene.token, deadline: 300 });
      const request = await edit();
      const dripping = fail('Write', { kind: 'drip', milliseconds: 200 });
      assert.equal((await saveFile(request, hurried.files, limits)).kind, 'saved');
      assert.equal(dripping.hits, 1);
      const { entries } = scene.platform.journal;
      assert.ok(!entries.some(({ operation }) => operation === 'Write'), 'nobody waited for the whole response');
      await hurried.close();
    });

    it("checks a write that got no response and didn't happen, and doesn't repeat it", async () => {
      const request = await edit();
      fail('Write', { kind: 'gatewayError', status: 502, when: 'before' });
      const outcome = await save(request);
      assert.ok(outcome.kind === 'failed' && outcome.cause !== undefined);
      assert.equal(await cp.text(path), old);
      assert.equal(scene.count('Write'), 1);
    });

    it("has an unknown result if the file can't be read afterwards", async () => {
      for (const lost of [true, false]) {
        const request = await edit(lost ? edited : old.toUpperCase());
        if (lost) fail('Write', { kind: 'reset', when: 'after' });
        scene.fail('Read', { kind: 'reset' }, { nth: 2, times: 'always' });
        assert.equal((await save(request)).kind, 'unknown');
        scene.platform.faults.clear();
      }
    });

    it('detects that a different text was stored', async () => {
      const request = await edit();
      fail('Write', { kind: 'wrongText', text: 'listen 8O8O;\n' });
      const outcome = await save(request);
      assert.ok(outcome.kind === 'incomplete');
      assert.deepEqual(
        outcome.nodes.map(({ state }) => state),
        ['other'],
      );
    });

    it('detects that the platform reported success but did nothing', async () => {
      const request = await edit();
      fail('Write', { kind: 'answer', body: '{"result":0}' });
      assert.deepEqual(await save(request), { kind: 'failed', cause: undefined });
    });

    it('detects what a full disk has left of the file', async () => {
      const request = await edit();
      fail('Write', { kind: 'diskFull', leaves: 'partial' });
      const outcome = await save(request);
      assert.ok(outcome.kind === 'incomplete');
      const [node] = outcome.nodes;
      assert.ok(node?.found.kind === 'text' && edited.startsWith(node.found.text));
    });

    for (const [why, result] of [
      ['the platform rejects the token', 8202],
      ['its environment was stopped meanwhile', 2212],
    ] as const) {
      it(`sends nothing more if ${why}`, async () => {
        const request = await edit();
        fail('Write', { kind: 'refuse', result, error: 'no' });
        assert.equal((await save(request)).kind, 'failed');
        assert.deepEqual(scene.requests().slice(2), ['Write']);
      });
    }
  });

  describe('to a layer', () => {
    const toAll = { place: () => cp.onLayer(path), nodes: () => cp.everywhere(path) };
    const editAll = () => edit(edited, { place: toAll.place(), nodes: toAll.nodes() });

    it('writes once, then checks and verifies each node', async () => {
      assert.equal((await save(await editAll())).kind, 'saved');
      assert.equal(await cp.text(path, 0), edited);
      assert.equal(await cp.text(path, 1), edited);
      assert.equal(scene.requests().length, 9);
    });

    it('names the differing node before anything is written', async () => {
      const request = await editAll();
      await cp.put(path, 'only here\n', 1);
      const outcome = await save(request);
      assert.ok(outcome.kind === 'conflict');
      assert.deepEqual(
        outcome.nodes.map(({ node }) => node),
        [cp.place(path, 1)],
      );
      assert.equal(await cp.text(path, 0), old);
    });

    it("says which nodes have the text and which don't", async () => {
      const request = await editAll();
      const second = cp.place(path, 1).target.nodeId;
      assert.ok(second !== undefined);
      fail('Write', { kind: 'failNode', nodeId: second });
      const outcome = await save(request);
      assert.ok(outcome.kind === 'incomplete');
      assert.deepEqual(
        outcome.nodes.map(({ state }) => state),
        ['saved', 'unchanged'],
      );
      // The next attempt finds the text on one node and the previous version on the other. That is no conflict.
      assert.equal((await save(request)).kind, 'saved');
    });

    it("has an unknown result if access was refused on one node and the nodes' content can't be read afterwards", async () => {
      const request = await editAll();
      fail('Write', { kind: 'refuse', result: 8, error: 'no' });
      const fault = { kind: 'refuse', result: 99, error: 'the node does not answer' } as const;
      scene.fail('Read', fault, { nth: 3, times: 'always' });
      assert.equal((await save(request)).kind, 'unknown');
    });

    it("has an unknown result if one node failed and the others' content can't be read afterwards", async () => {
      const request = await editAll();
      const second = cp.place(path, 1).target.nodeId;
      assert.ok(second !== undefined);
      fail('Write', { kind: 'failNode', nodeId: second });
      const fault = { kind: 'refuse', result: 99, error: 'the node does not answer' } as const;
      scene.fail('Read', fault, { nth: 3, times: 'always' });
      assert.equal((await save(request)).kind, 'unknown');
      assert.equal(await cp.text(path, 0), edited);
    });
  });

  it('that replaces any content checks only afterwards', async () => {
    const place = cp.place('/srv/new.txt');
    const request = await edit();
    const outcome = await save({ ...request, place, nodes: [place], base: { kind: 'anything' } });
    assert.equal(outcome.kind, 'saved');
    assert.deepEqual([...scene.requests()].sort(), ['GetList', 'Read', 'Write']);
    assert.ok((await stat(cp.onDisk('/srv/new.txt'))).isFile());
  });
});
