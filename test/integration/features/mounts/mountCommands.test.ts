import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import type { ExportElement } from '../../../../src/features/mounts/mountsView';
import { escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';
import { type SharingSetUp, startSharing } from '../../support/sharing';
import { rowsBelow } from '../../support/trees';

describe('an export with more clients than a question can name', () => {
  let set: SharingSetUp;
  let person: Person;
  let shared: ExportElement;
  const count = 12;
  const paths = Array.from({ length: count }, (_, index) => `/mnt/part-${index}`);

  before(async () => {
    set = await startSharing();
    const [client] = set.platform.nodes('shop', 'cp');
    const [source] = set.platform.nodes('shop', 'sqldb');
    assert.ok(client && source);
    await mkdir(join(set.platform.nodeFolder(source.id), 'var/lib/backup'), { recursive: true });
    for (const path of paths) {
      const from = {
        sourceNodeId: source.id,
        sourcePath: '/var/lib/backup',
        protocol: 'NFS4' as const,
        name: path.slice(5),
      };
      await set.account.call('AddMountPointById', { envName: 'shop', nodeId: client.id, path, ...from });
    }
    set.parts.mounts.refresh();
    const nodes = await rowsBelow(set.parts.mountsView, 'Saltmarsh Tea', 'Database');
    const rows = await Promise.all(nodes.map((row) => set.parts.mountsView.getChildren(row)));
    const found = [...nodes, ...rows.flat()].find((row) => row.kind === 'export');
    assert.ok(found?.kind === 'export');
    shared = found;
    person = new Person();
  });
  after(async () => {
    person.leave();
    await commands.executeCommand('workbench.action.closeAllEditors');
    await set.parts.accounts.remove(set.account.slug);
    await set.platform.dispose();
  });

  const mounted = async () => (await set.account.call('GetMountPoints', { envName: 'shop' })).array.length;

  it('asks nothing more after the user declines the first of two questions', async () => {
    const nodes = await rowsBelow(set.parts.mountsView, 'Saltmarsh Tea', 'Application servers');
    const rows = await Promise.all(nodes.map((row) => set.parts.mountsView.getChildren(row)));
    const mount = [...nodes, ...rows.flat()].find((row) => row.kind === 'mount');
    assert.ok(mount);
    await person.answering([escape], () => commands.executeCommand('gantry.mount.remove', mount, [mount, shared]));
    assert.ok(!person.seen.some((text) => text.startsWith('Stop exports')));
    assert.equal(await mounted(), count);
    person.seen.length = 0;
  });

  it('names the production environment again in the question after the list', async () => {
    await inProduction(['shop'], () =>
      person.answering(['Show All'], () => commands.executeCommand('gantry.export.remove', shared)),
    );
    assert.match(person.seen.at(-1) ?? '', /Saltmarsh Tea \(shop\) is a production environment/);
    assert.equal(await mounted(), count);
  });

  it('says how many more there are, and can show them all before the user confirms', async () => {
    const stop = (...answers: Parameters<Person['answering']>[0]) =>
      person.answering(answers, () => commands.executeCommand('gantry.export.remove', shared));
    await stop(escape);
    assert.match(person.seen.join('\n'), /and 2 more/);
    assert.equal(await mounted(), count);
    await stop('Show All', { presses: 'Stop Export' });
    const shown = window.activeTextEditor?.document.getText() ?? '';
    for (const path of paths)
      assert.ok(
        shown.split('\n').some((line) => line.endsWith(path)),
        path,
      );
    assert.equal(await mounted(), 0);
  });
});

describe('a mount over a folder that the platform lists without a list', () => {
  let set: SharingSetUp;
  let person: Person;
  const path = '/mnt/full';

  before(async () => {
    set = await startSharing();
    const [source] = set.platform.nodes('shop', 'sqldb');
    const [client] = set.platform.nodes('blog-staging', 'cp');
    await mkdir(join(set.platform.nodeFolder(source?.id ?? 0), 'var/lib/backup'), { recursive: true });
    await mkdir(join(set.platform.nodeFolder(client?.id ?? 0), path, 'theirs'), { recursive: true });
    person = new Person();
  });
  after(async () => {
    person.leave();
    await set.parts.accounts.remove(set.account.slug);
    await set.platform.dispose();
  });

  it('is asked about, because the folder may not be empty', async () => {
    const [node] = await rowsBelow(set.parts.mountsView, 'Harbour Notes (staging)', 'Application server');
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    set.platform.faults.add({ operation: 'GetList', parameters: { path }, times: 'always', fault });
    await person.answering(
      [
        { typed: `${path}/`, pick: `Use this folder ${path}` },
        'MySQL 8.4',
        { typed: '/var/lib/backup/', pick: 'Use this folder /var/lib/backup' },
        'NFS · Read and write',
        '',
        escape,
      ],
      () => commands.executeCommand('gantry.mount.add', node),
    );
    assert.match(person.seen.join(' | '), /Couldn't check whether \/mnt\/full is empty: .*no list of files/);
    assert.deepEqual((await set.account.call('GetMountPoints', { envName: 'blog-staging' })).array, []);
  });
});
