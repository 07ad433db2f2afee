import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Account } from '../../src/accounts/accounts';
import type { ProjectParts } from '../../src/parts/projectParts';
import type { ProjectPlace } from '../../src/projects/projectPlace';
import type { VcsSetUp } from '../unit/localPlatform/vcsSetUp';
import { until } from './support/event';
import { gantry } from './support/gantry';
import { type Answer, escape, Person } from './support/person';
import { commitOnDisk, endProject, inAHurry, startProject, wantedFrom } from './support/projects';

const running = 'A redeploy of ROOT on shop is running.';
const waits = 'Wait, Then Go On';

/** What a person does to a project, with the answers before and after the question whether to wait. */
interface Deed {
  readonly command: string;
  readonly operation: 'EditProject' | 'DeleteProject';
  readonly before: readonly Answer[];
  /** What stays open where the person does not want to wait. */
  readonly left: readonly Answer[];
  readonly after: readonly Answer[];
}

const deeds: Readonly<Record<string, Deed>> = {
  'is not deleted': {
    command: 'gantry.project.delete',
    operation: 'DeleteProject',
    before: ['ROOT'],
    left: [],
    after: [],
  },
  'is not sent other settings': {
    command: 'gantry.project.edit',
    operation: 'EditProject',
    before: ['Branch', 'release', 'Apply', 'Apply'],
    left: [escape],
    after: [],
  },
  'does not go back': {
    command: 'gantry.project.rollBack',
    operation: 'EditProject',
    before: [],
    left: [],
    after: ['Another branch by its name', 'release', 'Go Back'],
  },
};

describe('a project that is being changed from here', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;
  let place: ProjectPlace;
  let person: Person;

  inAHurry();
  beforeEach(async () => {
    parts = (await gantry()).projects;
    ({ setUp, account, place } = await startProject());
    await setUp.repository.commit({ message: 'released', files: { 'index.php': 'release\n' }, branch: 'release' });
    await parts.work.create(place, wantedFrom(setUp));
    await setUp.update();
    setUp.platform.journal.reset();
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await endProject({ setUp, account, place });
  });

  const does = (command: string, answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand(command, place));
  const operations = () => setUp.platform.journal.entries.map(({ operation }) => operation);
  const hold = (operation: string) => setUp.platform.faults.add({ operation, fault: { kind: 'hang' } });
  const goOn = () => Promise.resolve({ push: false, keepPatch: false });
  const redeploy = () => parts.flow.perform({ place }, goOn, ({ ended }) => ended);

  for (const [title, { command, operation, before: first, left, after: then }] of Object.entries(deeds)) {
    it(`${title} while its redeploy runs: that is said, and waited for or not`, async () => {
      const held = hold('Update');
      const redeploying = redeploy();
      await held.reached;
      await does(command, [...first, escape, ...left]);
      assert.ok(person.seen.includes(running), person.seen.join('\n'));
      assert.ok(!operations().includes(operation));
      await parts.drafts.forgetAccount(account.slug);
      const doing = does(command, [...first, waits, ...then]);
      await until(person.onDidSee, () => person.seen.includes(running));
      held.release();
      await doing;
      assert.equal((await redeploying)?.verdict.kind, 'deployed');
      assert.ok(operations().indexOf('Update') < operations().indexOf(operation), operations().join(' '));
    });
  }

  it('is redeployed after its settings are changed, and as they say', async () => {
    const held = hold('EditProject');
    const editing = does('gantry.project.edit', ['Branch', 'release', 'Apply', 'Apply']);
    await held.reached;
    const { turns } = parts;
    const changing = turns.changing.bind(turns);
    const waiting = new Promise<void>((resolve) => {
      turns.changing = (asked) => {
        const change = changing(asked);
        if (change !== undefined) {
          resolve();
        }
        return change;
      };
    });
    const redeploying = redeploy();
    await waiting;
    turns.changing = changing;
    assert.ok(!operations().includes('Update'));
    held.release();
    await editing;
    const record = await redeploying;
    assert.equal(record?.branch, 'release');
    assert.equal(record.verdict.kind === 'deployed' && record.verdict.commit, await commitOnDisk(setUp, 0));
    assert.equal(await setUp.read('/var/www/webroot/ROOT/index.php'), 'release\n');
  });
});
