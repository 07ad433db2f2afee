import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TreeView, workspace } from 'vscode';
import { Underway } from '../async/underway';
import type { FactName } from '../compatibility/facts';
import { isContainerFolderOpen } from '../containers/openFolders';
import type { FilePlace } from '../containers/place';
import type { DeploymentElement } from '../deployments/view/deploymentRows';
import type { GoToDeps } from '../fileTree/goToFlow';
import type { LinkedFeatures } from '../fileTree/linkCommands';
import type { SearchElement } from '../search/searchElement';
import type { FeatureHandles } from '../services';
import type { SharedParts } from '../sharedParts';
import { versionsFolder } from '../storage/storageKeys';
import type { SharedElement } from '../trees/sharedElement';
import type { Followed } from '../versions/versions';
import type { RecentErrors } from '../ui/recentErrors';
import { Lazy, type Loadable } from '../lazy';
import type { FileTreeParts } from './wireFileTree';
import type { WiringDeps } from './wiringDeps';

interface FeatureDeps extends WiringDeps {
  readonly extensionId: string;
  /** Gantry's own version. */
  readonly version: string;
  readonly packageJson: unknown;
  readonly recent: RecentErrors;
  /** The views, which are created before their features are loaded. */
  readonly trees: () => {
    readonly environments: TreeView<SharedElement>;
    readonly deployments: TreeView<DeploymentElement>;
    readonly searchResults: TreeView<SearchElement>;
  };
  /** The features that register themselves. */
  readonly registered: () => Pick<FeatureHandles, 'favorites'> & Readonly<Record<string, Loadable<unknown>>>;
  /** Disposes a feature's resources with the extension. */
  readonly own: (disposables: readonly { dispose(): unknown }[]) => void;
}

/** Creates the features. Each has its own file, loaded on first use after the features that it depends on. */
export function createFeatures({ trees, registered, own, ...deps }: FeatureDeps) {
  const feature = <T extends { readonly disposables: readonly { dispose(): unknown }[] }>(wire: () => Promise<T>) => {
    const created = new Lazy(wire);
    created.whenLoaded(({ disposables }) => own(disposables));
    return created;
  };
  const { report } = deps;
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
    openLog: (log) => logs.use(({ commands }) => commands['gantry.logs.open'](log, undefined)),
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
  const noteFollowed = (place: FilePlace, what: Followed) =>
    complete(versions.use((part) => part.noteFollowed(place, what)));
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
  const sharedParts = async (): Promise<SharedParts> => {
    const [file, tree] = await Promise.all([files.load(), fileTree.load()]);
    return { ...deps, ...file, ...tree, queue: file.turns };
  };
  const services = feature(async () => {
    const [shared, { servicesFeature }] = await Promise.all([sharedParts(), import('../services/services')]);
    return servicesFeature({
      ...shared,
      lastLogLine: (starting, signal) => logs.use(({ lastLine }) => lastLine(starting, signal)),
      noteFollowed,
    });
  });
  const versions = feature(async () => {
    const [shared, { versionsFeature }] = await Promise.all([sharedParts(), import('../versions/versions')]);
    return versionsFeature(shared);
  });
  const variables = feature(async () => {
    const [shared, { variablesFeature }] = await Promise.all([sharedParts(), import('../variables/variables')]);
    return variablesFeature(shared);
  });
  const terminal = feature(async () => {
    const [shared, { terminalFeature }] = await Promise.all([sharedParts(), import('../terminal/terminal')]);
    return terminalFeature(shared);
  });
  const tasks = feature(async () => {
    const [, { wireTasks }] = await Promise.all([files.load(), import('./wireTasks')]);
    return wireTasks({ deployments, services, logs, search });
  });
  const logs = feature(async () => {
    const [shared, { logsFeature }] = await Promise.all([sharedParts(), import('../logs/logs')]);
    return logsFeature(shared);
  });
  const tools = feature(async () => {
    const [account, file, , { wireAgentTools }] = await Promise.all([
      ...([accounts.load(), files.load(), fileTree.load(), import('./wireAgentTools')] as const),
    ]);
    const withoutSecrets = (text: string) => account.connections.withoutSecrets(text);
    return wireAgentTools({ ...file, recent: deps.recent, search, services, deployments, logs, withoutSecrets });
  });
  const diagnostics = feature(async () => {
    const { wireDiagnostics } = await import('./wireDiagnostics');
    return wireDiagnostics({
      ...deps,
      features: {
        accounts,
        files,
        others: {
          ...{ fileTree, ...registered(), deployments, search, goToFile, services, versions },
          ...{ variables, terminal, logs, tools, tasks },
        },
      },
    });
  });

  const pending = new Underway();
  /** Work that no caller waits for, but that must be done before the window closes. */
  const complete = (work: Promise<unknown>) => void pending.add('', work.catch(report));
  accounts.whenLoaded(({ accounts: { onDidSignOut } }) =>
    onDidSignOut(({ slug }) => {
      // Load the features that stored something for the account, so that they delete it.
      for (const stored of [files, deployments, search, versions, terminal]) {
        complete(stored.use(({ forgetAccount }) => forgetAccount(slug)));
      }
    }),
  );
  fileTree.whenLoaded(() => {
    const prune = () => versions.use((part) => part.prune());
    complete(stat(join(deps.storageFolder, versionsFolder)).then(prune, () => undefined));
  });
  files.whenLoaded(({ fileSystem, onDidVerify, compatibility: checks }) => {
    checks.loaded
      .then((hasRead) => (hasRead ? undefined : compatibility.use((part) => part.warnAboutUnreadableChecks())))
      .catch(report);
    checks
      .mayHaveLeftFolders()
      .then((mayHave) => (mayHave ? compatibility.use((part) => part.mentionLeftFolders()) : undefined))
      .catch(report);
    // Record changes on nodes, because a redeploy warns about them.
    onDidVerify((saved) => complete(versions.use(({ noteSaved }) => noteSaved(saved))));
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
  const settled = async () => {
    await Promise.all(pending.in(''));
  };
  const views = { fileTree, deployments, search };
  const others = { compatibility, goToFile, services, versions, variables, terminal, logs, tools, tasks, diagnostics };
  return { accounts, files, ...views, ...others, settled };
}

export type Features = ReturnType<typeof createFeatures>;
