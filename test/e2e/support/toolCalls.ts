import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../host/folders';
import { answer, runCommand } from '../../host/vscode/workbench';
import type { LocalPlatform } from '../../localPlatform/localPlatform';

/** An extension that calls tools as an agent does, without a model. */
export const toolCaller = join(projectFolder, 'test/e2e/support/toolCaller');

/** Calls a tool. A message shows the result. */
export async function callInWindow(page: Page, name: string, input: object): Promise<void> {
  await runCommand(page, 'Call Tool');
  await answer(page, 'Tool and input', JSON.stringify({ name, input }));
}

/** How many requests that change something the platform has received. */
export function changesSent({ journal }: LocalPlatform): number {
  return journal.count(({ operation }) => /^(Write|Append|Delete|Update|Restart.*)$/.test(operation));
}
