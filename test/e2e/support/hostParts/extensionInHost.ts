import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyExtension } from '../extensionCopy';

/** What a host or fork of VS Code may lack, as code that takes it away from `vscode` or the extension's `context`. */
export const missingParts = {
  nothing: '',
  'a secret storage that stores': `context.secrets.store = () => Promise.reject(new Error('no keyring'));`,
  'a secret storage that returns what it stored': `context.secrets.store = () => Promise.resolve();`,
  'a secret storage that is unlocked': `
    context.secrets.get = () => Promise.reject(new Error('The keyring is locked.'));
    context.secrets.store = () => Promise.reject(new Error('The keyring is locked.'));`,
  'a secret storage that outlives the window': `
    const values = new Map();
    context.secrets.get = (key) => Promise.resolve(values.get(key));
    context.secrets.store = (key, value) => Promise.resolve(void values.set(key, value));
    context.secrets.delete = (key) => Promise.resolve(void values.delete(key));`,
  'the functions of authentication': `
    delete vscode.authentication.registerAuthenticationProvider;
    delete vscode.authentication.getSession;`,
  'authentication providers, and tools of language models': `
    vscode.authentication.registerAuthenticationProvider = () => { throw new Error('not supported'); };
    vscode.authentication.getSession = () => Promise.reject(new Error('not supported'));
    vscode.lm.registerTool = () => { throw new Error('not supported'); };`,
  'source control': `delete vscode.scm;`,
  'authentication, language models, chat, and everything that Gantry does not use': `
    for (const name of ['authentication', 'lm', 'chat', 'ai', 'speech', 'interactive', 'debug', 'tests', 'notebooks', 'comments']) {
      delete vscode[name];
    }
    for (const name of Object.keys(vscode).filter((one) => /^(LanguageModel|Chat|Mcp)/.test(one))) {
      delete vscode[name];
    }`,
} as const;

export type MissingPart = keyof typeof missingParts;

export interface ExtensionInHost {
  readonly folder: string;
  /** The messages and log lines about problems, and errors that nothing handled, in order. */
  readonly observed: () => Promise<readonly string[]>;
}

const observedName = 'observed.txt';

/**
 * Copies the extension with an entry file that takes a part of the host away before the extension is loaded, so that all
 * of its activation runs without it. VS Code gives each extension its own `vscode`, so the others keep theirs.
 */
export async function extensionWithout(part: MissingPart): Promise<ExtensionInHost> {
  const folder = await copyExtension('host', { main: './withoutPart.js' });
  await writeFile(join(folder, 'withoutPart.js'), entryFile(missingParts[part]));
  await writeFile(join(folder, observedName), '');
  return {
    folder,
    observed: async () => {
      const text = await readFile(join(folder, observedName), 'utf8');
      return text.split('\n').filter((line) => line !== '');
    },
  };
}

function entryFile(takeAway: string): string {
  return `'use strict';
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');
const observe = (text) => appendFileSync(join(__dirname, '${observedName}'), String(text).replaceAll('\\n', ' ') + '\\n');
for (const event of ['unhandledRejection', 'uncaughtExceptionMonitor']) {
  process.on(event, (error) => {
    const stack = String(error?.stack ?? error);
    if (stack.includes(__dirname)) observe(event + ': ' + stack);
  });
}
for (const name of ['showWarningMessage', 'showErrorMessage']) {
  const show = vscode.window[name];
  vscode.window[name] = (text, ...rest) => {
    observe('message: ' + text);
    return show(text, ...rest);
  };
}
const { createOutputChannel } = vscode.window;
vscode.window.createOutputChannel = (...all) => {
  const channel = createOutputChannel(...all);
  const observed = Object.fromEntries(['warn', 'error'].map((level) => [level, { value: (text, ...rest) => {
    observe('log: ' + text);
    channel[level](text, ...rest);
  } }]));
  return Object.create(channel, observed);
};
let extension;
exports.activate = (original) => {
  const { secrets } = original;
  const calls = Object.fromEntries(['get', 'store', 'delete', 'keys'].map((name) => [name, (...all) => secrets[name](...all)]));
  const context = Object.create(original, { secrets: { value: { ...calls, onDidChange: secrets.onDidChange } } });
  ${takeAway}
  try {
    extension = require('./dist/extension.js');
    return extension.activate(context);
  } catch (error) {
    observe('activation: ' + error.stack);
    throw error;
  }
};
exports.deactivate = () => extension?.deactivate();
`;
}
