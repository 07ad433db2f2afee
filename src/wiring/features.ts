import type { TreeView } from 'vscode';
import type { FactName } from '../compatibility/facts';
import type { FilePlace } from '../containers/place';
import type { DeploymentElement } from '../deployments/view/deploymentRows';
import type { FeatureApis } from '../featureApis';
import type { FeatureHandles, Host, Levels, Services, StoringFeature } from '../services';
import { Lazy, type Loadable } from '../lazy';

interface FeatureDeps {
  /** The views, which are created before their features are loaded. */
  readonly trees: () => {
    readonly deployments: TreeView<DeploymentElement>;
  };
  /** The features that register themselves. */
  readonly registered: () => Omit<FeatureHandles, 'accounts' | 'files' | 'deployments'>;
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
    const { accounts: list, connections } = account;
    return wireFiles({ ...deps, accounts: list, connections, explainDanger, tree: () => registered().tree.loaded });
  });
  const refreshFolders = (folders: readonly FilePlace[]) => {
    registered().tree.loaded?.refreshFolders(folders);
    registered().favorites.loaded?.refreshFolders(folders);
  };
  const noteFollowed = (...happened: Parameters<FeatureApis['versions']['noteFollowed']>) =>
    complete(registered().versions.use((versions) => versions.noteFollowed(...happened)));
  const deployments = feature(async () => {
    const [file, { wireDeployments }] = await Promise.all([files.load(), import('./wireDeployments')]);
    const targetsOf = (received: readonly unknown[]) => file.targets.all(received);
    return wireDeployments({ ...deps, ...file, tree: trees().deployments, refreshFolders, targetsOf, noteFollowed });
  });
  const compatibility = feature(async () => {
    const [file, { wireCompatibility }] = await Promise.all([files.load(), import('./wireCompatibility')]);
    return wireCompatibility({ ...deps, ...file });
  });
  const handles = (): FeatureHandles => {
    const wired = { accounts, files, deployments, compatibility };
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
    const { watching, openFolders, onDidList, recentFiles, folders, trust, hidden, backups, saves } = file;
    const { agreeToPieces, findObstacle, writeOver, targets } = file;
    return {
      ...account,
      environments,
      containers,
      listings,
      serverOperations: file.work,
      watching,
      openFolders,
      onDidList,
      recentFiles,
      fileSystem,
      folders,
      trust,
      hidden,
      backups,
      saves,
      announce,
      edits,
      savedConfigurations,
      queue: turns,
      agreeToPieces,
      findObstacle,
      writeOver,
      targets,
    };
  });
  const levels = { host: hostServices, accounts: accountServices, files: fileServices };
  /** Those that stored something for an account. They are loaded to delete it. */
  const storing: Loadable<StoringFeature>[] = [files, deployments];
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
  });
  return { accounts, files, deployments, compatibility, levels, storing };
}

export type Features = ReturnType<typeof createFeatures>;
