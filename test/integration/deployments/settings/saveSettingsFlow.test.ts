import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { isPlatformError } from '../../../../src/platform/errors';
import type { ProjectParts } from '../../../../src/wiring/wireDeployments';
import { hookUri } from '../../../../src/deployments/settings/hookDocuments';
import { notTaken } from '../../../../src/deployments/settings/projectFields';
import type { ProjectPlace } from '../../../../src/deployments/projectPlace';
import type { Fault } from '../../../localPlatform/faults/fault';
import type { VcsSetUp } from '../../../unit/localPlatform/vcsSetUp';
import { webroot } from '../../../unit/localPlatform/vcsSetUp';
import { nextEvent } from '../../support/event';
import { gantry } from '../../support/gantry';
import { commitOnDisk, endProject, fieldsNow, inAHurry, startProject, wantedFrom } from '../../support/projects';

describe('a project and its settings', () => {
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
  const redeploy = () => {
    const goOn = () => Promise.resolve({ push: false, keepPatch: false });
    return parts.flow.perform({ place }, goOn, ({ ended }) => ended);
  };

  describe('has hook documents', () => {
    const rules = { contextPattern: undefined, singleContext: false };

    beforeEach(async () => {
      await parts.work.create(place, wanted());
      const base = await now();
      parts.drafts.keep({ id: 'a/draft', place, isNew: false, base, fields: base, lacksPassword: false, rules });
    });

    it('that saving stores in the draft, and that are sent only with the other settings', async () => {
      const script = new TextEncoder().encode('make\n');
      await workspace.fs.writeFile(hookUri('a/draft', 'preBuild'), script);
      assert.deepEqual(parts.drafts.find('a/draft')?.fields.hooks, { preBuild: 'make\n' });
      assert.deepEqual(await workspace.fs.readFile(hookUri('a/draft', 'preBuild')), script);
      await assert.rejects(async () => workspace.fs.writeFile(Uri.parse('gantry-hook:/a/draft/other.sh'), script));
      parts.drafts.discard('a/draft');
      await assert.rejects(async () => workspace.fs.readFile(hookUri('a/draft', 'preBuild')));
      await assert.rejects(async () => workspace.fs.writeFile(hookUri('a/draft', 'preBuild'), script));
      assert.equal(count('EditProject'), 0);
    });

    it("that are shell scripts, and that Auto Save doesn't send", async () => {
      const files = workspace.getConfiguration('files');
      await files.update('autoSave', 'afterDelay', ConfigurationTarget.Global);
      await files.update('autoSaveDelay', 1, ConfigurationTarget.Global);
      try {
        const uri = hookUri('a/draft', 'postDeploy');
        const { document } = await window.showTextDocument(uri);
        assert.equal(document.languageId, 'shellscript');
        const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one.uri.toString() === uri.toString());
        const edit = new WorkspaceEdit();
        edit.insert(uri, document.positionAt(0), 'php artisan migrate\n');
        await workspace.applyEdit(edit);
        await saved;
        assert.deepEqual(parts.drafts.find('a/draft')?.fields.hooks, { postDeploy: 'php artisan migrate\n' });
        assert.equal(count('EditProject'), 0);
        assert.equal((await parts.writeOnlySettings.of(place)).hooks, undefined);
      } finally {
        await files.update('autoSave', undefined, ConfigurationTarget.Global);
        await files.update('autoSaveDelay', undefined, ConfigurationTarget.Global);
        await commands.executeCommand('workbench.action.closeAllEditors');
        parts.drafts.discard('a/draft');
      }
    });

    it('that are forgotten with the account, because they may contain its secrets', async () => {
      await (await gantry()).accounts.remove(account.slug);
      assert.equal(parts.drafts.find('a/draft'), undefined);
    });
  });

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
        await parts.work.create(place, { ...wanted(), delay: 7 });
        const created = await now();
        assert.equal(created.delay, 7);
        lostAnswer('EditProject', fault);
        await parts.work.edit(place, created, { ...created, branch: 'release', hooks: { preBuild: 'make' } });
        assert.equal((await now()).branch, 'release');
        assert.deepEqual((await now()).hooks, { preBuild: 'make' });
        lostAnswer('DeleteProject', fault);
        await parts.work.delete(place);
        assert.equal(parts.known.find(place), undefined);
      }
      assert.deepEqual([count('CreateProject'), count('EditProject'), count('DeleteProject')], [2, 2, 2]);
    });

    it("is created and changed even if it can't be read right afterwards", async () => {
      const out: Fault = { kind: 'gatewayError', status: 502, when: 'before' };
      const unseen = () => setUp.platform.faults.add({ operation: 'GetProject', times: 'always', fault: out });
      const creating = unseen();
      const created = await parts.work.create(place, { ...wanted(), delay: 7 });
      assert.deepEqual(created.place, place);
      creating.remove();
      const before = await now();
      assert.equal(before.delay, 7);
      const changing = unseen();
      const wish = { ...before, branch: 'release', context: 'shop2' };
      const changed = await parts.work.edit(place, before, wish);
      assert.deepEqual(notTaken(wish, changed.settings), []);
      changing.remove();
      const renamed = { ...place, context: 'shop2' };
      assert.ok(parts.known.find(renamed));
      assert.equal((await now(renamed)).branch, 'release');
    });

    it('is shown as it is after a change, even if an older read ends later', async () => {
      await parts.work.create(place, wanted());
      const before = await now();
      const held = setUp.platform.faults.add({ operation: 'GetProject', fault: { kind: 'hang', when: 'after' } });
      const older = parts.projects.read(place);
      await held.reached;
      const changed = await parts.work.edit(place, before, { ...before, branch: 'release' });
      assert.equal(changed.settings.branch, 'release');
      held.release();
      await older;
      assert.equal(parts.projects.last(place)?.settings.branch, 'release');
    });

    it("doesn't count as created, changed, or deleted if the platform didn't do it", async () => {
      for (const fault of notDone) {
        lostAnswer('CreateProject', fault);
        await assert.rejects(parts.work.create(place, wanted()), isUnknown);
        assert.equal(await parts.writeOnlySettings.find(place), undefined);
      }
      await parts.work.create(place, wanted());
      const before = await now();
      for (const fault of notDone) {
        lostAnswer('EditProject', fault);
        await assert.rejects(parts.work.edit(place, before, { ...before, delay: 9, branch: 'release' }), isUnknown);
        lostAnswer('EditProject', fault);
        await assert.rejects(parts.work.edit(place, before, { ...before, delay: 9 }), isUnknown);
        lostAnswer('DeleteProject', fault);
        await assert.rejects(parts.work.delete(place), isUnknown);
        assert.deepEqual(await now(), before);
      }
    });
  });

  it('takes its history and the edits in its containers along to another context', async () => {
    await parts.work.create(place, { ...wanted(), autoResolveConflict: true });
    await redeploy();
    const edited = `${webroot}/ROOT/about.php`;
    const target = { nodeGroup: 'cp', nodeId: setUp.nodeId(0) };
    await parts.nodeEditLog.note(
      { kind: 'file', ...place, target, path: edited },
      { what: 'changed', before: 'about\n' },
    );
    const before = await now();
    await parts.work.edit(place, before, { ...before, context: 'shop2' });
    const renamed = { ...place, context: 'shop2' };
    assert.deepEqual(await parts.history.of(place), []);
    const [record] = await parts.history.of(renamed);
    assert.equal(record?.context, 'shop2');
    const edits = await parts.nodeEditLog.of(account.slug);
    assert.deepEqual(
      edits.map(({ path }) => path),
      [`${webroot}/shop2/about.php`],
    );
    assert.equal(await parts.edits.count(renamed), 1);
    await parts.history.forget(renamed);
  });

  it('is shown at the newest commit if the platform ignores the pinned one', async () => {
    setUp.platform.behaviour.pinnedCommits = 'ignored';
    await parts.work.create(place, wanted());
    await redeploy();
    const first = await commitOnDisk(setUp, 0);
    assert.ok(first);
    const second = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const before = await now();
    await parts.work.edit(place, before, { ...before, repoHash: first });
    assert.deepEqual((await redeploy())?.verdict, { kind: 'deployed', commit: second });
  });
});
