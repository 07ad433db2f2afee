import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, env, ExtensionKind, extensions, type Terminal, type TerminalOptions, window } from 'vscode';
import { closeWithoutSaving, openInEditor } from '../../support/editing';
import { until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { pagesOpenedBy } from '../../support/pagesOpenedBy';
import { escape } from '../../support/person';
import { closeTerminals, setGate, SilentGate } from '../../support/terminals';
import { rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

const layers = [{ name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx' }];

describe('Open Terminal', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;
  const gate = new SilentGate();

  before(async () => {
    await gate.start();
    await scene.platform.addEnvironment({ envName: 'asleep', displayName: 'Asleep', status: 4, layers });
    await scene.signInWith({ description: 'test', tokenTemplate: 'IDE Plugins' });
  });

  beforeEach(async () => {
    person.enter();
    scene.platform.journal.reset();
    await setGate({ [scene.account.host]: `127.0.0.1:${gate.port}` });
  });

  afterEach(async () => {
    scene.parts.accounts.forgetRights();
    scene.parts.environments.refresh();
    await closeTerminals();
  });

  after(async () => {
    await setGate(undefined);
    await gate.stop();
  });

  const row = (envName = 'shop', index = 0, slug = scene.slug) => ({
    environment: { account: slug, name: envName },
    layer: { id: 'cp' },
    node: { id: scene.platform.nodes(envName, 'cp')[index]?.id ?? 0 },
  });

  /** Calls the command, and returns what the terminals that it opened run. */
  const opened = async (...received: readonly unknown[]) => {
    const open: readonly Terminal[] = window.terminals;
    await commands.executeCommand('gantry.terminal.open', ...received);
    return window.terminals
      .filter((terminal) => !open.includes(terminal))
      .map(({ creationOptions }) => creationOptions as TerminalOptions);
  };
  const argsOf = async (...received: readonly unknown[]) =>
    (await opened(...received)).map(({ shellArgs }) => shellArgs);
  const copied = async (...received: readonly unknown[]) => {
    await env.clipboard.writeText('');
    await commands.executeCommand('gantry.terminal.copyCommand', ...received);
    return env.clipboard.readText();
  };
  const login = (index: number, userId = scene.platform.sample.uid) => `${cp.nodeId(index)}-${userId}`;
  const at = (index: number, userId?: number) => [
    '-p',
    String(gate.port),
    '-t',
    '--',
    `${login(index, userId)}@127.0.0.1`,
  ];
  const cd = (folder: string) => `cd -- '${folder}' && exec "\${SHELL:-sh}" -l`;
  const seen = () => person.seen.join('\n');
  const isOpen = (label: string) => window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => tab.label === label));
  const sent = () => scene.platform.journal.entries.filter(({ operation }) => operation === 'GetUserInfo').length;
  /** A token that can't say who the person is. */
  const narrowly = async (work: (slug: string) => Promise<void>) => {
    const apiList = ['environment.control.GetEnvs', 'environment.file.Read'];
    await scene.addAccount({ description: 'narrow', apiList }, 'narrow');
    try {
      await work('narrow');
    } finally {
      await scene.parts.accounts.remove('narrow');
    }
  };

  it('runs ssh with a list of arguments, in which no token is', async () => {
    const [options, ...others] = await opened(row());
    assert.deepEqual(others, []);
    assert.equal(options?.shellPath, 'ssh');
    assert.deepEqual(options.shellArgs, at(0));
    assert.equal(options.cwd, homedir());
    assert.match(options.name ?? '', /^Saltmarsh Tea · NGINX PHP 8\.3 \(\d+\)$/);
    const { token } = (await scene.parts.accounts.stored(scene.slug)) ?? assert.fail();
    assert.ok(!JSON.stringify(options).includes(token));
  });

  it('starts at the folder of a row, in the Explorer, or of the active file', async () => {
    const path = "/srv/it's $(here)";
    await mkdir(join(scene.platform.nodeFolder(cp.nodeId(1)), path), { recursive: true });
    scene.parts.listings.forgetAll();
    const expected = [[...at(1), cd("/srv/it'\\''s $(here)")]];
    assert.deepEqual(await argsOf(fileUri(scene.account, 'shop', `cp~${cp.nodeId(1)}`, path)), expected);
    const view = scene.parts.environmentsView;
    const node = (await rowsBelow(view, 'Saltmarsh Tea', 'Application servers')).at(1);
    const folder = (await view.getChildren(node)).find((one) => 'place' in one && one.place.path === '/etc');
    assert.ok(folder);
    assert.deepEqual(await argsOf(folder), [[...at(1), cd('/etc')]]);
    const file = cp.uri('/etc/nginx/nginx.conf', 1);
    assert.deepEqual(await argsOf(file), [[...at(1), cd('/etc/nginx')]]);
    await openInEditor(file);
    assert.deepEqual(await argsOf(), [[...at(1), cd('/etc/nginx')]]);
    assert.deepEqual(person.seen, []);
  });

  it('asks for the node of a file of the whole layer, and for any node without a file', async () => {
    await openInEditor(fileUri(scene.account, 'shop', 'cp', '/etc/nginx/nginx.conf'));
    const ofFile = await person.answering([`${cp.nodeId(1)}`], () => argsOf());
    assert.deepEqual(ofFile, [[...at(1), cd('/etc/nginx')]]);
    assert.equal(person.seen[0], 'Select the node to connect to');
    await closeWithoutSaving();
    assert.deepEqual(await person.answering([`${cp.nodeId()}`], () => argsOf()), [at(0)]);
    assert.deepEqual(await person.answering([escape], () => argsOf()), []);
    assert.deepEqual(await person.answering([escape], () => argsOf({ ...row(), node: { id: 1 } })), []);
  });

  it('goes to the gate and port of the platform in the settings', async () => {
    await setGate({ [scene.account.host]: 'ssh.example.com:2222', 'app.example.com': 'other.example.com' });
    assert.equal(await copied(row()), `ssh -p 2222 -t -- ${login(0)}@ssh.example.com`);
    await setGate({ [scene.account.host]: '-oProxyCommand=x' });
    assert.deepEqual(await argsOf(row()), []);
    assert.match(seen(), /^The SSH gate of 127\.0\.0\.1:\d+ in the gantry\.ssh\.gate setting isn't valid\./m);
    await setGate({});
    assert.deepEqual(await argsOf(row()), []);
    // The sample platform has none, so a setting wouldn't help.
    assert.match(
      seen(),
      /^Terminals can't connect to 127\.0\.0\.1:\d+, because the sample platform has no SSH gate\. For another platform on this computer, add its gate to the gantry\.ssh\.gate setting\.$/m,
    );
  });

  it('opens the setting from the message about an unknown or invalid gate', async () => {
    for (const gates of [{}, { [scene.account.host]: '-oProxyCommand=x' }]) {
      await setGate(gates);
      await commands.executeCommand('workbench.action.closeAllEditors');
      const opened = until(window.tabGroups.onDidChangeTabs, () => isOpen('Settings'));
      assert.deepEqual(await person.answering([{ presses: 'Open Settings' }], () => argsOf(row())), []);
      await opened;
    }
    assert.equal(sent(), 0);
  });

  it('copies the same command as one line', async () => {
    const uri = cp.uri('/etc/nginx/nginx.conf', 1);
    assert.equal(await copied(row()), `ssh -p ${gate.port} -t -- ${login(0)}@127.0.0.1`);
    const quoted = process.platform === 'win32' ? "''/etc/nginx''" : "'\\''/etc/nginx'\\''";
    assert.equal(
      await copied(uri),
      `ssh -p ${gate.port} -t -- ${login(1)}@127.0.0.1 'cd -- ${quoted} && exec "\${SHELL:-sh}" -l'`,
    );
    assert.equal(window.terminals.length, 0);
  });

  it("opens in a folder whose command PowerShell can't pass on, and then doesn't copy it", async () => {
    const folder = '/srv/a"b';
    await mkdir(join(scene.platform.nodeFolder(cp.nodeId()), folder), { recursive: true });
    scene.parts.listings.forgetAll();
    const uri = fileUri(scene.account, 'shop', `cp~${cp.nodeId()}`, folder);
    const usual = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    Object.defineProperty(process, 'platform', { ...usual, value: 'win32' });
    try {
      assert.deepEqual(await argsOf(uri), [[...at(0), cd(folder)]]);
      assert.equal(await copied(uri), '');
    } finally {
      Object.defineProperty(process, 'platform', usual);
    }
    assert.match(seen(), /^Couldn't copy the command: PowerShell can't pass quotation marks in a path\./m);
  });

  it("opens nothing if the environment isn't running, and offers the dashboard", async () => {
    const shown = await pagesOpenedBy(() =>
      person.answering([{ presses: 'Open Dashboard' }], async () => {
        assert.deepEqual(await argsOf(row('asleep')), []);
      }),
    );
    assert.deepEqual(shown, [`${scene.platform.origin}/`]);
    assert.match(
      seen(),
      /^Couldn't open a terminal: Asleep isn't running\. Start it in the dashboard, then try again\.$/m,
    );
    assert.equal(sent(), 0);
    assert.match(await copied(row('asleep')), /^ssh /);
  });

  it('says what it refuses, and why', async () => {
    const folder = '/srv/two\u0007lines';
    await mkdir(join(scene.platform.nodeFolder(cp.nodeId()), folder), { recursive: true });
    scene.parts.listings.forgetAll();
    assert.deepEqual(await argsOf(fileUri(scene.account, 'shop', `cp~${cp.nodeId()}`, folder)), []);
    assert.match(
      seen(),
      /^Couldn't open the folder on NGINX PHP 8\.3 \(\d+\): its path contains control characters\.$/m,
    );
  });

  it("asks for the user ID once if the token can't read it, and forgets it when the person signs out", async () => {
    for (const typed of ['678', `ssh ${cp.nodeId()}-678@gate.example.com -p 3022`]) {
      await narrowly(async (slug) => {
        const own = [at(0, 678)];
        assert.deepEqual(await person.answering([escape], () => argsOf(row('shop', 0, slug))), []);
        assert.deepEqual(await person.answering([typed], () => argsOf(row('shop', 0, slug))), own);
        assert.match(person.seen[0] ?? '', /^The dashboard shows an SSH command for each node\. Paste it/);
        assert.deepEqual(await person.answering([], () => argsOf(row('shop', 0, slug))), own);
        // The refused request isn't repeated.
        assert.equal(sent(), 1);
        scene.platform.journal.reset();
      });
    }
  });

  it('takes the user ID of an environment that the person owns', async () => {
    scene.platform.behaviour.environmentOwner = 'shown';
    await narrowly(async (slug) => assert.deepEqual(await argsOf(row('shop', 0, slug)), [at(0)]));
    assert.deepEqual(person.seen, []);
  });

  it("asks for the user ID if the platform doesn't have the operation, or its response lacks it", async () => {
    for (const fault of [
      { kind: 'answer', status: 404, body: '<html><title>Not Found</title></html>' } as const,
      { kind: 'answer', body: '{"result":0}' } as const,
      { kind: 'refuse', result: 3, error: 'unknown method' } as const,
    ]) {
      scene.fail('GetUserInfo', fault);
      assert.deepEqual(await person.answering([escape], () => argsOf(row())), []);
    }
  });

  it("doesn't ask if the platform only can't be reached", async () => {
    scene.fail('GetUserInfo', { kind: 'reset', when: 'before' }, { times: 'always' });
    assert.deepEqual(await argsOf(row()), []);
    assert.match(seen(), /^Couldn't read your user ID: /m);
  });

  it("starts in the person's home folder, unless the window's terminals are on another computer", async () => {
    const usual = Object.getOwnPropertyDescriptor(env, 'remoteName') ?? assert.fail();
    const { getExtension } = extensions;
    const folderIn = async (remoteName: string | undefined, extensionKind: ExtensionKind) => {
      Object.defineProperty(env, 'remoteName', { ...usual, get: () => remoteName });
      Object.assign(extensions, {
        getExtension: (id: string) => (id === 'gantry.gantry' ? { extensionKind } : getExtension(id)),
      });
      return (await opened(row())).map(({ cwd }) => cwd);
    };
    try {
      assert.deepEqual(await folderIn(undefined, ExtensionKind.UI), [homedir()]);
      assert.deepEqual(await folderIn('wsl', ExtensionKind.Workspace), [homedir()]);
      assert.deepEqual(await folderIn('wsl', ExtensionKind.UI), [undefined]);
    } finally {
      Object.defineProperty(env, 'remoteName', usual);
      Object.assign(extensions, { getExtension });
    }
  });
});
