import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';

/** Calls back when any window changes a file in a shared folder. Creates the folder. */
export function watchFolder(
  folder: string,
  changed: () => void,
  onDidFail: (error: unknown) => void,
): { dispose(): void } {
  const watching = mkdir(folder, { recursive: true, mode: 0o700 }).then(() =>
    watch(folder, { persistent: false }, changed).on('error', onDidFail),
  );
  watching.catch(onDidFail);
  return {
    dispose: () => {
      // If watching failed, that was reported and there's nothing to close.
      void watching.then((watcher) => watcher.close()).catch(() => undefined);
    },
  };
}
