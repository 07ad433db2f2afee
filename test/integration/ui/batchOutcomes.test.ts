import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { env } from 'vscode';
import { Canceled } from '../../../src/platform/errors';
import { failed } from '../../../src/platform/failureTexts';
import { checkEach, reportFailures, runEach, showBatchReport } from '../../../src/ui/batchOutcomes';
import { reasonText } from '../../../src/ui/failureMessages';
import { escape, Person } from '../support/person';

describe('the outcome of a batch', () => {
  let person: Person;

  beforeEach(() => {
    person = new Person();
  });
  afterEach(() => person.leave());

  const gone = (path: string) =>
    failed({ kind: 'notFound', operation: 'Delete', target: path, object: { nodeId: 66001, path } });
  const remove = (items: readonly string[]) =>
    runEach(items, (item) => (item.startsWith('no') ? Promise.reject(gone(`/${item}`)) : Promise.resolve()));
  const report = async (items: readonly string[]) =>
    reportFailures(
      (await remove(items)).outcomes,
      (item) => item,
      (bad, all) => `Couldn't delete ${bad} of ${all} items.`,
    );

  it('is a headline, and the reasons on request', async () => {
    await person.answering([{ presses: 'Show Details' }, escape], () => report(['a', 'no-b', 'no-c']));
    assert.equal(person.seen[0], "Couldn't delete 2 of 3 items.");
    assert.match(person.seen.join('\n'), /✓ a\n✗ no-b: it doesn't exist\n✗ no-c: it doesn't exist/);
  });

  it('may begin with the first reason', async () => {
    const tell = async () =>
      reportFailures(
        (await remove(['a', 'no-b', 'no-c'])).outcomes,
        String,
        (bad, all, first) => `${reasonText(first)} (${bad} of ${all})`,
      );
    await person.answering([], tell);
    assert.deepEqual(person.seen, ["it doesn't exist (2 of 3)"]);
  });

  it('offers the diagnostics beside the details, and in them, if an error is unexpected', async () => {
    const outcomes = () =>
      runEach(['a', 'b'], (item) =>
        item === 'b' ? Promise.reject(new TypeError('x is undefined')) : Promise.resolve(),
      );
    const tell = async () => reportFailures((await outcomes()).outcomes, String, () => "Couldn't delete 1 of 2 items.");
    for (const answers of [[{ presses: 'Copy Diagnostics' }], [{ presses: 'Show Details' }, 'Copy Diagnostics']]) {
      await env.clipboard.writeText('');
      await person.answering(answers, tell);
      assert.match(await env.clipboard.readText(), /^# Gantry diagnostics[^]*Z TypeError/);
    }
  });

  it('offers what can follow beside the details, and in them', async () => {
    for (const answers of [[{ presses: 'Retry' }], [{ presses: 'Show Details' }, 'Retry']]) {
      let tries = 0;
      const next = new Map([['Retry', () => (tries += 1)]]);
      const outcome = { headline: "Couldn't delete a.", errors: [gone('/a')], details: ['a'], next };
      await person.answering(answers, () => showBatchReport(outcome));
      assert.equal(tries, 1);
    }
  });

  it("doesn't offer them if each error says what to do", async () => {
    await assert.rejects(
      person.answering([{ presses: 'Copy Diagnostics' }], () => report(['a', 'no-b'])),
      /not asked/,
    );
  });

  it('includes the items that a check refuses, which throws only if it refuses all', () => {
    const check = (items: readonly string[]) =>
      checkEach(items, (item) => {
        if (item.startsWith('no')) throw gone(`/${item}`);
      });
    const { passed, refused } = check(['no-a', 'b', 'no-c']);
    assert.deepEqual([passed, refused.map(({ item }) => item)], [['b'], ['no-a', 'no-c']]);
    assert.throws(() => check(['no-a', 'no-c']), /no-a/);
    assert.deepEqual(check([]), { passed: [], refused: [] });
  });

  it('is known of the items before the one that was canceled', async () => {
    const stop = new Canceled('Delete', { isOutcomeUnknown: true });
    const { outcomes, canceled } = await runEach(['a', 'no-b', 'c', 'd'], (item) =>
      item === 'c' ? Promise.reject(stop) : item === 'a' ? Promise.resolve() : Promise.reject(gone(`/${item}`)),
    );
    assert.equal(canceled, stop);
    assert.deepEqual(
      outcomes.map(({ item, failure }) => [item, failure !== undefined]),
      [
        ['a', false],
        ['no-b', true],
      ],
    );
  });

  it('names the only item', async () => {
    await assert.rejects(report(['no-b']), /Delete \(\/no-b\)/);
    assert.deepEqual(person.seen, []);
  });

  it('is nothing to report if everything worked', async () => {
    await report(['a', 'b']);
    assert.deepEqual(person.seen, []);
  });
});
