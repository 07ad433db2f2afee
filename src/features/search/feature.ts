import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';
import { registerFileNameSymbols } from '../../wiring/loading/lazyProviders';
import { followBuiltInSearch } from './builtInSearchNotice';

export function registerSearch(gantry: Gantry, { tree }: Pick<FeatureHandles, 'tree'>) {
  const search = gantry.add({
    id: 'search',
    needs: 'files',
    after: [tree],
    storesForAccounts: true,
    commands: [
      'gantry.search.findInFolder',
      'gantry.search.again',
      'gantry.search.edit',
      'gantry.search.replace',
      'gantry.search.undoReplace',
      'gantry.search.cancel',
      'gantry.search.clear',
      'gantry.search.remove',
      'gantry.search.copy',
      'gantry.search.copyLink',
      'gantry.search.openEditor',
    ],
    view: { id: 'gantry.searchResults', canSelectMany: true },
    load: async () => (await import('./search')).createSearch,
  });
  const goToFile = gantry.add({
    id: 'goToFile',
    needs: 'files',
    after: [tree],
    commands: ['gantry.search.goToFile'],
    load: async () => (await import('./goToFile')).createGoToFile,
  });
  gantry.register(() => registerFileNameSymbols(goToFile, ({ symbols }) => symbols));
  gantry.register(() => followBuiltInSearch(gantry.host.report));
  return { search, goToFile };
}
