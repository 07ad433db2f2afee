import { join } from 'node:path';
import { FileChangeType, type TreeView } from 'vscode';
import { type FilePlace, parentOrSelf, placeOnLayer } from '../../containers/place';
import type { FileChange } from '../../files/provider/containerFileSystem';
import type { SavedFiles } from '../../files/saving/saveFile';
import { type AnnouncedSave, savedOnNodes } from '../../files/saving/serverFiles';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { showRow } from '../../trees/rowTree';
import { setContextKey } from '../../ui/contextKeys';
import { ProjectChooser, showProjectInStatusBar } from './currentProject';
import { DeployedStates } from './deployedState/deployedStates';
import { DeployLogs } from './deployedState/deployLogs';
import { NodeInspector } from './deployedState/nodeInspector';
import { nodesNow } from './deployedState/deployedState';
import { DeployHistory, findDeployedCommits } from './history/deployHistory';
import { DeployDocuments } from './history/deployLogDocuments';
import { DeployedVersions, NodeEditDocuments } from './nodeEdits/deployedVersions';
import { DeployedFolders, EditedFiles } from './nodeEdits/editedFiles';
import { EditedFilesList, markEditedFiles } from './nodeEdits/editedFilesList';
import type { NodeEditKind } from './nodeEdits/nodeEdit';
import { nodeEditCommands } from './nodeEdits/nodeEditCommands';
import { NodeEditLog } from './nodeEdits/nodeEditLog';
import { NodeEditsAtRisk } from './nodeEdits/nodeEditsAtRisk';
import type { DeploymentParts } from './parts';
import { projectCommands } from './projectCommands';
import { ProjectFinder } from './projectFinder';
import { ProjectLock } from './projectLock';
import { mayBeDeployedTo, type ProjectPlace } from './projectPlace';
import { KnownProjects, Projects } from './projects';
import { projectsForTools, redeployAsTask } from './redeploy/automation';
import { PinEvidence } from './redeploy/pinEvidence';
import { readerOf, RedeployPlans } from './redeploy/plan';
import { RedeployFlow } from './redeploy/redeploy';
import { type DeployRecord, hasDeployed } from './redeploy/redeployResult';
import { Redeploys, refreshDeployedFiles } from './redeploy/redeploys';
import { Update } from './redeploy/update';
import { defaultPollInterval, type PollInterval } from './redeploy/watchLostUpdate';
import { WedgedClones } from './redeploy/wedgedClones';
import { offerToDeleteAfter } from './rollBack/rollBackBranch';
import { createWaysBack } from './rollBack/waysBack';
import { LocalRepositories } from './repositories/localRepositories';
import { HookDocuments, showHookDrafts } from './settings/hookDocuments';
import { NodeHooks } from './settings/hooks';
import { ProjectDrafts } from './settings/projectDrafts';
import { ProjectOperations } from './settings/projectOperations';
import { projectSettingCommands } from './settings/settingsCommands';
import { SettingsPages } from './settings/settingsPageFlow';
import { WriteOnlySettingsStore } from './settings/writeOnlySettings';
import { DeploymentsView } from './view/deploymentsView';
import type { ProjectFolder } from '../../storage/storageKeys';

/** Git and SVN projects and their redeploys. */
export function createDeployments(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, containers, queue, writeIfUnchanged } = services;
  const stores = createStores(services, own);
  const { known, pins, finder, history, redeploys, nodeEditLog, versions, writeOnlySettings, drafts } = stores;
  const wedgedClones = new WedgedClones({ containers, known, pins, queue, writeIfUnchanged });
  const plans = new RedeployPlans({ ...stores, wedgedClones });
  const flow = new RedeployFlow({ ...stores, plans, wedgedClones });
  const parts = { ...stores, flow };
  const { edited, list, folders } = showEdits(parts, services, own);
  const view = own(new DeploymentsView(parts));
  view.keepTimes(treeView);
  const chooser = new ProjectChooser({ ...parts, view });
  const deployLogs = own(new DeployDocuments(parts));
  const hooks = own(new HookDocuments(drafts));
  followProjects(parts, services, own);
  return {
    commands: {
      ...projectCommands(parts, chooser, view),
      ...projectSettingCommands(parts, chooser, new SettingsPages(parts), view),
      ...nodeEditCommands(parts, chooser, list, services),
    },
    allProjects: async () => (await finder.all()).places,
    show: (project: ProjectPlace): Promise<boolean> =>
      showRow({ tree: treeView, id: 'gantry.deployments' }, () => view.rowOf(project)),
    view,
    hooks,
    deployLogs,
    textsBeforeEdits: new NodeEditDocuments(nodeEditLog, versions),
    isDeployed: (folder: FilePlace) => folders.has(folder),
    forTools: projectsForTools(parts),
    redeployTask: redeployAsTask(parts),
    knownProjects: () => finder.named({}),
    /** Records a file saved through Gantry, because its node now differs from the deployed commit. */
    noteSave: (saved: AnnouncedSave): Promise<void> => noteSave(nodeEditLog, saved),
    noteMade: async (made: SavedFiles): Promise<void> => {
      for (const saved of savedOnNodes(made)) {
        await noteSave(nodeEditLog, saved);
      }
    },
    noteChanges: async (changes: readonly FileChange[]): Promise<void> => {
      const each = changes.flatMap((change) => [change, ...onNodesOf(change, services.environments)]);
      await Promise.all(each.map((change) => nodeEditLog.note(...noted(change))));
    },
    parts: { ...parts, edited, editedFilesList: list, view, plans, wedgedClones },
    /** Resolves when all drafts are on disk, before the window closes. */
    settled: () => drafts.settled(),
    forgetAccount: async (account: string): Promise<void> => {
      const forget = () =>
        Promise.all(
          [known, pins, history, nodeEditLog, writeOnlySettings, drafts].map((memory) => memory.forgetAccount(account)),
        );
      parts.waysBack.forgetAccount(account);
      parts.projects.forgetAccount(account);
      parts.deployedStates.forgetAccount(account);
      await forget();
      // A running redeploy stores its result when it ends.
      await redeploys.over(account);
      if (accounts.find(account) === undefined) await forget();
    },
  };
}

