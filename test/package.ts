import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from './host/folders';
import { largestPackage, packageExtension } from './host/package/packageExtension';

const options = { repository: { type: 'string' }, ref: { type: 'string' } } as const;

/**
 * `package.ts [--repository ADDRESS --ref TAG] [FILE]`: creates gantry-<version>.vsix in the project's folder, or FILE,
 * and the list of bundled packages next to it. README's pictures and links lead to the repository. Without it, the
 * packaged README has no pictures.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  const vsix = positionals[0] ?? join(projectFolder, `gantry-${version}.vsix`);
  const { repository, ref = `v${version}` } = values;
  await packageExtension(vsix, repository === undefined ? undefined : { repository, ref });
  console.log(`${vsix}: ${statSync(vsix).size} bytes of at most ${largestPackage}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
