import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, type Uri, window, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import { operationsByName } from '../../../../src/platform/contract';
import type { SharedElement as EnvironmentRow } from '../../../../src/trees/sharedElement';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { closeWithoutSaving, openInEditor } from '../../support/editing';
import { fileUri, gantry, signedIn } from '../../support/gantry';
import { labelsBelow, rowsBelow, type Tree } from '../../support/trees';

/** The operations that change something, according to the contract. */
const changing: ReadonlySet<string> = new Set(
  Object.entries(operationsByName).flatMap(([name, { effect }]) => (effect === 'write' ? [name] : [])),
);

describe('browsing files', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let node: number;

  before(async () => {
    platform = await startPlatform();
    account = await signedIn(platform);
    parts = await gantry();
    node = platform.nodes('shop', 'bl')[0]?.id ?? 0;
    platform.journal.reset();
  });

  after(async () => {
    await closeWithoutSaving();
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  const at = (path: string) => fileUri(account, 'shop', `bl~${node}`, path);
  const requests = () => platform.journal.arrivals.map(({ operation }) => operation);
  const counted = async (work: () => PromiseLike<unknown>) => {
    platform.journal.reset();
    await work();
    return requests();
  };

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
    const labels = (...path: readonly string[]) => labelsBelow<EnvironmentRow>(parts.environmentsView, ...path);
    assert.deepEqual((await labels()).sort(), ['Harbour Notes (staging)', 'Saltmarsh Tea']);
    assert.deepEqual(await labels('Saltmarsh Tea'), ['Load balancer', 'Application servers', 'Database']);
    assert.equal((await labels('Saltmarsh Tea', 'Application servers')).length, 2);
    const files = await labels('Saltmarsh Tea', 'Load balancer', 'NGINX 1.26');
    assert.ok(files.includes('etc'), files.join());
  });

  it('sends only reads for views, hovering, opening, reading, watching, and closing', async () => {
    const environments: Tree<EnvironmentRow> = parts.environmentsView;
    await walk(environments, 6, await rowsBelow(environments));
    await walk(parts.sharing.favoritesView, 4, await parts.sharing.favoritesView.getChildren());
    await walk(parts.projects.view, 3, await parts.projects.view.getChildren());
    for (const folder of ['/etc/nginx', '/etc/nginx/conf.d', '/var/log/nginx']) {
      await readAll(at(folder));
    }
    await openInEditor(at('/etc/nginx/nginx.conf'));
    await commands.executeCommand('vscode.diff', at('/etc/nginx/nginx.conf'), at('/etc/nginx/conf.d/shop.conf'), 'two');
    await writeFile(join(platform.nodeFolder(node), 'etc/nginx/conf.d/shop.conf'), '# changed behind its back\n');
    await commands.executeCommand('gantry.environments.refresh');
    await workspace.fs.stat(at('/etc/nginx/conf.d/shop.conf'));
    await commands.executeCommand('workbench.action.closeAllEditors');
    await window.showTextDocument(at('/etc/nginx/nginx.conf'));
    await commands.executeCommand('workbench.action.closeAllEditors');
    const changed = requests().filter((operation) => changing.has(operation));
    assert.deepEqual(changed, []);
    assert.ok(requests().length > 10);
  });

  it('opens a file in a listed folder with one request, and in another folder with two', async () => {
    // Neither was in an editor before, because VS Code may keep a document for a while after its editor closes.
    await writeFile(join(platform.nodeFolder(node), 'etc/nginx/fresh.conf'), '# never opened yet\n');
    parts.listings.forgetAll();
    assert.deepEqual((await counted(() => openInEditor(at('/etc/nginx/mime.types')))).sort(), ['GetList', 'Read']);
    assert.deepEqual(await counted(() => openInEditor(at('/etc/nginx/fresh.conf'))), ['Read']);
  });
});
