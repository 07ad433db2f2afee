// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFiles';
import { join } from 'node:path';
import { FileChangeType, type TreeView } from 'vscode';
import { projectCommands } from '../deployments/projectCommands';
import { projectsForTools } from '../deployments/projectsForTools';
import { SettingsPages } from '../deployments/settings/settingsPageFlow';
import { projectSettingCommands } from '../deployments/settings/settingsCommands';
import { ProjectChooser } from '../deployments/projectPrompt';
import { type DeployRecord, hasDeployed } from '../deployments/redeploy/redeployResult';
import { redeployAsTask } from '../deployments/redeploy/redeployTaskFlow';
import { PinEvidence } from '../deployments/redeploy/pinEvidence';
import { RedeployPlans } from '../deployments/redeploy/plan';
import { RedeployFlow } from '../deployments/redeploy/redeploy';
import type { FileChange, Saved } from '../files/provider/containerFileSystem';
import { refreshDeployedFiles } from '../deployments/redeploy/refreshDeployedFiles';
import { showProjectInStatusBar } from '../deployments/projectStatusBar';
import { DeployLogs } from '../deployments/deployedState/deployLogs';
import { NodeInspector } from '../deployments/deployedState/nodeInspector';
import { DeployDocuments } from '../deployments/history/deployLogDocuments';
import { DeployHistory, findDeployedCommits as findCommits } from '../deployments/history/deployHistory';
import { ProjectDrafts } from '../deployments/settings/projectDrafts';
import { DeployedStates } from '../deployments/deployedState/deployedStates';
import { DeployedVersions, NodeEditDocuments } from '../deployments/nodeEdits/deployedVersions';
import { DeployedFolders, EditedFiles } from '../deployments/nodeEdits/editedFiles';
import { EditedFilesList, markEditedFiles } from '../deployments/nodeEdits/editedFilesList';
import { nodeEditCommands, type NodeEditCommandsDeps } from '../deployments/nodeEdits/nodeEditCommands';
import type { NodeEditKind } from '../deployments/nodeEdits/nodeEdit';
import { NodeEditLog } from '../deployments/nodeEdits/nodeEditLog';
import { type PollInterval, defaultPollInterval } from '../deployments/redeploy/watchLostUpdate';
import type { DeploymentParts } from '../deployments/parts';
import { HookDocuments, showHookDrafts } from '../deployments/settings/hookDocuments';
import { KnownProjects, Projects } from '../deployments/projects';
import { LocalRepositories } from '../deployments/repositories/localRepositories';
import { NodeEditsAtRisk } from '../deployments/nodeEdits/nodeEditsAtRisk';
import { mayBeDeployedTo, type ProjectPlace } from '../deployments/projectPlace';
import { ProjectFinder } from '../deployments/projectFinder';
import { ProjectLock } from '../deployments/projectLock';
import { ProjectOperations } from '../deployments/settings/projectOperations';
import { Redeploys } from '../deployments/redeploy/redeploys';
import { WedgedClones } from '../deployments/redeploy/wedgedClones';
import { NodeHooks } from '../deployments/settings/hooks';
import { WriteOnlySettingsStore } from '../deployments/settings/writeOnlySettings';
import type { DeploymentElement } from '../deployments/view/deploymentRows';
import { DeploymentsView } from '../deployments/view/deploymentsView';
import { type FilePlace, parentOf, placeOnLayer } from '../containers/place';
import { setContextKey } from '../ui/contextKeys';
import type { Host } from '../services';
import type { FileParts } from './wireFiles';
import { showRow } from '../trees/rowTree';
import { nodesNow } from '../deployments/deployedState/nodesNow';

interface DeploymentsWiringDeps
  extends
    Host,
    Pick<
      FileParts,
      'accounts' | 'environments' | 'containers' | 'listings' | 'fileSystem' | 'shownFolders' | 'turns' | 'writeOver'
    > {
  readonly tree: TreeView<DeploymentElement>;
  /** Called with the folders that a redeploy changed. */
  readonly refreshFolders: (folders: readonly FilePlace[]) => void;
  readonly targetsOf: NodeEditCommandsDeps['targetsOf'];
  /** Notes what was done on a layer or node after its files were saved. */
  readonly noteFollowed: (place: FilePlace, what: 'redeploy' | 'failedRedeploy') => void;
}

