import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { NeedsSeveralWritesError, ServerFiles } from '../../../../src/files/saving/serverFiles';
import { saveFile } from '../../../../src/files/saving/saveFile';
import { isPlatformError } from '../../../../src/platform/errors';
import { ConnectedScene } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

const path = '/srv/site.conf';
const old = 'listen 80;\n';
const long = 'grüße 🏗️ & more\n'.repeat(400);
const limits = { pauses: [] };

describe('a text too long for a URL on a platform that accepts nothing else', () => {
  const scene = onStage(new ConnectedScene({ transport: 'query', behaviour: { transport: 'query' } }));
  const cp = scene.environment('shop').layer('cp');
  let files: ServerFiles;

  beforeEach(async () => {
    files = new ServerFiles(scene.containers, scene.listings);
    await cp.put(path, old);
    // A call that succeeds is no longer known to be refused.
    await scene.containers.append(cp.place(path), '');
  });

  async function save() {
    const written = cp.place(path);
    const version = await scene.open(written);
    scene.platform.journal.reset();
    const request = {
      place: written,
      nodes: [written],
      text: long,
      base: { kind: 'version', version },
      accepted: [],
    } as const;
    return saveFile(request, files, limits);
  }

  it("isn't written before the user agrees", async () => {
    const outcome = await save();
    assert.ok(
      outcome.kind === 'failed' && outcome.cause instanceof NeedsSeveralWritesError && outcome.cause.pieces > 1,
    );
    assert.equal(await cp.text(path), old);
    assert.ok(!scene.requests().includes('Write'));
  });

  it('is then written in pieces and verified as complete', async () => {
    files.agreeToPieces(cp.place(path));
    assert.equal((await save()).kind, 'saved');
    assert.equal(await cp.text(path), long);
    const writes = scene.requests().filter((operation) => operation === 'Write' || operation === 'Append');
    assert.ok(writes.length > 5);
    assert.equal(writes.filter((operation) => operation === 'Write').length, 1);
  });

  it("doesn't count as unchanged if it fails in the middle", async () => {
    files.agreeToPieces(cp.place(path));
    scene.fail('Append', { kind: 'refuse', result: 99, error: 'no' }, { nth: 3 });
    const outcome = await save();
    assert.ok(outcome.kind === 'incomplete');
    const [node] = outcome.nodes;
    assert.ok(node?.found.kind === 'text' && long.startsWith(node.found.text));
  });

  it("doesn't count as unchanged if the token permits only the first piece", async () => {
    files.agreeToPieces(cp.place(path));
    scene.fail('Append', { kind: 'refuse', result: 8202, error: 'no' });
    const outcome = await save();
    assert.equal(outcome.kind, 'incomplete');
    assert.notEqual(await cp.text(path), old);
  });

  it("isn't written at all once it's known that the token permits only the first piece", async () => {
    const file = cp.place(path);
    scene.fail('Append', { kind: 'refuse', result: 8202, error: 'no' });
    await assert.rejects(scene.containers.append(file, 'more\n'));
    files.agreeToPieces(file);
    const outcome = await save();
    assert.ok(outcome.kind === 'failed' && isPlatformError(outcome.cause));
    assert.equal(outcome.cause.kind, 'tokenLacksMethod');
    assert.equal(await cp.text(path), old);
    assert.ok(!scene.requests().includes('Write'));
  });

  it('is sent in one request if it is short', async () => {
    await files.write(cp.place(path), 'short\n');
    assert.equal(await cp.text(path), 'short\n');
  });
});
