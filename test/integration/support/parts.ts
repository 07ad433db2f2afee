import assert from 'node:assert/strict';
import { extensions } from 'vscode';
import type { TestExports } from '../../../src/extension';
import { Lazy } from '../../../src/lazy';

/** Everything that tests in the extension host use, from the running extension. Loads every feature. */
export const extensionParts = new Lazy(async () => {
  const extension = extensions.getExtension<TestExports | undefined>('gantry.gantry');
  const exported = await extension?.activate();
  assert.ok(exported, 'Gantry is active and in test mode');
  const { features, settled } = exported;
  const { accounts, files, tree: environmentsTree, favorites, mounts, access, deployments } = features;
  const [account, file, tree] = await Promise.all([accounts.load(), files.load(), environmentsTree.load()]);
  const [favorite, mount, project] = await Promise.all([favorites.load(), mounts.load(), deployments.load()]);
  const { view: environmentsView, dragAndDrop } = tree;
  const { openLink } = await features.treeCommands.load();
  const { view: accessView } = await access.load();
  const { indexes: nameIndexes } = await features.goToFile.load();
  const { documents: variableDocuments } = await features.variables.load();
  const agentTools = await features.agents.load();
  const { store: fileVersions } = await features.versions.load();
  const { provider: taskProvider, actions: taskActions } = await features.tasks.load();
  const { openLog, documents: logDocuments } = await features.logs.load();
  const { view: searchResultsView, current: currentSearch, memory: searchMemory } = await features.search.load();
  const { connections, unlocking, authentication } = account;
  const { environments, listings, containers, watching } = file;
  return {
    settled,
    handles: features,
    fileVersions,
    variableDocuments,
    openLog,
    logDocuments,
    agentTools,
    taskProvider,
    taskActions,
    accounts: account.accounts,
    connections,
    unlocking,
    authentication,
    environments,
    listings,
    containers,
    search: { view: searchResultsView, current: currentSearch, memory: searchMemory },
    watching,
    files: file,
    environmentsView,
    dragAndDrop,
    openLink,
    accessView,
    projects: project.parts,
    nameIndexes,
    sharing: {
      favorites: favorite.favorites,
      favoritesView: favorite.view,
      mounts: mount.mounts,
      mountsView: mount.view,
    },
  };
});

/** What projects are made of. */
export type ProjectParts = Parts['projects'];
export type Parts = Awaited<ReturnType<typeof extensionParts.load>>;
export type SharingParts = Parts['sharing'];
