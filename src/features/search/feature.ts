import { commandsOf } from '../../commands';
import type { Gantry } from '../../gantry';
import { registerFileNameSymbols } from '../../lazy';
import { followBuiltInSearch } from './builtInSearchNotice';

export function registerSearch(gantry: Gantry) {
  const search = gantry.add({
    id: 'search',
    needs: 'tree',
    storesForAccounts: true,
    commands: commandsOf.search,
    view: { id: 'gantry.searchResults', canSelectMany: true },
    load: async () => (await import('./search')).createSearch,
  });
  const goToFile = gantry.add({
    id: 'goToFile',
    needs: 'tree',
    commands: commandsOf.goToFile,
    load: async () => (await import('./goToFile')).createGoToFile,
  });
  gantry.register(() => registerFileNameSymbols(goToFile, ({ symbols }) => symbols));
  gantry.register(() => followBuiltInSearch(gantry.host.report));
  return { search, goToFile };
}
