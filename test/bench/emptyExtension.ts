import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json';

/** An extension that does nothing, for comparison with our activation. */
export async function emptyExtension(above: string, name: string): Promise<string> {
  const folder = join(above, name);
  await mkdir(folder, { recursive: true });
  const { engines } = manifest;
  const described = {
    name,
    publisher: 'gantry-bench',
    version: '0.0.1',
    engines,
    main: './extension.js',
    activationEvents: [],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(described));
  await writeFile(join(folder, 'extension.js'), 'exports.activate = () => undefined;\n');
  return folder;
}
