import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env } from 'vscode';
import type { ProjectPlace } from '../../../../../src/features/deployments/projectPlace';
import { severityOf } from '../../../../../src/features/deployments/results';
import { stateLabel } from '../../../../../src/features/deployments/deployedState/stateTexts';
import { itNightly } from '../../../../host/nightly';
import { type Behaviour, vendorDeployments } from '../../../../localPlatform/behaviour';
import { until } from '../../../support/event';
import { commitIn } from '../../../../localPlatform/vcs/gitClone';
import { type OpenClone, openClone } from '../../../support/openClone';
import { type Answer, escape, typed } from '../../../support/person';
import {
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  redeployed,
  startPeopledProject,
  trustPins,
} from '../../../support/projects';

/** The hash by which Git knows a file's content. */
const blobOf = (content: Buffer) => createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

const platforms: Readonly<Record<string, Partial<Behaviour>>> = {
  'a platform that ignores the commit in the settings': { pinnedCommits: 'ignored' },
  "the vendor's platform": vendorDeployments,
};

const layers = {
  'one node': { environment: 'blog', nodes: [0], folder: '/home/jelastic/ROOT' },
  'two nodes': { environment: 'shop', nodes: [0, 1], folder: '/var/www/webroot/ROOT' },
} as const;

/** What each of the commits changes, and the files that they leave. */
const changes = [
  { message: 'second', files: { 'index.php': 'two\n', 'new/price.php': Buffer.from([0, 255, 10, 13]) } },
  { message: 'third', files: { 'about.php': null, 'index.php': 'three\r\n' } },
  { message: 'fourth', files: { 'index.php': 'four\n', 'fourth.php': 'four\n' } },
];

