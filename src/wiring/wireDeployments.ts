import { join } from 'node:path';
import { FileChangeType, window, workspace } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { projectCommands } from '../deployments/projectCommands';
import { ProjectPages } from '../deployments/settings/settingsPageFlow';
import { projectSettingCommands } from '../deployments/settings/settingsCommands';
import { ProjectChooser } from '../deployments/projectPrompt';
import { redeployAsTask } from '../deployments/redeploy/redeployTaskFlow';
import { RedeployFlow } from '../deployments/redeploy/redeployFlow';
import type { Change } from '../files/provider/fileChange';
import type { ContainerFileSystem } from '../files/provider/containerFileSystem';
import { showHookDrafts } from '../deployments/settings/hookDraftNotice';
import { refreshDeployedFiles } from '../deployments/deployedState/deployedFileDecorations';
import { showProjectInStatusBar } from '../deployments/projectStatusBar';
import { provideRedeployTasks } from '../deployments/redeploy/redeployTaskProvider';
import type { ViewId } from '../manifest';
import { Clones, mayBeDeployedTo } from '../deployments/deployedState/clonesOnNodes';
import { DeployDocuments, deployScheme } from '../deployments/history/deployLogDocuments';
import { DeployHistory } from '../deployments/history/deployHistory';
import { DraftStore } from '../deployments/settings/draftStore';
import { Drifts } from '../deployments/deployedState/deployedStates';
import { beforeEditScheme, EditDocuments } from '../deployments/nodeEdits/nodeEditDocuments';
import type { Doing } from '../deployments/nodeEdits/nodeEdit';
import { EditLedger } from '../deployments/nodeEdits/nodeEditLog';
import { type Pace, usualPace } from '../deployments/redeploy/watchLostUpdate';
import { HookDocuments, hookScheme } from '../deployments/settings/hookDocuments';
import { KnownProjects } from '../deployments/knownProjects';
import { LocalRepositories } from '../deployments/repositories/localRepositories';
import { ProjectDrafts } from '../deployments/settings/projectDrafts';
import { ProjectEdits } from '../deployments/nodeEdits/nodeEditsAtRisk';
import { ProjectFinder } from '../deployments/projectFinder';
import { ProjectFolders } from '../deployments/repositories/projectFolders';
import { Projects } from '../deployments/projects';
import { ProjectTurns } from '../deployments/projectLock';
import { ProjectWork } from '../deployments/projectOperations';
import { Redeploys } from '../deployments/redeploy/redeploys';
import { SetHereStore } from '../deployments/settings/writeOnlySettings';
import { DeploymentsView } from '../deployments/view/deploymentsView';
import type { EnvironmentsView } from '../fileTree/environmentsView';
import { type FilePlace, parentOf } from '../containers/place';
import type { ShownTexts } from '../ui/shownTexts';
import type { Home } from './wiringDeps';
import type { RemoteParts } from './wireContainers';

interface BuildingBlocks extends Home, Pick<RemoteParts, 'environments' | 'containers' | 'listings'> {
  readonly accounts: Accounts;
  readonly fileSystem: ContainerFileSystem;
  readonly environmentsView: EnvironmentsView;
  readonly texts: ShownTexts;
}

const whatWasDone = {
  [FileChangeType.Created]: 'added',
  [FileChangeType.Changed]: 'changed',
  [FileChangeType.Deleted]: 'removed',
} as const;

