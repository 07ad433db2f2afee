import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { failed, failureSentence } from '../../../src/platform/failureTexts';

type Localizer = Parameters<typeof failureSentence>[2];

const inCapitals: Localizer = { t: (text) => text.toUpperCase() };
const asIs: Localizer = { t: (text) => text };

describe('the words of a failure', () => {
  it('are the same keys for the log and for people, whatever their language', () => {
    const failure = { kind: 'notFound', operation: 'Read', target: 'shop/cp /etc/php.ini', result: 1 } as const;
    assert.equal(
      failed(failure).message,
      "Read (shop/cp /etc/php.ini): it doesn't exist [code 1]. Refresh, and check the name.",
    );
    assert.equal(
      failureSentence(failure, { subject: 'php.ini', words: 'gone.' }, inCapitals),
      "php.ini: IT DOESN'T EXIST (gone, CODE {0}). REFRESH, AND CHECK THE NAME.",
    );
  });

  it('name the method that a token lacks', () => {
    const failure = { kind: 'tokenLacksMethod', operation: 'Read', target: '' } as const;
    assert.match(failed({ ...failure, method: 'environment.file.Read' }).message, /Add environment\.file\.Read to/);
    assert.match(failed(failure).message, /Add Read to/);
  });

  it('say how a method that was added to the token is noticed', () => {
    const failure = { kind: 'tokenLacksMethod', operation: 'Append', target: '' } as const;
    assert.match(failed(failure).message, /to the token in the dashboard, then refresh the Environments view\./);
    const notOffered = failed({ ...failure, obstacle: 'notOffered' });
    assert.match(notOffered.message, /Use the dashboard instead\.$/);
  });

  it('say what stands in the way, and what to do about it, in the log too', () => {
    const failure = failed({ kind: 'conflict', operation: 'Copy', target: '/a', obstacle: 'copyDiffers' });
    assert.equal(failure.message, 'Copy (/a): the copy differs, so the original was kept. Compare both.');
  });

  it('advise what helps after a missing list, whether it is missing once or for every empty folder', () => {
    const failure = failed({ kind: 'platform', operation: 'GetList', target: '/a', obstacle: 'listMissing' });
    assert.match(
      failure.message,
      /Try again\. If this platform leaves out the list of every empty folder, use its dashboard or SFTP\.$/,
    );
  });

  it('have at most one colon, however much is known', () => {
    for (const obstacle of [
      'copyDiffers',
      'copyUnproven',
      'nodesUnknown',
      'nodesChanged',
      'listMissing',
      'signedOut',
    ] as const) {
      const failure = { kind: 'platform', operation: 'Write', obstacle, result: 8 } as const;
      const sentence = failureSentence(failure, { subject: "Couldn't write a.txt", words: 'no.' }, asIs);
      assert.equal(sentence.split(':').length - 1, 1, sentence);
    }
  });

  it('advise to try a read that timed out again, and to check a write first', () => {
    const timeout = { kind: 'timeout', operation: 'Read', target: '' } as const;
    assert.match(failed(timeout).message, /in time\. Try again\.$/);
    const write = { ...timeout, operation: 'Write', isOutcomeUnknown: true };
    assert.match(failed(write).message, /in time\. Before you try again, check whether the change was made\.$/);
    const slow = { ...write, obstacle: 'slowResponse' } as const;
    assert.match(failed(slow).message, /too slowly\. Before you try again, check whether the change was made\.$/);
    assert.match(failed({ ...slow, isOutcomeUnknown: false }).message, /too slowly\. Try again\.$/);
  });

  it('send nobody to repeat a change that may have been made', () => {
    const lost = { kind: 'unreachable', operation: 'Write', target: '', isOutcomeUnknown: true } as const;
    assert.match(
      failed(lost).message,
      /the connection was lost before the platform responded\. Before you try again, check whether the change was made/,
    );
    // One of several nodes may still do it.
    for (const kind of ['platform', 'forbidden', 'notRunning'] as const) {
      assert.match(
        failed({ ...lost, kind, result: 99 }).message,
        /\[code 99\]\. Before you try again, check whether the change was made\.$/,
      );
    }
  });
});
