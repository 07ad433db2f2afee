import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, type Uri, window, workspace } from 'vscode';
import type { SharedElement as EnvironmentRow } from '../../../../src/trees/sharedElement';
import { openInEditor } from '../../support/editing';
import { labelsBelow, rowsBelow, type Tree } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

describe('browsing files', () => {
  const scene = windowScene({ sample: 'project' });
  const bl = scene.environment('shop').layer('bl');
  const { uri: at } = bl;

  /** Resolves every row of a view, as hovering over it would. */
  async function walk<E>(view: Tree<E>, depth: number, rows: readonly E[]): Promise<void> {
    for (const row of depth === 0 ? [] : rows) {
      view.getTreeItem(row);
      await walk(view, depth - 1, await view.getChildren(row));
    }
  }

  async function readAll(folder: Uri): Promise<void> {
    for (const [name] of await workspace.fs.readDirectory(folder)) {
      const uri = folder.with({ path: `${folder.path}/${name}` });
      await workspace.fs.stat(uri);
      await workspace.fs.readFile(uri).then(undefined, () => undefined);
    }
  }

  it('shows environments, layers, nodes, and files in the view', async () => {
    const labels = (...path: readonly string[]) => labelsBelow<EnvironmentRow>(scene.parts.environmentsView, ...path);
    assert.deepEqual((await labels()).sort(), ['Harbour Notes (staging)', 'Saltmarsh Tea']);
    assert.deepEqual(await labels('Saltmarsh Tea'), ['Load balancer', 'Application servers', 'Database']);
    assert.equal((await labels('Saltmarsh Tea', 'Application servers')).length, 2);
    const files = await labels('Saltmarsh Tea', 'Load balancer', 'NGINX 1.26');
    assert.ok(files.includes('etc'), files.join());
  });

  it('sends only reads for views, hovering, opening, reading, watching, and closing', async () => {
    const environments: Tree<EnvironmentRow> = scene.parts.environmentsView;
    await walk(environments, 6, await rowsBelow(environments));
    await walk(scene.parts.sharing.favoritesView, 4, await scene.parts.sharing.favoritesView.getChildren());
    await walk(scene.parts.projects.view, 3, await scene.parts.projects.view.getChildren());
    for (const folder of ['/etc/nginx', '/etc/nginx/conf.d', '/var/log/nginx']) {
      await readAll(at(folder));
    }
    await openInEditor(at('/etc/nginx/nginx.conf'));
    await commands.executeCommand('vscode.diff', at('/etc/nginx/nginx.conf'), at('/etc/nginx/conf.d/shop.conf'), 'two');
    await bl.put('/etc/nginx/conf.d/shop.conf', '# changed behind its back\n');
    await commands.executeCommand('gantry.environments.refresh');
    await workspace.fs.stat(at('/etc/nginx/conf.d/shop.conf'));
    await commands.executeCommand('workbench.action.closeAllEditors');
    await window.showTextDocument(at('/etc/nginx/nginx.conf'));
    await commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(scene.changes(), []);
    assert.ok(scene.requests().length > 10);
  });

  it('opens a file in a listed folder with one request, and in another folder with two', async () => {
    // Neither was in an editor before, because VS Code may keep a document for a while after its editor closes.
    await bl.put('/etc/nginx/fresh.conf', '# never opened yet\n');
    scene.parts.listings.forgetAll();
    assert.deepEqual([...(await scene.requestsDuring(() => openInEditor(at('/etc/nginx/mime.types'))))].sort(), [
      'GetList',
      'Read',
    ]);
    assert.deepEqual(await scene.requestsDuring(() => openInEditor(at('/etc/nginx/fresh.conf'))), ['Read']);
  });
});