function createStores(services: Services, own: Own) {
  const { accounts, environments, containers, listings, texts, state, storageFolder, journal, report } = services;
  const folder = (name: ProjectFolder) => join(storageFolder, name);
  const isForgotten = (account: string) => accounts.isForgotten(account);
  const known = new KnownProjects(state, isForgotten);
  const projects = own(new Projects(containers, known));
  const inspector = new NodeInspector(containers, environments, known);
  const logs = new DeployLogs({ containers, listings });
  const history = own(new DeployHistory(folder('redeploys'), isForgotten));
  const repositories = own(new LocalRepositories());
  // Mutable, so that tests can shorten the waits.
  const pace: { -readonly [K in keyof PollInterval]: PollInterval[K] } = { ...defaultPollInterval };
  const pins = new PinEvidence({ state, inspector, history });
  const lock = new ProjectLock(environments);
  const update = new Update({ projects, containers, known, inspector, logs, history, repositories, pins, pace });
  const redeploys = own(new Redeploys(update, lock));
  const finder = new ProjectFinder(accounts, environments, projects, known);
  const accountsBeside = (account: string) => {
    const host = accounts.find(account)?.host;
    const others = accounts.list.filter((one) => one.slug !== account && one.host === host);
    return [account, ...others.map(({ slug }) => slug)];
  };
  const nodeEditLog = own(
    new NodeEditLog(
      journal,
      // A save may end after its account signed out, and everything stored for that was deleted.
      (place, what) =>
        accounts.find(place.account) !== undefined &&
        // Git's own files aren't the repository's, so no redeploy restores them.
        !/\/\.(?:git|svn)(?:\/|$)/.test(place.path) &&
        (mayBeDeployedTo(place.path, { isAbove: what === 'unpacked' }) ||
          accountsBeside(place.account).some((account) =>
            finder.mayAffect({ ...place, account }, { isAbove: what === 'unpacked' }),
          )),
      accountsBeside,
    ),
  );
  const edits = new NodeEditsAtRisk(nodeEditLog, known, containers, listings);
  const deployedStates = own(
    new DeployedStates({
      projects,
      history,
      repositories,
      redeploys,
      inspector,
      edits,
      nodeEditLog,
      environments,
      accountsBeside,
    }),
  );
  const writeOnlySettings = new WriteOnlySettingsStore(folder('projects'), isForgotten);
  const nodeHooks = new NodeHooks(containers, environments, inspector);
  return {
    accounts,
    environments,
    containers,
    listings,
    texts,
    projects,
    finder,
    lock,
    inspector,
    logs,
    known,
    pins,
    deployedStates,
    history,
    redeploys,
    repositories,
    nodeEditLog,
    edits,
    pace,
    writeOnlySettings,
    nodeHooks,
    waysBack: createWaysBack(history, projects),
    findDeployedCommits: findDeployedCommits(known, repositories),
    versions: new DeployedVersions(finder, inspector, repositories, nodeEditLog),
    drafts: own(new ProjectDrafts(folder('drafts'), report)),
    projectOperations: new ProjectOperations({
      containers,
      projects,
      known,
      writeOnlySettings,
      nodeHooks,
      history,
      nodeEditLog,
    }),
  };
}

