import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, env, window, workspace } from 'vscode';
import { Canceled } from '../../../../src/platform/errors';
import { failed } from '../../../../src/platform/failureTexts';
import { ExpectedError } from '../../../../src/ui/expectedError';
import { notifyFailure } from '../../../../src/ui/notifications';
import { RecentErrors } from '../../../../src/ui/recentErrors';
import { nextEvent } from '../../support/event';
import { Person } from '../../support/person';
import { windowScene } from '../../support/windowScene';

describe('Copy Diagnostics', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  let token: string;

  before(async () => {
    token = (await scene.parts.accounts.stored(scene.slug))?.token ?? assert.fail('signed in');
  });

  after(() => setPlatforms(undefined));

  const setPlatforms = (list: readonly string[] | undefined) =>
    workspace.getConfiguration('gantry').update('platforms', list, ConfigurationTarget.Global);
  const copy = async () => {
    await commands.executeCommand('gantry.diagnostics.copy');
    return env.clipboard.readText();
  };

  it('copies versions, settings, features, and the last errors, and nothing confidential', async () => {
    await setPlatforms([scene.platform.origin]);
    const path = '/var/www/webroot/missing-secret.conf';
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(cp.uri('/none/here.conf'), Buffer.from('text'))));
    await assert.rejects(scene.account.call('Read', { envName: 'shop', nodeid: cp.nodeId(), path }));
    const text = await copy();
    assert.match(text, /^# Gantry diagnostics\n/);
    assert.match(text, /- Gantry \d+\.\d+\.\d+\n- VS Code 1\.\d+\.\d+/);
    assert.match(text, /- gantry\.platforms: set \(1\)/);
    assert.match(text, /- Secret storage: works/);
    assert.match(text, /- Account 1: signed in; transport form; .*compatibility checked: no; switched off: nothing/);
    assert.match(text, /Z Read: \w+, result \d+, \d+ ms/);
    const { email, password } = scene.platform.sample;
    const names = scene.platform.environments.flatMap(({ envName, domain }) => [envName, domain]);
    const hidden = [
      token,
      email,
      password,
      scene.platform.origin,
      new URL(scene.platform.origin).host,
      scene.account.slug,
      scene.account.label,
      path,
      'missing-secret',
      '/none',
      'here.conf',
      String(cp.nodeId()),
      ...names,
      __dirname,
      process.cwd(),
    ];
    const bytes = Buffer.from(text);
    for (const one of hidden) assert.equal(bytes.includes(one), false, one);
  });

  it('shows the copied text on request', async () => {
    const person = new Person();
    const opened = nextEvent(window.onDidChangeActiveTextEditor, (editor) => editor !== undefined);
    await person.answering([{ presses: 'Show Diagnostics' }], copy).finally(() => person.leave());
    assert.equal((await opened)?.document.getText(), await env.clipboard.readText());
  });

  it('contains the errors of what it is called on: a row of a view, or the details of a batch, each once', async () => {
    const [first, second, third] = [new TypeError('a'), new RangeError('b'), new SyntaxError('c')];
    const copyFor = async (received: unknown) => {
      await commands.executeCommand('gantry.diagnostics.copy', received);
      const text = await env.clipboard.readText();
      return [first, second, third].map(({ name }) => text.split(`Z ${name}`).length - 1);
    };
    assert.deepEqual(await copyFor({ kind: 'problem', error: first }), [1, 0, 0]);
    assert.deepEqual(await copyFor({ errors: [first, second, third] }), [1, 1, 1]);
  });

  it('names what the compatibility check switched off', async () => {
    const { files } = scene.parts;
    const { compatibility } = files;
    await compatibility.save(scene.account.slug, {
      facts: { overwriting: 'appends' },
      observations: [],
      hasWritten: true,
      isIncomplete: false,
      leftFolders: 0,
    } as never);
    assert.match(await copy(), /compatibility checked: yes; switched off: overwriting/);
    await compatibility.forget(scene.account.slug);
  });
});

describe('the message of a failure', () => {
  let person: Person;
  let recent: RecentErrors;
  const log = window.createOutputChannel('diagnostics', { log: true });

  beforeEach(() => {
    person = new Person();
    recent = new RecentErrors();
  });
  afterEach(() => person.leave());
  after(() => log.dispose());

  const tell = (error: unknown, ...presses: readonly string[]) =>
    person.answering(
      presses.map((button) => ({ presses: button })),
      () => notifyFailure(error, { log, recent }),
    );

  it('offers the diagnostics with one click if the error is unexpected', async () => {
    for (const error of [
      new TypeError("Cannot read properties of undefined (reading 'x')"),
      'a text',
      failed({ kind: 'platform', operation: 'Write', target: '/x', result: 99 }),
    ]) {
      await env.clipboard.writeText('');
      await tell(error, 'Copy Diagnostics');
      assert.match(await env.clipboard.readText(), /^# Gantry diagnostics/);
    }
    assert.equal(recent.list.length, 3);
  });

  it('offers a compatibility check if the platform answered something that Gantry cannot read', async () => {
    const surprise = { kind: 'protocol', operation: 'GetList', target: '/x' } as const;
    const run: unknown[] = [];
    const { executeCommand } = commands;
    Object.assign(commands, { executeCommand: (id: unknown) => Promise.resolve(void run.push(id)) });
    try {
      await tell(failed(surprise), 'Check Compatibility…');
      await assert.rejects(tell(failed({ ...surprise, obstacle: 'webPage' }), 'Check Compatibility…'), /not asked/);
    } finally {
      Object.assign(commands, { executeCommand });
    }
    assert.deepEqual(run, ['gantry.platform.checkCompatibility']);
  });

  it("doesn't offer them if Gantry expects the error, or if the user canceled", async () => {
    const expected = [
      new ExpectedError('The conflict no longer exists.'),
      failed({ kind: 'unauthenticated', operation: 'Signin', target: 'x' }),
      failed({ kind: 'unreachable', operation: 'Read', target: '/x' }),
      failed({ kind: 'platform', operation: 'Copy', target: '/x', obstacle: 'copyDiffers' }),
      new Canceled('Write', { isOutcomeUnknown: true }),
    ];
    for (const error of expected) {
      await assert.rejects(tell(error, 'Copy Diagnostics'), /not asked/);
    }
  });
});
