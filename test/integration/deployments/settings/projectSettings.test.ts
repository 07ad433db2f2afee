import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as v from 'valibot';
import type { Account } from '../../../../src/accounts/accounts';
import type { ProjectParts } from '../../../../src/wiring/wireDeployments';
import { changedFields, notTaken, type ProjectFields } from '../../../../src/deployments/settings/projectFields';
import type { ProjectPlace } from '../../../../src/deployments/projectPlace';
import { projectSchema } from '../../../localPlatform/vcs/project';
import type { VcsSetUp } from '../../../unit/localPlatform/vcsSetUp';
import { credentials } from '../../../unit/localPlatform/vcsSetUp';
import { gantry } from '../../support/gantry';
import { commitOnDisk, endProject, fieldsNow, inAHurry, startProject, wantedFrom } from '../../support/projects';

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
      await parts.work.create(place, { ...wanted(), ...everything });
      const project = await onPlatform();
      for (const [name, value] of Object.entries({ ...everything, ...credentials, branch: 'master', type: 'GIT' })) {
        assert.deepEqual(project[v.parse(v.keyof(projectSchema), name)], value, name);
      }
      assert.equal(await commitOnDisk(setUp, 0), undefined, 'deploying is a step of its own');
    });

    it("are returned as they were sent, field by field, and don't affect other fields", async () => {
      await parts.work.create(place, { ...wanted(), ...everything });
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
        await parts.work.edit(place, before, wish);
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

    it('can get another password, and another context that keeps everything known about the old one', async () => {
      await parts.work.create(place, { ...wanted(), ...everything });
      const before = await now();
      await parts.work.edit(place, before, { ...before, password: 'another', context: 'shop2' });
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
      const before = await now();
      await parts.work.edit(place, before, { ...before, branch: 'release' });
      const { hooks, delay, keyId } = await onPlatform();
      const lost = unsentProjectFields === 'cleared';
      assert.deepEqual(
        { hooks, delay, keyId },
        lost ? { hooks: {}, delay: 0, keyId: undefined } : { hooks: { preDeploy: 'make' }, delay: 7, keyId: 12 },
      );
      assert.ok(await parts.writeOnlySettings.find(place), 'said once');
    });

    it('keep a key that was set here', async () => {
      await parts.work.create(place, { ...wanted(), password: undefined, keyId: 12 });
      const before = await now();
      await parts.work.edit(place, before, { ...before, branch: 'release' });
      assert.equal((await onPlatform()).keyId, 12);
    });

    it("aren't remembered as set here if the platform rejects them", async () => {
      await parts.work.create(place, wanted());
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
        await assert.rejects(parts.work.edit(place, before, { ...before, ...refused }), JSON.stringify(refused));
        assert.deepEqual(await now(), before);
      }
      await assert.rejects(parts.work.create(place, wanted()), 'the context has a project already');
    });

    it('are forgotten when the project is deleted', async () => {
      await parts.work.create(place, { ...wanted(), delay: 3 });
      await setUp.update();
      assert.ok(await commitOnDisk(setUp, 0));
      await parts.work.delete(place);
      assert.equal(await commitOnDisk(setUp, 0), undefined);
      assert.equal(await parts.writeOnlySettings.find(place), undefined);
      assert.equal(parts.known.find(place), undefined);
    });

    it('can pin an earlier commit, and the newest again', async () => {
      await parts.work.create(place, wanted());
      await setUp.update();
      const first = await commitOnDisk(setUp, 0);
      assert.ok(first);
      const second = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      await setUp.update();
      const goOn = () => Promise.resolve({ push: false, keepPatch: false });
      const redeploy = () => parts.flow.perform({ place }, goOn, ({ ended }) => ended);
      const before = await now();
      await parts.work.edit(place, before, { ...before, repoHash: first });
      assert.deepEqual((await redeploy())?.verdict, { kind: 'deployed', commit: first });
      const pinned = await now();
      await parts.work.edit(place, pinned, { ...pinned, repoHash: '' });
      assert.deepEqual((await redeploy())?.verdict, { kind: 'deployed', commit: second });
    });
  });
}
