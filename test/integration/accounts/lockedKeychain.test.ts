import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { watchForgottenAccounts } from '../../../src/accounts/accountNotices';
import { accountsKey, storedAccountsKey } from '../../../src/storage/storageKeys';
import { EnvironmentMemory } from '../../../src/containers/environmentMemory';
import { Environments } from '../../../src/containers/environments';
import { Containers } from '../../../src/containers/containers';
import { Listings } from '../../../src/containers/listings';
import { ServerSideOperations } from '../../../src/containers/serverSideOperations';
import { EnvironmentsView } from '../../../src/features/tree/tree';
import { nextEvent } from '../support/event';
import { accountScene, Keychain, type PersonsAccounts } from '../support/personsAccounts';

describe('a keychain that is locked when the window opens', () => {
  const scene = accountScene();
  let keychain: Keychain;
  let person: PersonsAccounts;
  let environments: Environments;
  let view: EnvironmentsView;
  let containers: Containers;
  let listings: Listings;

  beforeEach(async () => {
    keychain = new Keychain();
    const before = scene.open(keychain);
    await scene.signIn(before);
    before.dispose();
    keychain.locked = new Error('no D-Bus session');
    person = scene.open(keychain);
    environments = new Environments(new EnvironmentMemory({ get: () => undefined, update: () => Promise.resolve() }));
    containers = new Containers(person.accounts);
    listings = new Listings(
      (folder, request) => containers.list(folder, request),
      () => [],
    );
    const serverOperations = new ServerSideOperations(containers);
    view = new EnvironmentsView(
      { accounts: person.accounts, environments, containers, listings, serverOperations },
      () => false,
    );
  });

  afterEach(() => {
    view.dispose();
    environments.dispose();
  });

  /** What the welcome content's button runs. */
  const tryAgain = () => view.readAllAgain();
  const everyEnvironment = () => scene.platform.environments.map(({ envName }) => envName).sort();
  const shown = async () =>
    (await view.getChildren()).map((row) => (row.kind === 'environment' ? row.environment.name : row.kind)).sort();

  it('leaves the view to its welcome content, and Retry reads the keychain again', async () => {
    assert.deepEqual(await view.getChildren(), []);
    await assert.rejects(
      tryAgain(),
      (error) =>
        error === person.accounts.unreadable &&
        person.accounts.unreadable?.message ===
          "Couldn't read your accounts from this computer's keychain (no D-Bus session). Unlock the keychain, then try again.",
    );
    assert.deepEqual(await view.getChildren(), []);
    keychain.locked = undefined;
    await tryAgain();
    assert.deepEqual(await shown(), everyEnvironment());
    assert.equal(person.failures.length, 1, 'of the first reading alone nobody else learns');
  });

  it('recovers by itself when the keychain reports a change', async () => {
    await person.accounts.firstRead;
    const seen = nextEvent(view.onDidChangeTreeData);
    keychain.locked = undefined;
    await keychain.store(accountsKey, keychain.values.get(accountsKey) ?? '');
    await seen;
    assert.deepEqual(await shown(), everyEnvironment());
    assert.equal(person.accounts.unreadable, undefined);
  });

  it('is the reason in file errors, and no account counts as signed out', async () => {
    await person.accounts.firstRead;
    assert.throws(
      () => containers.account('a'),
      (error) => error === person.accounts.unreadable,
    );
    assert.equal(person.accounts.state.kind, 'unreadable');
  });

  it('stays the reason after someone signs in for this window, and the stored accounts count as before', async () => {
    await person.accounts.firstRead;
    const kept = new Map<string, unknown>([[storedAccountsKey, 1]]);
    const { store, accounts } = person;
    let forgotten = 0;
    const watching = watchForgottenAccounts({
      accounts,
      memory: {
        keys: () => [...kept.keys()],
        get: <T>(key: string, otherwise?: T) => (kept.has(key) ? (kept.get(key) as T) : (otherwise as T)),
        update: (key, value) => Promise.resolve(void kept.set(key, value)),
      },
      countStored: () => store.countStored,
      onForgotten: () => (forgotten += 1),
    });
    const token = await scene.platform.createToken({ description: 'own', tokenTemplate: 'IDE Plugins' });
    await accounts.add({ slug: 'own', label: 'Own', address: scene.platform.origin, transport: 'form', token });
    watching.dispose();
    assert.equal(containers.account('own'), accounts.find('own'));
    assert.throws(
      () => containers.account('a'),
      (error) => error === accounts.unreadable,
    );
    assert.deepEqual([kept.get(storedAccountsKey), forgotten], [1, 0]);
    keychain.locked = undefined;
    await accounts.readAgain();
    assert.deepEqual([accounts.unreadable, accounts.list.length], [undefined, 2]);
  });
});
