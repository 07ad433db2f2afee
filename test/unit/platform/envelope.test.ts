import assert from 'node:assert/strict';
import { limit } from '../../host/limits';
import { openEnvelope } from '../../../src/platform/readReply';

describe('the envelope of a response', () => {
  it('a result of 0 is a success, as a number and as a string', () => {
    for (const result of [0, '0']) assert.equal(openEnvelope({ result }, 'zero').said, 'success');
  });

  it('a response without a result is invalid', () => {
    for (const answer of [
      {},
      { body: 'x' },
      { result: null },
      { result: {} },
      { error: { code: 1 } },
      [],
      null,
      'x',
      0,
      true,
    ]) {
      assert.equal(openEnvelope(answer, 'zero').said, 'nothing', JSON.stringify(answer));
    }
  });

  it('a boolean is a success only if the operation returns one', () => {
    assert.equal(openEnvelope({ result: true }, 'boolean').said, 'success');
    assert.equal(openEnvelope({ result: 0 }, 'boolean').said, 'success');
    assert.equal(openEnvelope({ result: false }, 'boolean').said, 'failure');
    assert.equal(openEnvelope({ result: 702 }, 'boolean').said, 'failure');
    assert.equal(openEnvelope({ result: true }, 'zero').said, 'nothing');
    assert.equal(openEnvelope({ result: false }, 'zero').said, 'nothing');
  });

  it('a failure contains its code, source, and message', () => {
    const opened = openEnvelope({ result: 8, source: 'hx-core', error: 'permission denied', reason: 4 }, 'zero');
    assert.deepEqual(opened, {
      said: 'failure',
      result: 8,
      reason: 4,
      source: 'hx-core',
      words: 'permission denied',
      log: undefined,
      nodes: [],
      obstacle: undefined,
    });
  });

  it('a rejected sign-in shows that the account requires two-factor authentication, at any nesting level', () => {
    const refused = { result: 701, error: 'authentication failed', authType: 'TFA(1)' };
    for (const answer of [refused, { result: 0, response: refused }]) {
      const opened = openEnvelope(answer, 'zero');
      assert.ok(opened.said === 'failure' && opened.obstacle === 'secondFactor');
    }
  });

  it('a failure contains its message even as a list or an object', () => {
    const words = (error: unknown) => {
      const opened = openEnvelope({ result: 99, error }, 'zero');
      return opened.said === 'failure' ? opened.words : undefined;
    };
    assert.equal(words(['no space left', { message: 'on node 66001' }]), 'no space left; on node 66001');
    assert.equal(words({ message: 'disk full' }), 'disk full');
    assert.equal(words([{ message: { text: 'disk full' } }, { errors: ['quota', { nodeId: 1 }] }]), 'disk full; quota');
    assert.equal(words({ code: 28, cause: 'quota exceeded', on: { node: 'web', id: 3 } }), 'quota exceeded; web');
    for (const wordless of [[], {}, { code: 28 }, [{ code: 28, on: [{}] }]]) {
      assert.equal(words(wordless), undefined);
    }
  });

  it('a failure within a success is a failure', () => {
    const opened = openEnvelope({ result: 0, response: { result: 4099, error: 'inner' } }, 'zero');
    assert(opened.said === 'failure');
    assert.equal(opened.result, 4099);
    assert.equal(opened.words, 'inner');
  });

  it('an inner response without a result is no success', () => {
    assert.equal(openEnvelope({ result: 0, response: { body: 'x' } }, 'zero').said, 'nothing');
  });

  it('an inner response is read like the outer one', () => {
    const opened = openEnvelope({ result: 0, response: { result: 0, body: 'text' } }, 'zero');
    assert(opened.said === 'success');
    assert.equal(opened.body['body'], 'text');
  });

  it('an inner response of null is ignored', () => {
    assert.equal(openEnvelope({ response: null, result: 0 }, 'zero').said, 'success');
    assert.equal(openEnvelope({ response: null, result: 11 }, 'zero').said, 'failure');
  });

  it('a failed node is a failure, with the result of each node', () => {
    const opened = openEnvelope(
      {
        result: 0,
        responses: [
          { result: 0, nodeId: 1 },
          { result: 99, error: 'no', nodeid: 66008 },
        ],
      },
      'zero',
    );
    assert(opened.said === 'failure');
    assert.equal(opened.result, 99);
    assert.equal(opened.words, 'no');
    assert.deepEqual(
      opened.nodes.map(({ nodeId, result }) => [nodeId, result]),
      [
        [1, 0],
        [66008, 99],
      ],
    );
  });

  it('nodes in an inner response count too', () => {
    const opened = openEnvelope({ result: 0, response: { result: 0, responses: [{ result: 4037 }] } }, 'zero');
    assert(opened.said === 'failure');
    assert.equal(opened.result, 4037);
  });

  it('a command with an error exit status has failed, whatever its result', () => {
    const opened = openEnvelope({ result: 0, responses: [{ result: 0, exitStatus: 1, errOut: 'rm: busy' }] }, 'zero');
    assert(opened.said === 'failure');
    assert.equal(opened.words, 'rm: busy');
  });

  it('a node without a result is no success', () => {
    for (const responses of [[{}], [null], 'x', [[]], [{ out: 'done' }]]) {
      assert.equal(openEnvelope({ result: 0, responses }, 'zero').said, 'nothing', JSON.stringify(responses));
    }
  });

  it('the words of a node are joined in no time, however long they are', () => {
    const started = process.cpuUsage();
    for (const piece of [' ', '.', ': ']) {
      const error = `${piece.repeat(1_000_000 / piece.length)}x`;
      assert.equal(openEnvelope({ result: 0, responses: [{ result: 1, error, errOut: 'y' }] }, 'zero').said, 'failure');
    }
    assert.ok(process.cpuUsage(started).user < limit(2_000_000));
  });

  it("a failed node's words are in its error, in the output of its command, or in both", () => {
    const words = (response: object, result = 0) => {
      const opened = openEnvelope({ result, error: 'Failed ', responses: [{ result: 1, ...response }] }, 'zero');
      return opened.said === 'failure' ? opened.words : undefined;
    };
    const cause = 'nginx: unexpected "}"\n';
    assert.equal(words({ error: 'Failed to start ', errOut: cause }), 'Failed to start: nginx: unexpected "}"');
    assert.equal(words({ error: 'nginx: unexpected "}"', errOut: cause }), 'nginx: unexpected "}"');
    assert.equal(
      words({ error: 'Failed to start', errOut: '', out: 'no start script' }),
      'Failed to start: no start script',
    );
    assert.equal(words({ errOut: cause }), 'nginx: unexpected "}"');
    assert.equal(words({ errOut: cause }, 1), 'Failed: nginx: unexpected "}"');
    assert.equal(words({}, 1), 'Failed');
  });
});
