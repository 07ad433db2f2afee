import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { window, workspace } from 'vscode';
import { vendorDeployments } from '../../../../localPlatform/behaviour';
import { deployLogUri } from '../../../../../src/features/deployments/history/deployHistory';
import { showDeployLog } from '../../../../../src/features/deployments/history/deployLogDocuments';
import { DeployedProject, indexFile } from '../../../support/deployedProject';
import { until } from '../../../support/event';
import { escape, Person } from '../../../support/person';
import { messageOf, inAHurry } from '../../../support/projects';

describe('the message after a redeploy', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  const refuse = () =>
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no way' } });

  it('calls it a deployment if it is the first and fails', async () => {
    await at.setUp.create();
    refuse();
    const [first, ...offered] = await at.errorShownFor(await at.redeploy());
    assert.equal(first, "Couldn't deploy ROOT on Saltmarsh Tea: no way");
    assert.deepEqual(offered, ['Show Log', 'Show Node Log', 'Deploy', 'Project Settings']);
    refuse();
    assert.match(messageOf(await at.redeploy()), /^Couldn't deploy /);
    await at.redeploy();
    refuse();
    assert.match(messageOf(await at.redeploy()), /^Couldn't redeploy /);
  });

  it("says in one line that it failed and why: the log's decisive line", async () => {
    await at.deployedOnce();
    await at.setUp.edit(indexFile, 'edited\n', 1);
    await at.secondCommit();
    const record = await at.redeploy();
    const [said, ...offered] = await at.errorShownFor(record);
    assert.equal(
      said,
      "Couldn't redeploy ROOT on Saltmarsh Tea: error: Your local changes to the following files would be overwritten by merge: index.php",
    );
    assert.deepEqual(offered, ['Show Log', 'Redeploy', 'Project Settings']);
    const document = await workspace.openTextDocument(deployLogUri(record));
    assert.match(document.getText(), /^# The platform reports: .*An error occurred during the VCS deployment/m);
  });

  it('opens the log at the line that says why it failed', async () => {
    const preDeploy = 'seq 300; echo "error: no space left"; seq 300; exit 1';
    await at.setUp.create({ hooks: JSON.stringify({ preDeploy }) });
    const record = await at.redeploy();
    const person = new Person();
    await person
      .answering([{ presses: 'Show Log' }], () => at.parts.flow.showResult(record))
      .finally(() => person.leave());
    const editor = window.activeTextEditor ?? assert.fail('nothing was opened');
    assert.equal(editor.document.uri.toString(), deployLogUri(record).toString());
    const { line } = editor.selection.active;
    assert.equal(editor.document.lineAt(line).text, 'error: no space left');
    assert.ok(line > 300);
    const isVisible = () => editor.visibleRanges.some((range) => range.contains(editor.selection.active));
    await until(window.onDidChangeTextEditorVisibleRanges, isVisible);
  });

  it('offers the log on the node that was written to since then, if the redeploy left none', async () => {
    await at.deployedOnce();
    refuse();
    const record = await at.redeploy();
    assert.equal(record.log, '');
    const log = at.setUp.file('/var/log/nginx/error.log');
    await mkdir(dirname(log), { recursive: true });
    const stamp = new Date().toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
    await writeFile(log, `2020/01/01 00:00:00 [notice] start\n${stamp} [emerg] the service did not start\n`);
    const person = new Person();
    const shownAfter = async (button: string) => {
      await person.answering([{ presses: button }], () => at.parts.flow.showResult(record));
      return window.activeTextEditor?.document ?? assert.fail('nothing was opened');
    };
    try {
      assert.match((await shownAfter('Show Node Log')).uri.path, /\/var\/log\/nginx\/error\.log$/);
      assert.equal(window.activeTextEditor?.selection.active.line, 1);
      assert.equal((await shownAfter('Show Log')).uri.toString(), deployLogUri(record).toString());
    } finally {
      person.leave();
    }
  });

  it("opens the vendor's log of the deployment, although the service's error log has newer lines", async () => {
    Object.assign(at.setUp.platform.behaviour, vendorDeployments);
    await at.deployedOnce();
    refuse();
    const record = await at.redeploy();
    assert.equal(record.log, '');
    await appendFile(at.setUp.file('/var/log/nginx/vcs_update.log'), 'fatal: unable to access the repository\r\n');
    await appendFile(at.setUp.file('/var/log/nginx/error.log'), '[error] a page is missing\n');
    const person = new Person();
    await person
      .answering([{ presses: 'Show Node Log' }], () => at.parts.flow.showResult(record))
      .finally(() => person.leave());
    assert.match(window.activeTextEditor?.document.uri.path ?? '', /\/var\/log\/nginx\/vcs_update\.log$/);
  });

  describe("of the vendor's kind", () => {
    beforeEach(() => Object.assign(at.setUp.platform.behaviour, vendorDeployments));

    it('says what a failed hook printed, and its line in hooks.log, where the log opens', async () => {
      await at.setUp.create({ hooks: JSON.stringify({ preDeploy: 'seq 300; echo it is raining >&2; exit 3' }) });
      const record = await at.redeploy();
      assert.deepEqual(record.verdict.kind === 'failed' && record.verdict.code, 4125);
      const [said, ...offered] = await at.errorShownFor(record);
      assert.equal(
        said,
        "Couldn't deploy ROOT on Saltmarsh Tea: it is raining (hooks.log: Pre-deploy hook execution failed. Exit code 3)",
      );
      assert.deepEqual(offered, ['Show Log', 'Deploy', 'Project Settings']);
      await showDeployLog(record);
      const editor = window.activeTextEditor ?? assert.fail('nothing was opened');
      assert.equal(editor.document.lineAt(editor.selection.active.line).text, 'it is raining');
      assert.match(editor.document.getText(), /^# Hooks on .*: \/var\/log\/nginx\/hooks\.log$/m);
    });

    it("says that a hook ran out of time, and quotes no earlier redeploy's hook", async () => {
      await at
        .deployedOnce({ hooks: JSON.stringify({ postDeploy: 'echo error: earlier; exit 1' }) })
        .catch(() => undefined);
      const postDeploy = 'printf "begun\\n"; sleep 60';
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: JSON.stringify({ postDeploy }) });
      at.setUp.platform.behaviour.hookSeconds = 1;
      const record = await at.redeploy();
      assert.deepEqual(record.verdict.kind === 'failed' && record.verdict.code, 124);
      assert.match(messageOf(record), /: begun \(hooks\.log: Post-deploy hook execution timed out\. Exit code 124\)$/);
    });
  });

  it('offers the diagnostics if the platform fails for a reason that nothing explains', async () => {
    await at.deployedOnce();
    const fault = { kind: 'refuse', result: 99, error: 'disk on fire' } as const;
    at.setUp.platform.faults.add({ operation: 'Update', fault });
    const [said, ...offered] = await at.errorShownFor(await at.redeploy());
    assert.equal(said, "Couldn't redeploy ROOT on Saltmarsh Tea: disk on fire");
    assert.deepEqual(offered, ['Show Log', 'Show Node Log', 'Redeploy', 'Project Settings', 'Copy Diagnostics']);
  });

  describe('if an older answer about the project comes late', () => {
    const lateAnswer = async () => {
      const { faults } = at.setUp.platform;
      const hanging = faults.add({ operation: 'GetProject', fault: { kind: 'hang', when: 'after' } });
      const answered = at.parts.projects.read(at.place);
      await hanging.reached;
      return { arrives: () => hanging.release(), answered };
    };

    it('is about no log that was there before', async () => {
      await at.setUp.create();
      const old = await lateAnswer();
      await at.setUp.succeed('Update', { context: 'ROOT' });
      refuse();
      const redeploying = at.redeploy();
      old.arrives();
      assert.equal((await redeploying).log, '');
      await old.answered;
    });

    it('is about its own log', async () => {
      await at.deployedOnce();
      const plan = await at.parts.plans.prepare({ place: at.place });
      const old = await lateAnswer();
      const refusal = { kind: 'refuse', result: 4000, error: 'no way', when: 'after' } as const;
      at.setUp.platform.faults.add({ operation: 'Update', fault: refusal });
      await at.secondCommit();
      const updated = at.setUp.platform.journal.next(({ operation }) => operation === 'Update');
      const { ended } = at.parts.redeploys.start(plan);
      await updated;
      old.arrives();
      assert.match((await ended).log, /^.*deployed [0-9a-f]{40}/m);
      await old.answered;
    });
  });

  it("shows the later result instead if its button is pressed when that's over", async () => {
    await at.deployedOnce();
    refuse();
    const failed = await at.redeploy();
    const person = new Person();
    const updates = () => at.setUp.platform.journal.count(({ operation }) => operation === 'Update');
    try {
      await person.answering([{ presses: 'Redeploy' }, escape], () => at.parts.flow.showResult(failed));
      assert.ok(person.seen.includes('Redeploy ROOT on Saltmarsh Tea?'), person.seen.join(' | '));
      await at.secondCommit();
      const commit = (await at.redeploy()).nodes[0]?.after ?? '';
      const before = updates();
      person.seen.splice(0);
      await person.answering([{ presses: 'Redeploy' }], () => at.parts.flow.showResult(failed));
      assert.match(person.seen.at(-1) ?? '', new RegExp(`^Deployed ${commit.slice(0, 7)} `));
      assert.equal(updates(), before);
    } finally {
      person.leave();
    }
  });

  it('tries again with the same delay between the nodes', async () => {
    await at.deployedOnce();
    refuse();
    const person = new Person();
    await person
      .answering([{ presses: 'Redeploy' }, 'Redeploy'], () =>
        at.parts.flow.redeploy({ place: at.place, consent: 'byTask', delay: 1 }),
      )
      .finally(() => person.leave());
    const updates = at.setUp.platform.journal.entries.filter(({ operation }) => operation === 'Update');
    assert.deepEqual(
      updates.slice(-2).map(({ parameters }) => parameters['delay']),
      ['1', '1'],
    );
  });
});
