import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { environmentOf } from '../../../src/containers/environment';
import type { Listings } from '../../../src/containers/listings';
import { childOf } from '../../../src/containers/place';
import { CommandTargets } from '../../../src/trees/commandTargets';
import { nodeElement } from '../../../src/trees/folderRows';
import type { CommandTarget, EntryElement, NodeElement, SharedElement } from '../../../src/trees/sharedElement';
import { Call } from '../../../src/ui/commands/call';
import { gantry } from '../support/gantry';
import { viewOf } from '../support/trees';

describe('the targets of a command on several selected rows', () => {
  let listings: Listings;
  const node = nodeRow();
  const folder = entryRow('sites', { isDir: true });
  const file = entryRow('sites/shop.conf');
  const shortcut = { ...folder, isConfiguration: true };

  before(async () => {
    ({ listings } = await gantry());
  });

  const pathsOf = async (kind: 'onAll' | 'onRemovable', ...rows: readonly SharedElement[]) => {
    const targets = new CommandTargets(() => ({ ...viewOf(rows), selection: () => [] }), listings);
    const ran: CommandTarget[] = [];
    await targets[kind]((all) => {
      ran.push(...all);
      return Promise.resolve();
    })(new Call([rows[0], rows]));
    return ran.map(({ place }) => place.path);
  };

  it('leave out what is below a selected folder', async () => {
    assert.deepEqual(await pathsOf('onRemovable', folder, file), ['/sites']);
    assert.deepEqual(await pathsOf('onAll', node, file), ['/']);
  });

  it('have a file once, although it was selected below a shortcut, too', async () => {
    assert.deepEqual(await pathsOf('onRemovable', file, { ...file }), ['/sites/shop.conf']);
    assert.deepEqual(await pathsOf('onAll', file, { ...file }), ['/sites/shop.conf']);
  });

  it('keep a file below a selected row that cannot be moved or deleted itself', async () => {
    assert.deepEqual(await pathsOf('onRemovable', node, file), ['/sites/shop.conf']);
    assert.deepEqual(await pathsOf('onRemovable', shortcut, file), ['/sites/shop.conf']);
  });
});

function nodeRow(): NodeElement {
  const environment = environmentOf('me', {
    envName: 'shop',
    nodeGroups: [{ name: 'cp', displayName: 'Servers', deployments: [] }],
    nodes: [{ id: 1, nodeGroup: 'cp', nodeType: 'nginxphp' }],
  });
  const [layer] = environment.layers;
  const [first] = layer?.nodes ?? [];
  assert.ok(layer && first);
  return nodeElement(environment, layer, first);
}

function entryRow(path: string, { isDir = false } = {}): EntryElement {
  const place = path.split('/').reduce(childOf, nodeRow().place);
  const entry = { name: path.slice(path.lastIndexOf('/') + 1), absolutePath: place.path, isDir };
  return { kind: 'entry', place, entry, via: undefined, isConfiguration: false, isOnSeveralNodes: false };
}
