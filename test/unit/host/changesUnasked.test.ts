import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import { describe, it } from 'mocha';
import { ChangesUnasked } from '../../integration/support/changesUnasked';

const send = (path: string) => channel('undici:request:create').publish({ request: { path } });
const write = '/1.0/environment/file/rest/write';

describe('changes that nobody asked for', () => {
  it('are found, whatever looks or comes by itself', async () => {
    const changes = new ChangesUnasked();
    const provider = {
      stat: () => Promise.resolve().then(() => send(write)),
      writeFile: () => Promise.resolve().then(() => send(write)),
    };
    changes.tell(provider, 'looking', ['stat', 'watch']);
    changes.tell(provider, 'asked', ['writeFile']);
    send(write);
    await provider.writeFile();
    await provider.stat();
    const [first, second, ...more] = changes.takeFound();
    assert.match(first ?? '', /^Write, by itself/);
    assert.match(second ?? '', /^Write, looking/);
    assert.deepEqual(more, []);
  });

  it('are none where a test asked for them, nor is what only looks', () => {
    const changes = new ChangesUnasked();
    send('/1.0/environment/file/rest/getlist');
    changes.beginTest();
    send(write);
    assert.deepEqual(changes.takeFound(), []);
  });
});
