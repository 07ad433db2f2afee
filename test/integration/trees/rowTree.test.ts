import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, languages, workspace } from 'vscode';
import type { FileEntry } from '../../../src/platform/wire/fileEntry';
import { byKind, type EntryElement, type SharedElement, type SharedRows } from '../../../src/trees/sharedElement';
import { rowsForKey, RowTree } from '../../../src/trees/rowTree';
import { sharedKinds } from '../../../src/trees/sharedRows';
import { limit } from '../../host/limits';
import { gantry } from '../support/gantry';
import { listWithoutNode } from '../support/hiddenNode';
import { atTime, descriptionOf, labelOf, PassingTime, rowsBelow } from '../support/trees';
import { untilTrue } from '../support/untilTrue';
import { windowScene } from '../support/windowScene';

const noon = new Date(2026, 10, 28, 12).getTime();
const minute = 60_000;
const nextDay = noon + 24 * 60 * minute;

const rowOf = (name: string, isLog?: true): EntryElement => {
  const path = `/var/log/${name}`;
  const entry: FileEntry = { absolutePath: path, name, isDir: false, length: 10, lastModified: String(noon) };
  const place = {
    kind: 'file',
    account: 'a',
    environment: 'shop',
    target: { nodeGroup: 'cp', nodeId: 1 },
    path,
  } as const;
  const more = { via: undefined, isConfiguration: false, isOnSeveralNodes: false };
  return { kind: 'entry', place, entry, ...more, ...(isLog === undefined ? {} : { isLog }) };
};

describe('rows that depend on the time', () => {
  const [log, file] = [rowOf('app.log', true), rowOf('app.conf')];
  const drawn = async () => {
    const { accounts } = await gantry();
    const view = new RowTree<SharedElement>({
      accounts,
      kinds: byKind<SharedRows>(sharedKinds),
      ofAccount: () => Promise.resolve([]),
    });
    const draw = () => atTime(noon, () => [log, file].forEach((row) => view.getTreeItem(row)));
    draw();
    return { view, draw, time: atTime(noon, () => new PassingTime(view)) };
  };

  it('are drawn again once what they say has changed, and no others', async () => {
    const { view, time } = await drawn();
    assert.deepEqual(time.at(noon + minute), []);
    assert.deepEqual(time.at(nextDay), [log]);
    assert.deepEqual(time.at(nextDay + minute), []);
    assert.equal(time.timersRunning, 1);
    view.dispose();
    assert.equal(time.timersRunning, 0);
  });

  it('are forgotten once the folder above them is read again without them', async () => {
    const { accounts } = await gantry();
    const folder = rowOf('logs');
    let rows = [log];
    const view = new RowTree<SharedElement>({
      accounts,
      kinds: byKind<SharedRows>({ ...sharedKinds, entry: { ...sharedKinds.entry, children: () => rows } }),
      ofAccount: () => Promise.resolve([]),
    });
    const time = new PassingTime(view);
    const open = async () => {
      const shown = await view.getChildren(folder);
      atTime(noon, () => shown.forEach((row) => view.getTreeItem(row)));
    };
    await open();
    view.refresh(folder);
    await open();
    assert.deepEqual(time.at(nextDay), [log]);
    rows = [];
    await open();
    atTime(noon, () => view.getTreeItem(log));
    view.refresh(folder);
    await open();
    assert.deepEqual(time.at(nextDay), []);
    view.dispose();
  });

  it('need no timer while the view is hidden, and are drawn again when it is shown', async () => {
    const { view, draw, time } = await drawn();
    time.show(false);
    assert.equal(time.timersRunning, 0);
    const redrawn: unknown[] = [];
    view.onDidChangeTreeData((rows) => redrawn.push(rows));
    atTime(nextDay, () => time.show(true));
    assert.deepEqual(redrawn, [[log]]);
    assert.equal(time.timersRunning, 1);
    draw();
    view.refresh();
    assert.deepEqual(time.at(nextDay), [], 'VS Code asks for all rows again');
    view.dispose();
  });
});

