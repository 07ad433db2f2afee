import { LanguageModelTextPart, lm } from 'vscode';
import type { ToolName } from '../../../src/manifest';

/** Calls a tool as a model does, and returns its result or its error as text. */
export async function callTool(name: ToolName, input: object): Promise<string> {
  const { content } = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
}

export function callOrFail(name: ToolName, input: object): Promise<string> {
  return callTool(name, input).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
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
