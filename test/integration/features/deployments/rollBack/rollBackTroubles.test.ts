import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import { stateLabel } from '../../../../../src/features/deployments/deployedState/stateTexts';
import { vendorDeployments } from '../../../../localPlatform/behaviour';
import { makeTar } from '../../../../unit/localPlatform/makeArchive';
import { webroot, type Wishes } from '../../../../unit/localPlatform/vcsSetUp';
import { cancelProgress } from '../../../support/cancelProgress';
import { nextEvent, until } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import { type OpenClone, openClone } from '../../../support/openClone';
import type { Answer } from '../../../support/person';
import {
  commitOnDisk,
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  startPeopledProject,
} from '../../../support/projects';

const run = promisify(execFile);
const short = (commit: string) => commit.slice(0, 7);
const branchFor = (commit: string) => `gantry-rollback-${short(commit)}`;

describe("Roll Back by a branch, on the vendor's platform", () => {
  let at: PeopledProject;
  let open: OpenClone | undefined;
  let second: string;
  let third: string;

  inAHurry();
  afterEach(async () => {
    await open?.close();
    open = undefined;
    await endPeopledProject(at);
  });

  /** Deploys three commits, one after another, and opens a clone. */
  const start = async (wishes: Wishes = {}) => {
    at = await startPeopledProject(vendorDeployments);
    await at.setUp.create({ autoResolveConflict: true, ...wishes, updateNow: true });
    [second = '', third = ''] = await at.setUp.repository.commitAll([
      { message: 'second', files: { 'index.php': 'two\n', 'new.php': 'new\n' } },
      { message: 'third', files: { 'index.php': 'three\n', 'new.php': null } },
    ]);
    await at.setUp.succeed('Update', { context: 'ROOT' });
    await at.parts.projects.add(at.place);
    await at.parts.deployedStates.look(at.place);
    open = await openClone(at.setUp);
  };
  const does = (command: string, answers: readonly Answer[]) =>
    at.person.answering(answers, () => commands.executeCommand(command, at.place));
  const rollBack = (...answers: readonly Answer[]) => does('gantry.project.rollBack', answers);
  const deployNewest = (...answers: readonly Answer[]) => does('gantry.project.deployNewest', answers);
  const onDisks = () => Promise.all([0, 1].map((node) => commitOnDisk(at.setUp, node)));
  const seen = () => at.person.seen.join('\n');
  const sees = (text: RegExp) => until(at.person.onDidSee, () => at.person.seen.some((one) => text.test(one)));
  const sent = () =>
    at.setUp.platform.journal.entries
      .map(({ operation }) => operation)
      .filter((operation) => operation === 'EditProject' || operation === 'Update');
  const edited = (wishes: Wishes) =>
    at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true, ...wishes });
  const tipOf = (branch: string) => at.setUp.repository.tipOf(branch);
  const label = async () => stateLabel(await at.parts.deployedStates.look(at.place));
  const refuse = (operation: string, nth = 1) =>
    at.setUp.platform.faults.add({ operation, nth, fault: { kind: 'refuse', result: 4017, error: 'conflict' } });
  /** Edits a file through Gantry, and waits until the edit is recorded. */
  const edit = async (path: string, text: string, node = 0) => {
    const noted = nextEvent(at.parts.nodeEditLog.onDidChange);
    const uri = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(node)}`, `${webroot}/ROOT/${path}`);
    await workspace.fs.writeFile(uri, Buffer.from(text));
    await noted;
  };

  describe('if someone switches the branch of a project that is rolled back already', () => {
    beforeEach(async () => {
      await start();
      await rollBack('second', 'Roll Back');
      assert.deepEqual(await onDisks(), [second, second]);
      // Its newest commit is one that `second` follows.
      await at.setUp.repository.setReference('refs/heads/old', at.setUp.first);
      at.setUp.platform.journal.reset();
      at.person.seen.splice(0);
    });

    const switched = async () => {
      await edited({ branch: 'old' });
      await at.setUp.repository.setReference(`refs/heads/${branchFor(second)}`);
    };
    const assertNothingSent = async () => {
      assert.match(at.person.seen.at(-1) ?? '', /^Nothing was sent.*Branch: gantry-rollback-\w{7} → old\. Try again/);
      assert.deepEqual(sent(), ['EditProject']);
      assert.equal(await tipOf(branchFor(second)), undefined);
      assert.deepEqual(await onDisks(), [second, second]);
    };

    it('sends nothing if that was while the question was open, and says what changed', async () => {
      const when = sees(/^Roll back ROOT/).then(switched);
      await rollBack('second', { presses: 'Roll Back', when });
      await assertNothingSent();
    });

    it('sends nothing if that was while the question about edits on the nodes was open', async () => {
      await edit('index.php', 'mine\n');
      const when = sees(/^An edit on a node will be discarded/).then(switched);
      await rollBack('second', 'Roll Back', { presses: 'Redeploy and Discard Edits', when });
      await assertNothingSent();
    });

    it('sends nothing if that was while it waited for another change to the project from here', async () => {
      let other: { dispose(): void } | undefined;
      const when = sees(/^Roll back ROOT/).then(() => {
        other = at.parts.lock.take(at.place, 'settings');
      });
      const waits = sees(/are being changed\. Wait/).then(async () => {
        await switched();
        other?.dispose();
      });
      await rollBack('second', { presses: 'Roll Back', when }, { presses: 'Wait and Continue', when: waits });
      await assertNothingSent();
    });

    it('sets the branch of the roll back again if that was while the list was open, and pushes nothing to theirs', async () => {
      const { inspector } = at.parts;
      const usual = inspector.branches.bind(inspector);
      inspector.branches = async (...args) => {
        inspector.branches = usual;
        await edited({ branch: 'old' });
        return usual(...args);
      };
      await rollBack('second', 'Save Anyway', 'Roll Back');
      assert.match(seen(), /Someone else changed this project[^]*Branch: gantry-rollback-\w{7} → old/);
      assert.match(seen(), /Gantry pushes the branch gantry-rollback-\w{7}[^]*the newest commit on old/);
      assert.deepEqual(sent(), ['EditProject', 'EditProject', 'Update']);
      assert.equal(await tipOf('old'), at.setUp.first);
      assert.deepEqual(await onDisks(), [second, second]);
    });
  });

  describe('if a node may mistake its branch for another one', () => {
    const assertRefused = (other: string) => {
      assert.match(
        at.person.seen.at(-1) ?? '',
        new RegExp(`mistake the branch ${branchFor(second)} for ${other}, because`),
      );
      assert.deepEqual(sent(), []);
    };

    it("sends nothing if the name of the project's branch contains the one of the roll back", async () => {
      await start();
      const fix = `${branchFor(second)}-fix`;
      await at.setUp.repository.setReference(`refs/heads/${fix}`, third);
      await edited({ branch: fix });
      await open?.clone.git('fetch', '--quiet');
      at.setUp.platform.journal.reset();
      await rollBack('second');
      assertRefused(fix);
    });

    it('sends nothing if a node still has such a branch, although the project has another one', async () => {
      await start();
      await at.setUp.repository.setReference('refs/heads/gantry-roll', third);
      await edited({ branch: 'gantry-roll' });
      await at.setUp.succeed('Update', { context: 'ROOT' });
      await edited({ branch: 'master' });
      at.setUp.platform.journal.reset();
      await rollBack('second');
      assertRefused('gantry-roll');
    });
  });

  describe('while edits on the nodes are kept', () => {
    it('refuses to go where a tracked file was edited that differs there, before it pushes or sends anything', async () => {
      await start({ autoResolveConflict: false });
      await at.setUp.repository.commit({ message: 'fourth', files: { 'about.php': 'newest\n' } });
      await edit('index.php', 'mine\n', 1);
      at.setUp.platform.journal.reset();
      await rollBack('second', 'Roll Back');
      assert.match(
        at.person.seen.at(-1) ?? '',
        /: edits on the nodes \(.*\) may keep Git from changing the branch there/,
      );
      assert.match(at.person.seen.at(-1) ?? '', /index\.php.* Or change On conflict in the project settings\.$/);
      assert.deepEqual(sent(), []);
      assert.equal(await tipOf(branchFor(second)), undefined);
      assert.deepEqual(await onDisks(), [third, third]);
    });

    it('goes where the edited file is the same', async () => {
      await start({ autoResolveConflict: false });
      await edit('about.php', 'mine\n');
      await rollBack('second', 'Roll Back');
      assert.match(seen(), /and stay on it if a file keeps Git from changing the branch\./);
      assert.deepEqual(await onDisks(), [second, second]);
      assert.equal(await at.setUp.read(`${webroot}/ROOT/about.php`), 'mine\n');
    });
  });

  for (const [which, text, autoResolveConflict] of [
    ['', 'mine\n', false],
    [', even with the same text', 'new\n', true],
  ] as const) {
    it(`refuses to go where the repository has a file that was added on a node${which}`, async () => {
      await start({ autoResolveConflict });
      await edit('new.php', text);
      at.setUp.platform.journal.reset();
      await rollBack('second', 'Roll Back');
      assert.match(at.person.seen.at(-1) ?? '', /^Couldn't roll back ROOT on Saltmarsh Tea: .*new\.php/);
      assert.doesNotMatch(at.person.seen.at(-1) ?? '', /On conflict/);
      assert.deepEqual(sent(), []);
      assert.deepEqual(await onDisks(), [third, third]);
    });
  }

  it('says before that a file which Gantry does not know of may be in the way, as it is', async () => {
    await start();
    await writeFile(at.setUp.file(`${webroot}/ROOT/new.php`), 'theirs\n');
    await rollBack('second', 'Roll Back');
    assert.match(seen(), /and stay on it if a file keeps Git from changing the branch\./);
    assert.equal((await onDisks())[0], third);
    assert.equal(await at.setUp.read(`${webroot}/ROOT/new.php`), 'theirs\n');
  });

  describe('after an archive was unpacked on a node', () => {
    const unpacked = async (into: string) => {
      await start();
      const archive = `${webroot}/site.tar`;
      await writeFile(at.setUp.file(archive), makeTar([{ name: 'new.php', content: 'unpacked\n' }]));
      const uri = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, archive);
      const noted = nextEvent(at.parts.nodeEditLog.onDidChange);
      await at.person.answering([into, 'Unpack'], () => commands.executeCommand('gantry.archive.unpack', uri));
      await noted;
      at.setUp.platform.journal.reset();
    };

    it('refuses to go where the repository has a file that may have come with it', async () => {
      await unpacked(`${webroot}/ROOT`);
      await rollBack('second', 'Roll Back');
      assert.match(
        at.person.seen.at(-1) ?? '',
        /^Couldn't roll back ROOT on Saltmarsh Tea: edits on the nodes \(site\.tar unpacked into \S+\) may keep Git/,
      );
      assert.deepEqual(sent(), []);
      assert.deepEqual(await onDisks(), [third, third]);
    });

    it('goes there once such a file is deleted', async () => {
      await unpacked(`${webroot}/ROOT`);
      await rm(at.setUp.file(`${webroot}/ROOT/new.php`));
      await rollBack('second', 'Roll Back', 'Redeploy and Discard Edits');
      assert.deepEqual(await onDisks(), [second, second]);
    });

    it('goes where no node has a new file in its folder, although they have different commits', async () => {
      await unpacked(`${webroot}/ROOT/uploads`);
      const folder = at.setUp.file(`${webroot}/ROOT`, { node: 1 });
      await run('git', ['-c', 'safe.directory=*', '-C', folder, 'reset', '--hard', at.setUp.first]);
      await rollBack('second', 'Roll Back', 'Redeploy and Discard Edits');
      assert.deepEqual(await onDisks(), [second, second]);
    });

    it('reads few files at once to find out', async () => {
      await unpacked(`${webroot}/ROOT`);
      const repository = at.parts.repositories.withAddress(at.setUp.url) ?? assert.fail();
      const prototype = Object.getPrototypeOf(repository) as typeof repository;
      const contentOf = Object.getOwnPropertyDescriptor(prototype, 'contentOf') ?? {};
      const changedPaths = Object.getOwnPropertyDescriptor(prototype, 'changedPaths') ?? {};
      let [running, most, all] = [0, 0, 0];
      prototype.changedPaths = () =>
        Promise.resolve(new Set(Array.from({ length: 500 }, (_, index) => `changed/${index}.php`)));
      const contentsOf = repository.contentOf.bind(repository);
      prototype.contentOf = (commit) => {
        const read = contentsOf(commit);
        return async (path) => {
          if (!path.startsWith('changed/')) {
            return read(path);
          }
          running += 1;
          all += 1;
          most = Math.max(most, running);
          await nextTurn();
          running -= 1;
          return { kind: 'text', text: 'changed\n' };
        };
      };
      try {
        await rollBack('second', 'Roll Back', 'Redeploy and Discard Edits');
      } finally {
        Object.defineProperties(prototype, { contentOf, changedPaths });
      }
      assert.ok(all >= 500);
      assert.ok(most <= 8, `${most} at once`);
    });

    it('goes where the repository has no new file in its folder', async () => {
      await unpacked(`${webroot}/ROOT/uploads`);
      await rollBack('second', 'Roll Back', 'Redeploy and Discard Edits');
      assert.deepEqual(await onDisks(), [second, second]);
    });
  });

  it('redeploys nothing if such a file is edited once the settings are saved, and can restore them', async () => {
    await start({ autoResolveConflict: false });
    const { projectOperations } = at.parts;
    const usual = projectOperations.edit.bind(projectOperations);
    projectOperations.edit = async (...args) => {
      projectOperations.edit = usual;
      const project = await usual(...args);
      await edit('index.php', 'mine\n');
      return project;
    };
    at.setUp.platform.journal.reset();
    await rollBack('second', 'Roll Back', { presses: 'Restore Settings' }, 'Restore');
    assert.match(seen(), /but didn't redeploy it\. .*index\.php/);
    assert.deepEqual(sent(), ['EditProject', 'EditProject']);
    assert.deepEqual(await onDisks(), [third, third]);
  });

  describe('and Deploy Newest Commit', () => {
    let fourth: string;

    beforeEach(async () => {
      await start();
      await rollBack('second', 'Roll Back');
      fourth = await at.setUp.repository.commit({ message: 'fourth', files: { 'index.php': 'four\n' } });
      at.setUp.platform.journal.reset();
    });

    it('say what was there before both redeploys', async () => {
      await deployNewest('Deploy');
      assert.deepEqual(sent(), ['EditProject', 'Update', 'Update']);
      assert.deepEqual(await onDisks(), [fourth, fourth]);
      assert.match(seen(), new RegExp(`Deployed ${short(fourth)} .*\\(was ${short(second)}\\b`));
    });

    it('keep the branch if someone pushes to it while the nodes are asked before it is deleted', async () => {
      const { inspector } = at.parts;
      const usual = inspector.branches.bind(inspector);
      const when = sees(/Delete the branch/).then(() => {
        inspector.branches = async (...args) => {
          inspector.branches = usual;
          await at.setUp.repository.setReference(`refs/heads/${branchFor(second)}`, third);
          return usual(...args);
        };
      });
      await deployNewest('Deploy', { presses: 'Delete Branch', when });
      assert.match(at.person.seen.at(-1) ?? '', /^Didn't delete gantry-rollback-\w{7}, because someone pushed to it/);
      assert.equal(await tipOf(branchFor(second)), third);
    });

    it('keep the branch if a node has it again by the time it is to be deleted', async () => {
      const folder = at.setUp.file(`${webroot}/ROOT`, { node: 1 });
      const when = sees(/Delete the branch/).then(() =>
        run('git', ['-c', 'safe.directory=*', '-C', folder, 'checkout', branchFor(second)]),
      );
      await deployNewest('Deploy', { presses: 'Delete Branch', when });
      assert.match(at.person.seen.at(-1) ?? '', /^Didn't delete gantry-rollback-\w{7}, because .* in use again/);
      assert.equal(await tipOf(branchFor(second)), second);
    });

    it('say that Git may still delete the branch if the person stops waiting for that', async () => {
      const repository = at.parts.repositories.withAddress(at.setUp.url) ?? assert.fail();
      const prototype = Object.getPrototypeOf(repository) as typeof repository;
      const usual = Object.getOwnPropertyDescriptor(prototype, 'deleteBranch') ?? {};
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      const reached = new Promise<void>((resolve) => {
        prototype.deleteBranch = () => (resolve(), held);
      });
      const leave = cancelProgress(reached);
      await deployNewest('Deploy', { presses: 'Delete Branch' }).finally(() => {
        leave();
        goOn();
        Object.defineProperty(prototype, 'deleteBranch', usual);
      });
      assert.equal(at.person.seen.at(-1), `Canceled. Git may still delete ${branchFor(second)}.`);
    });

    it('redeploy a second time although the response to the first one is lost', async () => {
      const fault = { kind: 'gatewayError', status: 504, when: 'after' } as const;
      at.setUp.platform.faults.add({ operation: 'Update', fault });
      await deployNewest('Deploy');
      assert.deepEqual(sent(), ['EditProject', 'Update', 'Update']);
      assert.deepEqual(await onDisks(), [fourth, fourth]);
    });

    it('say that the nodes have another commit, although the second one, whose response is lost, deployed nothing', async () => {
      const { pace } = at.parts;
      const { limit } = pace;
      pace.limit = 25;
      at.setUp.platform.faults.add({ operation: 'Update', nth: 2, fault: { kind: 'gatewayError', status: 504 } });
      await deployNewest('Deploy').then(() => (pace.limit = limit));
      assert.deepEqual(sent(), ['EditProject', 'Update', 'Update']);
      assert.match(seen(), new RegExp(`All nodes now run ${short(third)}`));
    });

    it("say that a node may have an older commit if it isn't known whether the first redeploy ended", async () => {
      const { pace } = at.parts;
      const { limit } = pace;
      pace.limit = 25;
      at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504 } });
      await deployNewest('Deploy').then(() => (pace.limit = limit));
      assert.match(seen(), /Didn't redeploy ROOT on .* so a node may have an older commit\. Check the result, then/);
    });
  });

  it('goes where the edited file is the same from a clone of a single branch, which never has the pushed one', async () => {
    await start({ autoResolveConflict: false });
    const folder = open?.clone.folder ?? '';
    await run('git', ['-C', folder, 'config', 'remote.origin.fetch', '+refs/heads/master:refs/remotes/origin/master']);
    await edit('about.php', 'mine\n');
    await rollBack('second', 'Roll Back');
    assert.deepEqual(await onDisks(), [second, second]);
    assert.equal(await at.setUp.read(`${webroot}/ROOT/about.php`), 'mine\n');
  });

  describe('with settings that are restored', () => {
    it('is still a roll back from the branch before, which Deploy Newest Commit follows without a question', async () => {
      await start();
      await rollBack('first', 'Roll Back');
      refuse('Update');
      await rollBack('second', 'Roll Back', { presses: 'Restore Settings' }, 'Restore', { presses: 'Delete Branch' });
      assert.match(await label(), new RegExp(`rolled back to ${short(at.setUp.first)} \\(was master\\)`));
      assert.equal(await tipOf(branchFor(second)), undefined);
      await deployNewest('Deploy');
      assert.deepEqual(await onDisks(), [third, third]);
    });

    it('offers to delete the branches of two in a row that failed', async () => {
      await start();
      refuse('Update');
      await rollBack('second', 'Roll Back');
      refuse('Update');
      const deletion = { presses: 'Delete Branch' };
      await rollBack('first', 'Roll Back', { presses: 'Restore Settings' }, 'Restore', deletion, deletion);
      assert.deepEqual(await Promise.all([second, at.setUp.first].map((one) => tipOf(branchFor(one)))), [
        undefined,
        undefined,
      ]);
    });

    it('offers to delete the branch that it pushed', async () => {
      await start();
      refuse('Update');
      await rollBack('second', 'Roll Back', { presses: 'Restore Settings' }, 'Restore', { presses: 'Delete Branch' });
      assert.equal(await tipOf(branchFor(second)), undefined);
    });
  });
});