/** Marks and lists the files that differ from what was deployed. */
function showEdits(parts: DeploymentParts, { environments, shownFolders, features }: Services, own: Own) {
  const onDidChangeProjects = [parts.projects.onDidChange, parts.deployedStates.onDidChange];
  const edited = own(new EditedFiles({ ...parts, onDidChangeProjects }));
  const folders = own(new DeployedFolders({ ...parts, edited, onDidChangeProjects }));
  const list = own(new EditedFilesList(edited, environments));
  own(markEditedFiles(edited));
  own(shownFolders.keepKey('gantry.deployedFolders', (folder) => folders.has(folder), folders.onDidChange));
  own(
    folders.onDidChange((changed) =>
      refreshFolders(
        features,
        changed.flatMap((one) => [one, parentOrSelf(one)]),
      ),
    ),
  );
  return { edited, list, folders };
}

/** Shows drafts and redeploys outside the view, and does what is due after a redeploy. */
function followProjects(parts: DeploymentParts, services: Services, own: Own): void {
  const { environments, features, complete, report } = services;
  const { projects, repositories, redeploys, edits, deployedStates, drafts } = parts;
  own(showHookDrafts(drafts, environments));
  const deployedBy = (record: DeployRecord) =>
    readerOf(nodesNow(record.nodes).commit, repositories.withAddress(projects.last(record)?.settings.url));
  own(redeploys.onDidDeploy((record) => void edits.afterRedeploy(record, deployedBy(record)).catch(report)));
  // What happened on the nodes since it ended may have left edits as they are.
  own(
    redeploys.onDidLookAgain((record) => {
      edits.list({ place: record, nodeId: record.nodeId }, deployedBy(record)).catch(report);
    }),
  );
  own(redeploys.onDidDeploy((record) => void offerToDeleteAfter(record, parts).catch(report)));
  own(redeploys.onDidDeploy((record) => hasDeployed(record) && void setContextKey('gantry.redeploys', 'some')));
  own(
    redeploys.onDidDeploy((record) => {
      const followed = followedBy(record);
      if (followed !== undefined) {
        complete(features.versions.use((versions) => versions.noteFollowed(...followed)));
      }
    }),
  );
  own(
    refreshDeployedFiles({
      ...services,
      ...parts,
      refreshFolders: (changed) => refreshFolders(features, changed),
    }),
  );
  for (const { onDidChange } of [projects, deployedStates]) {
    own(onDidChange(() => void setContextKey('gantry.pinnedProjects', projects.isAnyPinned ? 'some' : 'none')));
  }
  own(showProjectInStatusBar(parts));
}

function refreshFolders({ tree, favorites }: Services['features'], folders: readonly FilePlace[]): void {
  tree.loaded?.refreshFolders(folders);
  favorites.loaded?.refreshFolders(folders);
}

/** What was done on a layer or node after its files were saved, if it's known. */
function followedBy(record: DeployRecord): readonly [FilePlace, 'redeploy' | 'failedRedeploy'] | undefined {
  const { account, environment, layer, nodeId, verdict } = record;
  // Others may have redeployed or not.
  const what = hasDeployed(record) ? 'redeploy' : verdict.kind === 'failed' ? 'failedRedeploy' : undefined;
  return what && [placeOnLayer({ account, name: environment }, layer, nodeId), what];
}

const whatWasDone = {
  [FileChangeType.Created]: 'added',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'removed',
} as const;

async function noteSave(log: NodeEditLog, { place, base, text, isNew, isAgain }: AnnouncedSave): Promise<void> {
  // A node's record counts for its layer, too. A save to all nodes doesn't change one that had the text already.
  const isChanged = isNew || base === undefined || base !== text;
  if (isAgain !== true || (place.target.nodeId !== undefined && isChanged)) {
    await log.note(place, { what: isNew ? 'added' : 'changed', before: base, after: text });
  }
}

/**
 * A change of a whole layer counts as one of each node, as a save does, because a later change of one node doesn't affect
 * the others.
 */
function onNodesOf(change: FileChange, environments: Services['environments']): readonly FileChange[] {
  const { place } = change;
  const { account, environment, target } = place;
  const layer = target.nodeId === undefined && environments.knownLayer(account, environment, target.nodeGroup);
  return layer
    ? layer.nodes.map(({ id }) => ({ ...change, place: { ...place, target: { ...target, nodeId: id } } }))
    : [];
}

/** For an unpacked archive, only the folder is known. */
function noted({ place, type, unpacked: archive }: FileChange): [FilePlace, NodeEditKind] {
  return archive === undefined
    ? [place, { what: whatWasDone[type], before: undefined }]
    : [parentOrSelf(place), { what: 'unpacked', before: undefined, archive }];
}
