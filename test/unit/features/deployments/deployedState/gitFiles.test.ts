import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { packedCommit, parseHead, parseHeadLog } from '../../../../../src/features/deployments/deployedState/gitFiles';

const zero = '0'.repeat(40);
const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const line = (from: string, to: string, why: string, seconds = 1_700_000_000) =>
  `${from} ${to} Platform <platform@localhost> ${seconds} +0200\t${why}\n`;

describe("a clone's log of its HEAD", () => {
  it('contains every move, with the first one from nothing', () => {
    const moves = parseHeadLog(line(zero, a, 'clone: from http://x/y.git') + line(a, b, 'merge: Fast-forward'));
    assert.deepEqual(
      moves.map(({ from, to, why }) => ({ from, to, why })),
      [
        { from: undefined, to: a, why: 'clone: from http://x/y.git' },
        { from: a, to: b, why: 'merge: Fast-forward' },
      ],
    );
    assert.equal(moves[0]?.at.getTime(), 1_700_000_000_000);
  });

  it('includes a line only when it is complete, because git may still be writing it', () => {
    const whole = line(zero, a, 'clone');
    for (let length = 1; length < line(a, b, 'pull').length; length++) {
      const moves = parseHeadLog(whole + line(a, b, 'pull').slice(0, length));
      assert.equal(moves.at(-1)?.to, a, `cut after ${length}`);
    }
  });

  it('can contain names with any characters, and no message', () => {
    const named = `${a} ${b} Ö > <x> Ümläut <a@b> 1700000000 -0100\n`;
    assert.equal(parseHeadLog(named)[0]?.to, b);
  });

  it('is empty for text in another format', () => {
    for (const text of ['', '\n', '<html>', `${a}\n`, '{"result":0}\n']) {
      assert.deepEqual(parseHeadLog(text), []);
    }
  });
});

describe("a clone's HEAD", () => {
  it('contains a commit or a branch', () => {
    assert.deepEqual(parseHead(`${a}\n`), { commit: a });
    assert.deepEqual(parseHead('ref: refs/heads/feature/tea\n'), { reference: 'refs/heads/feature/tea' });
  });

  it('never leads outside the clone', () => {
    assert.equal(parseHead('ref: refs/heads/../../../etc/passwd'), undefined);
    assert.equal(parseHead('ref: /etc/passwd'), undefined);
    assert.equal(parseHead('../x'), undefined);
  });

  it('is found in the packed references by its full name', () => {
    const packed = `# pack-refs with: peeled fully-peeled sorted\n${a} refs/heads/main2\n${b} refs/heads/main\n`;
    assert.equal(packedCommit(packed, 'refs/heads/main'), b);
    assert.equal(packedCommit(packed, 'refs/heads/mai'), undefined);
  });

  it('is found in the row after an annotated tag', () => {
    const packed = `# pack-refs with: peeled fully-peeled sorted\n${a} refs/tags/v1\n^${b}\n${a} refs/tags/v2\n`;
    const found = ['v1', 'v2', 'v3'].map((tag) => packedCommit(packed, `refs/tags/${tag}`));
    assert.deepEqual(found, [b, a, undefined]);
  });
});
