import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';

import {
  changeLines,
  checkSettingsChange,
  saveSettings,
} from '../../../../../src/features/deployments/settings/saveSettingsFlow';
import type { Hooks } from '../../../../../src/features/deployments/settings/hooks';
import type { ProjectFields } from '../../../../../src/features/deployments/settings/projectFields';
import { cancelProgress } from '../../../support/cancelProgress';
import { type Answer, escape } from '../../../support/person';
import {
  endPeopledProject,
  fieldsNow,
  inAHurry,
  type PeopledProject,
  startPeopledProject,
  wantedFrom,
} from '../../../support/projects';

describe('a change of project settings', () => {
  let at: PeopledProject;
  let base: ProjectFields;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.parts.projectOperations.create(at.place, wantedFrom(at.setUp));
    base = await fieldsNow(at.place);
  });
  afterEach(() => endPeopledProject(at));

  const check = (fields: Partial<ProjectFields>, ...answers: readonly Answer[]) =>
    at.person.answering(answers, () =>
      checkSettingsChange({ place: at.place, base, fields: { ...base, ...fields } }, at.parts),
    );
  const sent = () => at.setUp.platform.journal.count(({ operation }) => operation === 'EditProject');

  it('asks about settings that someone else changed meanwhile, and keeps those that only they changed', async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'theirs', interval: '30' });
    const change = await check({ branch: 'mine' }, 'Save Anyway');
    const told = at.person.seen.join('\n');
    assert.match(told, /Branch: master → theirs \(yours: mine\)/);
    assert.equal(change?.fields.branch, 'mine');
    assert.equal(change.fields.interval, '30');
    assert.equal(change.base.branch, 'theirs');
  });

  it('is given up without a request if the user closes that question', async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'theirs' });
    const before = sent();
    assert.equal(await check({ branch: 'mine' }, escape), undefined);
    assert.equal(sent(), before);
  });

  it('can be canceled while the current settings are read', async () => {
    const held = at.setUp.platform.faults.add({ operation: 'GetList', fault: { kind: 'hang', when: 'after' } });
    const leave = cancelProgress(held.reached);
    try {
      await assert.rejects(check({ branch: 'mine' }), { name: 'AbortError' });
    } finally {
      held.release();
      leave();
    }
  });

  it('asks nothing if someone else made the same change', async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'same' });
    assert.equal((await check({ branch: 'same' }))?.fields.branch, 'same');
  });

  describe('of hooks', () => {
    const enter = async (hooks: Hooks) => {
      await at.parts.projectOperations.edit(at.place, base, { ...base, hooks });
      base = await fieldsNow(at.place);
    };
    const theirs = (hooks: Hooks) =>
      at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: JSON.stringify(hooks) });

    it('keeps the hook that someone else changed meanwhile, and says which one', async () => {
      await enter({ preDeploy: 'true\n' });
      await theirs({ preDeploy: 'true\n', postDeploy: 'theirs\n' });
      const change = await check({ hooks: { preDeploy: 'mine\n' } }, 'Save Anyway');
      const told = at.person.seen.join('\n');
      assert.match(told, /Post-deploy hook: changed\nPost-deploy hook:\n\+ theirs\n\n/);
      assert.deepEqual(change?.fields.hooks, { preDeploy: 'mine\n', postDeploy: 'theirs\n' });
      assert.deepEqual(change.resentHooks, { postDeploy: 'theirs\n' });
      assert.deepEqual(changeLines(change.base, change.fields), ['Pre-deploy hook:', '− true', '+ mine']);
      await at.person.answering([], () => saveSettings(change, at.parts));
      assert.equal(await at.setUp.read('/var/lib/jelastic/hooks/postDeploy_ROOT.sh'), 'theirs\n');
      assert.equal(await at.setUp.read('/var/lib/jelastic/hooks/preDeploy_ROOT.sh'), 'mine\n');
    });

    it('names the hook that both changed', async () => {
      await enter({ preDeploy: 'true\n' });
      await theirs({ preDeploy: 'theirs\n', postDeploy: 'theirs\n' });
      await check({ hooks: { preDeploy: 'mine\n' } }, escape);
      assert.match(
        at.person.seen.join('\n'),
        /Pre-deploy hook, Post-deploy hook: changed \(also changed by you: Pre-deploy hook\)\n/,
      );
    });

    it('says nothing of one that the platform only stored in another way', async () => {
      await enter({ preDeploy: 'true\n', postBuild: '' });
      await theirs({ preDeploy: 'true' });
      assert.deepEqual((await check({ branch: 'mine' }))?.fields.branch, 'mine');
    });
  });

  it('reports what the platform accepted but did not save', async () => {
    const change = await check({ branch: 'release', login: 'nils' });
    assert.ok(change);
    const { url } = base;
    const body = JSON.stringify({ result: 0, type: 'GIT', context: 'ROOT', url, branch: 'release', login: 'marit' });
    // The first one compares the settings before they are sent.
    at.setUp.platform.faults.add({ operation: 'GetProject', nth: 2, fault: { kind: 'answer', body } });
    await at.person.answering([], () => saveSettings(change, at.parts));
    assert.match(at.person.seen.join('\n'), /didn't save all settings of ROOT\. .*Username: marit \(yours: nils\)/);
  });
});
