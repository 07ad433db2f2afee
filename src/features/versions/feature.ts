import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';
import { journalFolder } from '../../storage/storageKeys';

export function registerVersions(gantry: Gantry, { files, tree }: Pick<FeatureHandles, 'files' | 'tree'>) {
  const { complete, storageFolder } = gantry.host;
  const versions = gantry.add({
    id: 'versions',
    needs: 'tree',
    storesForAccounts: true,
    load: async () => (await import('./versions')).createVersions,
  });
  files.whenLoaded(({ onDidVerify }) => onDidVerify((saved) => complete(versions.use((one) => one.noteSaved(saved)))));
  tree.whenLoaded(() => {
    const prune = () => versions.use((one) => one.prune());
    complete(stat(join(storageFolder, journalFolder)).then(prune, () => undefined));
  });
  return versions;
}
