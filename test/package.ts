import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './host/folders';
import { packageExtension } from './host/package/packageExtension';

/** Makes gantry-<version>.vsix in the project's folder. */
async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  const vsix = join(projectFolder, `gantry-${version}.vsix`);
  for (const { name, size } of await packageExtension(vsix)) console.log(`${String(size).padStart(8)}  ${name}`);
  console.log(`${vsix}: ${statSync(vsix).size} bytes`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
