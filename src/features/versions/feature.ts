import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';

export function registerVersions(gantry: Gantry, { files }: Pick<FeatureHandles, 'files'>) {
  const { complete } = gantry.host;
  const versions = gantry.add({
    id: 'versions',
    needs: 'tree',
    load: async () => (await import('./versions')).createVersions,
  });
  files.whenLoaded(({ onDidVerify, fileSystem }) => {
    onDidVerify((saved) => complete(versions.use((one) => one.noteSaved(saved))));
    fileSystem.onDidAlter((changes) => complete(versions.use((one) => one.noteGone(changes))));
  });
  return versions;
}
