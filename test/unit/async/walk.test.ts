import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { walk } from '../../../src/async/taskPool';

/** Where each node leads to. A node that isn't here can't be entered. */
type Tree = Readonly<Record<string, readonly string[]>>;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a walk', () => {
  let canceling: AbortController;
  let entered: string[];
  let failed: string[];
  let running: number;
  let most: number;

  beforeEach(() => {
    canceling = new AbortController();
    [entered, failed, running, most] = [[], [], 0, 0];
  });

  const noteFailure = (node: string, error: unknown) => {
    failed.push(`${node}: ${error instanceof Error ? error.message : ''}`);
  };

  /** Enters the nodes of a tree, each after `pause`. */
  const walkTree = (tree: Tree, start: readonly string[], { pause = turn, onFailure = noteFailure, atOnce = 2 } = {}) =>
    walk(start, {
      enter: async (node) => {
        entered.push(node);
        running += 1;
        most = Math.max(most, running);
        await pause();
        running -= 1;
        return tree[node] ?? Promise.reject(new Error('closed'));
      },
      atOnce,
      signal: canceling.signal,
      onFailure,
    });

  it('ends at once if it has no start', async () => {
    await walkTree({}, []);
    assert.deepEqual(entered, []);
  });

  it('enters all nodes, those near the start first, and no more at a time than its limit', async () => {
    const tree = { a: ['a1', 'a2', 'a3'], b: ['b1'], a1: ['a11'], a2: [], a3: [], b1: [], a11: [] };
    await walkTree(tree, ['a', 'b']);
    assert.deepEqual(entered, ['a', 'b', 'a1', 'a2', 'a3', 'b1', 'a11']);
    assert.deepEqual([most, running, failed], [2, 0, []]);
  });

  it("doesn't wait for a slow node before it goes deeper", async () => {
    let release: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const tree = { slow: [], quick: ['deep'], deep: ['deeper'], deeper: [] };
    const walking = walkTree(tree, ['slow', 'quick'], { pause: () => (entered.at(-1) === 'slow' ? slow : turn()) });
    while (entered.at(-1) !== 'deeper') await turn();
    release();
    await walking;
    assert.deepEqual(entered, ['slow', 'quick', 'deep', 'deeper']);
  });

  it('goes on after a node that could not be entered', async () => {
    await walkTree({ a: ['closed', 'a1'], a1: [] }, ['a']);
    assert.deepEqual([entered, failed], [['a', 'closed', 'a1'], ['closed: closed']]);
  });

  it('ends with the first failure that is not accepted, after what was running', async () => {
    const onFailure = (node: string) => {
      failed.push(node);
      throw new Error(`${node} ended it`);
    };
    const tree = { a: ['closed', 'a2', 'a3', 'a4'], a2: ['a21'], a3: [], a4: [] };
    await assert.rejects(walkTree(tree, ['a'], { onFailure }), /^Error: closed ended it$/);
    assert.deepEqual([entered, failed, running], [['a', 'closed', 'a2'], ['closed'], 0]);
  });

  it('enters and reports nothing after an abort, and ends after what was running', async () => {
    const pause = () => {
      if (entered.at(-1) === 'closed') canceling.abort();
      return turn();
    };
    await walkTree({ a: ['closed', 'a2', 'a3'], a2: ['a21'], a3: [] }, ['a'], { pause });
    assert.deepEqual([entered, failed, running], [['a', 'closed'], [], 0]);
    await walkTree({}, ['more']);
    assert.deepEqual(entered, ['a', 'closed']);
  });

  it('leaves no rejection behind if a thousand nodes wait for an abort', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const aborted = new Promise<void>((_, reject) =>
      canceling.signal.addEventListener('abort', () => reject(new Error('aborted'))),
    );
    const nodes = Array.from({ length: 2_000 }, (_, index) => `${index}`);
    const walking = walkTree({}, nodes, { pause: () => aborted, atOnce: 1_000 });
    assert.equal(running, 1_000);
    canceling.abort();
    await walking;
    await turn();
    process.off('unhandledRejection', note);
    assert.deepEqual([entered.length, failed, unhandled], [1_000, [], []]);
  });
});
