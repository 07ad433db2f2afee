import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './host/folders';
import { releaseNotes } from './host/package/releaseNotes';

const read = (name: string): string => readFileSync(join(projectFolder, name), 'utf8');

/** `releaseNotes.ts TAG`: prints what CHANGELOG.md says about the version, and fails if the tag is for another one or a test is flaky. */
try {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const flaky = JSON.parse(read('test/flaky.json')) as readonly unknown[];
  console.log(releaseNotes({ tag: process.argv[2] ?? '', version, changelog: read('CHANGELOG.md'), flaky }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
