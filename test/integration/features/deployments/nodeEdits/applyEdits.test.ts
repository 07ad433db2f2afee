import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  CancellationTokenSource,
  commands,
  Range,
  TabInputTextDiff,
  type TextDocument,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import { filePlaceOf } from '../../../../../src/containers/place';
import { applyEdit } from '../../../../../src/features/deployments/nodeEdits/nodeEditCommands';
import { linesAtStake, summaryOf } from '../../../../../src/features/deployments/redeploy/stakes';
import { BareRepository } from '../../../../localPlatform/vcs/bareRepository';
import { credentials, webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { nextEvent, until } from '../../../support/event';
import { fileUri, gantry } from '../../../support/gantry';
import { LocalClone } from '../../../support/localClone';
import { OpenRepository, withQuietGit } from '../../../support/openRepository';
import { escape, Person } from '../../../support/person';
import { endPeopledProject, inAHurry, startPeopledProject } from '../../../support/projects';

const both = { base: 'a\nb\nc\nd\ne\n', node: 'A\nb\nc\nd\ne\n', local: 'a\nb\nc\nd\nE\n', merged: 'A\nb\nc\nd\nE\n' };

describe('edits on nodes', () => {
  let at: OpenRepository;
  let person: Person;

  inAHurry();
  withQuietGit();
  beforeEach(async () => {
    at = await OpenRepository.start();
    person = new Person();
    await at.setUp.repository.commit({ message: 'Parts', files: { 'parts/both.txt': both.base } });
    await at.clone.git('pull', '--quiet');
    await at.create({ autoResolveConflict: true });
    await at.parts.projects.read(at.place);
    await at.parts.inspector.heads({ place: at.place });
  });
  afterEach(async () => {
    person.leave();
    await at.end();
  });

  const local = (path: string) => join(at.clone.folder, path);
  const localText = (path: string) => readFile(local(path), 'utf8');
  const onNode = (path: string) => at.setUp.read(`${webroot}/ROOT/${path}`);
  const apply = (...uris: readonly Uri[]) => commands.executeCommand('gantry.edits.apply', uris[0], [...uris]);
  const applyAll = () => commands.executeCommand('gantry.project.applyEdits', at.place);
  const commitAndPush = async () => {
    await at.clone.git('add', '--all');
    await at.clone.git('commit', '--quiet', '--message', 'Edits from the node');
    await at.clone.git('push', '--quiet');
    await at.status();
  };
  const marked = async (paths: readonly string[]) => {
    const { edited } = at.parts;
    const now = () => edited.all.map(({ place }) => place.path.slice(`${webroot}/ROOT/`.length)).sort();
    await until(edited.onDidChange, () => now().join() === [...paths].sort().join());
  };

  /** One new, one deleted, and one that the clone has changed, too. */
  async function editThree(): Promise<void> {
    await at.noting(['new.txt'], () => at.save('new.txt', '\uFEFFnew ü\r\n'));
    await at.noting(['about.php'], () => workspace.fs.delete(at.uri('about.php')));
    await at.edit('parts/both.txt', both.node);
    await at.clone.write('parts/both.txt', both.local);
  }

  it('can be applied to the clone: one new, one deleted, one changed on both sides; then a redeploy asks nothing', async () => {
    await editThree();
    await marked(['about.php', 'new.txt', 'parts/both.txt']);
    const before = (await at.redeploy()).asked;
    assert.deepEqual([before?.edits.length, before?.kept.length], [2, 1], "the new file isn't the repository's yet");

    await applyAll();
    assert.match(person.seen.join('\n'), /Applied 3 edits to tea\. Commit and push them before the next redeploy\./);
    assert.equal(await localText('new.txt'), await onNode('new.txt'));
    assert.equal(await localText('new.txt'), '\uFEFFnew ü\r\n');
    assert.ok(!existsSync(local('about.php')));
    assert.equal(await localText('parts/both.txt'), both.merged);

    await at.status();
    const waiting = (await at.redeploy()).asked;
    assert.deepEqual(waiting?.edits, [], 'the clone has them');
    assert.equal(waiting.local?.uncommitted.length, 3, 'but they are not committed');
    assert.deepEqual(waiting.inClone.map(({ path }) => path).toSorted(), ['about.php', 'parts/both.txt']);
    assert.match(summaryOf(waiting), /2 edits on the nodes are in your clone, but not in the deployed branch yet/);
    assert.ok(linesAtStake(waiting).includes('In your clone, but not in the deployed branch yet'));

    await commitAndPush();
    const { asked, record } = await at.redeploy();
    assert.equal(asked, undefined, 'nothing is asked');
    assert.equal(record?.verdict.kind, 'deployed');
    assert.equal(await onNode('new.txt'), '\uFEFFnew ü\r\n');
    assert.equal(await onNode('parts/both.txt'), both.merged);
    assert.ok(!existsSync(at.setUp.file(`${webroot}/ROOT/about.php`)));
    await marked([]);
  });

  it('still count as discarded if what was applied was undone in the clone', async () => {
    await editThree();
    await applyAll();
    await at.clone.git('checkout', '--quiet', '--', '.');
    await at.clone.git('clean', '-fdq');
    await at.clone.commit('Other work', { 'index.php': 'other\n' });
    await at.clone.git('push', '--quiet');
    await at.status();
    const { asked } = await at.redeploy();
    assert.deepEqual(
      [asked?.edits, asked?.kept].map((files) => files?.map(({ path }) => path)),
      [['about.php', 'parts/both.txt'], ['new.txt']],
    );
  });

  it('still count as discarded if what was applied was undone, and others changed the same file', async () => {
    await at.edit('parts/both.txt', both.node);
    await at.noting(['about.php'], () => workspace.fs.delete(at.uri('about.php')));
    await applyAll();
    assert.equal(await localText('parts/both.txt'), both.node);
    await at.clone.git('checkout', '--quiet', '--', '.');
    const files = { 'parts/both.txt': both.local, 'about.php': 'others\n' };
    await at.setUp.repository.commit({ message: 'By others', files });
    await at.clone.git('pull', '--quiet');
    await at.status();
    const { asked } = await at.redeploy();
    assert.deepEqual(
      asked?.edits.map(({ path }) => path),
      ['about.php', 'parts/both.txt'],
    );
  });

  it('still count as discarded if what was applied was undone, and others changed the same lines', async () => {
    await at.edit('index.php', 'edited\n');
    await applyAll();
    await at.clone.git('checkout', '--quiet', '--', '.');
    await at.setUp.repository.commit({ message: 'By others', files: { 'index.php': 'others\n' } });
    await at.clone.git('pull', '--quiet');
    await at.status();
    const { asked } = await at.redeploy();
    assert.deepEqual(
      asked?.edits.map(({ path }) => path),
      ['index.php'],
    );
  });

  it('keep what is saved in the clone while the node is read', async () => {
    await at.edit('parts/both.txt', both.node);
    const read = { operation: 'Read', parameters: { path: `${webroot}/ROOT/parts/both.txt` } };
    const held = at.setUp.platform.faults.add({ ...read, fault: { kind: 'hang' } });
    const applying = apply(at.uri('parts/both.txt'));
    await held.reached;
    await at.clone.write('parts/both.txt', both.local);
    held.release();
    await applying;
    assert.equal(await localText('parts/both.txt'), both.merged);
  });

  /** Applies edits, and cancels while this file is read. */
  async function cancelAt(path: string, ...paths: readonly string[]): Promise<string> {
    person.seen.splice(0);
    const read = { operation: 'Read', parameters: { path: `${webroot}/ROOT/${path}` } };
    const held = at.setUp.platform.faults.add({ ...read, fault: { kind: 'hang' } });
    const { withProgress } = window;
    const cancelButton = new CancellationTokenSource();
    const shown = new Promise<void>((resolve) => {
      Object.assign(window, {
        withProgress: ((_, task) => {
          const working = task({ report: () => undefined }, cancelButton.token);
          resolve();
          return working;
        }) satisfies typeof withProgress,
      });
    });
    try {
      const applying = apply(...paths.map((one) => at.uri(one)));
      await Promise.all([held.reached, shown]);
      cancelButton.cancel();
      held.release();
      await applying;
      return person.seen.join('\n');
    } finally {
      Object.assign(window, { withProgress });
      cancelButton.dispose();
    }
  }

  it('that were skipped because the person canceled are counted as not applied', async () => {
    await at.noting(['new.txt'], () => at.save('new.txt', 'new\n'));
    await at.edit('index.php', 'edited\n');
    await at.edit('parts/both.txt', both.node);
    await at.clone.write('index.php', 'mine\n');
    const [conflict, canceled] = (await cancelAt('index.php', 'index.php', 'parts/both.txt')).split('\n');
    assert.match(conflict ?? '', /^Resolve the conflicts in index\.php/);
    assert.equal(canceled, 'Canceled. Applied 0 of 2 edits to tea.');

    const problem = 'index.php has unsaved changes. Save or revert them first.';
    assert.equal(await cancelAt('index.php', 'index.php', 'parts/both.txt'), `${problem} Other edits not applied: 1.`);

    const all = ['new.txt', 'parts/both.txt', 'index.php'];
    assert.equal(await cancelAt('parts/both.txt', ...all), 'Canceled. Applied 2 of 3 edits to tea.');
    assert.equal(await localText('parts/both.txt'), both.node);
    assert.equal(await localText('index.php'), 'mine\n');
    assert.equal(await cancelAt('parts/both.txt', ...all), '', 'the clone had the first two');
  });

  it("don't delete files of the clone because their environment is gone", async () => {
    await at.edit('index.php', 'edited\n');
    for (const operation of ['Read', 'GetList']) {
      const fault = { kind: 'refuse', result: 11, error: 'application [shop] not exist' } as const;
      at.setUp.platform.faults.add({ operation, fault, times: 'always' });
    }
    const { listings } = await gantry();
    listings.forgetAll();
    const file = filePlaceOf(at.uri('index.php')) ?? assert.fail();
    await assert.rejects(applyEdit(file, { ...at.parts, listings }, at.parts.versions.commits()), /not exist/);
    assert.equal(await localText('index.php'), 'one\n');
  });

  it('that conflict with the clone open there with both versions, and count as taken once resolved and pushed', async () => {
    await at.edit('index.php', 'theirs\n');
    await at.clone.write('index.php', 'mine\n');
    await apply(at.uri('index.php'));
    const document = window.activeTextEditor?.document;
    assert.equal(document?.uri.fsPath, local('index.php'));
    assert.equal(document.getText(), '<<<<<<< Yours\nmine\n=======\ntheirs\n>>>>>>> On Node\n');
    assert.ok(document.isDirty);
    assert.equal(await localText('index.php'), 'mine\n');
    assert.match(person.seen.join('\n'), /Resolve the conflicts in index\.php, then save\./);
    await replaceAndSave(document.uri, 'mine and theirs\n');
    await commitAndPush();
    assert.equal((await at.redeploy()).asked, undefined);
  });

  it("don't replace unsaved changes, and aren't written through a link", async () => {
    await at.edit('index.php', 'edited\n');
    await at.noting(['linked/new.txt'], () => at.save('linked/new.txt', 'new\n'));
    await replaceText(Uri.file(local('index.php')), 'typed\n');
    await symlink(join(at.clone.folder, '..'), local('linked'));
    await apply(at.uri('index.php'));
    assert.match(person.seen.join('\n'), /index\.php has unsaved changes\. Save or revert them first\./);
    await apply(at.uri('linked/new.txt'));
    assert.match(person.seen.join('\n'), /Couldn't apply linked\/new\.txt: it's behind a symbolic link/);
    assert.equal(await localText('index.php'), 'one\n');
    assert.ok(!existsSync(local('../new.txt')));
  });

  it('of a folder that was deleted delete the files that are unchanged in the clone', async () => {
    await at.noting(['parts'], () => workspace.fs.delete(at.uri('parts'), { recursive: true }));
    await at.clone.write('parts/own.txt', 'own\n');
    await applyAll();
    assert.ok(!existsSync(local('parts/both.txt')));
    assert.equal(await localText('parts/own.txt'), 'own\n');
  });

  it('of a folder that was deleted are applied as far as possible', async () => {
    const files = { 'parts/also.txt': 'also\n', 'parts/last.txt': 'last\n' };
    await at.setUp.repository.commit({ message: 'More parts', files });
    await at.clone.git('pull', '--quiet');
    await at.setUp.update();
    await at.parts.inspector.heads({ place: at.place });
    await at.clone.write('parts/also.txt', 'changed locally\n');
    (await gantry()).listings.forgetAll();
    await at.noting(['parts'], () => workspace.fs.delete(at.uri('parts'), { recursive: true }));
    await person.answering([{ presses: 'Show Details' }, escape], applyAll);
    const seen = person.seen.join('\n');
    assert.match(seen, /^✓ \S+\/parts\/both\.txt$/m);
    assert.match(seen, /^✗ \S+\/parts\/also\.txt: Couldn't apply parts\/also\.txt: it was deleted on the node/m);
    assert.match(seen, /Applied 2 edits to tea\. Commit and push them before the next redeploy\./);
    assert.match(
      seen,
      /Couldn't apply parts\/also\.txt: it was deleted on the node, but changed in the local repository\./,
    );
    assert.equal(await localText('parts/also.txt'), 'changed locally\n');
    assert.deepEqual(['parts/both.txt', 'parts/last.txt'].map(local).filter(existsSync), []);
  });

  it('of several projects are said to be in all of their clones', async () => {
    const { setUp, account, place, parts } = at;
    const folder = join(setUp.repository.folder, '..', 'cake.git');
    await (await BareRepository.create(folder)).commit({ message: 'first', files: { 'index.php': 'cake\n' } });
    const url = setUp.server.url('cake');
    await setUp.create({ context: 'cake', url, updateNow: true, autoResolveConflict: true });
    const cake = { ...place, context: 'cake' };
    await parts.projects.read(cake);
    await parts.inspector.heads({ place: cake });
    const clone = await LocalClone.of(url, join(at.clone.folder, '..', 'cake'), credentials);
    await commands.executeCommand('git.openRepository', clone.folder);
    try {
      await until(parts.repositories.onDidChange, () => parts.repositories.withAddress(url) !== undefined);
      await at.edit('index.php', 'edited\n');
      const other = fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, `${webroot}/cake/index.php`);
      const noted = nextEvent(parts.nodeEditLog.onDidChange);
      await workspace.fs.writeFile(other, Buffer.from('edited, too\n'));
      await noted;
      await apply(at.uri('index.php'), other);
      assert.match(person.seen.join('\n'), /Applied 2 edits to tea, cake\. Commit and push them/);
      assert.equal(await readFile(join(clone.folder, 'index.php'), 'utf8'), 'edited, too\n');
    } finally {
      await commands.executeCommand('git.close', Uri.file(clone.folder));
      await parts.history.forget(cake);
    }
  });

  it('stay listed if edits would stop the redeploy, although the repository has them', async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: false });
    await at.parts.projects.read(at.place);
    await at.edit('index.php', 'edited\n');
    await apply(at.uri('index.php'));
    await commitAndPush();
    const { asked, record } = await at.redeploy({ push: false, savesPatch: false });
    assert.equal(asked?.editOutcome, 'stops');
    assert.equal(record?.verdict.kind, 'failed');
  });

  it('are merged with the text before the edit if the clone has lost the commit of the node', async () => {
    await at.setUp.repository.commit({ message: 'Forced away', files: { 'parts/both.txt': `${both.base}f\n` } });
    await at.setUp.update();
    await at.clone.git('push', '--quiet', '--force');
    await at.edit('parts/both.txt', `${both.node}f\n`);
    await at.clone.write('parts/both.txt', `${both.local}f\n`);
    await commands.executeCommand('gantry.edits.compare', at.uri('parts/both.txt'));
    assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, 'parts/both.txt (Before Edit ↔ On Node)');
    await apply(at.uri('parts/both.txt'));
    assert.equal(await localText('parts/both.txt'), `${both.merged}f\n`);
  });

  it('are compared with the commit of their node, also if it was not fetched yet', async () => {
    await at.setUp.repository.commit({ message: 'Pushed by others', files: { 'index.php': 'others\n' } });
    await at.setUp.update();
    await at.edit('index.php', 'edited\n');
    await commands.executeCommand('gantry.edits.compare', at.uri('index.php'));
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof TabInputTextDiff);
    assert.match(window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^index\.php \([0-9a-f]{7} ↔ On Node\)$/);
    assert.equal((await workspace.openTextDocument(input.original)).getText(), 'others\n');
    assert.equal(input.modified.toString(), at.uri('index.php').toString());
  });

  it('are compared with the commit of their node, also if the project deploys a tag that was not fetched yet', async () => {
    const { setUp, parts, place } = at;
    const commit = await setUp.repository.commit({ message: 'Released', files: { 'index.php': 'released\n' } });
    await setUp.update();
    await setUp.repository.setReference('refs/tags/v1', commit);
    await setUp.succeed('EditProject', { ...setUp.editWishes, branch: 'v1' });
    await parts.projects.read(place);
    await at.edit('index.php', 'edited\n');
    await commands.executeCommand('gantry.edits.compare', at.uri('index.php'));
    const label = window.tabGroups.activeTabGroup.activeTab?.label;
    assert.equal(label, `index.php (${commit.slice(0, 7)} ↔ On Node)`);
  });

  it("aren't compared with a text that Git can't show exactly, which says so without a fetch", async () => {
    await writeFile(join(at.clone.folder, '.git', 'info', 'attributes'), '*.php diff=shown\n');
    await at.clone.git('config', 'diff.shown.textconv', 'echo shown; true');
    const git = Reflect.get(at.repository, 'repository') as object;
    let fetches = 0;
    Reflect.set(git, 'fetch', () => Promise.resolve((fetches += 1)));
    try {
      await commands.executeCommand('gantry.edits.compare', at.uri('index.php'));
    } finally {
      Reflect.deleteProperty(git, 'fetch');
    }
    assert.match(person.seen.join('\n'), /Couldn't compare index\.php: Git can't show its deployed version exactly/);
    assert.equal(fetches, 0);
  });
});

