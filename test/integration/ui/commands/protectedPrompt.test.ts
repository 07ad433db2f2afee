import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { confirmChange, confirmInProduction } from '../../../../src/ui/commands/protectedPrompt';
import { escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';

describe('the question before a change in production', () => {
  let person: Person;
  before(() => {
    person = new Person();
  });
  after(() => person.leave());

  const titles = {
    learnTitle: ({ environment }: { environment: string }) => Promise.resolve(environment !== 'nameless'),
    titleOf: ({ environment }: { environment: string }) => (environment === 'shop' ? 'Saltmarsh Tea' : environment),
  };
  const [shop, blog] = ['shop', 'blog'].map((environment) => ({ account: 'a', environment }));
  assert.ok(shop && blog);
  const change = { question: 'Move “a”?', paragraphs: ['Programs may need it.'], button: 'Move' };

  it('is asked only there if the change needs no question elsewhere', async () => {
    assert.ok(await person.answering([], () => confirmInProduction([shop, blog], titles, change)));
    await inProduction(['shop'], async () => {
      assert.ok(await person.answering([], () => confirmInProduction([blog], titles, change)));
      assert.ok(await person.answering(['Move'], () => confirmInProduction([shop, blog], titles, change)));
      assert.ok(!(await person.answering([escape], () => confirmInProduction([shop], titles, change))));
    });
  });

  it('is asked if one of two environments with the same name is protected in its account', async () => {
    const other = { ...blog, account: 'b' };
    for (const places of [
      [blog, other],
      [other, blog],
    ]) {
      await inProduction(['a/blog'], async () => {
        assert.ok(!(await person.answering([escape], () => confirmInProduction(places, titles, change))));
      });
    }
  });

  it('names the environment by both its names, before the consequence', async () => {
    await inProduction(['saltmarsh*', 'blog'], async () => {
      await person.answering(['Move'], () => confirmChange([shop, shop], titles, change));
      assert.deepEqual(person.seen.slice(0, 2), [
        'Move “a”?',
        'Saltmarsh Tea (shop) is a production environment.\n\nPrograms may need it.',
      ]);
      await person.answering(['Move'], () => confirmChange([shop, blog], titles, change));
      assert.match(person.seen[1] ?? '', /^These are production environments: Saltmarsh Tea \(shop\), blog\.\n/);
    });
  });

  it('is asked where a display name that nobody knows may be protected, unless the name makes an exception', async () => {
    const nameless = { account: 'a', environment: 'nameless' };
    for (const patterns of [['Saltmarsh*'], ['!nameless', 'Live'], ['!blog', 'Live']]) {
      await inProduction(patterns, async () => {
        await person.answering(['Move'], () => confirmInProduction([nameless], titles, change));
        assert.match(person.seen[1] ?? '', /^nameless may be a production environment: Gantry couldn't get its/);
      });
    }
    for (const patterns of [['Live', '!nameless'], ['!*'], [' ']]) {
      await inProduction(patterns, async () => {
        assert.ok(await person.answering([], () => confirmInProduction([nameless], titles, change)));
      });
    }
  });

  it('says nothing of production elsewhere', async () => {
    await person.answering(['Move'], () => confirmChange([shop], titles, change));
    assert.equal(person.seen[1], 'Programs may need it.');
  });
});
