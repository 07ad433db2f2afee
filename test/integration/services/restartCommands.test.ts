import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import type { Parts } from '../../../src/extension';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { closeWithoutSaving, openInEditor, replaceAll } from '../support/editing';
import { fileUri, gantry } from '../support/gantry';
import { escape, Person } from '../support/person';
import { inProduction } from '../support/production';

describe('Restart', () => {
  let platform: LocalPlatform;
  let parts: Parts;
  let account: Account;
  let nodes: readonly number[];
  let person: Person;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    nodes = platform.nodes('shop', 'cp').map(({ id }) => id);
    parts = await gantry();
    const token = await platform.createToken({ description: 'test', tokenTemplate: 'IDE Plugins' });
    await parts.accounts.add({ slug: 'restart', label: 'R', address: platform.origin, transport: 'form', token });
    const added = parts.accounts.find('restart');
    assert.ok(added);
    account = added;
  });

  beforeEach(() => {
    person = new Person();
    platform.journal.reset();
  });

  afterEach(async () => {
    platform.faults.clear();
    person.leave();
    await closeWithoutSaving();
  });

  after(async () => {
    await parts.accounts.remove('restart');
    await platform.dispose();
  });

  const layer = () => ({ environment: { account: account.slug, name: 'shop' }, layer: { id: 'cp' } });
  const node = (index: number) => ({ ...layer(), node: { id: nodes[index] ?? 0 } });
  const restart = (...received: readonly unknown[]) => commands.executeCommand('gantry.service.restart', ...received);
  const sent = () =>
    platform.journal.entries
      .filter(({ operation }) => operation === 'RestartServices')
      .map(({ parameters }) => Number(parameters['nodeId']));
  const seen = () => person.seen.join('\n');
  const uri = (path: string, index?: number) =>
    fileUri(account, 'shop', index === undefined ? 'cp' : `cp~${nodes[index] ?? 0}`, path);
  const disk = (index: number, path: string) => join(platform.nodeFolder(nodes[index] ?? 0), path);

  it('restarts a node after a question', async () => {
    await person.answering([escape], () => restart(node(1)));
    assert.deepEqual(sent(), []);
    await person.answering(['Restart'], () => restart(node(1)));
    assert.deepEqual(sent(), [nodes[1]]);
    assert.match(seen(), /^Restart the service on NGINX PHP 8\.3 \(\d+\) in Saltmarsh Tea\?$/m);
    assert.match(seen(), /^Restarted the service on NGINX PHP 8\.3 \(\d+\)\.$/m);
  });

  it('restarts the nodes of a layer one after the other', async () => {
    await person.answering(['Restart'], () => restart(layer()));
    assert.deepEqual(sent(), nodes);
    assert.match(seen(), /^Restart the service on the 2 nodes of Application servers in Saltmarsh Tea\?$/m);
    assert.match(seen(), /^Restarted the service on the 2 nodes of Application servers\.$/m);
  });

  it("asks what to restart if the row's node is gone, whatever file is open", async () => {
    await openInEditor(uri('/etc/nginx/nginx.conf', 1));
    const gone = { ...layer(), node: { id: 1 } };
    await person.answering([escape], () => restart(gone));
    assert.equal(person.seen[0], 'Select what to restart');
    await person.answering(['Load balancer', escape], () => restart(gone));
    assert.match(seen(), /^Restart the service on .+ in Saltmarsh Tea\?$/m);
    assert.deepEqual(sent(), []);
  });

  it("stops at the node that doesn't start, says why in its own words, and works once that is fixed", async () => {
    const file = disk(1, 'etc/nginx/conf.d/storefront.conf');
    const before = await readFile(file, 'utf8');
    await writeFile(file, `${before}server {\n`);
    await person.answering(['Restart'], () => restart(layer()));
    assert.match(
      seen(),
      /^Restarted the service on 1 of 2 nodes\. Couldn't restart the service on NGINX PHP 8\.3 \(\d+\): Failed to start: unexpected end of file.+storefront\.conf:\d+\. The service might not be running\. Fix the cause, then try again\.$/m,
    );
    assert.match(await readFile(disk(1, 'var/log/nginx/error.log'), 'utf8'), /\[emerg\].+unexpected end of file/);
    await writeFile(file, before);
    await person.answering(['Restart'], () => restart(node(1)));
    assert.match(seen(), /^Restarted the service on NGINX PHP 8\.3 \(\d+\)\.$/m);
  });

  describe('with a way back', () => {
    let count = 0;
    let path = '';
    const earlier = Buffer.from('\uFEFF# as it was\r\n');

    beforeEach(async () => {
      count += 1;
      path = `/etc/nginx/conf.d/tuned-${count}.conf`;
      await Promise.all([0, 1].map((index) => writeFile(disk(index, path), earlier)));
      parts.listings.forgetAll();
      const document = await openInEditor(uri(path, 0));
      await replaceAll(document, `# tuned\n${document.getText()}`);
      await commands.executeCommand('gantry.file.saveToAllNodes', document.uri);
      assert.match(await readFile(disk(1, path), 'utf8'), /^\uFEFF?# tuned/);
    });

    afterEach(() => Promise.all([0, 1].map((index) => rm(disk(index, path)))));

    const failSecond = () =>
      platform.faults.add({
        operation: 'RestartServices',
        fault: { kind: 'failNode', nodeId: nodes[1] ?? 0, error: 'out of memory' },
        nth: 2,
      });
    const restartAndRestore = () =>
      person.answering(['Restart', { presses: 'Restore Previous Version and Restart' }], () => restart(layer()));

    it('puts what both nodes had back, byte for byte, and restarts both, if the second fails', async () => {
      failSecond();
      await restartAndRestore();
      assert.deepEqual(await Promise.all([0, 1].map((index) => readFile(disk(index, path)))), [earlier, earlier]);
      assert.deepEqual(sent(), [...nodes, ...nodes]);
      assert.match(seen(), /Failed to start: out of memory/);
      assert.match(seen(), /^Restored the previous version of tuned-\d\.conf\. Restarted the service on 2 nodes\.$/m);
    });

    it('restarts nothing if someone has changed a file since', async () => {
      failSecond();
      await writeFile(disk(1, path), 'by a colleague\n');
      await restartAndRestore();
      assert.equal(await readFile(disk(1, path), 'utf8'), 'by a colleague\n');
      assert.deepEqual(sent(), nodes);
      assert.match(
        seen(),
        /Couldn't restore tuned-\d\.conf on node \d+: the file has changed since you saved it\. Nothing was restarted\./,
      );
    });

    it('asks again in production', async () => {
      failSecond();
      await inProduction(['shop'], () =>
        person.answering(['Restart', { presses: 'Restore Previous Version and Restart' }, escape], () =>
          restart(layer()),
        ),
      );
      assert.match(seen(), /^Restore the previous version of .+ and restart the service\?$/m);
      assert.match(await readFile(disk(1, path), 'utf8'), /^\uFEFF?# tuned/);
      assert.deepEqual(sent(), nodes);
    });

    it('is offered only until a restart has read the files', async () => {
      await person.answering(['Restart'], () => restart(layer()));
      failSecond();
      platform.journal.reset();
      await person.answering(['Restart'], () => restart(layer()));
      assert.deepEqual(sent(), nodes);
      assert.ok(!seen().includes('Restore'));
    });
  });

  it('leaves the other nodes alone if the first one fails', async () => {
    platform.faults.add({
      operation: 'RestartServices',
      fault: { kind: 'failNode', nodeId: nodes[0] ?? 0, error: 'out of memory' },
    });
    await person.answering(['Restart'], () => restart(layer()));
    assert.deepEqual(sent(), [nodes[0]]);
    assert.match(
      seen(),
      /^Restarted the service on 0 of 2 nodes\. Couldn't restart the service on NGINX PHP 8\.3 \(\d+\): Failed to start: out of memory\./m,
    );
  });

  it("isn't sent twice if the response is lost, and says that it isn't known", async () => {
    for (const fault of [
      { kind: 'gatewayError', status: 504, when: 'after' } as const,
      { kind: 'reset', when: 'after' } as const,
    ]) {
      platform.journal.reset();
      platform.faults.add({ operation: 'RestartServices', fault });
      await person.answering(['Restart'], () => restart(layer()));
      assert.deepEqual(sent(), [nodes[0]]);
      assert.match(
        seen(),
        /Couldn't confirm that the service on NGINX PHP 8\.3 \(\d+\) has restarted: .+\. Check whether it responds before you try again\./,
      );
    }
  });

  it('says which method a token lacks, and sends nothing more', async () => {
    const token = await platform.createToken({
      description: 'no restart',
      apiList: ['environment.control.GetEnvs', 'environment.file.Read'],
    });
    await parts.accounts.add({ slug: 'narrow', label: 'N', address: platform.origin, transport: 'form', token });
    try {
      const at = { ...node(0), environment: { account: 'narrow', name: 'shop' } };
      await person.answering(['Restart'], () => restart(at));
      assert.match(seen(), /the access token doesn't permit this method.+environment\.control\.RestartServices/);
    } finally {
      await parts.accounts.remove('narrow');
    }
  });

  it('asks whether to restart the node of the active file or its layer, and mentions unsaved changes', async () => {
    const document = await openInEditor(uri('/etc/nginx/nginx.conf', 1));
    await replaceAll(document, '# unsaved\n');
    await person.answering(['NGINX PHP', 'Restart'], () => restart());
    assert.deepEqual(sent(), [nodes[1]]);
    assert.match(seen(), /^Select what to restart$/m);
    assert.match(seen(), /unsaved changes/);
  });

  it('says that an environment is in production', async () => {
    await inProduction(['shop'], () => person.answering([escape], () => restart(node(0))));
    assert.match(seen(), /is a production environment/);
    assert.deepEqual(sent(), []);
  });
});
