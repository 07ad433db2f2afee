import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import type { ExportElement } from '../../../../src/features/mounts/mountsView';
import { type Answer, escape } from '../../support/person';
import { inProduction } from '../../support/production';
import { rowOfKind, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

describe('an export with more clients than a question can name', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person } = scene;
  const cp = scene.environment('shop').layer('cp');
  const sqldb = scene.environment('shop').layer('sqldb');
  let shared: ExportElement;
  const count = 12;
  const paths = Array.from({ length: count }, (_, index) => `/mnt/part-${index}`);

  before(async () => {
    await sqldb.makeFolder('/var/lib/backup');
    const from = { sourceNodeId: sqldb.nodeId(), sourcePath: '/var/lib/backup', protocol: 'NFS4' } as const;
    const at = { envName: 'shop', nodeId: cp.nodeId() };
    for (const path of paths) {
      await scene.account.call('AddMountPointById', { ...at, path, ...from, name: path.slice(5) });
    }
    const { mounts, mountsView } = scene.parts.sharing;
    mounts.refresh();
    shared = await rowOfKind(mountsView, 'export', 'Saltmarsh Tea', 'Database');
  });

  const mounted = async () => (await scene.account.call('GetMountPoints', { envName: 'shop' })).array.length;

  it('asks nothing more after the user declines the first of two questions', async () => {
    const mount = await rowOfKind(scene.parts.sharing.mountsView, 'mount', 'Saltmarsh Tea', 'Application servers');
    await person.answering([escape], () => commands.executeCommand('gantry.mount.remove', mount, [mount, shared]));
    assert.ok(!person.seen.some((text) => text.startsWith('Stop exports')));
    assert.equal(await mounted(), count);
  });

  it('names the production environment again in the question after the list', async () => {
    await inProduction(['shop'], () =>
      person.answering(['Show All'], () => commands.executeCommand('gantry.export.remove', shared)),
    );
    assert.match(person.seen.at(-1) ?? '', /Saltmarsh Tea \(shop\) is a production environment/);
    assert.equal(await mounted(), count);
  });

  it('says how many more there are, and can show them all before the user confirms', async () => {
    const stop = (...answers: readonly Answer[]) =>
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
  const scene = windowScene({ sample: 'environments' });
  const { person } = scene;
  const sqldb = scene.environment('shop').layer('sqldb');
  const staging = scene.environment('blog-staging').layer('cp');
  const path = '/mnt/full';

  before(() => Promise.all([sqldb.makeFolder('/var/lib/backup'), staging.makeFolder(`${path}/theirs`)]));

  it('is asked about, because the folder may not be empty', async () => {
    const [node] = await rowsBelow(scene.parts.sharing.mountsView, 'Harbour Notes (staging)', 'Application server');
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    scene.fail('GetList', fault, { parameters: { path }, times: 'always' });
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
    assert.deepEqual((await scene.account.call('GetMountPoints', { envName: 'blog-staging' })).array, []);
  });
});