for (const [platform, behaviour] of Object.entries(platforms)) {
  for (const [count, { environment, nodes, folder }] of Object.entries(layers)) {
    describe(`Roll Back on ${platform}, with ${count}`, () => {
      let at: PeopledProject;
      let place: ProjectPlace;
      let open: OpenClone | undefined;
      let second: string;
      let fourth: string;
      /** What Gantry does the same way on any platform and number of nodes. */
      const itOnce = behaviour === vendorDeployments && nodes.length === 2 ? it : itNightly;

      inAHurry();
      beforeEach(async () => {
        at = await startPeopledProject(behaviour);
        place = { ...at.place, environment };
        const { repository } = at.setUp;
        await at.setUp.create({ envName: environment, autoResolveConflict: true });
        await at.setUp.update({ envName: environment });
        [second = '', , fourth = ''] = await repository.commitAll(changes);
        await at.setUp.succeed('Update', { envName: environment, context: 'ROOT' });
        await at.parts.projects.add(place);
        // A user knows which branch was checked out last on a node only from there.
        await at.parts.deployedStates.look(place);
        at.setUp.platform.journal.reset();
      });
      afterEach(async () => {
        await open?.close();
        open = undefined;
        await at.parts.history.forget(place);
        await endPeopledProject(at);
      });

      const onNode = (node: number) => at.setUp.file(folder, { node, envName: environment });
      const count = (operation: string) => at.setUp.platform.journal.count((entry) => entry.operation === operation);
      const rollBack = (...answers: readonly Answer[]) =>
        at.person.answering(answers, () => commands.executeCommand('gantry.project.rollBack', place));
      const deployNewest = (...answers: readonly Answer[]) =>
        at.person.answering(answers, () => commands.executeCommand('gantry.project.deployNewest', place));
      const label = async () => stateLabel(await at.parts.deployedStates.look(place));
      const checked = async (...answers: readonly Answer[]) => {
        await at.person.answering(answers, () => commands.executeCommand('gantry.project.checkDrift', place));
        return at.person.seen.at(-1) ?? '';
      };
      const seen = () => at.person.seen.join('\n');

      /** Asserts that every node has this commit and its files, byte for byte, and no others. */
      const assertOnNodes = async (commit: string) => {
        const expected = await at.setUp.repository.filesOf(commit);
        for (const node of nodes) {
          assert.equal(await commitIn(onNode(node)), commit);
          const entries = await readdir(onNode(node), { recursive: true, withFileTypes: true });
          const files = entries
            .filter((entry) => entry.isFile())
            .map(({ parentPath, name }) => join(parentPath, name).slice(onNode(node).length + 1))
            .filter((path) => !path.startsWith('.git/'));
          const blobs = files.map(async (path) => [path, blobOf(await readFile(join(onNode(node), path)))] as const);
          assert.deepEqual(new Map(await Promise.all(blobs)), expected, `node ${node}`);
        }
      };

      it('deploys a commit three back by a branch that it pushes, and the newest commit again', async () => {
        open = await openClone(at.setUp);
        const { first, repository } = at.setUp;
        const branch = `gantry-rollback-${first.slice(0, 7)}`;
        await rollBack('first', 'Roll Back');
        const question = [
          new RegExp(`^Roll back ROOT on .+ to ${first.slice(0, 7)} \\(first\\)\\?$`),
          `Gantry pushes the branch ${branch}, which may start CI, and the project and its auto-update follow it until you use Deploy Newest Commit.`,
          "Databases and uploaded files don't change.",
          'Nodes may briefly have the newest commit on master, and stay on it if a file keeps Git from changing the branch.',
        ];
        assert.ok(seen().includes(`?\n${question.slice(1).join('\n')}\n`), seen());
        assert.ok(
          at.person.seen.some((text) => new RegExp(question[0] ?? '').test(text)),
          seen(),
        );
        await assertOnNodes(first);
        assert.equal(await label(), `rolled back to ${first.slice(0, 7)} (was master) · 3 commits behind`);
        assert.match(at.person.seen.at(-1) ?? '', new RegExp(`^Deployed ${first.slice(0, 7)} `));

        // Another person's commit, which neither the clone here nor a clone on a node has.
        const fifth = await repository.commit({ message: 'fifth', files: { 'index.php': 'five\n' } });
        const before = count('Update');
        await deployNewest('Deploy', { presses: 'Delete Branch' });
        assert.match(
          seen(),
          /^The project and its auto-update follow master again.*\nDatabases .*\nIf a node may have an older commit afterward, Gantry redeploys again/m,
        );
        assert.equal(count('Update') - before, behaviour === vendorDeployments ? 2 : 1);
        await assertOnNodes(fifth);
        assert.equal(await repository.tipOf(branch), undefined);
        await at.setUp.succeed('Update', { envName: environment, context: 'ROOT' });
        await assertOnNodes(fifth);
      });

      if (behaviour !== vendorDeployments) {
        it('deploys it by the settings once the platform was seen to deploy that, without a clone, and the newest one again', async () => {
          at.setUp.platform.behaviour.pinnedCommits = 'deployed';
          await trustPins(place);
          await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
          assert.match(await label(), /^pinned to /);
          await assertOnNodes(at.setUp.first);
          await deployNewest('Deploy');
          await assertOnNodes(fourth);
        });
      }

      itOnce('is compared with the branch from before the roll back, and fetches that one', async () => {
        open = await openClone(at.setUp);
        await rollBack('first', 'Roll Back');
        assert.match(await checked(), /\. 3 commits on master aren't deployed\.$/);
        await at.setUp.repository.commit({ message: 'fifth', files: { 'index.php': 'five\n' } });
        // Someone deleted the branch that the roll back pushed.
        await at.setUp.repository.setReference(`refs/heads/gantry-rollback-${at.setUp.first.slice(0, 7)}`);
        assert.match(await checked({ presses: 'Fetch' }), /\. 4 commits on master aren't deployed\.$/);
      });

      if (behaviour === vendorDeployments) {
        it("doesn't redeploy a second time if edits keep Git from checking out the branch to follow", async () => {
          open = await openClone(at.setUp);
          const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
          await rollBack('first', 'Roll Back');
          await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, envName: environment, branch });
          await Promise.all(nodes.map((node) => writeFile(join(onNode(node), 'index.php'), 'mine\n')));
          const before = count('Update');
          await deployNewest('Deploy');
          assert.match(at.person.seen.at(-1) ?? '', new RegExp(`on the branch ${branch} instead of master`));
          assert.equal(count('Update') - before, 1);
        });
      }

      itOnce("follows the branch that was deployed last if the project's own doesn't exist", async () => {
        open = await openClone(at.setUp);
        const redeploy = () => redeployed(at.parts, { place, consent: 'confirmed' });
        const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
        await redeploy();
        await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, envName: environment, branch: 'nope' });
        assert.ok(severityOf((await redeploy())?.verdict ?? assert.fail('no redeploy')) === 'error');
        await rollBack('first', 'Roll Back');
        assert.match(seen(), new RegExp(`Branch: nope → ${branch}`));
        assert.match(seen(), /Nodes may briefly have the newest commit on master/);
        assert.match(await label(), /\(was master\)/);
        await deployNewest('Deploy', { presses: 'Delete Branch' });
        assert.match(seen(), /Deploy the newest commit on master to ROOT/);
        await assertOnNodes(fourth);
        assert.equal(await at.setUp.repository.tipOf(branch), undefined);
      });

      itOnce("follows the project's own branch if its only redeploy failed for another reason", async () => {
        open = await openClone(at.setUp);
        await redeployed(at.parts, { place, consent: 'confirmed' });
        // The clone here knows it only once it's fetched.
        await at.setUp.repository.setReference('refs/heads/fresh', fourth);
        await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, envName: environment, branch: 'fresh' });
        const fault = { kind: 'refuse', result: 4000, error: 'fatal: unable to access the repository' } as const;
        at.setUp.platform.faults.add({ operation: 'Update', fault });
        const record = await redeployed(at.parts, { place, consent: 'confirmed' });
        assert.equal(record?.verdict.kind, 'failed');
        await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
        assert.match(seen(), /Nodes may briefly have the newest commit on fresh/);
        assert.match(await label(), /\(was fresh\)/);
      });

      itOnce('offers once to delete the branch after a redeploy with other settings', async () => {
        open = await openClone(at.setUp);
        const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
        const offer = `All nodes of ROOT on ${at.parts.environments.titleOf(place)} are on master. Delete the branch ${branch}`;
        const offers = () => at.person.seen.filter((text) => text.startsWith(offer)).length;
        await rollBack('first', 'Roll Back');
        const master = { ...at.setUp.editWishes, envName: environment, branch: 'master' };
        await at.setUp.succeed('EditProject', master);
        const redeploy = () => redeployed(at.parts, { place, consent: 'confirmed' });
        const deleted = until(at.person.onDidSee, () => offers() > 0);
        await at.person.answering([{ presses: 'Delete Branch', when: deleted }], async () => {
          await redeploy();
          await redeploy();
          await deleted;
        });
        at.person.seen.splice(0);
        await redeploy();
        assert.equal(offers(), 0);
      });

      itOnce('keeps the branch while another node or project may still have it', async () => {
        open = await openClone(at.setUp);
        const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
        await rollBack('first', 'Roll Back');
        await at.parts.known.remember({ ...place, context: 'other' }, { url: at.setUp.url, branch });
        await deployNewest('Deploy');
        assert.doesNotMatch(seen(), /Delete the branch/);
        await assertOnNodes(fourth);
        await at.parts.known.forget({ ...place, context: 'other' });
      });

      itOnce(
        'asks the remote only when the branch is to be deleted, and keeps it if someone pushed to it',
        async () => {
          open = await openClone(at.setUp);
          const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
          await rollBack('first', 'Roll Back');
          await at.setUp.repository.setReference(`refs/heads/${branch}`, fourth);
          const fetched = join(open.clone.folder, '.git/FETCH_HEAD');
          await rm(fetched, { force: true });
          const offered = until(at.person.onDidSee, () => seen().includes('Delete the branch')).then(() => {
            assert.ok(!existsSync(fetched), 'Git may ask for a login');
          });
          await deployNewest('Deploy', { presses: 'Delete Branch', when: offered });
          assert.ok(existsSync(fetched));
          assert.match(
            at.person.seen.at(-1) ?? '',
            new RegExp(`^Didn't delete ${branch}, because someone pushed to it`),
          );
          assert.notEqual(await at.setUp.repository.tipOf(branch), undefined);
        },
      );

      itOnce('keeps the branch if another project has it by the time it is to be deleted', async () => {
        open = await openClone(at.setUp);
        const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
        await rollBack('first', 'Roll Back');
        const offered = until(at.person.onDidSee, () => seen().includes('Delete the branch')).then(() =>
          at.parts.known.remember({ ...place, context: 'other' }, { url: at.setUp.url, branch }),
        );
        await deployNewest('Deploy', { presses: 'Delete Branch', when: offered });
        assert.match(at.person.seen.at(-1) ?? '', new RegExp(`^Didn't delete ${branch}, because`));
        assert.notEqual(await at.setUp.repository.tipOf(branch), undefined);
        await at.parts.known.forget({ ...place, context: 'other' });
      });

      itOnce('names the branch that it pushed if the settings are refused, and deletes it', async () => {
        open = await openClone(at.setUp);
        const fault = { kind: 'refuse', result: 4017, error: 'conflict' } as const;
        at.setUp.platform.faults.add({ operation: 'EditProject', fault });
        await rollBack('first', 'Roll Back', { presses: 'Delete Branch' });
        const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
        assert.match(seen(), new RegExp(`Pushed the branch ${branch}, but didn't redeploy ROOT on .*conflict`));
        assert.equal(await at.setUp.repository.tipOf(branch), undefined);
        assert.equal(count('Update'), 0);
      });

      itOnce('rolls back to another commit from there, and to the branch of the beginning', async () => {
        open = await openClone(at.setUp);
        await rollBack('first', 'Roll Back');
        await rollBack('second', 'Roll Back');
        assert.doesNotMatch(seen(), /for a moment/);
        await assertOnNodes(second);
        assert.match(await label(), /^rolled back to [0-9a-f]{7} \(was master\)/);
        await rollBack('Newest commit on master', 'Deploy');
        await assertOnNodes(fourth);
      });

      itOnce('sends and pushes nothing if the user cancels', async () => {
        open = await openClone(at.setUp);
        await rollBack('first', escape);
        assert.deepEqual([count('EditProject'), count('Update')], [0, 0]);
        assert.equal(await at.setUp.repository.tipOf(`gantry-rollback-${at.setUp.first.slice(0, 7)}`), undefined);
        await assertOnNodes(fourth);
      });

      itOnce('deploys nothing if the branch exists at another commit', async () => {
        const branch = `gantry-rollback-${at.setUp.first.slice(0, 7)}`;
        await at.setUp.repository.setReference(`refs/heads/${branch}`, fourth);
        open = await openClone(at.setUp);
        await rollBack('first', 'Roll Back');
        assert.match(at.person.seen.at(-1) ?? '', new RegExp(`^Couldn't push ${branch}, so nothing was deployed\\.`));
        assert.deepEqual([count('EditProject'), count('Update')], [0, 0]);
      });

      itOnce('asks for the branch to follow again if another computer rolled it back', async () => {
        open = await openClone(at.setUp);
        await rollBack('first', 'Roll Back');
        await at.parts.known.forget(place);
        await at.parts.projects.add(place);
        assert.match(await label(), /^rolled back to [0-9a-f]{7}$/);
        await deployNewest('master', 'Deploy');
        await assertOnNodes(fourth);
      });

      itOnce('says what to do without a clone, and deploys nothing', async () => {
        const { first } = at.setUp;
        await rollBack(typed(first, 'Deploy commit'), { presses: 'Copy Commands' });
        assert.match(
          seen(),
          /Couldn't roll back ROOT on .*: this platform might deploy only the newest commit on a branch\. Open a clone that has/,
        );
        const branch = `gantry-rollback-${first.slice(0, 7)}`;
        assert.equal(await env.clipboard.readText(), `git branch ${branch} ${first}\ngit push origin ${branch}`);
        assert.deepEqual([count('EditProject'), count('Update')], [0, 0]);
        await assertOnNodes(fourth);
      });

      itOnce('offers to clone the repository unless a clone is open', async () => {
        const { executeCommand } = commands;
        const cloned: unknown[] = [];
        Object.assign(commands, {
          executeCommand: (id: string, ...rest: readonly unknown[]) =>
            id === 'git.clone' ? Promise.resolve(void cloned.push(...rest)) : executeCommand(id, ...rest),
        });
        const unknown = typed('ab'.repeat(20), 'Deploy commit');
        try {
          // Before a commit is chosen.
          await rollBack('Clone Repository…');
          await rollBack(unknown, { presses: 'Clone Repository…' });
        } finally {
          Object.assign(commands, { executeCommand });
        }
        assert.deepEqual(cloned, [at.setUp.url, at.setUp.url]);
        open = await openClone(at.setUp);
        await assert.rejects(rollBack(unknown, { presses: 'Clone Repository…' }), /not asked/);
        at.person.seen.splice(0);
        await rollBack(escape);
        assert.doesNotMatch(seen(), /Clone Repository/);
      });

      itOnce("refuses a branch whose name could be mistaken for the project's, and pushes nothing", async () => {
        await at.setUp.repository.commit({ message: 'back', files: { 'index.php': 'back\n' }, branch: 'gantry.roll' });
        await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, envName: environment, branch: 'gantry.roll' });
        open = await openClone(at.setUp);
        await rollBack('first');
        assert.match(at.person.seen.at(-1) ?? '', /may mistake the branch \S+ for gantry\.roll, because one name/);
        assert.deepEqual([count('EditProject'), count('Update')], [1, 0]);
      });
    });
  }
}
