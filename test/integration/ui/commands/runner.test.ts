import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ProgressLocation, window } from 'vscode';
import { Canceled } from '../../../../src/platform/errors';
import { failed } from '../../../../src/platform/failureTexts';
import { Call } from '../../../../src/ui/commands/call';
import { command } from '../../../../src/ui/commands/command';
import { batch, type ChangeConfirmation, step } from '../../../../src/ui/commands/runner';
import { agreed } from '../../../../src/ui/notifications';
import { escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';

const titles = {
  learnTitle: () => Promise.resolve(true),
  titleOf: ({ environment }: { environment: string }) => environment,
};
const where = { places: [{ account: 'a', environment: 'shop' }], titles };
const question = { ...where, question: 'Paint it?', paragraphs: ['It can be wet for hours.'], button: 'Paint' };

describe('the runner of commands', () => {
  let person: Person;
  let events: string[];
  const { setStatusBarMessage } = window;

  beforeEach(() => {
    person = new Person();
    events = [];
    Object.assign(window, { setStatusBarMessage: (text: string) => void events.push(`status ${text}`) });
  });

  afterEach(() => {
    Object.assign(window, { setStatusBarMessage });
    person.leave();
  });

  describe('for one thing', () => {
    const paint = (confirm: ChangeConfirmation | undefined, color: string | undefined = 'red') =>
      step({
        needs: (thing: string) => void events.push(`needs ${thing}`),
        ask: (thing) => {
          events.push(`asks ${thing}`);
          return Promise.resolve(color);
        },
        confirm: () => confirm,
        run: (thing, answer) => {
          events.push(`paints ${thing} ${answer}`);
          return answer.length;
        },
        done: (length, thing) => ({ icon: 'check', status: `${thing} ${length}` }),
      });

    it('checks, asks, does it, and says so, in this order', async () => {
      assert.ok(await person.answering([], () => paint(undefined)('door')));
      assert.deepEqual(events, ['needs door', 'asks door', 'paints door red', 'status $(check) door 3']);
    });

    it('does and says nothing once a question is canceled', async () => {
      const asked = step({ ask: () => Promise.resolve(undefined), run: () => void events.push('done') });
      assert.equal(await person.answering([], () => asked('door')), false);
      assert.equal(await person.answering([escape], () => paint({ ...question, when: 'always' })('door')), false);
      assert.deepEqual(events, ['needs door', 'asks door']);
      assert.deepEqual(person.seen, ['Paint it?', 'It can be wet for hours.', 'Paint it?']);
    });

    it('asks before a change, once, and names the production environment there', async () => {
      await person.answering(['Paint'], () => paint({ ...question, when: 'always' })('door'));
      assert.equal(person.seen[1], 'It can be wet for hours.');
      await inProduction(['shop'], async () => {
        await person.answering(['Paint'], () => paint({ ...question, when: 'always' })('door'));
        assert.equal(person.seen[1], 'shop is a production environment.\n\nIt can be wet for hours.');
      });
    });

    it('asks only in production if the change needs no question elsewhere', async () => {
      const change = paint({ ...question, paragraphs: [], when: 'inProduction' });
      assert.ok(await person.answering([], () => change('door')));
      await inProduction(['shop'], async () => {
        assert.equal(await person.answering([escape], () => change('door')), false);
        assert.ok(await person.answering(['Paint'], () => change('door')));
      });
    });

    it('asks about what is in no environment', async () => {
      const { question: text, paragraphs, button } = question;
      const change = paint({ question: text, paragraphs, button, when: 'always' });
      await inProduction(['shop'], async () => {
        assert.equal(await person.answering([escape], () => change('door')), false);
        assert.deepEqual(person.seen, ['Paint it?', 'It can be wet for hours.', 'Paint it?']);
        assert.ok(await person.answering(['Paint'], () => change('door')));
      });
    });

    it('waits for what shows the result', async () => {
      const shown = step({
        run: (thing: string) => void events.push(`paints ${thing}`),
        done: async (_, thing) => {
          await Promise.resolve();
          events.push(`shows ${thing}`);
        },
      });
      assert.ok(await shown('door'));
      assert.deepEqual(events, ['paints door', 'shows door']);
    });

    it('takes another button for consent only if its action says so', async () => {
      const withOther = (open: () => unknown) =>
        paint({ ...question, others: new Map([['Open', open]]), when: 'always' })('door');
      assert.equal(await person.answering(['Open'], () => withOther(() => Promise.resolve(true))), false);
      assert.ok(await person.answering(['Open'], () => withOther(() => Promise.resolve(agreed))));
    });

    it('shows progress with a Cancel button, which stops waiting', async () => {
      const shown = await progressOf((whenShown) => step({ progress: () => 'Painting', run: () => whenShown })('door'));
      assert.deepEqual(shown, { title: 'Painting…', cancellable: true });
    });

    it('fails with the error of its check or its work, which it does not say itself', async () => {
      const gone = () => Promise.reject(failed({ kind: 'notFound', operation: 'Delete', target: '/a' }));
      await assert.rejects(
        person.answering([], () => step({ run: gone })('door')),
        /\/a/,
      );
      const refuses = () => {
        throw new Error('refused');
      };
      await assert.rejects(
        person.answering([], () => step({ needs: refuses, run: gone })('door')),
        /refused/,
      );
      assert.deepEqual([person.seen, events], [[], []]);
    });
  });

  describe('for several things', () => {
    const remove = batch({
      needs: (name: string) => {
        if (name.startsWith('fixed')) throw new Error(`${name} is fixed.`);
      },
      confirm: (all) => (all.length === 1 ? undefined : { ...question, paragraphs: [all.join()], when: 'always' }),
      run: (name) => {
        if (name.startsWith('stuck')) return Promise.reject(new Error(`${name} is stuck.`));
        if (name.startsWith('slow')) return Promise.reject(new Canceled('Remove', { isOutcomeUnknown: true }));
        events.push(`removes ${name}`);
        return Promise.resolve();
      },
      done: (removed) => ({
        information: `Removed ${removed.join()}.`,
        undo: () => Promise.resolve(events.push(`restores ${removed.join()}`)),
      }),
      nameOf: (name) => name,
      failed: (bad, all) => `Couldn't remove ${bad} of ${all}.`,
    });

    it('does nothing with none', async () => {
      assert.ok(await person.answering([], () => remove([])));
      assert.deepEqual([person.seen, events], [[], []]);
    });

    it('asks one question for those that pass the check, and does nothing if it is canceled', async () => {
      assert.equal(await person.answering([escape], () => remove(['a', 'fixed', 'b'])), false);
      assert.deepEqual([person.seen[1], events], ['a,b', []]);
    });

    it('offers to undo what was done, and reports what failed and what was refused once', async () => {
      const answers = ['Paint', { presses: 'Undo' }, { presses: 'Show Details' }, escape] as const;
      await person.answering(answers, () => remove(['a', 'fixed', 'stuck', 'b']));
      assert.deepEqual(events, ['removes a', 'removes b', 'restores a,b']);
      assert.ok(person.seen.includes('Removed a,b.'));
      assert.equal(person.seen.filter((text) => text === "Couldn't remove 2 of 4.").length, 4);
      assert.ok(person.seen.includes('✗ fixed: fixed is fixed\n✓ a\n✗ stuck: stuck is stuck\n✓ b'));
    });

    it('says what came of it before it was canceled, and isn’t done', async () => {
      await assert.rejects(
        person.answering(['Paint'], () => remove(['a', 'stuck', 'slow', 'b'])),
        Canceled,
      );
      assert.deepEqual(events, ['removes a']);
      for (const text of ['Removed a.', "Couldn't remove 1 of 2."]) assert.ok(person.seen.includes(text), text);
    });

    it('says nothing of success if the only one failed, which is the error of the command', async () => {
      await assert.rejects(
        person.answering([], () => remove(['stuck'])),
        /stuck is stuck/,
      );
      assert.deepEqual(person.seen, []);
    });
  });

  it('gives a command what its resolver found, and ends it silently without', async () => {
    const call = command(
      'raw',
      ({ number }) => (number === undefined ? undefined : { twice: number * 2 }),
      ({ twice }) => void events.push(`twice ${twice}`),
    );
    await call(new Call([3]));
    await call(new Call(['3']));
    assert.deepEqual(events, ['twice 6']);
    assert.equal(call.actsOn, 'raw');
  });
});

/** Returns how progress is shown for work that ends once it's shown. */
async function progressOf(work: (whenShown: Promise<void>) => Promise<unknown>): Promise<object> {
  const { withProgress } = window;
  let shown: object | undefined;
  try {
    await work(
      new Promise((resolve) => {
        Object.assign(window, {
          withProgress: (...[{ title, cancellable }, task]: Parameters<typeof withProgress>) => {
            shown = { title, cancellable };
            resolve();
            return withProgress({ location: ProgressLocation.Notification }, task);
          },
        });
      }),
    );
  } finally {
    Object.assign(window, { withProgress });
  }
  return shown ?? assert.fail('not shown');
}
