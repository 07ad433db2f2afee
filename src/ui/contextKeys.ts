import { commands } from 'vscode';
import type { ContextKeys } from '../manifest';

export async function setContextKey<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): Promise<void> {
  await commands.executeCommand('setContext', key, value);
}
