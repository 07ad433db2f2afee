import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';

export function registerFavorites(gantry: Gantry, { tree }: Pick<FeatureHandles, 'tree'>) {
  return gantry.add({
    id: 'favorites',
    needs: 'files',
    after: [tree],
    commands: [
      'gantry.favorite.add',
      'gantry.favorite.addByPath',
      'gantry.favorite.open',
      'gantry.favorite.reveal',
      'gantry.favorite.rename',
      'gantry.favorite.editFilter',
      'gantry.favorite.remove',
      'gantry.favorites.sort',
      'gantry.favorites.refresh',
    ],
    view: { id: 'gantry.favorites', canSelectMany: true, dropMimeTypes: ['text/uri-list'] },
    load: async () => (await import('./favorites')).createFavorites,
  });
}
