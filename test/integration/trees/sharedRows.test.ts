import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { environmentOf } from '../../../src/containers/environment';
import { layersOf, nodeElement } from '../../../src/trees/folderRows';
import { sharedRow } from '../support/trees';
import { PlatformError, type PlatformErrorKind } from '../../../src/platform/errors';

const environment = (domain: string | undefined, isVcsSupport: boolean) =>
  environmentOf('me', {
    envName: 'shop',
    displayName: 'Saltmarsh Tea',
    domain,
    status: 'down',
    nodeGroups: [{ name: 'cp', displayName: 'Servers', deployments: [] }],
    nodes: [
      {
        id: 1,
        nodeGroup: 'cp',
        nodeType: 'nginxphp',
        displayName: 'NGINX',
        isVcsSupport,
        url: 'http://node1.example.com',
      },
    ],
  });

describe('the rows that several views share', () => {
  it('of an environment and its layer have the words for what can be done there', () => {
    const words = (domain: string | undefined, isVcsSupport: boolean) => {
      const one = environment(domain, isVcsSupport);
      const [layer] = layersOf(one);
      assert.ok(layer);
      return [sharedRow({ kind: 'environment', environment: one }), sharedRow(layer)].map((row) => row.contextValue);
    };
    assert.deepEqual(words('shop.example.com', true), [
      'environment browsable takesProjects',
      'layer browsable takesProjects',
    ]);
    assert.deepEqual(words(undefined, false), ['environment', 'layer']);
  });

  it('say in their tooltips the name, the address, the type, and the state', () => {
    const one = environment('shop.example.com', true);
    const [layer] = one.layers;
    const [node] = layer?.nodes ?? [];
    assert.ok(layer && node);
    assert.equal(
      sharedRow({ kind: 'environment', environment: one }).tooltip,
      'Saltmarsh Tea\nName: shop\nAddress: shop.example.com\nStatus: stopped',
    );
    const { tooltip } = sharedRow(nodeElement(one, layer, node));
    assert.equal(tooltip, 'NGINX\nID: 1\nType: nginxphp\nAddress: http://node1.example.com');
  });

  it('of a node say that it is stopped if the platform says so, unless its environment is', () => {
    const rows = (status: 'running' | 'down') => {
      const nodes = [1, 2, 12].map((state, at) => ({ id: at + 1, nodeGroup: 'cp', ismaster: at === 1, status: state }));
      const one = environmentOf('me', { envName: 'shop', status, nodeGroups: [], nodes });
      const [layer] = layersOf(one);
      assert.ok(layer);
      return layer.layer.nodes.map((node) => sharedRow(nodeElement(one, layer.layer, node)));
    };
    const descriptions = (status: 'running' | 'down') => rows(status).map(({ description }) => description);
    assert.deepEqual(descriptions('running'), ['1', '2 · stopped · main node', '3']);
    assert.equal(rows('running')[1]?.tooltip, 'Node 2\nID: 2\nStatus: stopped\nMain node of the layer');
    assert.deepEqual(descriptions('down'), ['1', '2 · main node', '3']);
  });

  it('of a layer count its nodes if there are several, and of a node name the main one', () => {
    const nodes = [
      { id: 1, nodeGroup: 'cp', displayName: 'NGINX', ismaster: true },
      { id: 2, nodeGroup: 'cp', displayName: 'NGINX' },
    ];
    const rows = (count: number) => {
      const one = environmentOf('me', {
        envName: 'shop',
        displayName: 'Saltmarsh Tea',
        status: 'down',
        nodeGroups: [{ name: 'cp', displayName: 'Servers', deployments: [] }],
        nodes: nodes.slice(0, count),
      });
      const [layer] = layersOf(one);
      assert.ok(layer);
      const below = layer.layer.nodes.map((node) => sharedRow(nodeElement(one, layer.layer, node)).description);
      return [sharedRow(layer).description, ...below];
    };
    assert.deepEqual(rows(1), ['NGINX', '1 · main node']);
    assert.deepEqual(rows(2), ['NGINX · 2 nodes', '1 · main node', '2']);
  });

  it('of a layer name its ID only if another layer has the same name', () => {
    const rows = (...names: readonly string[]) => {
      const nodeGroups = names.map((displayName, index) => ({ name: `cp${index}`, displayName, deployments: [] }));
      return layersOf(environmentOf('me', { envName: 'shop', status: 'down', nodeGroups, nodes: [] })).map(
        (layer) => sharedRow(layer).description,
      );
    };
    assert.deepEqual(rows('Servers', 'Cache'), ['', '']);
    assert.deepEqual(rows('Servers', 'Servers'), ['cp0', 'cp1']);
  });

  it('of a problem offer the diagnostics if the error is unexpected', () => {
    const menuOf = (error: unknown) =>
      sharedRow({ kind: 'problem', id: 'a', error, what: undefined, slug: 'me', retry: () => undefined }).contextValue;
    const answered = (kind: PlatformErrorKind) => new PlatformError({ kind, operation: 'GetEnvs', message: 'Failed.' });
    assert.deepEqual([new TypeError('x is undefined'), answered('platform'), answered('unreachable')].map(menuOf), [
      'problem unexpected',
      'problem unexpected',
      'problem',
    ]);
  });

  it('of a problem say what Enter does', () => {
    const spoken = (kind: PlatformErrorKind) => {
      const error = new PlatformError({ kind, operation: 'GetEnvs', message: 'Failed.' });
      const row = sharedRow({
        kind: 'problem',
        id: 'a',
        error,
        what: undefined,
        slug: 'me',
        retry: () => undefined,
      });
      return [row.command?.command, row.accessibilityInformation?.label.replace(/^.*\. (?=Press)/, '')];
    };
    assert.deepEqual(spoken('unreachable'), ['gantry.view.retry', 'Press Enter to retry.']);
    assert.deepEqual(spoken('unauthenticated'), ['gantry.account.signInAgain', 'Press Enter to sign in again.']);
  });
});