describe('edits on nodes without a clone', () => {
  it('are compared with the text before the edit', async () => {
    const { setUp, account, place, parts, person } = await startPeopledProject();
    try {
      await setUp.create({ updateNow: true });
      await parts.projects.read(place);
      const uri = fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, `${webroot}/ROOT/index.php`);
      await replaceAndSave(uri, 'edited\n');
      await until(parts.edited.onDidChange, () => parts.edited.all.length === 1);
      await commands.executeCommand('gantry.edits.compare', uri);
      const tab = window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab?.input instanceof TabInputTextDiff);
      assert.equal(tab.label, 'index.php (Before Edit ↔ On Node)');
      assert.equal((await workspace.openTextDocument(tab.input.original)).getText(), 'one\n');
      const added = uri.with({ path: uri.path.replace('index.php', 'added.txt') });
      await workspace.fs.writeFile(added, Buffer.from('added\n'));
      await until(parts.edited.onDidChange, () => parts.edited.all.length === 2);
      await commands.executeCommand('gantry.edits.compare', added);
      const other = window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(other instanceof TabInputTextDiff);
      assert.equal((await workspace.openTextDocument(other.original)).getText(), '');
      await workspace.fs.delete(uri);
      await until(parts.edited.onDidChange, () => parts.edited.all.some(({ edit }) => edit.what === 'removed'));
      await commands.executeCommand('gantry.edits.compare', uri);
      const removed = window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(removed instanceof TabInputTextDiff, person.seen.join());
      assert.equal((await workspace.openTextDocument(removed.original)).getText(), 'one\n');
      assert.equal((await workspace.openTextDocument(removed.modified)).getText(), '');
      await commands.executeCommand('gantry.edits.apply', uri);
      assert.match(person.seen.join('\n'), /no clone of its project's repository is open in this window/);
    } finally {
      await commands.executeCommand('workbench.action.closeAllEditors');
      await endPeopledProject({ setUp, account, place, parts, person });
    }
  });
});

async function replaceText(uri: Uri, text: string): Promise<TextDocument> {
  const document = await workspace.openTextDocument(uri);
  const change = new WorkspaceEdit();
  change.replace(uri, new Range(0, 0, document.lineCount, 0), text);
  assert.ok(await workspace.applyEdit(change));
  return document;
}

async function replaceAndSave(uri: Uri, text: string): Promise<void> {
  assert.ok(await (await replaceText(uri, text)).save());
}
