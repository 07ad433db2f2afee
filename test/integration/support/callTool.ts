import { ConfigurationTarget, LanguageModelTextPart, lm, workspace } from 'vscode';
import type { ToolName } from '../../../src/manifest';
import { Person } from './person';
import { inProduction } from './production';

/** Calls a tool as a model does, and returns its result or its error as text. */
export async function callTool(name: ToolName, input: object): Promise<string> {
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
}

export function callOrFail(name: ToolName, input: object): Promise<string> {
  return callTool(name, input).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

export async function setAgentAccess(value: 'off' | 'read' | 'readAndWrite' | undefined): Promise<void> {
  await workspace.getConfiguration('gantry').update('agents.access', value, ConfigurationTarget.Global);
}

/** Lets tools read the accounts that are signed in, and change something, as a person does who agrees to all questions. */
export async function allowAgents({
  production = [],
}: { readonly production?: readonly string[] } = {}): Promise<void> {
  await setAgentAccess('readAndWrite');
  const person = new Person();
  const agreeing = (work: () => Promise<unknown>) => person.answeringBy(() => 'Allow', work);
  try {
    await agreeing(() => callTool('gantry_list_environments', {}));
    await inProduction(production, async () => {
      for (const environment of production) {
        await agreeing(() => callTool('gantry_list_folder', { place: `${environment}/cp` }));
      }
    });
  } finally {
    person.leave();
  }
}

/** Returns a fact of a result. */
export function fact(result: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(result)?.[1] ?? '';
}

/** Returns what a result marks as data. */
export function dataIn(result: string): string {
  const [, mark = ''] = /^<<< (\S+)$/m.exec(result) ?? [];
  return result.slice(result.indexOf(`<<< ${mark}\n`) + 5 + mark.length, result.lastIndexOf(`\n>>> ${mark}`));
}
