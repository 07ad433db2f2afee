import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';

export function registerRestart(gantry: Gantry, { tree }: Pick<FeatureHandles, 'tree'>) {
  return gantry.add({
    id: 'restart',
    needs: 'files',
    after: [tree],
    commands: ['gantry.service.restart'],
    load: async () => (await import('./restart')).createRestart,
  });
}
