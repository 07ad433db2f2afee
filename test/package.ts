import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './host/folders';
import { largestPackage, packageExtension } from './host/package/packageExtension';

/** Creates gantry-<version>.vsix in the project's folder, or the file in the arguments. */
async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  const vsix = process.argv[2] ?? join(projectFolder, `gantry-${version}.vsix`);
  await packageExtension(vsix);
  console.log(`${vsix}: ${statSync(vsix).size} bytes of at most ${largestPackage}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
