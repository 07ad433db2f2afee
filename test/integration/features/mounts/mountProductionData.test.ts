import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import { escape, Person } from '../../support/person';
import { inProduction } from '../../support/production';
import { type SharingSetUp, startSharing } from '../../support/sharing';
import { rowsBelow } from '../../support/trees';

describe('a mount of production data in another environment', () => {
  let set: SharingSetUp;
  let person: Person;
  const path = '/mnt/production';
  const isProduction = /Saltmarsh Tea \(shop\) is a production environment/;

  before(async () => {
    set = await startSharing();
    const [source] = set.platform.nodes('shop', 'sqldb');
    await mkdir(join(set.platform.nodeFolder(source?.id ?? 0), 'var/lib/backup'), { recursive: true });
    person = new Person();
  });
  after(async () => {
    person.leave();
    await set.parts.accounts.remove(set.account.slug);
    await set.platform.dispose();
  });

  const mounted = async () => (await set.account.call('GetMountPoints', { envName: 'blog-staging' })).array;

  it('is asked about, because the production environment exports a folder from then on', async () => {
    const [node] = await rowsBelow(set.parts.mountsView, 'Harbour Notes (staging)', 'Application server');
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
    const [client] = set.platform.nodes('blog-staging', 'cp');
    const [source] = set.platform.nodes('shop', 'sqldb');
    assert.ok(client && source);
    const from = { sourceNodeId: source.id, sourcePath: '/var/lib/backup', protocol: 'NFS4' as const, name: 'backup' };
    if ((await mounted()).length === 0) {
      await set.account.call('AddMountPointById', { envName: 'blog-staging', nodeId: client.id, path, ...from });
    }
    set.parts.mounts.refresh();
    const rows = await rowsBelow(set.parts.mountsView, 'Harbour Notes (staging)', 'Application server');
    const below = await Promise.all(rows.map((row) => set.parts.mountsView.getChildren(row)));
    const mount = [...rows, ...below.flat()].find(({ kind }) => kind === 'mount');
    await inProduction(['shop'], () =>
      person.answering([escape], () => commands.executeCommand('gantry.mount.remove', mount)),
    );
    assert.match(person.seen.join(' | '), isProduction);
    assert.equal((await mounted()).length, 1);
  });
});
