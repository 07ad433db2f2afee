import { watch } from 'node:fs';
import { join } from 'node:path';
import { affectedFiles } from './affectedFiles';
import { projectFolder } from './folders';

/** Runs test files now, and again when they or their imports change, until the process ends. */
export async function watchFiles(
  files: readonly string[],
  run: (only: (file: string) => boolean) => Promise<unknown>,
): Promise<void> {
  const changed = new Set<string>();
  const state = { wake: (): void => undefined };
  for (const folder of ['src', 'test']) {
    watch(join(projectFolder, folder), { recursive: true }, (_, name) => {
      if (name !== null) changed.add(join(projectFolder, folder, name));
      state.wake();
    });
  }
  await run((file) => files.includes(file));
  for (;;) {
    console.log('\nWaiting for changes. Press Ctrl+C to quit.');
    if (changed.size === 0) await new Promise<void>((wake) => (state.wake = wake));
    const affected = await affectedFiles(files, new Set(changed));
    changed.clear();
    if (affected.length > 0) await run((file) => affected.includes(file));
  }
}
