import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';

export function registerMounts(gantry: Gantry, { tree }: Pick<FeatureHandles, 'tree'>) {
  return gantry.add({
    id: 'mounts',
    needs: 'files',
    after: [tree],
    commands: [
      'gantry.mount.add',
      'gantry.mount.reveal',
      'gantry.mount.remove',
      'gantry.export.remove',
      'gantry.mounts.refresh',
    ],
    view: { id: 'gantry.mounts', canSelectMany: true },
    load: async () => (await import('./mounts')).createMounts,
  });
}
