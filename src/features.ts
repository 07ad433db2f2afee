import type { Gantry } from './gantry';
import { registerAgents } from './features/agents/feature';
import { registerDeployments } from './features/deployments/feature';
import { registerSearch } from './features/search/feature';
import { registerTasks } from './features/tasks/feature';
import { registerTree } from './features/tree/feature';
import { logScheme, variablesScheme } from './manifest';
import { registerLazyText, LazyFileSystem } from './lazy';
import { workspace } from 'vscode';

/** The features, in the order in which they register. */
export function registerFeatures(gantry: Gantry) {
  return {
    ...registerTree(gantry),
    ...registerSearch(gantry),
    signIn: gantry.add({
      id: 'signIn',
      needs: 'accounts',
      load: async () => (await import('./features/signIn/signIn')).createSignIn,
    }),
    favorites: gantry.add({
      id: 'favorites',
      needs: 'tree',
      view: { id: 'gantry.favorites', canSelectMany: true, dropMimeTypes: ['text/uri-list'] },
      load: async () => (await import('./features/favorites/favorites')).createFavorites,
    }),
    mounts: gantry.add({
      id: 'mounts',
      needs: 'tree',
      view: { id: 'gantry.mounts', canSelectMany: true },
      load: async () => (await import('./features/mounts/mounts')).createMounts,
    }),
    access: gantry.add({
      id: 'access',
      needs: 'accounts',
      view: { id: 'gantry.access', canSelectMany: true },
      load: async () => (await import('./features/access/access')).createAccess,
    }),
    deployments: registerDeployments(gantry),
    logs: registerLogs(gantry),
    restart: gantry.add({
      id: 'restart',
      needs: 'tree',
      load: async () => (await import('./features/restart/restart')).createRestart,
    }),
    tasks: registerTasks(gantry),
    agents: registerAgents(gantry),
    terminal: gantry.add({
      id: 'terminal',
      needs: 'tree',
      storesForAccounts: true,
      load: async () => (await import('./features/terminal/terminal')).createTerminals,
    }),
    variables: registerVariables(gantry),
    versions: registerVersions(gantry),
    compatibility: registerCompatibility(gantry),
    diagnostics: gantry.add({
      id: 'diagnostics',
      needs: 'host',
      load: async () => (await import('./features/diagnostics/diagnostics')).createDiagnostics,
    }),
  };
}

function registerLogs(gantry: Gantry) {
  const logs = gantry.add({
    id: 'logs',
    needs: 'tree',
    load: async () => (await import('./features/logs/logs')).createLogs,
  });
  gantry.register(() => registerLazyText(logScheme, logs, ({ documents }) => documents));
  return logs;
}

function registerVariables(gantry: Gantry) {
  const variables = gantry.add({
    id: 'variables',
    needs: 'tree',
    load: async () => (await import('./features/variables/variables')).createVariables,
  });
  gantry.register(() => {
    const fileSystem = new LazyFileSystem(variables, ({ documents }) => documents, gantry.host.recent);
    return workspace.registerFileSystemProvider(variablesScheme, fileSystem, { isCaseSensitive: true });
  });
  return variables;
}

function registerVersions(gantry: Gantry) {
  const versions = gantry.add({
    id: 'versions',
    needs: 'tree',
    load: async () => (await import('./features/versions/versions')).createVersions,
  });
  gantry.levels.files.whenLoaded(({ services: { onDidVerify, fileSystem, backups, complete } }) => {
    onDidVerify((saved) => complete(saved.waitUntil(versions.use(({ noteSaved }) => noteSaved(saved)))));
    fileSystem.onDidAlter((changes) => {
      if (changes.some(({ gone }) => gone)) complete(versions.use(({ noteGone }) => noteGone(changes)));
    });
    backups.onDidReturn((place) => complete(versions.use(({ noteReturned }) => noteReturned(place))));
  });
  return versions;
}

function registerCompatibility(gantry: Gantry) {
  const compatibility = gantry.add({
    id: 'compatibility',
    needs: 'files',
    load: async () => (await import('./features/compatibility/compatibility')).createCompatibility,
  });
  gantry.levels.files.whenLoaded(({ services: { compatibility: checks, report } }) => {
    checks.loaded
      .then((areRead) => (areRead ? undefined : compatibility.use((loaded) => loaded.warnAboutUnreadableChecks())))
      .catch(report);
    checks
      .mayHaveLeftFolders()
      .then((mayHave) => (mayHave ? compatibility.use((loaded) => loaded.mentionLeftFolders()) : undefined))
      .catch(report);
  });
  return compatibility;
}
