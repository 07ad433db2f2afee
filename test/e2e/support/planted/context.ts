import { type ExtensionContext, extensions } from 'vscode';

/** Returns the context of the test extension in this folder. */
export async function plantedContext(): Promise<ExtensionContext> {
  const extension = extensions.getExtension<ExtensionContext>('gantry-tests.planted');
  if (extension === undefined) throw new Error('The extension gantry-tests.planted is not installed.');
  return await extension.activate();
}
