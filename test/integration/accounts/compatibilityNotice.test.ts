import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Memento } from 'vscode';
import { offerCompatibilityCheck } from '../../../src/accounts/compatibilityNotice';
import { Person } from '../support/person';

describe('the offer to check a platform after the first sign-in', () => {
  let person: Person;
  const kept = new Map<string, unknown>();
  const memory: Memento = {
    keys: () => [...kept.keys()],
    get: <T>(key: string, otherwise?: T) => (kept.has(key) ? (kept.get(key) as T) : (otherwise as T)),
    update: (key, value) => Promise.resolve(void kept.set(key, value)),
  };
  const at = (host: string) => ({ slug: 'no-such-account', host, address: `https://${host}` });

  before(() => {
    person = new Person();
  });
  after(() => person.leave());

  const offersAt = async (host: string) => {
    await person.answering([], () => offerCompatibilityCheck(at(host), memory));
    return person.seen.filter((text) => text.includes('supports?')).length;
  };

  it('appears once for each platform', async () => {
    assert.equal(await offersAt('app.one.example.com'), 1);
    assert.equal(await offersAt('app.one.example.com'), 0);
    assert.equal(await offersAt('app.two.example.com'), 1);
  });

  it('does not appear for a platform on this computer', async () => {
    assert.equal(await offersAt('127.0.0.1'), 0);
  });
});
