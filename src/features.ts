import type { Gantry } from './gantry';
import { registerAccess } from './features/access/feature';
import { registerAgents } from './features/agents/feature';
import { registerCompatibility } from './features/compatibility/feature';
import { registerDiagnostics } from './features/diagnostics/feature';
import { registerFavorites } from './features/favorites/feature';
import { registerLogs } from './features/logs/feature';
import { registerMounts } from './features/mounts/feature';
import { registerRestart } from './features/restart/feature';
import { registerTasks } from './features/tasks/feature';
import { registerTerminal } from './features/terminal/feature';
import { registerVariables } from './features/variables/feature';
import { registerVersions } from './features/versions/feature';
import type { FeatureHandles } from './services';

/** The features, in the order in which they register. What one needs before anything is loaded is a parameter. */
export function registerFeatures(gantry: Gantry, { files, tree }: Pick<FeatureHandles, 'files' | 'tree'>) {
  return {
    favorites: registerFavorites(gantry, { tree }),
    mounts: registerMounts(gantry, { tree }),
    access: registerAccess(gantry),
    logs: registerLogs(gantry, { tree }),
    restart: registerRestart(gantry, { tree }),
    tasks: registerTasks(gantry),
    agents: registerAgents(gantry, { tree }),
    terminal: registerTerminal(gantry, { tree }),
    variables: registerVariables(gantry, { tree }),
    versions: registerVersions(gantry, { files, tree }),
    compatibility: registerCompatibility(gantry, { files }),
    diagnostics: registerDiagnostics(gantry),
  };
}