describe('rows that are revealed', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const bl = scene.environment('shop').layer('bl', { nodes: 2 });

  afterEach(() => commands.executeCommand('workbench.action.closeSidebar'));

  /** Creates a file as the commands do, and waits until VS Code shows its row. */
  const create = async (path: string) => {
    const { reveal, selection } = await scene.parts.handles.tree.load();
    await workspace.fs.writeFile(cp.uri(path), new Uint8Array());
    await reveal(cp.place(path));
    const selected = () => selection().map((row) => (row.kind === 'entry' ? row.place.path : row.kind));
    const isSelected = () => selected().join() === path;
    await untilTrue(isSelected, () => `${path} is selected, but it's ${selected().join()}`);
  };

  it('leave VS Code able to show what is created next', async () => {
    await cp.file('/srv/one/deep/a.conf', '');
    await cp.file('/srv/two/b.conf', '');
    await cp.file('/srv/three/c.conf', '');
    const { show } = await scene.parts.handles.tree.load();
    assert.ok(await show(cp.place('/srv/one/deep')));
    assert.ok(await show(cp.place('/srv/two')));
    await create('/srv/two/in a folder that was revealed.conf');
    await create('/srv/three/in a collapsed folder.conf');
    await create('/srv/one/deep/in a folder beside it.conf');
    await create('/srv/three/again.conf');
    await create('/srv/above.conf');
    await create('/srv/two/last.conf');
  }).timeout(limit(60_000));

  it("are found if their node joined while its environment's row was shown", async () => {
    const { show, selection } = await scene.parts.handles.tree.load();
    const [first, joined] = [bl.place('/'), bl.place('/', 1)];
    await listWithoutNode(scene, bl.nodeId(1));
    assert.ok(await show(first));
    // Lists the environments without drawing the rows again.
    await scene.parts.environments.now(scene.account, 0);
    assert.ok(await show(joined));
    const selected = () => selection().map((row) => (row.kind === 'node' ? row.node.id : row.kind));
    const isSelected = () => selected().join() === String(bl.nodeId(1));
    await untilTrue(isSelected, () => `the node that joined is selected, but it's ${selected().join()}`);
  }).timeout(limit(60_000));
});

describe('the rows that a key is for', () => {
  it('are the one in focus for each key, however fast they follow each other', async () => {
    const { executeCommand } = commands;
    let selected: readonly string[] = ['selected'];
    const toggle = async (id: string) => {
      assert.equal(id, 'list.toggleSelection');
      await languages.getLanguages();
      selected = selected.includes('in focus') ? ['selected'] : ['selected', 'in focus'];
    };
    Object.assign(commands, { executeCommand: toggle });
    try {
      const keys = Array.from({ length: 3 }, () => rowsForKey(() => selected));
      assert.deepEqual(await Promise.all(keys), [['in focus'], ['in focus'], ['in focus']]);
      assert.deepEqual(selected, ['selected']);
    } finally {
      Object.assign(commands, { executeCommand });
    }
  });
});

describe('rows of an environment that was asleep, or being cloned', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');

  for (const [what, path, label, code, said] of [
    ['a node', ['shop', 'nginxphp'], 'nginxphp', 7, 'cloning'],
    ['a folder of logs', ['shop', 'nginxphp', 'nginxphp', 'Logs'], 'deep', 4, 'sleeping'],
  ] as const) {
    it(`say that it runs once Retry below ${what} finds that out`, async () => {
      const { environmentsView: view, environments, listings } = scene.parts;
      const [environment] = scene.platform.environments;
      assert.ok(environment);
      await cp.put('/var/log/deep/app.log', 'one\n');
      listings.forgetAll();
      const above = (await rowsBelow(view, ...path)).find((row) => labelOf(view, row) === label);
      assert.ok(above);
      const status = async () => (await view.getChildren()).map((row) => descriptionOf(view, row)).join();
      try {
        environment.status = code;
        environments.refresh();
        assert.equal(await status(), said);
        scene.fail('GetList', { kind: 'refuse', result: 4110, error: 'Container is not running' }, { times: 'always' });
        listings.forgetAll();
        const problem = (await view.getChildren(above)).find(({ kind }) => kind === 'problem');
        assert.ok(problem);
        environment.status = 1;
        scene.platform.faults.clear();
        await commands.executeCommand('gantry.view.retry', problem);
        assert.equal(await status(), '');
      } finally {
        environment.status = 1;
      }
    });
  }
});
