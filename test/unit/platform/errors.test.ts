import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { failed } from '../../../src/platform/englishFailureText';
import { onNotFound, onPlatformError } from '../../../src/platform/errors';

describe('a failure of the platform', () => {
  const gone = failed({ kind: 'notFound', operation: 'Read', target: '/etc/hosts' });
  const busy = failed({ kind: 'unreachable', operation: 'Read', target: '/etc/hosts' });

  it('is handled, and any other error goes on', async () => {
    const kind = onPlatformError((error) => error.kind);
    assert.equal(await Promise.reject(busy).catch(kind), 'unreachable');
    await assert.rejects(Promise.reject(new TypeError('a mistake')).catch(kind), TypeError);
  });

  it('is handled only where something does not exist, if that is asked for', async () => {
    const kind = onNotFound((error) => error.kind);
    assert.equal(await Promise.reject(gone).catch(kind), 'notFound');
    await assert.rejects(Promise.reject(busy).catch(kind), busy);
  });
});
