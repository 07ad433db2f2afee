import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, Range, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { patched } from '../../../../src/deployments/nodeEdits/savePatchPrompt';
import { redeployAsTask } from '../../../../src/deployments/redeploy/redeployTaskFlow';
import type { RedeployTask } from '../../../../src/deployments/redeploy/redeployTaskProvider';
import type { ProjectParts } from '../../../../src/wiring/wireDeployments';
import type { DeployRecord } from '../../../../src/deployments/redeploy/redeployResult';
import type { LocalRepository } from '../../../../src/deployments/repositories/localRepository';
import { patchOf } from '../../../../src/deployments/nodeEdits/patch';
import type { Preflight } from '../../../../src/deployments/redeploy/redeployPreflight';
import type { ProjectPlace } from '../../../../src/deployments/projectPlace';
import { type VcsSetUp, credentials, webroot, type Wishes } from '../../../unit/localPlatform/vcsSetUp';
import { until } from '../../support/event';
import { fileUri, gantry } from '../../support/gantry';
import { LocalClone } from '../../support/localClone';
import { assertTruthful, commitOnDisk, endProject, inAHurry, startProject } from '../../support/projects';

async function setGit(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration('git').update(name, value, ConfigurationTarget.Global);
}

describe('a redeploy of a project whose repository is open here', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;
  let folder: string;
  let clone: LocalClone;
  let place: ProjectPlace;

  inAHurry();
  before(async () => {
    parts = (await gantry()).projects;
    // Older versions ask the user about a repository outside the open folders, and open it only then.
    await setGit('openRepositoryInParentFolders', 'always');
    // Each test triggers the check itself, because it starts five programs.
    await setGit('autorefresh', false);
  });
  beforeEach(async () => {
    ({ setUp, account, place } = await startProject());
    folder = await mkdtemp(join(tmpdir(), 'gantry-work-'));
    clone = await LocalClone.of(setUp.url, join(folder, 'tea'), credentials);
    await commands.executeCommand('git.openRepository', clone.folder);
    await parts.repositories.ready;
    await until(parts.repositories.onDidChange, () => parts.repositories.withAddress(setUp.url) !== undefined);
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    const opened = repository();
    await commands.executeCommand('git.close', { rootUri: opened.root });
    await endProject({ setUp, account, place });
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  after(async () => {
    await setGit('openRepositoryInParentFolders', undefined);
    await setGit('autorefresh', undefined);
  });

  function repository(): LocalRepository {
    const found = parts.repositories.withAddress(setUp.url);
    assert.ok(found);
    return found;
  }

  const create = (wishes: Wishes = {}) => setUp.create({ updateNow: true, ...wishes });
  const status = () => commands.executeCommand('git.refresh', Uri.file(clone.folder));
  const at = (path: string, node = 0) =>
    fileUri(account, 'shop', `cp~${setUp.nodeId(node)}`, `${webroot}/ROOT/${path}`);
  const save = (path: string, text: string, node = 0) =>
    workspace.fs.writeFile(at(path, node), new TextEncoder().encode(text));
  /** Changes files and waits until each change is recorded. */
  const noting = async (paths: readonly string[], act: () => Thenable<unknown>) => {
    const left = new Set(paths.map((path) => `${webroot}/ROOT/${path}`));
    const noted = new Promise<void>((resolve) => {
      const listening = parts.nodeEditLog.onDidChange(({ path }) => {
        left.delete(path);
        if (left.size === 0) {
          listening.dispose();
          resolve();
        }
      });
    });
    await act();
    await noted;
  };
  const apply = async (asked: Preflight | undefined) => {
    await clone.write('../edits.patch', patchOf((asked?.edits ?? []).flatMap((file) => patched(file) ?? [])));
    await clone.git('apply', '../edits.patch');
  };
  const edit = async (path: string, text: string, node = 0) => {
    const uri = at(path, node);
    const document = await workspace.openTextDocument(uri);
    const change = new WorkspaceEdit();
    change.replace(uri, new Range(0, 0, document.lineCount, 0), text);
    assert.ok(await workspace.applyEdit(change));
    await noting([path], async () => assert.ok(await document.save()));
  };
  /** Redeploys as the command does, and returns what was asked. */
  const redeploy = async (decision?: { push: boolean; keepPatch: boolean }) => {
    const asked: Preflight[] = [];
    const record = await parts.flow.perform(
      { place },
      (_, preflight) => {
        asked.push(preflight);
        return Promise.resolve(decision);
      },
      ({ ended }) => ended,
    );
    return { record, asked: asked[0] };
  };
  /** Counts how often a repository is asked whether it knows a commit, until the returned function is called. */
  const countQuestions = () => {
    const { repositories } = parts;
    const withAddress = repositories.withAddress.bind(repositories);
    let times = 0;
    repositories.withAddress = (url) => {
      const found = withAddress(url);
      const knows = found?.knows.bind(found);
      return found && knows && Object.assign(found, { knows: (commit: string) => (times++, knows(commit)) });
    };
    return () => {
      repositories.withAddress = withAddress;
      return times;
    };
  };
  const verdictOf = (record: DeployRecord | undefined) => record?.verdict;

  it('asks nothing if nothing would be missing or lost', async () => {
    await create();
    await status();
    const { record, asked } = await redeploy();
    assert.equal(asked, undefined);
    assert.equal(record?.verdict.kind, 'deployed');
  });

  it('names what it would miss: unpushed commits, local changes, and a different checked-out branch', async () => {
    await create();
    await clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await clone.write('about.php', 'changed\n');
    await clone.write('new.php', 'new\n');
    await status();
    await until(parts.repositories.onDidChange, async () => (await missed()).uncommitted.length === 2);
    const { asked, record } = await redeploy();
    assert.equal(record, undefined, 'it was decided against');
    assert.deepEqual(asked?.local?.unpushed, ['Darker tea']);
    assert.deepEqual(asked.local.uncommitted.map(({ path }) => path.split('/').at(-1)).sort(), [
      'about.php',
      'new.php',
    ]);
    assert.equal(asked.local.otherBranch, undefined);
    await clone.git('checkout', '--quiet', '-b', 'experiment');
    await status();
    await until(parts.repositories.onDidChange, () => repository().currentBranch === 'experiment');
    assert.equal((await redeploy()).asked?.local?.otherBranch, 'experiment');
    assert.equal(
      setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
  });

  const missed = () => repository().missedBy({ url: setUp.url, branch: 'master' });

  it('pushes, and deploys exactly the pushed commit', async () => {
    await create();
    const commit = await clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await status();
    await until(parts.repositories.onDidChange, async () => (await missed()).unpushed.length === 1);
    const { record } = await redeploy({ push: true, keepPatch: false });
    assert.deepEqual(verdictOf(record), { kind: 'deployed', commit });
    assert.equal(await commitOnDisk(setUp, 1), commit);
  });

  it("doesn't trust a platform that reports a deployment that didn't happen", async () => {
    await create();
    await clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await clone.git('push', '--quiet');
    await status();
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'answer', body: '{"result":0}' } });
    const { record } = await redeploy();
    assert.deepEqual(verdictOf(record), { kind: 'contradicted', because: 'behind', behind: 1 });
    assert.ok(record);
    await assertTruthful(setUp, record);
  });

  it('is behind after a push, without a request to the platform', async () => {
    await create();
    assert.deepEqual(
      (await parts.deployedStates.look(place)).map(({ kind }) => kind),
      ['upToDate'],
    );
    await clone.commit('Darker tea', { 'index.php': 'dark\n' });
    setUp.platform.journal.reset();
    await clone.git('push', '--quiet');
    await status();
    await until(parts.deployedStates.onDidChange, () => parts.deployedStates.last(place)?.[0]?.kind === 'behind');
    assert.deepEqual(parts.deployedStates.last(place), [{ kind: 'behind', commits: 1 }]);
    assert.equal(setUp.platform.journal.entries.length, 0);
    await redeploy();
    await until(parts.deployedStates.onDidChange, () => parts.deployedStates.last(place)?.[0]?.kind === 'upToDate');
  });

  it('detects that the platform updated the project by itself', async () => {
    await create({ autoupdate: true, interval: '5' });
    await redeploy();
    const left = await commitOnDisk(setUp, 0);
    const commit = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await setUp.update();
    const found = await parts.deployedStates.lookAnew(place);
    assert.deepEqual(found, [
      { kind: 'autoUpdated', from: left, to: commit },
      { kind: 'upToDate', commit },
    ]);
  });

  describe('if files were edited in the container', () => {
    it('lists the edits with their previous text, says that they are discarded, and discards them', async () => {
      await create({ autoResolveConflict: true });
      await edit('index.php', 'edited\n');
      await edit('about.php', 'edited too\n', 1);
      const { asked, record } = await redeploy({ push: false, keepPatch: false });
      assert.equal(asked?.fate, 'thrownAway');
      assert.deepEqual(
        asked.edits.map(({ path, edit, now }) => [path, edit.nodeId, edit.before, now]),
        [
          ['about.php', setUp.nodeId(1), 'about\n', { kind: 'text', text: 'edited too\n' }],
          ['index.php', setUp.nodeId(0), 'one\n', { kind: 'text', text: 'edited\n' }],
        ],
      );
      assert.equal(record?.verdict.kind, 'deployed');
      assert.equal(await setUp.read(`${webroot}/ROOT/index.php`), 'one\n');
      await until(parts.nodeEditLog.onDidChange, async () => (await parts.edits.count(place)) === 0);
      assert.equal((await redeploy()).asked, undefined, 'nothing is left to be said');
    });

    it("isn't shown as edited if the edits are forgotten during the check", async () => {
      await create({ autoResolveConflict: true });
      await edit('index.php', 'edited\n');
      parts.deployedStates.forget();
      const { edits, nodeEditLog } = parts;
      const count = edits.count.bind(edits);
      // Forget the edits after each count, even after a count for earlier findings.
      edits.count = async (project) => {
        const before = await count(project);
        await nodeEditLog.forget(await nodeEditLog.of(account.slug));
        return before;
      };
      await parts.deployedStates.look(place).finally(() => (edits.count = count));
      const kinds = () => parts.deployedStates.last(place)?.map(({ kind }) => kind);
      await until(parts.deployedStates.onDidChange, () => kinds() !== undefined);
      assert.deepEqual(kinds(), ['upToDate']);
    });

    it('computes drift once for many simultaneous edits, and asks Git once whether it knows the commit', async () => {
      await create({ autoResolveConflict: true });
      await parts.deployedStates.look(place);
      const pages = Array.from({ length: 8 }, (_, page) => `page${page}.php`);
      const { edits } = parts;
      const count = edits.count.bind(edits);
      let computations = 0;
      const allNoted = noting(pages, () => Promise.all(pages.map((page) => save(page, 'new\n'))));
      edits.count = async (project) => {
        computations += 1;
        await allNoted;
        return count(project);
      };
      const isEdited = () =>
        parts.deployedStates.last(place)?.some((one) => one.kind === 'edited' && one.files === 8) === true;
      await until(parts.deployedStates.onDidChange, isEdited).finally(() => (edits.count = count));
      assert.ok(computations <= 3, `drift was computed ${computations} times`);
      const questions = countQuestions();
      assert.equal((await redeploy()).asked?.edits.length, 8);
      assert.equal(questions(), 1);
    });

    it('keeps the edits as a patch that the repository accepts', async () => {
      await create({ autoResolveConflict: true });
      await edit('index.php', 'edited\n');
      const { asked } = await redeploy();
      await apply(asked);
      assert.equal(await clone.git('diff', '--stat', '--name-only'), 'index.php');
    });

    it('counts deleted and renamed files, and restores only those in the commit', async () => {
      await setUp.repository.commit({ message: 'Parts', files: { 'parts/top.php': 'top\n' } });
      await clone.git('pull', '--quiet');
      await status();
      await create({ autoResolveConflict: true });
      const { fs } = workspace;
      await noting(['about.php'], () => fs.delete(at('about.php')));
      await noting(['index.php', 'start.php'], () => fs.rename(at('index.php'), at('start.php')));
      await noting(['parts'], () => fs.delete(at('parts'), { recursive: true }));
      await setUp.edit(`${webroot}/ROOT/cache.txt`, 'cached\n');
      await noting(['cache.txt'], () => fs.delete(at('cache.txt')));
      const { asked } = await redeploy();
      assert.deepEqual(
        asked?.edits.map(({ path, edit, now }) => [path, edit.what, edit.before, now.kind]),
        [
          ['about.php', 'removed', 'about\n', 'absent'],
          ['index.php', 'removed', 'one\n', 'absent'],
          ['parts', 'removed', undefined, 'absent'],
          ['start.php', 'added', undefined, 'text'],
        ],
      );
      await apply(asked);
      assert.equal(await clone.git('status', '--porcelain'), 'D about.php\n D index.php\n?? start.php');
      await redeploy({ push: false, keepPatch: false });
      assert.equal(await setUp.read(`${webroot}/ROOT/parts/top.php`), 'top\n');
    });

    it("doesn't count files that were created here and deleted again", async () => {
      await create({ autoResolveConflict: true });
      await save('new.php', 'new\n');
      await until(parts.nodeEditLog.onDidChange, async () => (await parts.edits.count(place)) === 1);
      await workspace.fs.delete(at('new.php'));
      await until(parts.nodeEditLog.onDidChange, async () => (await parts.edits.count(place)) === 0);
    });

    it('asks only about edits that new commits touch if edits would stop the update', async () => {
      await create();
      await edit('about.php', 'edited\n');
      await clone.commit('Darker tea', { 'index.php': 'dark\n' });
      await clone.git('push', '--quiet');
      await status();
      const quiet = await redeploy();
      assert.equal(quiet.asked, undefined);
      assert.equal(quiet.record?.verdict.kind, 'deployed');
      assert.equal(await setUp.read(`${webroot}/ROOT/about.php`), 'edited\n');
      await clone.commit('About tea', { 'about.php': 'tea\n' });
      await clone.git('push', '--quiet');
      await status();
      const { asked, record } = await redeploy({ push: false, keepPatch: false });
      assert.equal(asked?.fate, 'stops');
      assert.deepEqual(
        asked.edits.map(({ path }) => path),
        ['about.php'],
      );
      assert.equal(record?.verdict.kind, 'failed');
      assert.ok(record);
      await assertTruthful(setUp, record);
    });

    it('forgets an edit that was reverted', async () => {
      await create({ autoResolveConflict: true });
      await edit('index.php', 'edited\n');
      assert.equal(await parts.edits.count(place), 1);
      await save('index.php', 'one\n');
      assert.equal((await redeploy()).asked, undefined);
      assert.equal(await parts.edits.count(place), 0);
    });

    it('shows the new text in an open editor', async () => {
      await create();
      const uri = fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, `${webroot}/ROOT/index.php`);
      const document = await workspace.openTextDocument(uri);
      await window.showTextDocument(document);
      await setUp.repository.commit({ message: 'second', files: { 'index.php': 'a longer two\n' } });
      await redeploy();
      await until(workspace.onDidChangeTextDocument, () => document.getText() === 'a longer two\n');
    });
  });

  describe('as a task', () => {
    const run = async (wish: Partial<RedeployTask>) => {
      const { finder, redeploys, flow } = parts;
      const said: string[] = [];
      const whole = {
        environment: 'shop',
        context: 'ROOT',
        onDataLoss: 'ask',
        account: account.slug,
        ...wish,
      } as const;
      const ending = await redeployAsTask({ finder, redeploys, flow })(whole, (line) => said.push(line));
      return { ending, said: said.join('\n') };
    };

    it('succeeds if the project is deployed, and fails otherwise', async () => {
      await create();
      const good = await run({});
      assert.equal(good.ending, 'deployed');
      assert.match(good.said, /deployed [0-9a-f]{40}/, 'the log is in the terminal');
      setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
      const bad = await run({});
      assert.equal(bad.ending, 'notDeployed');
      assert.match(bad.said, /the redeploy failed/);
      await assert.rejects(run({ context: 'none' }), /Couldn't find project none on shop/);
    });

    it('stops if something would be lost, or continues, depending on its options', async () => {
      await create({ autoResolveConflict: true });
      await edit('index.php', 'edited\n');
      setUp.platform.journal.reset();
      const stopped = await run({ onDataLoss: 'stop' });
      assert.equal(stopped.ending, 'notDeployed');
      assert.match(stopped.said, /will be discarded/);
      assert.equal(
        setUp.platform.journal.count(({ operation }) => operation === 'Update'),
        0,
      );
      assert.equal(await setUp.read(`${webroot}/ROOT/index.php`), 'edited\n');
      assert.equal((await run({ onDataLoss: 'continue' })).ending, 'deployed');
      assert.equal(await setUp.read(`${webroot}/ROOT/index.php`), 'one\n');
    });
  });
});
