import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { NeedsSeveralWritesError, ServerFiles } from '../../../../src/files/saving/serverFiles';
import { saveFile } from '../../../../src/files/saving/saveFile';
import { isPlatformError } from '../../../../src/platform/errors';
import { TestContainer } from '../container';

const path = '/srv/site.conf';
const old = 'listen 80;\n';
const long = 'grüße 🏗️ & more\n'.repeat(400);
const limits = { pauses: [] };

describe('a text too long for a URL on a platform that accepts nothing else', () => {
  let container: TestContainer;
  let files: ServerFiles;

  before(async () => {
    container = await TestContainer.start({ nodes: 1, transport: 'query' });
    container.platform.behaviour.transport = 'query';
  });

  after(() => container.dispose());

  beforeEach(async () => {
    files = new ServerFiles(container.containers, container.listings);
    await container.put(path, old);
    // A call that succeeds is no longer known to be refused.
    await container.containers.append(container.place(path, 0), '');
  });

  afterEach(() => container.platform.faults.clear());

  async function save() {
    const target = container.place(path, 0);
    const version = await container.open(target);
    container.platform.journal.reset();
    const request = { target, nodes: [target], text: long, base: { kind: 'version', version }, accepted: [] } as const;
    return saveFile(request, files, limits);
  }

  it("isn't written before the user agrees", async () => {
    const outcome = await save();
    assert.ok(
      outcome.kind === 'failed' && outcome.cause instanceof NeedsSeveralWritesError && outcome.cause.pieces > 1,
    );
    assert.equal(await container.text(path), old);
    assert.ok(!container.requests().includes('Write'));
  });

  it('is then written in pieces and verified as complete', async () => {
    files.agreeToPieces(container.place(path, 0));
    assert.equal((await save()).kind, 'saved');
    assert.equal(await container.text(path), long);
    const writes = container.requests().filter((operation) => operation === 'Write' || operation === 'Append');
    assert.ok(writes.length > 5);
    assert.equal(writes.filter((operation) => operation === 'Write').length, 1);
  });

  it("doesn't count as unchanged if it fails in the middle", async () => {
    files.agreeToPieces(container.place(path, 0));
    container.platform.faults.add({ operation: 'Append', nth: 3, fault: { kind: 'refuse', result: 99, error: 'no' } });
    const outcome = await save();
    assert.ok(outcome.kind === 'incomplete');
    const [node] = outcome.nodes;
    assert.ok(node?.found.kind === 'text' && long.startsWith(node.found.text));
  });

  it("doesn't count as unchanged if the token permits only the first piece", async () => {
    files.agreeToPieces(container.place(path, 0));
    container.platform.faults.add({ operation: 'Append', fault: { kind: 'refuse', result: 8202, error: 'no' } });
    const outcome = await save();
    assert.equal(outcome.kind, 'incomplete');
    assert.notEqual(await container.text(path), old);
  });

  it("isn't written at all once it's known that the token permits only the first piece", async () => {
    const file = container.place(path, 0);
    container.platform.faults.add({ operation: 'Append', fault: { kind: 'refuse', result: 8202, error: 'no' } });
    await assert.rejects(container.containers.append(file, 'more\n'));
    files.agreeToPieces(file);
    const outcome = await save();
    assert.ok(outcome.kind === 'failed' && isPlatformError(outcome.cause));
    assert.equal(outcome.cause.kind, 'tokenLacksMethod');
    assert.equal(await container.text(path), old);
    assert.ok(!container.requests().includes('Write'));
  });

  it('is sent in one request if it is short', async () => {
    await files.write(container.place(path, 0), 'short\n');
    assert.equal(await container.text(path), 'short\n');
  });
});
