import type { Gantry } from '../../gantry';
import type { FeatureHandles } from '../../services';

export function registerTerminal(gantry: Gantry, { tree }: Pick<FeatureHandles, 'tree'>) {
  return gantry.add({
    id: 'terminal',
    needs: 'files',
    after: [tree],
    storesForAccounts: true,
    commands: ['gantry.terminal.open', 'gantry.terminal.copyCommand'],
    load: async () => (await import('./terminal')).createTerminals,
  });
}
