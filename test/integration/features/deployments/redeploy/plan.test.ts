import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { commands } from 'vscode';
import { summaryOf } from '../../../../../src/features/deployments/redeploy/stakes';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { until } from '../../../support/event';
import { type OpenRepository, withOpenRepository } from '../../../support/openRepository';
import { Person } from '../../../support/person';
import { assertTruthful, redeployed } from '../../../support/projects';

describe('the check before a redeploy', () => {
  let at: OpenRepository;

  withOpenRepository((one) => (at = one));

  it('lists the edits with their previous text, says that they are discarded, and discards them', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    await at.edit('about.php', 'edited too\n', 1);
    const { asked, record } = await at.redeploy({ push: false, savesPatch: false });
    assert.equal(asked?.editOutcome, 'discarded');
    assert.deepEqual(
      asked.edits.map(({ path, edit, now }) => [path, edit.nodeId, edit.before, now]),
      [
        ['about.php', at.setUp.nodeId(1), 'about\n', { kind: 'text', text: 'edited too\n' }],
        ['index.php', at.setUp.nodeId(0), 'one\n', { kind: 'text', text: 'edited\n' }],
      ],
    );
    assert.equal(record?.verdict.kind, 'deployed');
    assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`), 'one\n');
    await until(at.parts.nodeEditLog.onDidChange, async () => (await at.parts.edits.noted(at.place)).length === 0);
    assert.equal((await at.redeploy()).asked, undefined, 'nothing is left to be said');
  });

  /** Redeploys during another change to the project, and does the work while the redeploy waits for it. */
  async function redeployAfterWait(
    work: () => Promise<unknown>,
    decision?: { readonly push: boolean; readonly savesPatch: boolean },
  ) {
    const { lock } = at.parts;
    const change = lock.take(at.place, 'settings');
    const holder = lock.holder.bind(lock);
    const waiting = new Promise<void>((resolve) => {
      lock.holder = (place) => {
        resolve();
        return holder(place);
      };
    });
    const redeploying = at.redeploy(decision);
    await waiting;
    lock.holder = holder;
    await work();
    change?.dispose();
    return redeploying;
  }

  it('checks again after it has waited for another change to the project', async () => {
    await at.create({ autoResolveConflict: true });
    const { asked, record } = await redeployAfterWait(() => at.edit('index.php', 'edited\n'));
    assert.deepEqual(
      asked?.edits.map(({ path }) => path),
      ['index.php'],
    );
    assert.equal(record, undefined);
    assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`), 'edited\n');
  });

  it('asks again after the wait only if more would be discarded or missed than was confirmed', async () => {
    await at.create({ autoResolveConflict: true });
    const redeployed = async (work: () => Promise<unknown>) => {
      const { asked, askedAgain, record } = await redeployAfterWait(work, { push: false, savesPatch: false });
      assert.ok(asked);
      assert.equal(record?.verdict.kind, askedAgain.length === 0 ? 'deployed' : undefined);
      return askedAgain.map(({ edits, local }) => [edits.map(({ path }) => path), local?.uncommitted.length]);
    };
    await at.edit('index.php', 'edited\n');
    const both = ['about.php', 'index.php'];
    assert.deepEqual(await redeployed(() => at.edit('about.php', 'edited\n')), [[both, 0]]);
    assert.deepEqual(await redeployed(() => at.save('about.php', 'edited again\n')), [[both, 0]]);
    const changeClone = async () => {
      await at.clone.write('about.php', 'mine\n');
      await at.status();
    };
    assert.deepEqual(await redeployed(changeClone), [[both, 1]]);
    assert.deepEqual(await redeployed(() => Promise.resolve()), []);
  });

  it('checks again after its question, and asks about what was edited while that was open', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    at.setUp.platform.journal.reset();
    const asked: (readonly string[])[] = [];
    const record = await redeployed(at.parts, { place: at.place, consent: 'byTask' }, async ({ edits }) => {
      asked.push(edits.map(({ path }) => path));
      if (asked.length > 1) return undefined;
      await at.edit('about.php', 'edited in the meantime\n');
      return { push: false, savesPatch: false };
    });
    assert.deepEqual(asked, [['index.php'], ['about.php', 'index.php']]);
    assert.equal(record, undefined);
    assert.equal(await at.setUp.read(`${webroot}/ROOT/about.php`), 'edited in the meantime\n');
    assert.ok(!at.setUp.platform.journal.arrivals.some(({ operation }) => operation === 'Update'));
  });

  it('asks only about edits that new commits touch if edits would stop the redeploy', async () => {
    await at.create();
    await at.edit('about.php', 'edited\n');
    await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.clone.git('push', '--quiet');
    await at.status();
    const quiet = await at.redeploy();
    assert.equal(quiet.asked, undefined);
    assert.equal(quiet.record?.verdict.kind, 'deployed');
    assert.equal(await at.setUp.read(`${webroot}/ROOT/about.php`), 'edited\n');
    await at.clone.commit('About tea', { 'about.php': 'tea\n' });
    await at.clone.git('push', '--quiet');
    await at.status();
    const { asked, record } = await at.redeploy({ push: false, savesPatch: false });
    assert.equal(asked?.editOutcome, 'stops');
    assert.deepEqual(
      asked.edits.map(({ path }) => path),
      ['about.php'],
    );
    assert.equal(record?.verdict.kind, 'failed');
    assert.ok(record);
    await assertTruthful(at.setUp, record);
  });

  it('compares with the commit that is deployed by a roll back, not with the branch', async () => {
    await at.create();
    await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.clone.git('push', '--quiet');
    await at.status();
    assert.equal((await at.redeploy()).record?.verdict.kind, 'deployed');
    await at.edit('index.php', 'edited\n');
    assert.equal((await at.redeploy()).asked, undefined, 'nothing new is on the branch');
    const person = new Person();
    try {
      const rollBack = () => commands.executeCommand('gantry.project.rollBack', at.place);
      await person.answering(['first', 'Roll Back'], rollBack);
      assert.match(person.seen.at(-1) ?? '', /Couldn't roll back ROOT .*\(index\.php\)/);
    } finally {
      person.leave();
    }
    const edits = at.setUp.platform.journal.count(({ operation }) => operation === 'EditProject');
    assert.equal(edits, 0, 'the project is not pinned');
  });

  it('lists the other edits if the record of one is damaged, says so, and asks first, and so do the views', async () => {
    await at.create({ autoResolveConflict: true });
    const { parts, account, place } = at;
    await parts.projects.read(place);
    await parts.inspector.heads({ place });
    await at.edit('index.php', 'edited\n');
    await at.edit('about.php', 'edited too\n');
    const { onDidChange } = parts.edited;
    await until(onDidChange, () => parts.edited.all.length === 2);
    const marks = join(dirname(parts.history.folder), 'journal', account.slug);
    for (const name of await readdir(marks)) {
      const text = await readFile(join(marks, name), 'utf8').catch(() => '');
      if (text.includes('about.php')) await writeFile(join(marks, name), text.replace('about', 'abcut'));
    }
    const { asked, record } = await at.redeploy();
    assert.equal(record, undefined);
    assert.ok(asked);
    assert.deepEqual(
      asked.edits.map(({ path }) => path),
      ['index.php'],
    );
    assert.match(summaryOf(asked), /nodes: this computer has no readable record of one edit\./);
    const results = (await parts.deployedStates.look(place)).map(({ kind }) => kind);
    assert.deepEqual([results.includes('edited'), results.includes('editsUnchecked')], [true, true], results.join());
    const shown = () => parts.edited.all.map(({ place: { path } }) => path.slice(`${webroot}/ROOT/`.length)).sort();
    await at.noting(['new.php'], () => at.save('new.php', 'new\n'));
    await until(onDidChange, () => shown().join() === 'index.php,new.php');
    // The next edit of the file replaces it.
    await at.edit('about.php', 'edited again\n');
    await until(onDidChange, () => shown().join() === 'about.php,index.php,new.php');
    assert.equal((await parts.nodeEditLog.read(account.slug)).unknown, 0);
  });

  it("reports an unreadable record of edits and asks first, and the project isn't shown as up to date", async () => {
    await at.create();
    const { parts, account, place } = at;
    const edits = join(dirname(parts.history.folder), 'journal', account.slug);
    // A file in place of the folder can't be read, even by root.
    await rm(edits, { recursive: true, force: true });
    await writeFile(edits, '');
    try {
      const { asked, record } = await at.redeploy();
      assert.equal(record, undefined);
      assert.match(asked === undefined ? '' : summaryOf(asked), /Couldn't check for edits on the nodes: .*ENOTDIR/);
      const results = (await parts.deployedStates.look(place)).map(({ kind }) => kind);
      assert.ok(results.includes('editsUnchecked') && !results.includes('deployed'), results.join());
    } finally {
      await rm(edits, { force: true });
    }
  });
});
