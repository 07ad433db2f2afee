import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { commands, Uri, window, workspace } from 'vscode';
import { filePlaceOf, wholeLayer } from '../../../../../src/containers/place';
import { patched, savePatch } from '../../../../../src/features/deployments/nodeEdits/nodeEditsAtRisk';
import { changesOf, type DeployRecord } from '../../../../../src/features/deployments/redeploy/redeployResult';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { openInEditor, replaceAll } from '../../../support/editing';
import { until } from '../../../support/event';
import { fileUri, gantry, signedIn } from '../../../support/gantry';
import { type OpenRepository, withOpenRepository } from '../../../support/openRepository';
import { Person } from '../../../support/person';

describe('edits that a redeploy would discard', () => {
  let at: OpenRepository;

  withOpenRepository((one) => (at = one));

  it('can be kept as a patch that the repository accepts', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    const { asked } = await at.redeploy();
    await at.apply(asked);
    assert.equal(await at.clone.git('diff', '--stat', '--name-only'), 'index.php');
  });

  it('include deleted and renamed files, and only those in the commit are restored', async () => {
    await at.setUp.repository.commit({ message: 'Parts', files: { 'parts/top.php': 'top\n' } });
    await at.clone.git('pull', '--quiet');
    await at.status();
    await at.create({ autoResolveConflict: true });
    const { fs } = workspace;
    await at.noting(['about.php'], () => fs.delete(at.uri('about.php')));
    await at.noting(['index.php', 'start.php'], () => fs.rename(at.uri('index.php'), at.uri('start.php')));
    await at.noting(['parts'], () => fs.delete(at.uri('parts'), { recursive: true }));
    await at.setUp.edit(`${webroot}/ROOT/cache.txt`, 'cached\n');
    await at.noting(['cache.txt'], () => fs.delete(at.uri('cache.txt')));
    const { asked } = await at.redeploy();
    assert.deepEqual(
      asked?.edits.map(({ path, edit, now }) => [path, edit.what, edit.before, now.kind]),
      [
        ['about.php', 'removed', 'about\n', 'absent'],
        ['index.php', 'removed', 'one\n', 'absent'],
        ['parts', 'removed', undefined, 'absent'],
      ],
    );
    assert.deepEqual(
      asked.kept.map(({ path, edit }) => [path, edit.what]),
      [['start.php', 'added']],
    );
    await at.apply(asked);
    assert.equal(await at.clone.git('status', '--porcelain'), 'D about.php\n D index.php');
    await at.redeploy({ push: false, savesPatch: false });
    assert.equal(await at.setUp.read(`${webroot}/ROOT/parts/top.php`), 'top\n');
  });

  it("don't keep on this computer what a file had that may hold secrets", async () => {
    await at.create({ autoResolveConflict: true });
    await at.setUp.edit(`${webroot}/ROOT/wp-config.php`, 'password 1\n');
    await at.edit('wp-config.php', 'password 2\n');
    const edit = await at.parts.nodeEditLog.find(filePlaceOf(at.uri('wp-config.php')) ?? assert.fail());
    assert.deepEqual([edit?.what, edit?.before], ['changed', undefined]);
  });

  it('include those made through another account of the same platform, and not twice', async () => {
    await at.create({ autoResolveConflict: true });
    const { accounts } = await gantry();
    const other = await signedIn(at.setUp.platform);
    try {
      const through = (account: typeof other, path: string) =>
        fileUri(account, 'shop', `cp~${at.setUp.nodeId(0)}`, `${webroot}/ROOT/${path}`);
      const write = (account: typeof other, path: string, text: string) =>
        at.noting([path], () => workspace.fs.writeFile(through(account, path), Buffer.from(text)));
      await write(at.account, 'index.php', 'mine\n');
      await write(other, 'index.php', 'theirs\n');
      await write(other, 'about.php', 'theirs\n');
      const theirs = filePlaceOf(through(other, 'index.php')) ?? assert.fail();
      assert.equal((await at.parts.nodeEditLog.findBeside(theirs))?.account, at.account.slug, 'the first edit');
      const [state] = await at.parts.deployedStates.look(at.place);
      assert.deepEqual(state, { kind: 'edited', files: 2, areKept: false });
      const { asked } = await at.redeploy();
      assert.deepEqual(
        asked?.edits.map(({ path, now, edit }) => [path, now, edit.account]),
        [
          ['index.php', { kind: 'text', text: 'theirs\n' }, at.account.slug],
          ['about.php', { kind: 'text', text: 'theirs\n' }, other.slug],
        ],
      );
      await at.redeploy({ push: false, savesPatch: false });
      const left = async () => (await at.parts.nodeEditLog.readBeside(at.account.slug)).edits.length;
      await until(at.parts.nodeEditLog.onDidChange, async () => (await left()) === 0);
      assert.equal(await at.setUp.read(`${webroot}/ROOT/about.php`), 'about\n');
    } finally {
      await accounts.remove(other.slug);
    }
  });

  it("don't come back if the account signs out while a save is being verified", async () => {
    await at.create({ autoResolveConflict: true });
    const document = await openInEditor(at.uri('index.php'));
    await replaceAll(document, 'edited\n');
    const { platform } = at.setUp;
    // The save reads the file before and after it writes.
    const check = platform.faults.add({
      operation: 'Read',
      parameters: { path: `${webroot}/ROOT/index.php` },
      nth: 2,
      fault: { kind: 'hang', when: 'after' },
    });
    const saving = document.save();
    await check.reached;
    const parts = await gantry();
    await parts.accounts.remove(at.account.slug);
    check.release();
    assert.ok(await saving);
    await parts.settled();
    assert.deepEqual(await at.parts.nodeEditLog.of(at.account.slug), []);
  });

  it("don't include files that were created here and deleted again", async () => {
    await at.create({ autoResolveConflict: true });
    await at.save('new.php', 'new\n');
    await until(at.parts.nodeEditLog.onDidChange, async () => (await at.parts.edits.noted(at.place)).length === 1);
    await workspace.fs.delete(at.uri('new.php'));
    await until(at.parts.nodeEditLog.onDidChange, async () => (await at.parts.edits.noted(at.place)).length === 0);
  });

  it('include a file that was replaced without an editor in a folder that was not listed, and then deleted', async () => {
    await at.create({ autoResolveConflict: true });
    (await gantry()).listings.forgetAll();
    await at.noting(['index.php'], () => at.save('index.php', 'edited\n'));
    await at.noting(['index.php'], () => workspace.fs.delete(at.uri('index.php')));
    assert.deepEqual(
      (await at.parts.edits.noted(at.place)).map(({ path, what }) => [path, what]),
      [[`${webroot}/ROOT/index.php`, 'removed']],
    );
  });

  it('keep what was done to a file while something else was found out about it', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    const { nodeEditLog } = at.parts;
    const place = filePlaceOf(at.uri('index.php')) ?? assert.fail();
    const known = (await nodeEditLog.find(place)) ?? assert.fail();
    await at.noting(['index.php'], () => workspace.fs.delete(at.uri('index.php')));
    await nodeEditLog.learn(known, { applied: { node: '', made: '' } });
    assert.equal((await nodeEditLog.find(place))?.what, 'removed');
    await nodeEditLog.forget((await nodeEditLog.of(at.account.slug)).filter(({ path }) => path === known.path));
    await nodeEditLog.learn(known, { before: 'one\n' });
    assert.equal(await nodeEditLog.find(place), undefined);
  });

  it('stay recorded if the file is edited again while it is being found reverted, or after a redeploy began', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    const { nodeEditLog, edits } = at.parts;
    const place = filePlaceOf(at.uri('index.php')) ?? assert.fail();
    const before = (await nodeEditLog.find(place)) ?? assert.fail();
    await nodeEditLog.note(place, { what: 'changed', before: 'one\n' });
    await nodeEditLog.forget([before]);
    assert.equal((await nodeEditLog.find(place))?.before, 'one\n');
    const { record } = await at.redeploy({ push: false, savesPatch: false });
    assert.ok(record);
    await nodeEditLog.note(place, { what: 'changed', before: 'one\n' });
    await edits.afterRedeploy(record, undefined);
    assert.equal((await edits.noted(at.place)).length, 1);
  });

  it('include a file that was deleted on a whole layer, on each node until it is there again', async () => {
    await at.create({ autoResolveConflict: true });
    const uriOf = (path: string) => fileUri(at.account, 'shop', 'cp', `${webroot}/ROOT/${path}`);
    const listed = async () =>
      (await at.parts.edits.list({ place: at.place }, undefined)).map(
        ({ path, edit }) => `${edit.nodeId} ${path} ${edit.what}`,
      );
    const [first, second] = [0, 1].map((node) => at.setUp.nodeId(node));
    // As VS Code does before a person edits it.
    await workspace.fs.stat(uriOf('index.php'));
    await at.noting(['index.php'], () => workspace.fs.writeFile(uriOf('index.php'), Buffer.from('edited\n')));
    await at.noting(['index.php'], () => workspace.fs.delete(uriOf('index.php')));
    await at.parts.nodeEditLog.settled();
    assert.deepEqual(await listed(), [`${first} index.php removed`, `${second} index.php removed`]);
    await at.setUp.edit(`${webroot}/ROOT/index.php`, 'one\n', 0);
    assert.deepEqual(await listed(), [`${second} index.php removed`]);
  });

  describe('of each node', () => {
    const placeOf = (path: string, node = 0) => filePlaceOf(at.uri(path, node)) ?? assert.fail();
    /** The edits that still exist on the first and the second node, with what they had before. */
    const left = async () => {
      await (await gantry()).settled();
      const nodes = [0, 1].map((node) => at.setUp.nodeId(node));
      return (await at.parts.edits.list({ place: at.place }, undefined)).map(({ path, edit }) => {
        const { what, before, nodeId } = edit;
        return `${path} ${what} on ${nodeId === undefined ? 'all' : nodes.indexOf(nodeId)}: ${before?.trim()}`;
      });
    };
    const edited = 'edited\n';
    /** Replaces the text of a file, on its node or on all. */
    const replace = async (scope: 'place' | 'layer', place = placeOf('index.php')) => {
      const { queue, writeIfUnchanged } = (await gantry()).files;
      const reason = { cause: 'replace', batch: 'a' } as const;
      return queue.take([place], () => writeIfUnchanged(place, { before: 'one\n', text: edited, scope, reason }));
    };
    const undo = async (node: number) => {
      const { files } = await gantry();
      const place = placeOf('index.php', node);
      const { failed } = await files.restoreTexts([{ place, now: edited, earlier: 'one\n' }]);
      assert.equal(failed, undefined);
    };
    const onBoth = ['index.php changed on 0: one', 'index.php changed on 1: one'];

    beforeEach(() => at.create({ autoResolveConflict: true }));

    it('include those that a save to all nodes made after the file was saved on one', async () => {
      const document = await openInEditor(at.uri('index.php'));
      await replaceAll(document, edited);
      assert.ok(await document.save());
      await commands.executeCommand('gantry.file.saveToAllNodes', document.uri);
      assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`, { node: 1 }), edited);
      assert.deepEqual(await left(), onBoth);
    });

    it('include those that a replacement made on all nodes after one, and none once it was undone', async () => {
      for (const scope of ['place', 'layer'] as const) assert.equal((await replace(scope)).kind, 'saved');
      assert.deepEqual(await left(), onBoth);
      await undo(0);
      assert.deepEqual(await left(), onBoth.slice(1));
      await undo(1);
      assert.deepEqual(await left(), []);
      assert.deepEqual(await at.parts.nodeEditLog.of(at.account.slug), []);
    });

    it('include those that a replacement in a whole layer made, also if one of its nodes is restored later', async () => {
      assert.equal((await replace('place', wholeLayer(placeOf('index.php')))).kind, 'saved');
      assert.deepEqual(await left(), onBoth);
      await undo(0);
      assert.deepEqual(await left(), onBoth.slice(1));
    });

    it('include those that a replacement may have made on all nodes', async () => {
      assert.equal((await replace('place')).kind, 'saved');
      // It reads the file on both nodes, writes it, and learns nothing more.
      const broken = at.setUp.platform.faults.add({
        operation: 'Read',
        parameters: { path: `${webroot}/ROOT/index.php` },
        nth: 3,
        times: 'always',
        fault: { kind: 'refuse', result: 4017, error: 'busy' },
      });
      assert.equal((await replace('layer')).kind, 'unknown');
      broken.remove();
      assert.deepEqual(await left(), [onBoth[0], 'index.php changed on 1: undefined']);
    });

    it('are in one patch that the repository accepts, with another text of a file on one node as a comment', async () => {
      for (const node of [0, 1]) await at.edit('about.php', edited, node);
      await at.edit('index.php', edited);
      await at.edit('index.php', 'other\n', 1);
      const patch = Uri.file(join(at.clone.folder, '..', 'edits.patch'));
      const edits = await at.parts.edits.list({ place: at.place }, undefined);
      const { showSaveDialog } = window;
      Object.assign(window, { showSaveDialog: () => Promise.resolve(patch) });
      await savePatch(at.place, edits, at.repository.root).finally(() => Object.assign(window, { showSaveDialog }));
      await at.clone.git('apply', patch.fsPath);
      const texts = ['about.php', 'index.php'].map((path) => readFile(join(at.clone.folder, path), 'utf8'));
      assert.deepEqual(await Promise.all(texts), [edited, edited]);
      const text = await readFile(patch.fsPath, 'utf8');
      assert.ok(text.includes(`\n# index.php on node ${at.setUp.nodeId(1)} is different. `), text);
      assert.ok(text.endsWith('\n# -one\n# +other\n'), text);
    });

    it('include a file that was created again with an earlier text, which its patch creates', async () => {
      const { files } = await gantry();
      await files.restoreTexts([{ place: placeOf('restored.php'), now: undefined, earlier: edited }]);
      assert.deepEqual(await left(), ['restored.php added on 0: undefined']);
      const [file = assert.fail()] = await at.parts.edits.list({ place: at.place }, undefined);
      assert.deepEqual(patched(file), { path: 'restored.php', before: undefined, after: edited });
    });
  });

  describe('after a redeploy', () => {
    type Head = Parameters<typeof changesOf>[0][number]['head'];

    /** What is still recorded after a redeploy of these nodes, which had something before, and have something now. */
    const recordedAfter = async (
      nodes: readonly number[],
      heads: readonly [Head, Head],
      ended: Partial<DeployRecord>,
    ) => {
      const [before, after] = heads.map((head) =>
        nodes.map((nodeId) => ({
          node: { target: { nodeGroup: 'cp', nodeId }, name: `${nodeId}`, type: undefined },
          head,
        })),
      );
      const { edits } = at.parts;
      const record: DeployRecord = {
        id: '1',
        ...at.place,
        startedAt: Date.now() + 1000,
        milliseconds: 1,
        verdict: { kind: 'failed', sentence: 'it failed' },
        nodes: [...changesOf(before ?? [], after ?? [])],
        log: '',
        ...ended,
      };
      await edits.afterRedeploy(record, undefined);
      return (await edits.noted(at.place)).map(({ path }) => path.slice(`${webroot}/ROOT/`.length));
    };
    const [one, two] = ['a'.repeat(40), 'b'.repeat(40)].map((commit) => ({ kind: 'commit', commit }) as const) as [
      Head,
      Head,
    ];

    beforeEach(async () => {
      await at.create({ autoResolveConflict: true });
      await at.parts.projects.read(at.place);
    });

    it('that failed stay recorded unless the node certainly has another commit', async () => {
      await at.edit('index.php', 'edited\n');
      const nodes = [at.setUp.nodeId(0)];
      assert.deepEqual(await recordedAfter(nodes, [one, one], {}), ['index.php']);
      assert.deepEqual(await recordedAfter(nodes, [{ kind: 'unreadable', why: 'denied' }, one], {}), ['index.php']);
      assert.deepEqual(await recordedAfter(nodes, [one, two], {}), []);
    });

    it('that kept them stay recorded, although edits are to be discarded from then on', async () => {
      const change = async (autoResolveConflict: boolean) => {
        await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict });
        await at.parts.projects.read(at.place);
      };
      await change(false);
      await at.edit('about.php', 'edited\n');
      const update = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang', when: 'after' } });
      const redeploying = at.redeploy({ push: false, savesPatch: false });
      await update.reached;
      await change(true);
      update.release();
      const { record = assert.fail() } = await redeploying;
      await at.parts.edits.afterRedeploy(record, undefined);
      assert.equal((await at.parts.edits.noted(at.place)).length, 1);
    });

    it('of a whole layer are forgotten once all of its nodes were deployed', async () => {
      const place = filePlaceOf(at.uri('index.php')) ?? assert.fail();
      await at.parts.nodeEditLog.note({ ...place, target: { nodeGroup: 'cp' } }, { what: 'changed', before: 'one\n' });
      const verdict = { kind: 'deployed', commit: 'b'.repeat(40) } as const;
      const [first, second] = [0, 1].map((node) => at.setUp.nodeId(node)) as [number, number];
      assert.deepEqual(await recordedAfter([first], [one, two], { verdict, nodeId: first }), ['index.php']);
      assert.deepEqual(await recordedAfter([first, second], [one, two], { verdict }), []);
    });
  });

  it('include a deletion that the platform prevents from being checked, until the file is seen again', async () => {
    await at.create({ autoResolveConflict: true });
    await at.noting(['about.php'], () => workspace.fs.delete(at.uri('about.php')));
    const { faults } = at.setUp.platform;
    const path = `${webroot}/ROOT/about.php`;
    const broken = faults.add({
      operation: 'Read',
      parameters: { path },
      times: 'always',
      fault: { kind: 'gatewayError', status: 502 },
    });
    const { edits } = at.parts;
    const found = await edits.list({ place: at.place }, undefined);
    assert.deepEqual(
      found.map(({ edit, now }) => [edit.what, now.kind]),
      [['removed', 'absent']],
    );
    await at.setUp.edit(path, 'about\n');
    assert.deepEqual(await edits.list({ place: at.place }, undefined), []);
    assert.equal((await edits.noted(at.place)).length, 0);
    broken.remove();
  });

  it('are never the beginning of a text that the platform returns only in part', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', `${'edited '.repeat(100)}\n`);
    const { platform } = at.setUp;
    const kinds = async () => (await at.parts.edits.list({ place: at.place }, undefined)).map(({ now }) => now.kind);
    assert.deepEqual(await kinds(), ['text']);
    platform.behaviour.readBytes = 100;
    assert.deepEqual(await kinds(), ['unreadable']);
  });

  it("aren't in a patch if the platform can't return exactly what the file has, and the others are", async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    const latin1 = Buffer.from('Gr\xfc\xdfe\n', 'latin1');
    await at.noting(['about.php'], () => workspace.fs.writeFile(at.uri('about.php'), latin1));
    const { asked } = await at.redeploy();
    assert.deepEqual(
      asked?.edits.map(({ path, now }) => [path, now.kind]),
      [
        ['about.php', 'unreadable'],
        ['index.php', 'text'],
      ],
    );
    await at.apply(asked);
    assert.equal(await at.clone.git('diff', '--stat', '--name-only'), 'index.php');
    at.setUp.platform.behaviour.readTexts = 'lineFeeds';
    await at.setUp.edit(`${webroot}/ROOT/index.php`, 'edited\r\n');
    const kinds = (await at.parts.edits.list({ place: at.place }, undefined)).map(({ now }) => now.kind);
    assert.deepEqual(kinds, ['unreadable', 'unreadable']);
  });

  it('include one that was saved a moment ago, while others are still being noted', async () => {
    await at.create({ autoResolveConflict: true });
    const others = Array.from({ length: 50 }, (_, index) => filePlaceOf(at.uri(`other${index}.txt`)) ?? assert.fail());
    const noting = others.map((place) => at.parts.nodeEditLog.note(place, { what: 'added', after: '' }));
    await at.save('index.php', 'edited\n');
    const { asked } = await at.redeploy();
    assert.deepEqual(
      asked?.edits.map(({ path }) => path),
      ['index.php'],
    );
    await Promise.all(noting);
  });

  it('are forgotten once they are reverted', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    assert.equal((await at.parts.edits.noted(at.place)).length, 1);
    await at.save('index.php', 'one\n');
    assert.equal((await at.redeploy()).asked, undefined);
    assert.equal((await at.parts.edits.noted(at.place)).length, 0);
  });

  it('stay recorded if the platform refuses to delete a file that was created here', async () => {
    await at.create({ autoResolveConflict: true });
    await at.noting(['new.php'], () => at.save('new.php', 'new\n'));
    const parts = await gantry();
    parts.listings.forgetAll();
    const denied = { kind: 'refuse', result: 4037, error: 'denied' } as const;
    const refused = at.setUp.platform.faults.add({ operation: 'Delete', fault: denied });
    const person = new Person();
    try {
      await person.answering(['Delete'], () => commands.executeCommand('gantry.file.delete', at.uri('new.php')));
    } finally {
      person.leave();
    }
    await parts.settled();
    assert.equal(refused.hits, 1);
    assert.equal((await at.parts.edits.noted(at.place)).length, 1);
  });
});
