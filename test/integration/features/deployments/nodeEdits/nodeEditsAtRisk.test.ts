import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import { filePlaceOf } from '../../../../../src/containers/place';
import { changesOf, type DeployRecord } from '../../../../../src/features/deployments/redeploy/redeployResult';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { openInEditor, replaceAll } from '../../../support/editing';
import { until } from '../../../support/event';
import { fileUri, gantry } from '../../../support/gantry';
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
