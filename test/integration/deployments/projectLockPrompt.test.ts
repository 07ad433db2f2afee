import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { until } from '../support/event';
import { type Answer, escape, typed } from '../support/person';
import {
  commitOnDisk,
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  startPeopledProject,
  trustPins,
  wantedFrom,
} from '../support/projects';

const running = 'ROOT on Saltmarsh Tea is being redeployed. Wait for it to finish?';
const waits = 'Wait and Continue';

/** A user's change of a project, with the answers before and after the question whether to wait. */
interface Deed {
  readonly command: string;
  readonly operation: 'EditProject' | 'DeleteProject';
  readonly before: readonly Answer[];
  /** The prompts that stay open if the user doesn't want to wait. */
  readonly left: readonly Answer[];
  readonly after: readonly Answer[];
}

const deeds: Readonly<Record<string, Deed>> = {
  'is not deleted': {
    command: 'gantry.project.delete',
    operation: 'DeleteProject',
    before: ['Saltmarsh Tea'],
    left: [],
    after: [],
  },
  'gets no other settings': {
    command: 'gantry.project.edit',
    operation: 'EditProject',
    before: ['Branch', typed('release'), 'Apply', 'Apply'],
    left: [escape],
    after: [],
  },
  'is not rolled back': {
    command: 'gantry.project.rollBack',
    operation: 'EditProject',
    before: [],
    left: [],
    // A commit that isn't in the repository. What the platform makes of it doesn't matter here.
    after: [typed('5512b09', 'Deploy commit'), 'Roll Back'],
  },
};

describe('a project that is being changed in this window', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.setUp.repository.commit({ message: 'released', files: { 'index.php': 'release\n' }, branch: 'release' });
    await at.parts.work.create(at.place, wantedFrom(at.setUp));
    await at.setUp.update();
    await trustPins(at.place);
    at.setUp.platform.journal.reset();
  });
  afterEach(() => endPeopledProject(at));

  const does = (command: string, answers: readonly Answer[]) =>
    at.person.answering(answers, () => commands.executeCommand(command, at.place));
  const operations = () => at.setUp.platform.journal.entries.map(({ operation }) => operation);
  const hold = (operation: string) => at.setUp.platform.faults.add({ operation, fault: { kind: 'hang' } });
  const goOn = () => Promise.resolve({ push: false, keepPatch: false });
  const redeploy = () => at.parts.flow.perform({ place: at.place, consent: 'chosen' }, goOn, ({ ended }) => ended);

  for (const [title, { command, operation, before: first, left, after: then }] of Object.entries(deeds)) {
    it(`${title} while its redeploy runs: the user is told, and can wait or cancel`, async () => {
      const held = hold('Update');
      const redeploying = redeploy();
      await held.reached;
      await does(command, [...first, escape, ...left]);
      assert.ok(at.person.seen.includes(running), at.person.seen.join('\n'));
      assert.ok(!operations().includes(operation));
      await at.parts.drafts.forgetAccount(at.account.slug);
      const doing = does(command, [...first, waits, ...then]);
      await until(at.person.onDidSee, () => at.person.seen.includes(running));
      held.release();
      await doing;
      assert.equal((await redeploying)?.verdict.kind, 'deployed');
      assert.ok(operations().indexOf('Update') < operations().indexOf(operation), operations().join(' '));
    });
  }

  it('is redeployed after its settings are changed, with the new settings', async () => {
    const held = hold('EditProject');
    const editing = does('gantry.project.edit', ['Branch', typed('release'), 'Apply', 'Apply']);
    await held.reached;
    const { redeploys } = at.parts;
    const changing = redeploys.otherChange.bind(redeploys);
    const waiting = new Promise<void>((resolve) => {
      redeploys.otherChange = (asked) => {
        const change = changing(asked);
        if (change !== undefined) {
          resolve();
        }
        return change;
      };
    });
    const redeploying = redeploy();
    await waiting;
    redeploys.otherChange = changing;
    assert.ok(!operations().includes('Update'));
    held.release();
    await editing;
    const record = await redeploying;
    assert.equal(record?.branch, 'release');
    assert.equal(record.verdict.kind === 'deployed' && record.verdict.commit, await commitOnDisk(at.setUp, 0));
    assert.equal(await at.setUp.read('/var/www/webroot/ROOT/index.php'), 'release\n');
  });
});
