import assert from 'node:assert/strict';
import fc from 'fast-check';
import { failureOfExchange } from '../../../../src/platform/failure';
import { encodeQuery, sendOnce, timeLimit } from '../../../../src/platform/sending/request';
import type { Sender } from '../../../../src/platform/sending/sender';

const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 200 })), {
  maxLength: 5,
});

describe('a form', () => {
  it('is encoded according to the standard, whatever it contains', () => {
    fc.assert(
      fc.property(pairs, (some) => {
        assert.equal(encodeQuery(some), new URLSearchParams(some).toString());
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it('keeps every byte of a text', () => {
    const text = Array.from({ length: 0x3000 }, (_, point) => String.fromCodePoint(point)).join('') + '😀\r\n\n\r';
    const decoded = new URLSearchParams(encodeQuery([['body', text]]));
    assert.equal(decoded.get('body'), text);
  });
});

describe('the time that a request may take', () => {
  const request = { url: 'https://app.example.com/', headers: {}, body: '', kind: 'long', maximumBytes: 100 } as const;

  it('is for the next part while it is sent, and for the response after the last one', async () => {
    const sending = timeLimit(900_000, undefined, 20_000_000);
    const allowed: number[] = [];
    const note = () => allowed.push(sending.allowed());
    const send: Sender = ({ onStart, onSent, onProgress }) => {
      onStart();
      note();
      onSent?.(false);
      note();
      onSent?.(true);
      note();
      onProgress(1);
      note();
      return Promise.resolve({ received: 'tooMuch', status: 200 });
    };
    await sendOnce(send, request, sending);
    sending.release();
    assert.deepEqual(allowed, [20_900_000, 120_000, 1_020_000, 900_000]);
  });

  it('is what an error says that was waited', () => {
    const stalled = timeLimit(900_000, undefined, 20_000_000);
    stalled.begin();
    stalled.restart(120_000);
    stalled.release();
    const confidential = { secrets: [], texts: [] };
    const subject = { operation: 'Uploader', target: '', address: '', writes: false, confidential };
    const { message } = failureOfExchange(subject, { kind: 'deadline', sent: true, bytes: 0 }, stalled);
    assert.match(message, /: waited 120 s\./);
  });

  it('is no longer than what a caller gives it', async () => {
    const given = timeLimit(400, undefined);
    const allowed: number[] = [];
    const send: Sender = ({ onStart, onSent }) => {
      onStart();
      onSent?.(false);
      allowed.push(given.allowed());
      onSent?.(true);
      allowed.push(given.allowed());
      return Promise.resolve({ received: 'tooMuch', status: 200 });
    };
    await sendOnce(send, request, given);
    given.release();
    assert.deepEqual(allowed, [400, 400]);
  });
});
