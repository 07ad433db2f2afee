import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import { projectKey } from '../../../../../src/features/deployments/projectPlace';
import type { Hooks } from '../../../../../src/features/deployments/settings/hooks';
import { type Behaviour, vendorDeployments } from '../../../../localPlatform/behaviour';
import { closeWithoutSaving } from '../../../support/editing';
import { until } from '../../../support/event';
import { type Answer, escape, typed } from '../../../support/person';
import {
  endPeopledProject,
  fieldsNow,
  type PeopledProject,
  startPeopledProject,
  wantedFrom,
} from '../../../support/projects';

const kinds: Readonly<Record<string, Partial<Behaviour>>> = {
  "today's kind": {},
  "the vendor's kind": vendorDeployments,
};
const hookFolder = '/var/lib/jelastic/hooks';
const preDeploy = `${hookFolder}/preDeploy_ROOT.sh`;

for (const [kind, behaviour] of Object.entries(kinds)) {
  describe(`hooks on nodes of ${kind}`, () => {
    let at: PeopledProject;

    beforeEach(async () => {
      at = await startPeopledProject(behaviour);
    });
    afterEach(async () => {
      at.parts.drafts.all.forEach(({ id }) => at.parts.drafts.discard(id));
      await closeWithoutSaving();
      await endPeopledProject(at);
    });

    const create = (hooks: Hooks = { preDeploy: 'mine\n' }) =>
      at.parts.projectOperations.create(at.place, { ...wantedFrom(at.setUp), hooks });
    const page = () => at.person.seen.join('\n');
    const edit = (...answers: readonly Answer[]) =>
      at.person.answering(answers, () => commands.executeCommand('gantry.project.edit', at.place));
    /** Opens the hook, and waits for a message. */
    const open = (hook: string, message: RegExp, ...answers: readonly Answer[]) =>
      at.person.answering([hook, ...answers], async () => {
        await commands.executeCommand('gantry.project.edit', at.place);
        await until(at.person.onDidSee, () => at.person.seen.some((one) => message.test(one)));
      });
    const shown = () => window.activeTextEditor?.document.getText();
    const kept = () => at.parts.writeOnlySettings.find(at.place);
    const inContainer = async (script: string, node = 0, path = preDeploy) => {
      await mkdir(dirname(at.setUp.file(path, { node })), { recursive: true });
      await at.setUp.edit(path, script, node);
    };
    const nameOf = (node: number) => new RegExp(`\\b${at.setUp.nodeId(node)}\\b`);
    const lastSent = () =>
      at.setUp.platform.journal.entries.findLast(({ operation }) => operation === 'EditProject')?.parameters ?? {};

    it("are edited as they are there, and aren't kept on this computer", async () => {
      await create();
      assert.equal((await kept())?.hooks, undefined);
      await edit('Pre-deploy hook');
      assert.equal(shown(), 'mine\n');
      await edit('Branch', typed('release'), 'Apply', 'Apply');
      assert.match(page(), /Hooks: kept as they are on/);
      assert.equal(lastSent()['hooks'], '{"preDeploy":"mine\\n"}');
      assert.equal((await kept())?.hooks, undefined);
    });

    describe('that someone saves elsewhere', () => {
      const loss =
        /^Hooks saved elsewhere since the last deployment may be lost: to keep them, enter them in the project settings first$/m;
      const toRelease = (...answers: readonly Answer[]) => edit('Branch', typed('release'), 'Apply', ...answers);
      const save = async (hooks: Hooks) => {
        const before = await fieldsNow(at.place);
        await at.parts.projectOperations.edit(at.place, before, { ...before, hooks });
      };

      it('may be lost with a change that sends the files on the node, which is said before', async () => {
        at.setUp.platform.behaviour.hookFiles = 'deployed';
        await create({ preDeploy: 'true\n' });
        await at.setUp.succeed('Update', { context: 'ROOT' });
        await save({ preDeploy: 'echo mine\n' });
        await at.setUp.succeed('Update', { context: 'ROOT' });
        await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{"preDeploy":"echo theirs\\n"}' });
        await toRelease('Apply');
        assert.match(page(), loss);
        assert.equal(lastSent()['hooks'], '{"preDeploy":"echo mine\\n"}');
      });

      it('may be lost with a change that sends no hooks because the node has none, which is said before', async () => {
        await at.parts.projectOperations.create(at.place, wantedFrom(at.setUp));
        await inContainer('of another project\n', 0, `${hookFolder}/preDeploy_other.sh`);
        await toRelease(escape, escape);
        assert.match(page(), /^Hooks: none, as on \S.* \d+$/m);
        assert.match(page(), loss);
      });

      it('are on the node at once if those that were saved here were', async () => {
        await create();
        await toRelease(escape, escape);
        assert.match(page(), loss);
        at.parts.drafts.all.forEach(({ id }) => at.parts.drafts.discard(id));
        await save({ preDeploy: 'echo mine\n' });
        await toRelease(escape, escape);
        assert.match(page(), /^Hooks: kept as they are on /m);
        assert.doesNotMatch(page(), loss);
      });
    });

    it("are shown with the note that someone else changed them, although Gantry doesn't keep what it sent", async () => {
      await create();
      await inContainer('theirs\n');
      await inContainer('theirs\n', 1);
      await open('Pre-deploy hook', /This isn't the script that you sent from here on .*\. Someone else changed it\./);
      assert.equal(shown(), 'theirs\n');
      await edit(escape);
      assert.match(page(), /Pre-deploy hook: 1 line.*not what you sent from here on/);
    });

    it('are compared with those on the other nodes', async () => {
      await create();
      await inContainer('other\n', 1);
      await open('Pre-deploy hook', /isn't the one that's shown/, { presses: 'Compare' });
      const text = at.person.seen.find((one) => one.includes("isn't the one that's shown")) ?? '';
      const [other = '', first = ''] = text.split('which is from');
      assert.match(other, nameOf(1));
      assert.match(first, nameOf(0));
    });

    it("are kept until a node shows them, and the user is told that it doesn't yet", async () => {
      at.setUp.platform.behaviour.hookFiles = 'deployed';
      await create();
      assert.deepEqual((await kept())?.hooks, { preDeploy: 'mine\n' });
      await open('Pre-deploy hook', /You sent this script from here on .* has another one\. Some platforms replace it/);
      assert.equal(shown(), 'mine\n');
      await inContainer('mine\n');
      assert.deepEqual((await fieldsNow(at.place)).hooks, { preDeploy: 'mine\n' });
      assert.equal((await kept())?.hooks, undefined);
    });

    it("are kept here if they can't be read, and edited as they were sent", async () => {
      at.setUp.platform.behaviour.hookRights = 'none';
      await create();
      assert.deepEqual((await kept())?.hooks, { preDeploy: 'mine\n' });
      await edit('Pre-deploy hook');
      assert.equal(shown(), 'mine\n');
      await edit('Branch', typed('release'), 'Apply', 'Apply');
      assert.equal(lastSent()['hooks'], '{"preDeploy":"mine\\n"}');
    });

    for (const [what, lose] of [
      ['its folder', () => rm(at.setUp.file(hookFolder), { recursive: true })],
      ['their files', () => rm(at.setUp.file(`${hookFolder}/preDeploy_ROOT.sh`))],
    ] as const) {
      it(`are cleared only after a question that says whose they are if the node has lost ${what}`, async () => {
        await create();
        await lose();
        await edit('Branch', typed('release'), 'Apply', 'Apply');
        const gone = /it may be removed: Hooks \(those that you entered here on .* are gone from \S.*\)\. To keep it/;
        assert.match(page(), gone);
        assert.equal(lastSent()['branch'], 'release');
        assert.equal(lastSent()['hooks'], undefined);
      });
    }

    const inexact: Readonly<Record<string, readonly [bytes: Buffer, how: Partial<Behaviour>]>> = {
      "that aren't UTF-8": [Buffer.from('echo Gr\xfc\xdfe\n', 'latin1'), {}],
      'that are too long to be read': [Buffer.from('echo long\n'.repeat(20)), { readBytes: 40 }],
      'whose line ends the platform changes': [Buffer.from('true\r\n'), { readTexts: 'lineFeeds' }],
    };
    for (const [which, [bytes, how]] of Object.entries(inexact)) {
      it(`${which} stay as they are, and nothing is sent until the user enters them again`, async () => {
        await create();
        // As if they had been entered elsewhere.
        await at.parts.writeOnlySettings.forget(at.place);
        await writeFile(at.setUp.file(preDeploy), bytes);
        Object.assign(at.setUp.platform.behaviour, how);
        await edit('Branch', typed('release'), 'Apply', escape);
        assert.match(page(), /^Pre-deploy hook: can't be read now$/m);
        assert.match(
          page(),
          /Nothing was sent, because this change may clear the project's hooks, .*: Couldn't read preDeploy_ROOT\.sh\. /,
        );
        assert.deepEqual(lastSent(), {});
        assert.deepEqual(await readFile(at.setUp.file(preDeploy)), bytes);
        at.parts.drafts.changeHook(projectKey(at.place), 'preDeploy', 'new\n');
        await edit('Apply', 'Apply');
        assert.match(page(), /it may be removed: other hooks \(Couldn't read preDeploy_ROOT\.sh\. /);
        assert.equal(lastSent()['hooks'], '{"preDeploy":"new\\n"}');
      });
    }

    describe('left by a deleted project', () => {
      const newProject = (...answers: readonly Answer[]) =>
        at.person.answering(answers, () => commands.executeCommand('gantry.project.create'));
      const draftIt = () => newProject(typed(at.setUp.url, 'Git repository'), typed('master'), 'shop', escape);
      const goOn = 'Continue with ROOT on Saltmarsh Tea';
      const created = () => at.setUp.platform.journal.count(({ operation }) => operation === 'CreateProject');

      beforeEach(async () => {
        await create();
        await at.parts.projectOperations.delete(at.place, await fieldsNow(at.place));
        at.parts.environments.refresh();
        await draftIt();
        at.setUp.platform.journal.reset();
      });

      if (behaviour.deletedHooks === 'kept') {
        it('are named and shown before a new project of the same context is created', async () => {
          await newProject(goOn, 'Create Without Deploying', 'Show Hooks', escape);
          assert.match(
            page(),
            /still has hooks of a project with this name, .*: preDeploy_ROOT\.sh\. The new project may run them/,
          );
          assert.equal(shown(), 'mine\n');
          assert.equal(created(), 0);
          await newProject(goOn, 'Create Without Deploying', 'Create');
          assert.equal(created(), 1);
          assert.deepEqual((await fieldsNow(at.place)).hooks, { preDeploy: 'mine\n' });
        });

        it("aren't asked about if the new project replaces them", async () => {
          const [draft] = at.parts.drafts.all;
          assert.ok(draft);
          at.parts.drafts.changeHook(draft.id, 'preDeploy', 'new\n');
          await newProject(goOn, 'Create Without Deploying');
          assert.doesNotMatch(page(), /still has hooks/);
          assert.equal(await at.setUp.read(preDeploy), 'new\n');
        });
      } else {
        it('are gone, so nothing is asked', async () => {
          await newProject(goOn, 'Create Without Deploying');
          assert.doesNotMatch(page(), /still has hooks/);
          assert.equal(created(), 1);
        });
      }
    });
  });
}
