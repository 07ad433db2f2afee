import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

const question = 'Name, domain, node ID, or project, for example my-shop';

describe('Go to Environment, Node, or Project', () => {
  const scene = windowScene({ sample: 'project', bigAccount: 12 });
  const { person, requests } = scene;

  beforeEach(async () => {
    await scene.parts.environments.of(scene.account);
    scene.platform.journal.reset();
  });

  const goTo = (answer: string | typeof escape) =>
    person.answering([answer], () => commands.executeCommand('gantry.environment.goTo'));

  it('offers every environment, node, and project by all of its names, without a request', async () => {
    await goTo(escape);
    assert.deepEqual(requests(), []);
    const [node] = scene.platform.nodes('juniper-coffee', 'cp');
    assert.equal(person.seen[0], question);
    const rows = [
      '$(server-environment) Juniper Coffee: juniper-coffee.hosting.example',
      `$(vm) NGINX PHP 8.3: ${node?.id} · Application servers · Juniper Coffee · juniper-coffee`,
      '$(repo) stockroom: Juniper Coffee · juniper-coffee · Application servers',
    ];
    const missing = rows.filter((row) => !person.seen.includes(row));
    assert.deepEqual(missing, [], person.seen.join('\n'));
    const nodes = scene.platform.environments.flatMap(({ layers }) => layers.flatMap((layer) => layer.nodes));
    assert.equal(person.seen.filter((row) => row.startsWith('$(vm)')).length, nodes.length);
    assert.equal(person.seen.filter((row) => row.startsWith('$(server-environment)')).length, 12);
  });

  it('shows an environment without a request', async () => {
    await goTo('juniper-coffee.hosting.example');
    assert.deepEqual(requests(), []);
  });

  it("shows a project after reading only its environment's projects", async () => {
    await goTo('stockroom Juniper Coffee · juniper-coffee · Application servers');
    const named = scene.platform.journal.arrivals.flatMap(({ parameters }) => parameters['envName'] ?? []);
    assert.deepEqual([...new Set(named)], ['juniper-coffee']);
  });
});
