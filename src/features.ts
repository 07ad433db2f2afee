import { commandsOf } from './commands';
import type { Gantry } from './gantry';
import { registerAgents } from './features/agents/feature';
import { registerCompatibility } from './features/compatibility/feature';
import { registerDeployments } from './features/deployments/feature';
import { registerLogs } from './features/logs/feature';
import { registerSearch } from './features/search/feature';
import { registerTasks } from './features/tasks/feature';
import { registerTree } from './features/tree/feature';
import { registerVariables } from './features/variables/feature';
import { registerVersions } from './features/versions/feature';
import type { FeatureHandles } from './services';

/** The features, in the order in which they register. What one needs before anything is loaded is a parameter. */
export function registerFeatures(gantry: Gantry, { accounts, files }: Pick<FeatureHandles, 'accounts' | 'files'>) {
  const tree = registerTree(gantry, { files });
  return {
    ...tree,
    ...registerSearch(gantry),
    signIn: gantry.add({
      id: 'signIn',
      needs: 'accounts',
      commands: commandsOf.signIn,
      load: async () => (await import('./features/signIn/signIn')).createSignIn,
    }),
    favorites: gantry.add({
      id: 'favorites',
      needs: 'tree',
      commands: commandsOf.favorites,
      view: { id: 'gantry.favorites', canSelectMany: true, dropMimeTypes: ['text/uri-list'] },
      load: async () => (await import('./features/favorites/favorites')).createFavorites,
    }),
    mounts: gantry.add({
      id: 'mounts',
      needs: 'tree',
      commands: commandsOf.mounts,
      view: { id: 'gantry.mounts', canSelectMany: true },
      load: async () => (await import('./features/mounts/mounts')).createMounts,
    }),
    access: gantry.add({
      id: 'access',
      needs: 'accounts',
      commands: commandsOf.access,
      view: { id: 'gantry.access', canSelectMany: true },
      load: async () => (await import('./features/access/access')).createAccess,
    }),
    deployments: registerDeployments(gantry, { accounts, files }),
    logs: registerLogs(gantry),
    restart: gantry.add({
      id: 'restart',
      needs: 'tree',
      commands: commandsOf.restart,
      load: async () => (await import('./features/restart/restart')).createRestart,
    }),
    tasks: registerTasks(gantry),
    agents: registerAgents(gantry),
    terminal: gantry.add({
      id: 'terminal',
      needs: 'tree',
      storesForAccounts: true,
      commands: commandsOf.terminal,
      load: async () => (await import('./features/terminal/terminal')).createTerminals,
    }),
    variables: registerVariables(gantry),
    versions: registerVersions(gantry, { files, ...tree }),
    compatibility: registerCompatibility(gantry, { files }),
    diagnostics: gantry.add({
      id: 'diagnostics',
      needs: 'host',
      commands: commandsOf.diagnostics,
      load: async () => (await import('./features/diagnostics/diagnostics')).createDiagnostics,
    }),
  };
}
