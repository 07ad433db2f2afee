import type { Gantry } from '../../gantry';
import { logScheme } from '../../manifest';
import type { FeatureHandles } from '../../services';
import { registerLazyText } from '../../wiring/loading/lazyProviders';

export function registerLogs(gantry: Gantry, { tree }: Pick<FeatureHandles, 'tree'>) {
  const logs = gantry.add({
    id: 'logs',
    needs: 'files',
    after: [tree],
    commands: [
      'gantry.logs.open',
      'gantry.logs.follow',
      'gantry.logs.pause',
      'gantry.logs.filter',
      'gantry.logs.loadEarlier',
      'gantry.logs.openWholeFile',
      'gantry.logs.download',
    ],
    load: async () => (await import('./logs')).createLogs,
  });
  gantry.register(() => registerLazyText(logScheme, logs, ({ documents }) => documents));
  return logs;
}
