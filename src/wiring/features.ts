import { type TreeView, workspace } from 'vscode';
import type { FactName } from '../compatibility/facts';
import { isContainerFolderOpen } from '../containers/openFolders';
import type { FilePlace } from '../containers/place';
import type { DeploymentElement } from '../deployments/view/deploymentRows';
import type { GoToDeps } from '../fileTree/goToFlow';
import type { LinkedFeatures } from '../fileTree/linkCommands';
import type { SearchElement } from '../search/searchElement';
import type { FeatureApis } from '../featureApis';
import type { FeatureHandles, Host, Levels, Services, StoringFeature } from '../services';
import type { SharedElement } from '../trees/sharedElement';
import { Lazy, type Loadable } from '../lazy';
import type { FileTreeParts } from './wireFileTree';

interface FeatureDeps {
  /** The views, which are created before their features are loaded. */
  readonly trees: () => {
    readonly environments: TreeView<SharedElement>;
    readonly deployments: TreeView<DeploymentElement>;
    readonly searchResults: TreeView<SearchElement>;
  };
  /** The features that register themselves. */
  readonly registered: () => Omit<FeatureHandles, 'accounts' | 'files' | 'tree' | 'deployments' | 'search'>;
  /** Disposes a feature's resources with the extension. */
  readonly own: (disposables: readonly { dispose(): unknown }[]) => void;
}

/** Creates the features. Each has its own file, loaded on first use after the features that it depends on. */
export function createFeatures(deps: Host, { trees, registered, own }: FeatureDeps) {
  const feature = <T extends { readonly disposables: readonly { dispose(): unknown }[] }>(wire: () => Promise<T>) => {
    const created = new Lazy(wire);
    created.whenLoaded(({ disposables }) => own(disposables));
    return created;
  };
  const { report, complete } = deps;
  const accounts = feature(async () => {
    const { wireAccounts } = await import('./wireAccounts');
    return wireAccounts(deps);
  });
  const explainDanger = (fact: FactName, word: string): Promise<string> =>
    compatibility.use((loaded) => loaded.explainDanger(fact, word));
  const files = feature(async () => {
    const [account, { wireFiles }] = await Promise.all([accounts.load(), import('./wireFiles')]);
    return wireFiles({ ...deps, accounts: account.accounts, connections: account.connections, explainDanger });
  });
  const projects: GoToDeps['projects'] = {
    all: () => deployments.use(({ allProjects }) => allProjects()),
    show: (project) => deployments.use(({ show }) => show(project)),
  };
  const isDeployed = (folder: FilePlace): boolean => deployments.loaded?.isDeployed(folder) === true;
  const linked: LinkedFeatures = {
    foundTarget: (received) => search.loaded?.linkTarget(received),
    openLog: (log) => registered().logs.use(({ open }) => open(log)),
    find: (folder, options) => search.use(({ findLinked }) => findLinked(folder, options)),
  };
  const fileTree = feature(async () => {
    const [file, { wireFileTree }] = await Promise.all([files.load(), import('./wireFileTree')]);
    return wireFileTree({ ...deps, ...file, tree: trees().environments, projects, isDeployed, linked });
  });
  const favorites = () => registered().favorites.loaded;
  const refreshFolders = (folders: readonly FilePlace[]) => {
    fileTree.loaded?.refreshFolders(folders);
    favorites()?.refreshFolders(folders);
  };
  const targetsOf: FileTreeParts['targets']['all'] = (received) => fileTree.use(({ targets }) => targets.all(received));
  const noteFollowed = (...happened: Parameters<FeatureApis['versions']['noteFollowed']>) =>
    complete(registered().versions.use((versions) => versions.noteFollowed(...happened)));
  const deployments = feature(async () => {
    const [file, { wireDeployments }] = await Promise.all([files.load(), import('./wireDeployments')]);
    return wireDeployments({ ...deps, ...file, tree: trees().deployments, refreshFolders, targetsOf, noteFollowed });
  });
  const search = feature(async () => {
    const [file, tree, { wireSearch }] = await Promise.all([
      ...([files.load(), fileTree.load(), import('./wireSearch')] as const),
    ]);
    return wireSearch({
      ...{ ...deps, ...file, ...tree, tree: trees().searchResults },
      ...{ environmentsTree: trees().environments, favorites },
    });
  });
  const compatibility = feature(async () => {
    const [file, { wireCompatibility }] = await Promise.all([files.load(), import('./wireCompatibility')]);
    return wireCompatibility({ ...deps, ...file });
  });
  const goToFile = feature(async () => {
    const [file, tree, { wireGoToFile }] = await Promise.all([
      ...([files.load(), fileTree.load(), import('./wireGoToFile')] as const),
    ]);
    return wireGoToFile({ ...file, ...tree, favorites, selection: () => trees().environments.selection });
  });
  const handles = (): FeatureHandles => {
    const wired = { accounts, files, tree: fileTree, deployments, search, ...others };
    return { ...wired, ...registered() };
  };
  const hostServices = new Lazy<Levels['host']>(() => Promise.resolve({ ...deps, features: handles() }));
  // The fields are listed, because what wiring/ returns also has commands.
  const accountServices = new Lazy<Levels['accounts']>(async () => {
    const [host, { accounts: list, connections, unlocking }] = await Promise.all([
      hostServices.load(),
      accounts.load(),
    ]);
    return { ...host, accounts: list, connections, unlocking };
  });
  const fileServices = new Lazy<Services>(async () => {
    const [account, file] = await Promise.all([accountServices.load(), files.load()]);
    const { environments, containers, listings, fileSystem, announce, edits, savedConfigurations, turns } = file;
    const { findObstacle, writeOver } = file;
    const targets: Services['targets'] = {
      all: (received) => fileTree.use((tree) => tree.targets.all(received)),
    };
    return {
      ...account,
      environments,
      containers,
      listings,
      fileSystem,
      announce,
      edits,
      savedConfigurations,
      queue: turns,
      findObstacle,
      writeOver,
      targets,
    };
  });
  const levels = { host: hostServices, accounts: accountServices, files: fileServices };
  /** Those that stored something for an account. They are loaded to delete it. */
  const storing: Loadable<StoringFeature>[] = [files, deployments, search];
  accounts.whenLoaded(({ accounts: { onDidSignOut } }) =>
    onDidSignOut(({ slug }) => {
      for (const stored of storing) {
        complete(stored.use(({ forgetAccount }) => forgetAccount(slug)));
      }
    }),
  );
  files.whenLoaded(({ fileSystem, compatibility: checks }) => {
    checks.loaded
      .then((hasRead) => (hasRead ? undefined : compatibility.use((part) => part.warnAboutUnreadableChecks())))
      .catch(report);
    checks
      .mayHaveLeftFolders()
      .then((mayHave) => (mayHave ? compatibility.use((part) => part.mentionLeftFolders()) : undefined))
      .catch(report);
    // Record changes on nodes, because a redeploy warns about them.
    fileSystem.onDidSave((saved) => complete(deployments.use(({ noteSave }) => noteSave(saved))));
    fileSystem.onDidAlter((changes) => complete(deployments.use(({ noteChanges }) => noteChanges(changes))));
    const askForTrust = () => {
      if (isContainerFolderOpen()) {
        fileTree.load().catch(report);
      }
    };
    askForTrust();
    own([workspace.onDidChangeWorkspaceFolders(askForTrust)]);
  });
  const views = { fileTree, deployments, search };
  const others = { compatibility, goToFile };
  return { accounts, files, ...views, ...others, levels, storing };
}

export type Features = ReturnType<typeof createFeatures>;
