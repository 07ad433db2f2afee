import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env } from 'vscode';
import { warnAboutUnreadableChecks } from '../../../src/compatibility/unreadableCheckNotice';
import { type Answer, Person } from '../support/person';

const anna = { slug: 'anna', label: 'Anna, app.example.com' };
const bert = { slug: 'bert', label: 'Bert, app.example.com' };

describe('a stored compatibility check that cannot be read', () => {
  let person: Person;

  beforeEach(() => {
    person = new Person();
  });
  afterEach(() => person.leave());

  const warn = (unreadable: readonly string[], ...answers: readonly Answer[]) =>
    person.answering(answers, () =>
      warnAboutUnreadableChecks({
        accounts: { list: [anna, bert], untilRead: () => Promise.resolve() },
        compatibility: { loaded: Promise.resolve(false), isUnreadable: (slug) => unreadable.includes(slug) },
      }),
    );

  it('is named in one message, and not mentioned if all can be read', async () => {
    await warn(['anna', 'bert']);
    assert.deepEqual(person.seen, [
      "Couldn't read the last compatibility check of Anna, app.example.com, Bert, app.example.com, so Gantry allows all changes there. Check again to make sure they're safe.",
    ]);
    await warn([]);
    assert.deepEqual(person.seen, []);
  });

  it('leads to the diagnostics', async () => {
    await env.clipboard.writeText('');
    await warn(['anna'], { presses: 'Copy Diagnostics' });
    assert.match(await env.clipboard.readText(), /# Gantry diagnostics/);
  });

  it('leads to a new check of the account', async () => {
    const run: unknown[] = [];
    const { executeCommand } = commands;
    Object.assign(commands, { executeCommand: (...all: readonly unknown[]) => Promise.resolve(void run.push(all)) });
    try {
      await warn(['bert'], { presses: 'Check Compatibility…' });
    } finally {
      Object.assign(commands, { executeCommand });
    }
    assert.deepEqual(run, [['gantry.platform.checkCompatibility', 'bert']]);
  });
});
