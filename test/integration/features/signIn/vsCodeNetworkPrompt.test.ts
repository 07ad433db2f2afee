import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { ConfigurationTarget, type Disposable, workspace } from 'vscode';
import { Connections, FollowedSettings } from '../../../../src/accounts/connections';
import { watchConnections } from '../../../../src/accounts/accountNotices';
import { createSignIn } from '../../../../src/features/signIn/signIn';
import { offerVsCodeNetwork } from '../../../../src/features/signIn/signInQuestions';
import type { PlatformClient } from '../../../../src/platform/client';
import { type ScriptedServer, startTlsServer } from '../../../unit/platform/scriptedServer';
import { PersonsAccounts } from '../../support/personsAccounts';
import { windowScene } from '../../support/windowScene';

const offer = "Gantry can't connect to";

describe("a platform that only VS Code's network settings reach", () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const { person } = scene;
  /** Gantry's own connections don't trust its certificate. VS Code's `fetch` is led to the platform, as by a proxy. */
  let secured: ScriptedServer;
  let isReachable: boolean;
  let settings: FollowedSettings;
  let connections: Connections;
  let watching: Disposable;
  let client: PlatformClient;
  let session: string;
  let refreshed: () => void;
  let probes: number;

  before(async () => {
    secured = await startTlsServer();
    session = await scene.platform.createToken({ description: 'test', apiList: ['environment.control.GetEnvs'] });
  });

  beforeEach(() => {
    isReachable = true;
    probes = 0;
    settings = new FollowedSettings();
    connections = new Connections({
      settings: settings.read,
      log: () => undefined,
      userAgent: 'Gantry',
      fetch: (url, options) => {
        probes += 1;
        return isReachable ? fetch(url.replace(secured.url, scene.platform.origin), options) : fetch(url, options);
      },
    });
    refreshed = () => undefined;
    watching = watchConnections({
      connections,
      accounts: { refreshViews: () => refreshed() },
      report: assert.ifError,
      now: Date.now,
      offer: (address) => offerVsCodeNetwork(connections, address, { modal: false }),
    });
    client = connections.open({ slug: 'a', label: 'A', address: secured.url, transport: 'form', token: session });
  });

  afterEach(async () => {
    watching.dispose();
    connections.dispose();
    settings.dispose();
    await workspace.getConfiguration('gantry').update('networkStack', undefined, ConfigurationTarget.Global);
  });

  after(() => secured.close());

  const environments = () => client.call('GetEnvs', { session });

  it('is used with one click, and what failed is loaded again', async () => {
    await person.answering([{ presses: "Use VS Code's Network Settings" }], async () => {
      const again = new Promise<void>((resolve) => (refreshed = resolve));
      await assert.rejects(environments(), { obstacle: 'certificate' });
      await again;
    });
    assert.ok(person.seen.some((text) => text.startsWith(offer)));
    assert.equal(settings.read().networkStack, 'vscode');
    assert.ok((await environments()).environments.length > 0);
  });

  it('is offered once for any number of failed requests, and nothing changes if the user declines', async () => {
    await person.answering([{ presses: 'Not Now' }], async () => {
      const seen = new Promise<void>((resolve) => person.onDidSee(() => resolve()));
      await Promise.allSettled([environments(), environments(), environments()]);
      await seen;
      await Promise.allSettled([environments()]);
    });
    assert.equal(probes, 2, 'one check has two requests');
    assert.equal(settings.read().networkStack, 'own');
  });

  it('is used for a sign-in, which connects once through each network stack', async () => {
    let connected = 0;
    const connect = connections.connect.bind(connections);
    connections.connect = (...given) => {
      connected += 1;
      return connect(...given);
    };
    const { email, password } = scene.platform.sample;
    const use = { presses: "Use VS Code's Network Settings" };
    const answers = [secured.url, use, 'Email and password', email, password, '90 days'];
    const other = new PersonsAccounts();
    const { services } = await scene.parts.handles.accounts.load();
    const { signIn } = createSignIn({ ...services, accounts: other.accounts, connections });
    const signedIn = await person.answering(answers, signIn);
    assert.equal(signedIn?.label, email);
    assert.equal(connected, 2);
    other.dispose();
  });

  it("is never offered if VS Code can't reach it either", async () => {
    isReachable = false;
    await person.answering([], async () => {
      await Promise.allSettled([environments()]);
      assert.equal(await connections.isReachedByVsCode(client.address), false);
    });
    assert.ok(probes > 0);
    assert.deepEqual(person.seen, []);
  });
});