/** Git and SVN projects: what is deployed, what a redeploy does. */
export function buildProjectParts(blocks: BuildingBlocks) {
  const { accounts, environments, containers, listings, fileSystem, environmentsView, report } = blocks;
  const known = new KnownProjects(blocks.state);
  const projects = new Projects(containers, known);
  const clones = new Clones(containers, known);
  const history = new DeployHistory(join(blocks.storageFolder, 'redeploys'));
  const repositories = new LocalRepositories();
  const pace: { -readonly [K in keyof Pace]: Pace[K] } = { ...usualPace };
  const redeploys = new Redeploys({ projects, environments, containers, clones, history, pace });
  const finder = new ProjectFinder({ accounts, environments, projects, known });
  const ledger = new EditLedger(
    join(blocks.storageFolder, 'edits'),
    (place) => mayBeDeployedTo(place.path) || finder.holding(place) !== undefined || finder.mayHold(place),
  );
  const edits = new ProjectEdits(ledger, known, containers);
  const drifts = new Drifts({ projects, history, repositories, redeploys, edits, ledger });
  const draftStore = new DraftStore(join(blocks.storageFolder, 'drafts'));
  const drafts = new ProjectDrafts(draftStore, report);
  const view = new DeploymentsView({
    accounts,
    environments,
    projects,
    redeploys,
    history,
    drifts,
    repositories,
    drafts,
  });
  const chooser = new ProjectChooser({ finder, repositories, view });
  const folders = new ProjectFolders({ clones, known, redeploys });
  const turns = new ProjectTurns(redeploys);
  const flow = new RedeployFlow({ projects, redeploys, repositories, edits, folders, turns });
  const documents = new DeployDocuments(history);
  const setHere = new SetHereStore(join(blocks.storageFolder, 'projects'));
  const work = new ProjectWork({ containers, projects, known, setHere, history, ledger });
  const hooks = new HookDocuments(drafts);
  const around = { accounts, environments, projects, history, repositories, chooser, view, flow };
  const editing = { ...around, drafts, work, setHere, turns, texts: blocks.texts };
  const commands = {
    ...projectCommands({ ...around, drifts }),
    ...projectSettingCommands({ ...editing, pages: new ProjectPages(editing) }),
  };
  const disposables = [
    ...[projects, history, repositories, redeploys, ledger, drifts, view, documents, drafts, hooks],
    workspace.registerFileSystemProvider(hookScheme, hooks, { isCaseSensitive: true }),
    showHookDrafts(drafts),
    redeploys.onDidDeploy((record) => {
      edits.afterRedeploy(record, projects.last(record)?.settings).catch(report);
    }),
    fileSystem.onDidSave(({ place, before, isNew }) => {
      ledger.note(place, { what: isNew ? 'added' : 'changed', before }).catch(report);
    }),
    fileSystem.onDidAlter((changes) => {
      for (const change of changes) {
        ledger.note(...noted(change)).catch(report);
      }
    }),
    refreshDeployedFiles({ redeploys, known, listings, fileSystem, view: environmentsView }),
    workspace.registerTextDocumentContentProvider(deployScheme, documents),
    workspace.registerTextDocumentContentProvider(beforeEditScheme, new EditDocuments(ledger)),
    window.createTreeView('gantry.deployments' satisfies ViewId, { treeDataProvider: view, showCollapseAll: true }),
    showProjectInStatusBar({ accounts, finder, repositories, redeploys, drifts, projects }),
    provideRedeployTasks(finder, redeployAsTask({ finder, redeploys, flow })),
  ];
  return {
    commands,
    disposables,
    parts: {
      known,
      projects,
      redeploys,
      pace,
      history,
      repositories,
      drifts,
      ledger,
      edits,
      finder,
      folders,
      view,
      flow,
      setHere,
      turns,
      work,
      drafts,
      draftStore,
      texts: blocks.texts,
    },
    /** What was entered last is on disk before the window closes. */
    settled: () => draftStore.settled(),
    /** Nothing of an account that was signed out is kept. */
    forgetAccount: async (account: string): Promise<void> => {
      const forget = () =>
        Promise.all([known, history, ledger, setHere, drafts].map((memory) => memory.forgetAccount(account)));
      await forget();
      // A redeploy that is under way keeps how it ended.
      await redeploys.over(account);
      if (accounts.find(account) === undefined) {
        await forget();
      }
    },
  };
}

/** Of an archive that was unpacked only the folder is known. */
function noted({ place, type, unpacked: archive }: Change): [FilePlace, Doing] {
  return archive === undefined
    ? [place, { what: whatWasDone[type], before: undefined }]
    : [parentOf(place) ?? place, { what: 'unpacked', before: undefined, archive }];
}

/** For tests inside the extension host. */
export type ProjectParts = ReturnType<typeof buildProjectParts>['parts'];
