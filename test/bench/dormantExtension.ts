import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json';
import { projectFolder } from '../host/folders';
import { bundleAsShipped } from '../host/package/packageExtension';

/** The extension as shipped, except for its activation events: only the measurement activates it. */
export async function dormantExtension(above: string): Promise<string> {
  const folder = join(above, 'dormant');
  await mkdir(folder, { recursive: true });
  for (const part of ['media', 'package.nls.json']) {
    await cp(join(projectFolder, part), join(folder, part), { recursive: true });
  }
  await bundleAsShipped(join(folder, 'dist'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  return folder;
}
