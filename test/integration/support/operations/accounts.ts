import assert from 'node:assert/strict';
import { env } from 'vscode';
import type { TokenElement } from '../../../../src/features/access/accessView';
import type { Performance } from './performance';
import type { Stage } from './stage';
import { escape } from '../person';

const day = 24 * 60 * 60 * 1000;

export const signingIn: readonly Performance[] = [
  {
    operation: 'Signin',
    effect: 'the platform has a token for this computer, and no session of the password is left',
    play: async (stage) => {
      const { origin, sample } = stage.platform;
      await stage.parts.accounts.remove(stage.account.slug);
      const before = await stage.ask('GetSessions', {});
      const answers = [origin, 'Email and password', sample.email, sample.password, '90 days'];
      await stage.does('gantry.account.signIn', [], answers);
      assert.equal(stage.account.host, new URL(origin).host);
      assert.ok((await names(stage)).some((name) => name.startsWith('Gantry, VS Code on ')));
      const passwords = ({ sessions }: typeof before) => sessions.filter(({ userAgent }) => userAgent === 'Gantry');
      assert.ok(passwords(await stage.ask('GetSessions', {})).length <= passwords(before).length + 1);
    },
  },
];

export const accessPerformances: readonly Performance[] = [
  {
    operation: 'CreateToken',
    effect: 'the platform lists a token with that name, and its value permits what its template permits',
    play: async (stage) => {
      await stage.lock();
      await create(stage, 'Printer', 'IDE Plugins', [stage.platform.sample.password]);
      const key = await env.clipboard.readText();
      const { environments } = await stage.askAs(key, 'GetEnvs', {});
      assert.ok(environments.length > 0);
      assert.ok((await names(stage)).includes('Printer'));
    },
  },
  {
    operation: 'GetTokenTemplates',
    effect: 'the new token can call the methods of the template that was selected from the platform’s list',
    play: async (stage) => {
      await stage.unlock();
      await create(stage, 'Archive', 'Maven Plugin');
      const { templates } = await stage.ask('GetTokenTemplates', {});
      const { apiList = [] } = templates.find(({ name }) => name === 'Maven Plugin') ?? {};
      assert.ok(apiList.length > 0);
      assert.deepEqual((await token(stage, 'Archive')).apiList, apiList);
    },
  },
  {
    operation: 'GetTokenApiList',
    effect: 'the new token can call only the methods that were selected from the platform’s list',
    play: async (stage) => {
      await stage.unlock();
      await create(stage, 'Reader', 'Custom methods', [], [['Read environment.file', 'GetList environment.file']]);
      const methods = (await token(stage, 'Reader')).apiList.map((method) => method.split('.').at(-1));
      assert.deepEqual(methods.sort(), ['GetList', 'Read']);
    },
  },
  {
    operation: 'GetTokens',
    effect: 'the rows are the tokens that the platform lists',
    play: async (stage) => {
      await stage.unlock();
      const rows = await stage.unfolds('Access', stage.parts.accessView, 'Access tokens');
      const shown = rows.filter(isToken).map(({ token: { description } }) => description);
      assert.deepEqual(shown.sort(), (await names(stage)).sort());
    },
  },
  {
    operation: 'EditToken',
    effect: 'the platform lists the token with its new name and the same permissions',
    play: async (stage) => {
      await stage.unlock();
      const apiList = ['environment.file.Read', 'environment.file.GetList'];
      await stage.platform.createToken({ description: 'Checker', apiList, expiresAt: Date.now() + day });
      const before = await token(stage, 'Checker');
      const answers = ['Scanner', 'Custom methods', ['Read environment.file', 'GetList environment.file'], 'unchanged'];
      await stage.does('gantry.token.edit', [await row(stage, 'Checker')], answers);
      const after = await token(stage, 'Scanner');
      assert.deepEqual([after.id, [...after.apiList].sort()], [before.id, [...before.apiList].sort()]);
    },
  },
  {
    operation: 'RegenerateToken',
    effect: 'the old value is rejected, and the new one is valid',
    play: async (stage) => {
      await stage.unlock();
      const before = await stage.platform.createToken({ description: 'Laptop', tokenTemplate: 'Extended Access' });
      await stage.does('gantry.token.regenerate', [await row(stage, 'Laptop')], ['Regenerate', 'Copy']);
      await assert.rejects(stage.askAs(before, 'GetEnvs', {}));
      await stage.askAs(await env.clipboard.readText(), 'GetEnvs', {});
    },
  },
  {
    operation: 'DeleteTokens',
    effect: 'the platform no longer lists the token',
    play: async (stage) => {
      await stage.unlock();
      await stage.platform.createToken({ description: 'Phone', tokenTemplate: 'Extended Access' });
      await stage.does('gantry.token.delete', [await row(stage, 'Phone')], ['Delete']);
      assert.ok(!(await names(stage)).includes('Phone'));
    },
  },
  {
    operation: 'GetPolicyMethods',
    effect: 'the list of methods for a token marks those that the platform lets no token call',
    play: async (stage) => {
      await stage.unlock();
      await stage.does('gantry.token.create', [{ account: stage.account }], ['Kiosk', 'Custom methods', escape]);
      const marked = stage.person.seen.flatMap((one) => /^ *(\w+): .* · not allowed for tokens/.exec(one)?.[1] ?? []);
      assert.deepEqual(marked.sort(), ['GetPolicyMethods', 'SignoutSessions']);
    },
  },
  {
    operation: 'GetSessions',
    effect: 'the rows are the sessions that the platform lists, with the password session marked',
    play: async (stage) => {
      await stage.unlock();
      const rows = await stage.unfolds('Access', stage.parts.accessView, 'Sessions');
      const listed = (await stage.ask('GetSessions', {})).sessions.map(({ id }) => id);
      const shown = rows.flatMap((element) => (element.kind === 'session' ? [element.session] : []));
      assert.deepEqual(shown.map(({ id }) => id).sort(), listed.sort());
      assert.equal(shown.filter(({ current }) => current === true).length, 1);
    },
  },
  {
    operation: 'SignoutSessions',
    effect: 'the platform no longer lists sessions of tokens, and the tokens are still valid',
    play: async (stage) => {
      await stage.unlock();
      const key = await stage.platform.createToken({ description: 'Desk', tokenTemplate: 'Extended Access' });
      await stage.askAs(key, 'GetEnvs', {});
      const before = (await stage.ask('GetSessions', {})).sessions.length;
      await stage.does('gantry.session.signOutAll', [{ account: stage.account }], ['Sign Out']);
      assert.ok((await stage.ask('GetSessions', {})).sessions.length < before);
      await stage.askAs(key, 'GetEnvs', {});
    },
  },
  {
    operation: 'Signout',
    effect: 'the platform no longer lists the session that the password opened',
    play: async (stage) => {
      await stage.unlock();
      const before = (await stage.ask('GetSessions', {})).sessions.length;
      await stage.does('gantry.account.lock', [{ account: stage.account }]);
      assert.equal((await stage.ask('GetSessions', {})).sessions.length, before - 1);
    },
  },
];

/** Creates a token through all prompts and copies its value. */
async function create(
  stage: Stage,
  name: string,
  template: string,
  unlocking: readonly string[] = [],
  methods: readonly (readonly string[])[] = [],
): Promise<void> {
  const answers = [...unlocking, name, template, ...methods, '90 days', 'Copy'];
  await stage.does('gantry.token.create', [{ account: stage.account }], answers);
}

async function names(stage: Stage): Promise<string[]> {
  return (await stage.ask('GetTokens', {})).tokens.map(({ description = '' }) => description);
}

async function token(stage: Stage, name: string) {
  const found = (await stage.ask('GetTokens', {})).tokens.find(({ description }) => description === name);
  assert.ok(found, name);
  return found;
}

/** Returns the current row of a token in the view. */
async function row(stage: Stage, name: string): Promise<TokenElement> {
  const { accessView } = stage.parts;
  accessView.refresh();
  const groups = await accessView.getChildren();
  const tokens = groups.find(({ kind }) => kind === 'tokens');
  const found = (await accessView.getChildren(tokens)).filter(isToken).find((one) => one.token.description === name);
  assert.ok(found, name);
  return found;
}

function isToken(element: { readonly kind: string }): element is TokenElement {
  return element.kind === 'token';
}
