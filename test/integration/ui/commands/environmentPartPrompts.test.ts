import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { QuickPickItemKind } from 'vscode';
import { type Environment, environmentOf } from '../../../../src/containers/environment';
import { containersIn } from '../../../../src/containers/environmentPart';
import { partAt, partChoices, type PartList } from '../../../../src/ui/commands/environmentPartPrompts';

const environment = (envName: string, displayName: string, ids: readonly number[]): Environment =>
  environmentOf('me', {
    envName,
    displayName,
    domain: `${envName}.example.com`,
    status: 'running',
    nodeGroups: [{ name: 'cp', displayName: 'Servers', deployments: [] }],
    nodes: ids.map((id) => ({ id, nodeGroup: 'cp', displayName: `NGINX ${id}` })),
  });

const shop = environment('shop', 'Saltmarsh Tea', [1, 2]);
const blog = environment('blog', 'Blog', [3]);

describe('the choice of an environment, a layer, or a node', () => {
  const shown = (list: PartList) =>
    partChoices(list).map(({ label, icon = '', description, kind }) =>
      kind === QuickPickItemKind.Separator ? `-- ${label}` : `${icon} ${label} | ${description ?? ''}`,
    );

  it('groups layers and nodes by environment, and names it only in the rows, so that it can be typed', () => {
    assert.deepEqual(shown({ all: [shop, blog].flatMap(containersIn), problems: [] }), [
      '-- ',
      'layers Servers | 2 nodes · Saltmarsh Tea · shop',
      'vm NGINX 1 | 1 · Servers · Saltmarsh Tea · shop',
      'vm NGINX 2 | 2 · Servers · Saltmarsh Tea · shop',
      '-- ',
      'layers Servers | 1 node · Blog · blog',
      'vm NGINX 3 | 3 · Servers · Blog · blog',
    ]);
  });

  it("doesn't repeat the only environment", () => {
    assert.deepEqual(shown({ all: containersIn(blog), problems: [] }), [
      '-- Blog',
      'layers Servers | 1 node',
      'vm NGINX 3 | 3 · Servers',
    ]);
  });

  it('shows environments by title and domain', () => {
    const all = [shop, blog].map((one) => ({ environment: one, layer: undefined, node: undefined }));
    assert.deepEqual(
      partChoices({ all, problems: [] }).map(({ icon, label, description }) => [icon, label, description]),
      [
        ['server-environment', 'Saltmarsh Tea', 'shop.example.com'],
        ['server-environment', 'Blog', 'blog.example.com'],
      ],
    );
  });

  it('returns the selected part, and nothing for an account that could not be listed', () => {
    const list = { all: containersIn(shop), problems: ['A: offline'] };
    const rows = partChoices(list, ({ node }) => node?.id === 2);
    assert.deepEqual(
      rows.map(({ value }) => partAt(list, value)?.node?.id),
      [undefined, 2, undefined],
    );
    assert.match(rows[2]?.label ?? '', /A: offline/);
  });
});
