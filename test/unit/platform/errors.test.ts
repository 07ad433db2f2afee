import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { failed } from '../../../src/platform/failureTexts';
import { onPlatformError, undefinedIf } from '../../../src/platform/errors';

describe('a failure of the platform', () => {
  const gone = failed({ kind: 'notFound', operation: 'Read', target: '/etc/hosts' });
  const busy = failed({ kind: 'unreachable', operation: 'Read', target: '/etc/hosts' });

  it('is handled, and any other error goes on', async () => {
    const kind = onPlatformError((error) => error.kind);
    assert.equal(await Promise.reject(busy).catch(kind), 'unreachable');
    await assert.rejects(Promise.reject(new TypeError('a mistake')).catch(kind), TypeError);
  });

  it('can be handled only if it is of one kind', async () => {
    const kind = onPlatformError((error) => error.kind, 'notFound');
    assert.equal(await Promise.reject(gone).catch(kind), 'notFound');
    await assert.rejects(Promise.reject(busy).catch(kind), busy);
  });

  it('can count as nothing, if it is of one kind', async () => {
    assert.equal(await undefinedIf('notFound', Promise.reject<string>(gone)), undefined);
    assert.equal(await undefinedIf('any', Promise.reject<string>(busy)), undefined);
    await assert.rejects(undefinedIf('notFound', Promise.reject(busy)), busy);
    await assert.rejects(undefinedIf('any', Promise.reject(new TypeError('a mistake'))), TypeError);
  });
});
