import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { logFile, VcsSetUp } from './vcsSetUp';

/** The folders of `vcs_update.log` and of `hooks.log`, by stack. */
const stacks = {
  nginxphp: ['/var/log/nginx', '/var/log/nginx'],
  nginxruby: ['/var/log/nginx', '/var/log/nginx'],
  apachephp: ['/var/log/httpd', '/var/log/httpd'],
  apacheruby: ['/var/log/httpd', '/var/log/httpd'],
  nodejs: ['/opt/nodejs/logs', '/opt/nodejs/logs'],
  maven3: ['/var/log/maven', '/var/log/maven'],
  cartridge: ['/opt/repo/logs', '/opt/repo/logs'],
  tomcat10: ['/var/log/jelastic/vcs', '/opt/tomcat/logs'],
  jetty9: ['/var/log/jelastic/vcs', '/opt/jetty/logs'],
  wildfly: ['/var/log/jelastic/vcs', '/var/log'],
  golang: ['/var/log/jelastic/vcs', '/var/log/jelastic/vcs'],
} as const;

describe("local platform: a stack's own logs of deployments", () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start(vendorDeployments)));
  afterEach(() => setUp.stop());

  it('are in its folder, with the log of hooks in its own', async () => {
    const layers = Object.keys(stacks).map((nodeType) => {
      const layer = { nodeType, isVcsSupport: true, containerUser: 'user' };
      return { ...layer, name: nodeType };
    });
    await setUp.platform.addEnvironment({ envName: 'all', layers });
    const hook = JSON.stringify({ preDeploy: 'echo hooked', preBuild: 'echo hooked' });
    const folders = Object.entries(stacks).map(async ([nodeGroup, [logs, hookLogs]]) => {
      await setUp.create({ envName: 'all', nodeGroup, hooks: hook, updateNow: true });
      const [node] = setUp.platform.nodes('all', nodeGroup);
      const root = setUp.platform.nodeFolder(node?.id ?? 0);
      assert.match(await readFile(join(root, logs, 'vcs_update.log'), 'utf8'), /Cloning into/u, nodeGroup);
      assert.match(await readFile(join(root, logs, 'vcs_autoresolve.log'), 'utf8'), /HEAD is now at/u, nodeGroup);
      assert.match(await readFile(join(root, hookLogs, 'hooks.log'), 'utf8'), /^hooked$/mu, nodeGroup);
    });
    await Promise.all(folders);
  });

  it('can be in the common folder', async () => {
    setUp.platform.behaviour.deployLogs = 'common';
    await setUp.create({ updateNow: true });
    assert.match(await setUp.read(logFile), /Cloning into/u);
  });

  it("can have our own deployments' log", async () => {
    setUp.platform.behaviour.deployments = 'own';
    await setUp.create({ updateNow: true });
    assert.match(await setUp.read('/var/log/nginx/vcs_update.log'), /deployed [0-9a-f]{40}/u);
    await assert.rejects(setUp.read(logFile));
  });

  it('hold each command and what it printed, as in a terminal, behind a date of the vendor', async () => {
    await setUp.create();
    const { log } = await setUp.update({ nodeId: setUp.nodeId(0) });
    const again = await setUp.update({ nodeId: setUp.nodeId(0) });
    const date = String.raw`\d\d/\d\d/\d\d\.[ \d]\d:\d\d:\d\d\.\d{9}`;
    const folder = '/var/www/webroot/ROOT';
    assert.match(log, new RegExp(`^${date}spawn git clone http\\S+ ${folder}\r\nCloning into '${folder}'...\r\n`, 'u'));
    const pull = `${date}${date}spawn git --git-dir=${folder}/.git pull\r\nAlready up to date.\r\n`;
    assert.match(again.log, new RegExp(pull, 'u'));
    const written = await setUp.read('/var/log/nginx/vcs_update.log');
    assert(written.endsWith(again.log));
    assert.equal(written.includes(setUp.dataFolder), false);
  });
});
