import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, type Uri, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { fileUri, signedIn } from '../../support/gantry';
import { escape } from '../../support/person';
import { inProduction } from '../../support/production';
import { windowScene } from '../../support/windowScene';

describe('a file command in production', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;
  const { uri: at } = cp;
  const isProduction = 'shop is a production environment.';

  beforeEach(async () => {
    const { fs } = workspace;
    await fs.createDirectory(at('/srv/old'));
    await fs.writeFile(at('/srv/old/a.conf'), new TextEncoder().encode('a\n'));
    await fs.writeFile(at('/srv/old/site.zip'), new TextEncoder().encode('zip\n'));
    await fs.createDirectory(at('/srv/new'));
    scene.platform.journal.reset();
  });

  const changes = () =>
    scene.platform.journal.count(
      ({ operation }) => !['GetList', 'Read', 'GetEnvs', 'GetFavorites'].includes(operation),
    );

  it('asks before it deletes, in the question that it asks anyway', async () => {
    await inProduction(['shop'], async () => {
      await person.answering([escape], () => commands.executeCommand('gantry.file.delete', at('/srv/old/a.conf')));
    });
    assert.ok(person.seen[1]?.startsWith(isProduction), person.seen.join(' | '));
    assert.equal(changes(), 0);
  });

  it('asks before it renames', async () => {
    await inProduction(['shop'], async () => {
      const rename = () => commands.executeCommand('gantry.file.rename', at('/srv/old/a.conf'));
      await person.answering(['b.conf', escape], rename);
      assert.equal(changes(), 0);
      assert.ok(person.seen[2]?.startsWith(isProduction), person.seen.join(' | '));
      await person.answering(['b.conf', 'Rename'], rename);
    });
    await workspace.fs.stat(at('/srv/old/b.conf'));
    await workspace.fs.delete(at('/srv/old/b.conf'));
  });

  it('asks before it moves, and a refused move can be pasted again', async () => {
    await inProduction(['shop'], async () => {
      await commands.executeCommand('gantry.file.cut', at('/srv/old/a.conf'));
      const paste = () => commands.executeCommand('gantry.folder.paste', at('/srv/new'));
      await person.answering([escape], paste);
      assert.ok(person.seen[1]?.startsWith(isProduction), person.seen.join(' | '));
      assert.equal(changes(), 0);
      await person.answering(['Move'], paste);
    });
    await workspace.fs.stat(at('/srv/new/a.conf'));
    await workspace.fs.delete(at('/srv/new/a.conf'));
  });

  it('asks before it unpacks, in the question that it asks anyway', async () => {
    await inProduction(['sho*'], async () => {
      const unpack = () => commands.executeCommand('gantry.archive.unpack', at('/srv/old/site.zip'));
      await person.answering(['/srv/new', escape], unpack);
    });
    assert.ok(person.seen[2]?.startsWith(isProduction), person.seen.join(' | '));
    assert.equal(changes(), 0);
  });

  it("doesn't ask elsewhere, unless it asks anyway", async () => {
    await person.answering(['b.conf'], () => commands.executeCommand('gantry.file.rename', at('/srv/old/a.conf')));
    await commands.executeCommand('gantry.file.cut', at('/srv/old/b.conf'));
    await person.answering([], () => commands.executeCommand('gantry.folder.paste', at('/srv/new')));
    await person.answering([escape], () => commands.executeCommand('gantry.file.delete', at('/srv/new/b.conf')));
    assert.ok(!person.seen.join(' ').includes('production'), person.seen.join(' | '));
  });

  describe('in an environment that is protected by its display name and was never listed', () => {
    let fresh: LocalPlatform;
    let account: Account;
    let file: Uri;

    beforeEach(async () => {
      const environment = {
        envName: 'fresh',
        displayName: 'Saltmarsh Tea',
        layers: [{ name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'] }],
      };
      fresh = await startPlatform({ environments: [environment] });
      account = await signedIn(fresh);
      const [node] = fresh.nodes('fresh', 'cp');
      file = fileUri(account, 'fresh', `cp~${node?.id}`, '/srv/a.conf');
      await writeFile(join(fresh.nodeFolder(node?.id ?? 0), 'srv/a.conf'), 'a\n');
    });
    afterEach(async () => {
      await scene.parts.accounts.remove(account.slug);
      await fresh.dispose();
    });

    it('asks', async () => {
      await inProduction(['Saltmarsh*'], async () => {
        await person.answering(['b.conf', escape], () => commands.executeCommand('gantry.file.rename', file));
      });
      assert.match(person.seen.join(' | '), /Saltmarsh Tea \(fresh\) is a production environment/);
      await workspace.fs.stat(file);
    });

    it("asks, and says why, if the environments can't be listed", async () => {
      const fault = { kind: 'gatewayError', status: 502, when: 'before' } as const;
      fresh.faults.add({ operation: 'GetEnvs', times: 'always', fault });
      await inProduction(['Saltmarsh*'], async () => {
        await person.answering(['b.conf', escape], () => commands.executeCommand('gantry.file.rename', file));
      });
      assert.match(
        person.seen.join(' | '),
        /fresh may be a production environment: Gantry couldn't get its display name\./,
      );
      await workspace.fs.stat(file);
    });
  });
});
