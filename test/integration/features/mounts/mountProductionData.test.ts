import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { commands } from 'vscode';
import { escape } from '../../support/person';
import { inProduction } from '../../support/production';
import { rowOfKind, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

describe('a mount of production data in another environment', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person } = scene;
  const sqldb = scene.environment('shop').layer('sqldb');
  const staging = scene.environment('blog-staging').layer('cp');
  const path = '/mnt/production';
  const isProduction = /Saltmarsh Tea \(shop\) is a production environment/;

  before(() => sqldb.makeFolder('/var/lib/backup'));

  const mounted = async () => (await scene.account.call('GetMountPoints', { envName: 'blog-staging' })).array;

  it('is asked about, because the production environment exports a folder from then on', async () => {
    const [node] = await rowsBelow(scene.parts.sharing.mountsView, 'Harbour Notes (staging)', 'Application server');
    await inProduction(['shop'], () =>
      person.answering(
        [
          { typed: path, pick: 'Use new folder' },
          'MySQL 8.4',
          { typed: '/var/lib/backup/', pick: 'Use this folder /var/lib/backup' },
          'NFS · Read and write',
          '',
          escape,
        ],
        () => commands.executeCommand('gantry.mount.add', node),
      ),
    );
    assert.match(person.seen.join(' | '), isProduction);
    assert.deepEqual(await mounted(), []);
  });

  it('is asked about when it is removed, as if the export is stopped in the production environment', async () => {
    const from = {
      sourceNodeId: sqldb.nodeId(),
      sourcePath: '/var/lib/backup',
      protocol: 'NFS4' as const,
      name: 'backup',
    };
    if ((await mounted()).length === 0) {
      await scene.account.call('AddMountPointById', {
        envName: 'blog-staging',
        nodeId: staging.nodeId(),
        path,
        ...from,
      });
    }
    const { mounts, mountsView } = scene.parts.sharing;
    mounts.refresh();
    const mount = await rowOfKind(mountsView, 'mount', 'Harbour Notes (staging)', 'Application server');
    await inProduction(['shop'], () =>
      person.answering([escape], () => commands.executeCommand('gantry.mount.remove', mount)),
    );
    assert.match(person.seen.join(' | '), isProduction);
    assert.equal((await mounted()).length, 1);
  });
});
