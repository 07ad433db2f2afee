import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { openedRows, rowsBelow, type Tree } from '../support/trees';
import { windowScene } from '../support/windowScene';

describe('the views of a big account', () => {
  const scene = windowScene({ sample: 'project', bigAccount: 300 });
  const { requests } = scene;

  beforeEach(async () => {
    await commands.executeCommand('gantry.environments.refresh');
    await commands.executeCommand('gantry.deployments.refresh');
    scene.parts.sharing.favorites.refresh();
    scene.parts.sharing.mounts.refresh();
    scene.platform.journal.reset();
  });

  const environmentsAsked = () => [
    ...new Set(scene.platform.journal.arrivals.flatMap(({ parameters }) => parameters['envName'] ?? [])),
  ];
  const views = () => ({
    environments: scene.parts.environmentsView as Tree<unknown>,
    favorites: scene.parts.sharing.favoritesView as Tree<unknown>,
    deployments: scene.parts.projects.view as Tree<unknown>,
    mounts: scene.parts.sharing.mountsView as Tree<unknown>,
    access: scene.parts.accessView as Tree<unknown>,
  });
  const production = 'Juniper Coffee';
  const envName = 'juniper-coffee';

  for (const name of ['environments', 'favorites', 'deployments', 'mounts', 'access'] as const) {
    it(`open with at most two requests: ${name}`, async () => {
      const rows = await openedRows(views()[name]);
      assert.ok(name === 'access' || rows.length >= 300, `${rows.length} rows`);
      assert.ok(requests().length <= 2, requests().join(', '));
    });
  }

  it('list a folder of 20,000 files with one request', async () => {
    const { environments } = views();
    const layer = ['Saltmarsh Tea', 'Database', 'MySQL 8.4'] as const;
    await rowsBelow(environments, ...layer);
    const folder = join(scene.platform.nodeFolder(scene.platform.nodes('shop', 'sqldb')[0]?.id ?? 0), 'var/many');
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < 20_000; index += 1) writeFileSync(join(folder, `${index}.html`), '');
    assert.equal((await rowsBelow(environments, ...layer, 'var', 'many')).length, 20_000);
    const listed = scene.platform.journal.arrivals.filter(({ parameters }) => parameters['path'] === '/var/many');
    assert.equal(listed.length, 1);
  });

  it('together open with one listing of the environments', async () => {
    const { environments, favorites, deployments, mounts } = views();
    await Promise.all([environments, favorites, deployments, mounts].map((view) => openedRows(view)));
    assert.deepEqual(requests(), ['GetEnvs']);
  });

  it("ask only for the environment's own when it's unfolded", async () => {
    await scene.parts.environments.of(scene.account);
    // Favorites and mounts are listed by layer.
    for (const [name, most] of [
      ['environments', 0],
      ['favorites', 4],
      ['mounts', 3],
    ] as const) {
      scene.platform.journal.reset();
      await rowsBelow(views()[name], production);
      assert.ok(requests().length <= most, `${name}: ${requests().join(', ')}`);
      assert.deepEqual(environmentsAsked(), most === 0 ? [] : [envName]);
    }
  });

  it("read the settings and the nodes only of an unfolded environment's projects", async () => {
    await scene.parts.environments.of(scene.account);
    const rows = await rowsBelow(scene.parts.projects.view, production);
    const looked = rows.flatMap((row) =>
      row.kind === 'project' ? scene.parts.projects.deployedStates.look(row.place) : [],
    );
    await Promise.all(looked);
    assert.equal(looked.length, 2);
    assert.deepEqual(environmentsAsked(), [envName]);
    assert.equal(requests().filter((operation) => operation === 'GetProject').length, 2);
  });

  it("don't read again what is unfolded when another view is refreshed", async () => {
    await rowsBelow(scene.parts.projects.view, production);
    await Promise.all([
      rowsBelow(scene.parts.sharing.favoritesView, production),
      rowsBelow(scene.parts.sharing.mountsView, production, 'Application servers'),
    ]);
    await scene.parts.projects.deployedStates.look({
      account: scene.account.slug,
      environment: envName,
      layer: 'cp',
      context: 'ROOT',
    });
    await scene.parts.projects.deployedStates.look({
      account: scene.account.slug,
      environment: envName,
      layer: 'cp',
      context: 'stockroom',
    });
    await commands.executeCommand('gantry.environments.refresh');
    scene.platform.journal.reset();
    await rowsBelow(scene.parts.projects.view, production);
    await rowsBelow(scene.parts.sharing.favoritesView, production);
    await rowsBelow(scene.parts.sharing.mountsView, production, 'Application servers');
    assert.deepEqual(requests(), ['GetEnvs']);
  });

  it('read unfolded projects again when Deployments is refreshed, and no others', async () => {
    await rowsBelow(scene.parts.projects.view, production);
    await rowsBelow(scene.parts.projects.view, 'Copper Coffee');
    // The rows don't wait for what is read about them.
    for (const context of ['ROOT', 'stockroom']) {
      const place = { account: scene.account.slug, environment: 'copper-coffee', layer: 'cp', context };
      await scene.parts.projects.deployedStates.look(place);
    }
    await commands.executeCommand('gantry.deployments.refresh');
    scene.platform.journal.reset();
    await rowsBelow(scene.parts.projects.view, production);
    const read = scene.platform.journal.arrivals.filter(({ operation }) => operation === 'GetProject');
    assert.deepEqual(read.map(({ parameters }) => [parameters['envName'], parameters['context']]).sort(), [
      [envName, 'ROOT'],
      [envName, 'stockroom'],
    ]);
  });
});
