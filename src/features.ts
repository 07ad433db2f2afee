import type { Gantry } from './gantry';
import { registerAccess } from './features/access/feature';
import { registerAgents } from './features/agents/feature';
import { registerCompatibility } from './features/compatibility/feature';
import { registerDeployments } from './features/deployments/feature';
import { registerDiagnostics } from './features/diagnostics/feature';
import { registerFavorites } from './features/favorites/feature';
import { registerLogs } from './features/logs/feature';
import { registerMounts } from './features/mounts/feature';
import { registerRestart } from './features/restart/feature';
import { registerSearch } from './features/search/feature';
import { registerSignIn } from './features/signIn/feature';
import { registerTasks } from './features/tasks/feature';
import { registerTerminal } from './features/terminal/feature';
import { registerTree } from './features/tree/feature';
import { registerVariables } from './features/variables/feature';
import { registerVersions } from './features/versions/feature';
import type { FeatureHandles } from './services';

/** The features, in the order in which they register. What one needs before anything is loaded is a parameter. */
export function registerFeatures(gantry: Gantry, { accounts, files }: Pick<FeatureHandles, 'accounts' | 'files'>) {
  const { tree, treeCommands } = registerTree(gantry, { files });
  const { search, goToFile } = registerSearch(gantry, { tree });
  return {
    signIn: registerSignIn(gantry),
    tree,
    treeCommands,
    search,
    goToFile,
    favorites: registerFavorites(gantry, { tree }),
    mounts: registerMounts(gantry, { tree }),
    access: registerAccess(gantry),
    deployments: registerDeployments(gantry, { accounts, files }),
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
