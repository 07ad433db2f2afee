import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, FileType, Range, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import type { Account } from '../../src/accounts/accounts';
import type { Element } from '../../src/views/environmentElement';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { fileUri, gantry, signedIn } from './support/gantry';

describe('one path through all layers', () => {
  let platform: LocalPlatform;
  let account: Account;
  let balancer: { readonly id: number };

  before(async () => {
    platform = await startPlatform();
    account = await signedIn(platform);
    const [node] = platform.nodes('shop', 'bl');
    assert.ok(node);
    balancer = node;
  });

  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    await (await gantry()).accounts.remove(account.slug);
    await platform.dispose();
  });

  const configuration = () => fileUri(account, 'shop', `bl~${balancer.id}`, '/etc/nginx/conf.d/shop.conf');
  const onDisk = () => join(platform.nodeFolder(balancer.id), 'etc/nginx/conf.d/shop.conf');

  it('shows environments, layers, nodes and files in the view', async () => {
    const { environmentsView } = await gantry();
    const labelOf = (element: Element) => {
      const { label } = environmentsView.getTreeItem(element);
      return typeof label === 'string' ? label : (label?.label ?? '');
    };
    const labels = async (...path: readonly string[]) => {
      let elements = await environmentsView.getChildren();
      for (const label of path) {
        const next = elements.find((element) => labelOf(element) === label);
        assert.ok(next, `${label} is among ${elements.map(labelOf).join()}`);
        elements = await environmentsView.getChildren(next);
      }
      return elements.map(labelOf);
    };
    assert.equal((await labels()).length, 2);
    assert.deepEqual((await labels('Saltmarsh Tea')).length, 3);
    assert.equal((await labels('Saltmarsh Tea', 'Application servers')).length, 2);
    const files = await labels('Saltmarsh Tea', 'Load balancer', 'NGINX 1.26');
    assert.ok(files.includes('etc'), files.join());
  });

  it('lists a folder with one request', async () => {
    platform.journal.reset();
    const names = await workspace.fs.readDirectory(Uri.joinPath(configuration(), '..'));
    assert.ok(names.some(([name, type]) => name === 'shop.conf' && type === FileType.File));
    assert.equal(
      platform.journal.count(({ operation }) => operation === 'GetList'),
      1,
    );
  });

  it('saves an edit onto the disk of the node', async () => {
    const document = await workspace.openTextDocument(configuration());
    await window.showTextDocument(document);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(0), '# edited in VS Code\n');
    assert.ok(await workspace.applyEdit(edit));
    assert.ok(document.isDirty);

    assert.ok(await document.save());
    assert.equal(document.isDirty, false);
    assert.equal(await readFile(onDisk(), 'utf8'), document.getText());
  });

  it('leaves the tab dirty and the file as it was when a save fails', async () => {
    const before = await readFile(onDisk(), 'utf8');
    const document = await workspace.openTextDocument(configuration());
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, new Range(0, 0, 1, 0), '# never to arrive\n');
    await workspace.applyEdit(edit);

    const refusal = platform.faults.add({
      operation: 'Write',
      times: 'always',
      fault: { kind: 'refuse', result: 4037, error: 'permission denied' },
    });
    try {
      assert.equal(await document.save(), false);
    } finally {
      refusal.remove();
    }
    assert.ok(document.isDirty);
    assert.equal(await readFile(onDisk(), 'utf8'), before);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
