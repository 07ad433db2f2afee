import { type TreeView, workspace } from 'vscode';
import { isContainerFolderOpen } from '../containers/openFolders';
import type { FilePlace } from '../containers/place';
import type { GoToDeps } from '../fileTree/goToFlow';
import type { LinkedFeatures } from '../fileTree/linkCommands';
import type { SearchElement } from '../search/searchElement';
import type { Own } from '../gantry';
import type { FeatureHandles, Host } from '../services';
import type { SharedElement } from '../trees/sharedElement';
import { Lazy } from '../lazy';
import type { createLevels } from '../services/levels';

interface FeatureDeps extends Pick<ReturnType<typeof createLevels>, 'accounts' | 'files'> {
  /** The views, which are created before their features are loaded. */
  readonly trees: () => {
    readonly environments: TreeView<SharedElement>;
    readonly searchResults: TreeView<SearchElement>;
  };
  /** The features that register themselves. */
  readonly registered: () => Omit<FeatureHandles, 'accounts' | 'files' | 'tree' | 'search' | 'compatibility'>;
  /** Disposes a feature's resources with the extension. */
  readonly own: Own;
}

/** Creates the features. Each has its own file, loaded on first use after the features that it depends on. */
export function createFeatures(deps: Host, { accounts, files, trees, registered, own }: FeatureDeps) {
  const feature = <T extends { readonly disposables: readonly { dispose(): unknown }[] }>(wire: () => Promise<T>) => {
    const created = new Lazy(wire);
    created.whenLoaded(({ disposables }) => disposables.forEach(own));
    return created;
  };
  const { report } = deps;
  const projects: GoToDeps['projects'] = {
    all: () => registered().deployments.use(({ allProjects }) => allProjects()),
    show: (project) => registered().deployments.use(({ show }) => show(project)),
  };
  const isDeployed = (folder: FilePlace): boolean => registered().deployments.loaded?.isDeployed(folder) === true;
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
    const wired = { accounts, files, tree: fileTree, search, ...others };
    return { ...wired, ...registered() };
  };
  files.whenLoaded(({ compatibility: checks }) => {
    checks.loaded
      .then((hasRead) => (hasRead ? undefined : compatibility.use((part) => part.warnAboutUnreadableChecks())))
      .catch(report);
    checks
      .mayHaveLeftFolders()
      .then((mayHave) => (mayHave ? compatibility.use((part) => part.mentionLeftFolders()) : undefined))
      .catch(report);
    const askForTrust = () => {
      if (isContainerFolderOpen()) {
        fileTree.load().catch(report);
      }
    };
    askForTrust();
    own(workspace.onDidChangeWorkspaceFolders(askForTrust));
  });
  const views = { fileTree, search };
  const others = { compatibility, goToFile };
  return { ...views, ...others, handles };
}

export type Features = ReturnType<typeof createFeatures>;