const whatWasDone = {
  [FileChangeType.Created]: 'added',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'removed',
} as const;

/** Git and SVN projects and their redeploys. */
export function wireDeployments(deps: DeploymentsWiringDeps) {
  const { accounts, environments, containers, listings, fileSystem, refreshFolders, report } = deps;
  const known = new KnownProjects(deps.state);
  const projects = new Projects(containers, known);
  const inspector = new NodeInspector(containers, environments, known);
  const logs = new DeployLogs({ containers, listings });
  const history = new DeployHistory(join(deps.storageFolder, 'redeploys'));
  const repositories = new LocalRepositories();
  const pace: { -readonly [K in keyof PollInterval]: PollInterval[K] } = { ...defaultPollInterval };
  const pins = new PinEvidence({ state: deps.state, inspector, history });
  const lock = new ProjectLock();
  const redeploys = new Redeploys({
    ...{ projects, containers, known, inspector, logs, history, repositories, pins, pace, lock },
  });
  const finder = new ProjectFinder(accounts, environments, projects, known);
  const nodeEditLog = new NodeEditLog(
    join(deps.storageFolder, 'edits'),
    // A save may end after its account signed out, and everything stored for that was deleted.
    (place) =>
      accounts.find(place.account) !== undefined &&
      // Git's own files aren't the repository's, so no redeploy restores them.
      !/\/\.(?:git|svn)(?:\/|$)/.test(place.path) &&
      (mayBeDeployedTo(place.path) || finder.holding(place) !== undefined || finder.mayHold(place)),
  );
  const edits = new NodeEditsAtRisk(nodeEditLog, known, containers, listings);
  const deployedStates = new DeployedStates({
    ...{ projects, history, repositories, redeploys, inspector, edits, nodeEditLog },
  });
  const versions = new DeployedVersions(finder, inspector, repositories, nodeEditLog);
  const onDidChangeProjects = [projects.onDidChange, deployedStates.onDidChange];
  const edited = new EditedFiles({ accounts, finder, nodeEditLog, onDidChangeProjects });
  const folders = new DeployedFolders({ finder, repositories, environments, versions, edited, onDidChangeProjects });
  const list = new EditedFilesList(edited, environments);
  const drafts = new ProjectDrafts(join(deps.storageFolder, 'drafts'), report);
  const findDeployedCommits = findCommits(known, repositories);
  const writeOnlySettings = new WriteOnlySettingsStore(join(deps.storageFolder, 'projects'));
  const nodeHooks = new NodeHooks(containers, environments, inspector);
  const work = new ProjectOperations({
    ...{ containers, projects, known, writeOnlySettings, nodeHooks, history, nodeEditLog },
  });
  const parts: DeploymentParts = {
    ...{ accounts, environments, containers, listings, texts: deps.texts, projects, finder, lock, inspector, logs },
    ...{ deployedStates, history, findDeployedCommits, redeploys, repositories, nodeEditLog, edits, versions },
    ...{ drafts, work, writeOnlySettings, nodeHooks },
  };
  const view = new DeploymentsView(parts);
  view.keepTimes(deps.tree);
  const chooser = new ProjectChooser({ ...parts, view });
  const wedgedClones = new WedgedClones({ containers, known, pins, queue: deps.turns, writeOver: deps.writeOver });
  const plans = new RedeployPlans({ ...parts, wedgedClones });
  const flow = new RedeployFlow({ ...parts, plans, known, wedgedClones });
  const documents = new DeployDocuments(parts);
  const hooks = new HookDocuments(drafts);
  const commands = {
    ...projectCommands({ ...parts, chooser, view, flow }),
    ...projectSettingCommands({ ...parts, chooser, flow, known, pins, pages: new SettingsPages(parts) }),
    ...nodeEditCommands({ ...parts, chooser, list, targetsOf: deps.targetsOf }),
  };
  const disposables = [
    ...[projects, history, repositories, redeploys, nodeEditLog, deployedStates, view, documents, drafts, hooks],
    ...[edited, folders, list, markEditedFiles(edited)],
    deps.shownFolders.keepKey('gantry.deployedFolders', (folder) => folders.has(folder), folders.onDidChange),
    folders.onDidChange((changed) => refreshFolders(changed.flatMap((one) => [one, parentOf(one) ?? one]))),
    showHookDrafts(drafts, environments),
    redeploys.onDidDeploy((record) => {
      const settings = projects.last(record)?.settings;
      const commit = nodesNow(record.nodes).commit;
      const readDeployed =
        commit === undefined ? undefined : repositories.withAddress(settings?.url)?.contentOf(commit);
      edits.afterRedeploy(record, settings, readDeployed).catch(report);
    }),
    redeploys.onDidDeploy((record) => noteRedeploy(record, deps.noteFollowed)),
    refreshDeployedFiles({ redeploys, known, listings, fileSystem, refreshFolders }),
    ...[projects, deployedStates].map(({ onDidChange }) =>
      onDidChange(() => void setContextKey('gantry.pinnedProjects', projects.isAnyPinned ? 'some' : 'none')),
    ),
    showProjectInStatusBar(parts),
  ];
  return {
    commands,
    disposables,
    /** Every project, without those of accounts that couldn't be read. */
    allProjects: async (): Promise<readonly ProjectPlace[]> => (await finder.all()).places,
    /** Selects a project's row. Returns whether it has one. */
    show: (project: ProjectPlace): Promise<boolean> =>
      showRow({ tree: deps.tree, id: 'gantry.deployments' }, () => view.rowOf(project)),
    ...{ view, hooks, deployLogs: documents, textsBeforeEdits: new NodeEditDocuments(nodeEditLog, versions) },
    isDeployed: (folder: FilePlace) => folders.has(folder),
    forTools: projectsForTools({ ...parts, flow }),
    redeployTask: redeployAsTask({ ...parts, flow }),
    /** The projects that were used here. Sends no request. */
    knownProjects: (): readonly ProjectPlace[] => finder.named({}),
    /** Records a file saved through Gantry, because its node now differs from the deployed commit. */
    noteSave: async ({ place, before, isNew }: Saved): Promise<void> => {
      await nodeEditLog.note(place, { what: isNew ? 'added' : 'changed', before });
    },
    noteChanges: async (changes: readonly FileChange[]): Promise<void> => {
      await Promise.all(changes.map((change) => nodeEditLog.note(...noted(change))));
    },
    parts: { ...parts, known, pins, pace, edited, editedFilesList: list, view, plans, flow, wedgedClones },
    /** Resolves when all drafts are on disk, before the window closes. */
    settled: () => drafts.settled(),
    /** Deletes everything stored for an account that was signed out. */
    forgetAccount: async (account: string): Promise<void> => {
      const forget = () =>
        Promise.all(
          [known, pins, history, nodeEditLog, writeOnlySettings, drafts].map((memory) => memory.forgetAccount(account)),
        );
      await forget();
      // A running redeploy stores its result when it ends.
      await redeploys.over(account);
      if (accounts.find(account) === undefined) {
        await forget();
      }
    },
  };
}

function noteRedeploy(record: DeployRecord, noteFollowed: DeploymentsWiringDeps['noteFollowed']): void {
  const { account, environment, layer, nodeId, verdict } = record;
  // Others may have redeployed or not.
  const what = hasDeployed(record) ? 'redeploy' : verdict.kind === 'failed' ? 'failedRedeploy' : undefined;
  if (what !== undefined) {
    noteFollowed(placeOnLayer({ account, name: environment }, layer, nodeId), what);
  }
}

/** For an unpacked archive, only the folder is known. */
function noted({ place, type, unpacked: archive }: FileChange): [FilePlace, NodeEditKind] {
  return archive === undefined
    ? [place, { what: whatWasDone[type], before: undefined }]
    : [parentOf(place) ?? place, { what: 'unpacked', before: undefined, archive }];
}

/** For tests inside the extension host. */
export type ProjectParts = ReturnType<typeof wireDeployments>['parts'];
