import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as v from 'valibot';
import type { Account } from '../../../../../src/accounts/accounts';
import type { ProjectParts } from '../../../support/parts';
import { changedFields, notTaken } from '../../../../../src/features/deployments/settings/fieldChanges';
import type { ProjectFields } from '../../../../../src/features/deployments/settings/projectFields';
import type { ProjectPlace } from '../../../../../src/features/deployments/projectPlace';
import { maskWith } from '../../../../../src/files/text';
import { isPlatformError } from '../../../../../src/platform/errors';
import type { Fault } from '../../../../localPlatform/faults/fault';
import { projectSchema } from '../../../../localPlatform/vcs/project';
import type { VcsSetUp } from '../../../../unit/localPlatform/vcsSetUp';
import { credentials, webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { gantry } from '../../../support/gantry';
import {
  commitOnDisk,
  endProject,
  fieldsNow,
  inAHurry,
  redeployed,
  startProject,
  wantedFrom,
} from '../../../support/projects';

const kept = v.looseObject({ projects: v.array(projectSchema) });

for (const unsentProjectFields of ['kept', 'cleared'] as const) {
  describe(`settings of a project if fields that aren't sent are ${unsentProjectFields}`, () => {
    let setUp: VcsSetUp;
    let account: Account;
    let parts: ProjectParts;
    let place: ProjectPlace;

    inAHurry();
    before(async () => {
      parts = (await gantry()).projects;
    });
    beforeEach(async () => {
      ({ setUp, account, place } = await startProject({ unsentProjectFields }));
    });
    afterEach(() => endProject({ setUp, account, place }));

    /** Reads the project on the platform, including fields that it never returns. */
    const onPlatform = async () => {
      const text = await readFile(join(setUp.dataFolder, 'projects.json'), 'utf8');
      const [project] = v.parse(kept, JSON.parse(text)).projects;
      assert.ok(project);
      return project;
    };
    const wanted = () => wantedFrom(setUp);
    const now = (at = place) => fieldsNow(at);
    const everything: Partial<ProjectFields> = {
      autoupdate: true,
      interval: '15',
      autoResolveConflict: true,
      zdt: true,
      hooks: { preDeploy: 'true', postBuild: 'echo built' },
      delay: 7,
    };

    it('are created with every field', async () => {
      await parts.projectOperations.create(place, { ...wanted(), ...everything });
      const project = await onPlatform();
      for (const [name, value] of Object.entries({ ...everything, ...credentials, branch: 'master', type: 'GIT' })) {
        assert.deepEqual(project[v.parse(v.keyof(projectSchema), name)], value, name);
      }
      assert.equal(await commitOnDisk(setUp, 0), undefined, 'deploying is a step of its own');
    });

    it("are returned as they were sent, field by field, and don't affect other fields", async () => {
      await parts.projectOperations.create(place, { ...wanted(), ...everything });
      const changes: readonly Partial<ProjectFields>[] = [
        { branch: 'release' },
        { autoupdate: false },
        { interval: '30' },
        { autoResolveConflict: false },
        { zdt: false },
        { repoHash: 'abcdef1234567' },
        { repoHash: '' },
        { login: 'nils' },
        { login: '' },
        { hooks: { preBuild: 'make' } },
        { hooks: { preDeploy: 'a', postDeploy: 'b', preBuild: 'c', postBuild: 'd' } },
        { delay: 0 },
        { keyId: 12 },
        { url: `${setUp.url}/other.git` },
        { type: 'SVN', url: 'http://svn.saltmarsh.example/tea/trunk', repoHash: '17' },
        { type: 'GIT', url: setUp.url, repoHash: '' },
      ];
      let before = await now();
      for (const change of changes) {
        const wish = { ...before, ...change };
        await parts.projectOperations.edit(place, before, wish);
        const after = await now();
        assert.deepEqual(changedFields(wish, after), [], JSON.stringify(change));
        const project = await onPlatform();
        assert.deepEqual(project.hooks, wish.hooks, `hooks after ${JSON.stringify(change)}`);
        assert.equal(project.delay, wish.delay, `delay after ${JSON.stringify(change)}`);
        assert.equal(project.keyId, wish.keyId, `key after ${JSON.stringify(change)}`);
        assert.deepEqual(notTaken(wish, (await parts.projects.read(place)).settings), []);
        assert.equal(project.password, credentials.password, 'no password sent keeps the old one');
        before = after;
      }
    });

    it('are not sent with what agents see instead of a secret', async () => {
      const masked = { hooks: { preBuild: `deploy --key=${maskWith('0123456789ab')}` } };
      const refused = /contains masked-by-gantry-…/;
      await assert.rejects(parts.projectOperations.create(place, { ...wanted(), ...masked }), refused);
      await parts.projectOperations.create(place, wanted());
      const before = await now();
      await assert.rejects(parts.projectOperations.edit(place, before, { ...before, ...masked }), refused);
      assert.deepEqual((await now()).hooks, before.hooks);
    });

    it('can get another password, and another context that keeps everything known about the old one', async () => {
      await parts.projectOperations.create(place, { ...wanted(), ...everything });
      const before = await now();
      await parts.projectOperations.edit(place, before, { ...before, password: 'another', context: 'shop2' });
      const renamed = { ...place, context: 'shop2' };
      assert.equal((await onPlatform()).password, 'another');
      assert.equal((await onPlatform()).context, 'shop2');
      assert.deepEqual((await now(renamed)).hooks, everything.hooks);
      assert.equal(parts.known.find(place), undefined);
      assert.ok(parts.known.find(renamed));
    });

    it(`${unsentProjectFields === 'kept' ? 'keep' : 'lose'} hidden values that were set elsewhere`, async () => {
      const elsewhere = { hooks: JSON.stringify({ preDeploy: 'make' }), delay: 7, keyId: 12 };
      await setUp.succeed('CreateProject', { type: 'GIT', context: 'ROOT', url: setUp.url, ...elsewhere });
      assert.equal(
        await parts.writeOnlySettings.find(place),
        undefined,
        'nothing was set from here: it is said what may be lost',
      );
      const { fields: before } = await parts.projectOperations.current(place);
      await parts.projectOperations.edit(place, before, { ...before, branch: 'release' });
      const { hooks, delay, keyId } = await onPlatform();
      const lost = unsentProjectFields === 'cleared';
      assert.deepEqual(
        { hooks, delay, keyId },
        // The node shows the hooks.
        { hooks: { preDeploy: 'make' }, ...(lost ? { delay: 0, keyId: undefined } : { delay: 7, keyId: 12 }) },
      );
      assert.ok(await parts.writeOnlySettings.find(place), 'said once');
    });

    it('keep a key that was set here', async () => {
      await parts.projectOperations.create(place, { ...wanted(), password: undefined, keyId: 12 });
      const before = await now();
      await parts.projectOperations.edit(place, before, { ...before, branch: 'release' });
      assert.equal((await onPlatform()).keyId, 12);
    });

    it("aren't remembered as set here if the platform rejects them", async () => {
      await parts.projectOperations.create(place, wanted());
      const before = await now();
      const refusals: readonly Partial<ProjectFields>[] = [
        { login: 'ma#rit' },
        { url: 'nowhere' },
        { context: 'not allowed' },
        { autoupdate: true, interval: '0' },
        { password: 'a', keyId: 3 },
        { delay: 9, repoHash: 'xyz' },
      ];
      for (const refused of refusals) {
        await assert.rejects(
          parts.projectOperations.edit(place, before, { ...before, ...refused }),
          JSON.stringify(refused),
        );
        assert.deepEqual(await now(), before);
      }
      await assert.rejects(parts.projectOperations.create(place, wanted()), 'the context has a project already');
    });

    it('are forgotten when the project is deleted', async () => {
      await parts.projectOperations.create(place, { ...wanted(), delay: 3 });
      await setUp.update();
      assert.ok(await commitOnDisk(setUp, 0));
      await parts.projectOperations.delete(place, await now());
      assert.equal(await commitOnDisk(setUp, 0), undefined);
      assert.equal(await parts.writeOnlySettings.find(place), undefined);
      assert.equal(parts.known.find(place), undefined);
    });

    it('can pin an earlier commit, and the newest again', async () => {
      await parts.projectOperations.create(place, wanted());
      await setUp.update();
      const first = await commitOnDisk(setUp, 0);
      assert.ok(first);
      const second = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      await setUp.update();
      const redeploy = () => redeployed(parts, { place, consent: 'byTask' });
      const before = await now();
      await parts.projectOperations.edit(place, before, { ...before, repoHash: first });
      assert.deepEqual((await redeploy())?.verdict, { kind: 'deployed', commit: first });
      const pinned = await now();
      await parts.projectOperations.edit(place, pinned, { ...pinned, repoHash: '' });
      assert.deepEqual((await redeploy())?.verdict, { kind: 'deployed', commit: second });
    });
  });
}

describe('a project', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;
  let place: ProjectPlace;

  inAHurry();
  before(async () => {
    parts = (await gantry()).projects;
  });
  beforeEach(async () => {
    ({ setUp, account, place } = await startProject());
  });
  afterEach(() => endProject({ setUp, account, place }));

  const wanted = () => wantedFrom(setUp);
  const now = (at = place) => fieldsNow(at);
  const count = (operation: string) => setUp.platform.journal.count((entry) => entry.operation === operation);
  const redeploy = () => redeployed(parts, { place, consent: 'byTask' });

  describe('if the response is lost', () => {
    const done: readonly Fault[] = [
      { kind: 'gatewayError', status: 504, when: 'after' },
      { kind: 'reset', when: 'after' },
    ];
    const notDone: readonly Fault[] = [
      { kind: 'gatewayError', status: 502, when: 'before' },
      { kind: 'reset', when: 'before' },
    ];
    const lostAnswer = (operation: string, fault: Fault) => setUp.platform.faults.add({ operation, fault });
    const isUnknown = (error: unknown) =>
      isPlatformError(error) || Reflect.get(Object(error), 'isOutcomeUnknown') === true;

    it('is created once, changed once, and deleted once if the platform did it', async () => {
      for (const fault of done) {
        lostAnswer('CreateProject', fault);
        await parts.projectOperations.create(place, { ...wanted(), delay: 7 });
        const created = await now();
        assert.equal(created.delay, 7);
        lostAnswer('EditProject', fault);
        await parts.projectOperations.edit(place, created, {
          ...created,
          branch: 'release',
          hooks: { preBuild: 'make' },
        });
        assert.equal((await now()).branch, 'release');
        assert.deepEqual((await now()).hooks, { preBuild: 'make' });
        lostAnswer('DeleteProject', fault);
        await parts.projectOperations.delete(place, await now());
        assert.equal(parts.known.find(place), undefined);
      }
      assert.deepEqual([count('CreateProject'), count('EditProject'), count('DeleteProject')], [2, 2, 2]);
    });

    it("is created and changed even if it can't be read right afterwards", async () => {
      const out: Fault = { kind: 'gatewayError', status: 502, when: 'before' };
      const unseen = (nth: number) =>
        setUp.platform.faults.add({ operation: 'GetProject', nth, times: 'always', fault: out });
      const creating = unseen(1);
      const created = await parts.projectOperations.create(place, { ...wanted(), delay: 7 });
      assert.deepEqual(created.place, place);
      creating.remove();
      const before = await now();
      assert.equal(before.delay, 7);
      // The first one compares the settings before they are sent.
      const changing = unseen(2);
      const wish = { ...before, branch: 'release', context: 'shop2' };
      const changed = await parts.projectOperations.edit(place, before, wish);
      assert.deepEqual(notTaken(wish, changed.settings), []);
      changing.remove();
      const renamed = { ...place, context: 'shop2' };
      assert.ok(parts.known.find(renamed));
      assert.equal((await now(renamed)).branch, 'release');
    });

    it('is shown as it is after a change, even if an older read ends later', async () => {
      await parts.projectOperations.create(place, wanted());
      const before = await now();
      const held = setUp.platform.faults.add({ operation: 'GetProject', fault: { kind: 'hang', when: 'after' } });
      const older = parts.projects.read(place);
      await held.reached;
      const changed = await parts.projectOperations.edit(place, before, { ...before, branch: 'release' });
      assert.equal(changed.settings.branch, 'release');
      held.release();
      await older;
      assert.equal(parts.projects.last(place)?.settings.branch, 'release');
    });

    it("doesn't count as created, changed, or deleted if the platform didn't do it", async () => {
      for (const fault of notDone) {
        lostAnswer('CreateProject', fault);
        await assert.rejects(parts.projectOperations.create(place, wanted()), isUnknown);
        assert.equal(await parts.writeOnlySettings.find(place), undefined);
      }
      await parts.projectOperations.create(place, wanted());
      const before = await now();
      for (const fault of notDone) {
        lostAnswer('EditProject', fault);
        await assert.rejects(
          parts.projectOperations.edit(place, before, { ...before, delay: 9, branch: 'release' }),
          isUnknown,
        );
        lostAnswer('EditProject', fault);
        await assert.rejects(parts.projectOperations.edit(place, before, { ...before, delay: 9 }), isUnknown);
        lostAnswer('DeleteProject', fault);
        await assert.rejects(parts.projectOperations.delete(place, before), isUnknown);
        assert.deepEqual(await now(), before);
      }
    });
  });

  it("gets no settings if the user cancels while the hooks on its node are read, and isn't deleted", async () => {
    await parts.projectOperations.create(place, wanted());
    const before = await now();
    for (const change of [
      (signal: AbortSignal) =>
        parts.projectOperations.edit(place, before, { ...before, branch: 'release' }, { signal }),
      (signal: AbortSignal) => parts.projectOperations.delete(place, before, { signal }),
    ]) {
      const held = setUp.platform.faults.add({ operation: 'GetList', fault: { kind: 'hang', when: 'after' } });
      const canceling = new AbortController();
      const rejected = assert.rejects(change(canceling.signal), { name: 'AbortError' });
      await held.reached;
      canceling.abort();
      await rejected;
      held.release();
    }
    assert.deepEqual([count('EditProject'), count('DeleteProject')], [0, 0]);
  });

  it('gets no settings if someone else changed some that they start from, also if Gantry asked before that', async () => {
    await parts.projectOperations.create(place, wanted());
    const before = await now();
    const held = setUp.platform.faults.add({ operation: 'GetProject', fault: { kind: 'hang', when: 'after' } });
    const older = parts.projects.read(place);
    await held.reached;
    await setUp.succeed('EditProject', { ...setUp.editWishes, branch: 'theirs' });
    await assert.rejects(
      parts.projectOperations.edit(place, before, { ...before, login: 'nils' }),
      /Nothing was sent, .* Branch: master → theirs\. Try again/,
    );
    held.release();
    await older;
    assert.equal((await now()).branch, 'theirs');
    assert.equal(count('EditProject'), 1);
  });

  it('takes its history and the edits in its containers along to another context', async () => {
    await parts.projectOperations.create(place, { ...wanted(), autoResolveConflict: true });
    await redeploy();
    const edited = `${webroot}/ROOT/about.php`;
    const target = { nodeGroup: 'cp', nodeId: setUp.nodeId(0) };
    await parts.nodeEditLog.note(
      { kind: 'file', ...place, target, path: edited },
      { what: 'changed', before: 'about\n' },
    );
    const before = await now();
    await parts.projectOperations.edit(place, before, { ...before, context: 'shop2' });
    const renamed = { ...place, context: 'shop2' };
    assert.deepEqual(await parts.history.of(place), []);
    const [record] = await parts.history.of(renamed);
    assert.equal(record?.context, 'shop2');
    const edits = await parts.nodeEditLog.of(account.slug);
    assert.deepEqual(
      edits.map(({ path }) => path),
      [`${webroot}/shop2/about.php`],
    );
    assert.equal((await parts.edits.noted(renamed)).length, 1);
    await parts.history.forget(renamed);
  });

  it('is shown at the newest commit if the platform ignores the pinned one', async () => {
    setUp.platform.behaviour.pinnedCommits = 'ignored';
    await parts.projectOperations.create(place, wanted());
    await redeploy();
    const first = await commitOnDisk(setUp, 0);
    assert.ok(first);
    const second = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const before = await now();
    await parts.projectOperations.edit(place, before, { ...before, repoHash: first });
    assert.deepEqual((await redeploy())?.verdict, { kind: 'contradicted', because: 'notPinned' });
    assert.equal(await commitOnDisk(setUp, 0), second);
  });
});
