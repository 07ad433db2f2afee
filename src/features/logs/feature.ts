import { commandsOf } from '../../commands';
import type { Gantry } from '../../gantry';
import { logScheme } from '../../manifest';
import { registerLazyText } from '../../lazy';

export function registerLogs(gantry: Gantry) {
  const logs = gantry.add({
    id: 'logs',
    needs: 'tree',
    commands: commandsOf.logs,
    load: async () => (await import('./logs')).createLogs,
  });
  gantry.register(() => registerLazyText(logScheme, logs, ({ documents }) => documents));
  return logs;
}
