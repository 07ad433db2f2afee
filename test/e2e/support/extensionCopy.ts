import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder, scratchFolder } from '../../host/folders';

/** Copies the extension into a scratch folder, with some properties of its package.json changed. */
export async function copyExtension(purpose: string, changes: object): Promise<string> {
  const folder = scratchFolder(purpose);
  // Not as links: VS Code finds the texts of a module's extension by the module's real path.
  for (const name of ['package.nls.json', 'media', 'dist']) {
    await cp(join(projectFolder, name), join(folder, name), { recursive: true });
  }
  const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as object;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...changes }));
  return folder;
}
