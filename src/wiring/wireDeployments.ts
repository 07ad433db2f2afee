import { join } from 'node:path';
import { FileChangeType, window, workspace } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { projectCommands } from '../deployments/projectCommands';
import { SettingsPages } from '../deployments/settings/settingsPageFlow';
import { projectSettingCommands } from '../deployments/settings/settingsCommands';
import { ProjectChooser } from '../deployments/projectPrompt';
import { redeployAsTask } from '../deployments/redeploy/redeployTaskFlow';
import { RedeployFlow } from '../deployments/redeploy/redeployFlow';
import type { FileChange } from '../files/provider/fileChange';
import type { ContainerFileSystem } from '../files/provider/containerFileSystem';
import { showHookDrafts } from '../deployments/settings/hookDraftNotice';
import { refreshDeployedFiles } from '../deployments/redeploy/refreshDeployedFiles';
import { showProjectInStatusBar } from '../deployments/projectStatusBar';
import { provideRedeployTasks } from '../deployments/redeploy/redeployTaskProvider';
import type { ViewId } from '../manifest';
import { NodeInspector } from '../deployments/deployedState/nodeInspector';
import { DeployDocuments, deployScheme } from '../deployments/history/deployLogDocuments';
import { DeployHistory } from '../deployments/history/deployHistory';
import { DraftStore } from '../deployments/settings/draftStore';
import { DeployedStates } from '../deployments/deployedState/deployedStates';
import { beforeEditScheme, NodeEditDocuments } from '../deployments/nodeEdits/nodeEditDocuments';
import type { NodeEditKind } from '../deployments/nodeEdits/nodeEdit';
import { NodeEditLog } from '../deployments/nodeEdits/nodeEditLog';
import { type PollInterval, usualPollInterval } from '../deployments/redeploy/watchLostUpdate';
import { HookDocuments, hookScheme } from '../deployments/settings/hookDocuments';
import { KnownProjects, Projects } from '../deployments/projects';
import { LocalRepositories } from '../deployments/repositories/localRepositories';
import { ProjectDrafts } from '../deployments/settings/projectDrafts';
import { NodeEditsAtRisk } from '../deployments/nodeEdits/nodeEditsAtRisk';
import { mayBeDeployedTo } from '../deployments/projectPlace';
import { ProjectFinder } from '../deployments/projectFinder';
import { ProjectOperations } from '../deployments/settings/projectOperations';
import { Redeploys } from '../deployments/redeploy/redeploys';
import { WriteOnlySettingsStore } from '../deployments/settings/writeOnlySettings';
import { DeploymentsView } from '../deployments/view/deploymentsView';
import type { EnvironmentsView } from '../fileTree/environmentsView';
import { type FilePlace, parentOf } from '../containers/place';
import type { ShownTexts } from '../ui/shownTexts';
import type { WiringDeps } from './wiringDeps';
import type { ContainerParts } from './wireContainers';

interface DeploymentsWiringDeps extends WiringDeps, Pick<ContainerParts, 'environments' | 'containers' | 'listings'> {
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
export function wireDeployments(deps: DeploymentsWiringDeps) {
  const { accounts, environments, containers, listings, fileSystem, environmentsView, report } = deps;
  const known = new KnownProjects(deps.state);
  const projects = new Projects(containers, known);
  const inspector = new NodeInspector({ containers, environments, known });
  const history = new DeployHistory(join(deps.storageFolder, 'redeploys'));
  const repositories = new LocalRepositories();
  const pace: { -readonly [K in keyof PollInterval]: PollInterval[K] } = { ...usualPollInterval };
  const redeploys = new Redeploys({ projects, containers, known, inspector, history, pace });
  const finder = new ProjectFinder({ accounts, environments, projects, known });
  const ledger = new NodeEditLog(
    join(deps.storageFolder, 'edits'),
    (place) => mayBeDeployedTo(place.path) || finder.holding(place) !== undefined || finder.mayHold(place),
  );
  const edits = new NodeEditsAtRisk(ledger, known, containers);
  const deployedStates = new DeployedStates({ projects, history, repositories, redeploys, inspector, edits, ledger });
  const draftStore = new DraftStore(join(deps.storageFolder, 'drafts'));
  const drafts = new ProjectDrafts(draftStore, report);
  const view = new DeploymentsView({
    accounts,
    environments,
    projects,
    redeploys,
    history,
    deployedStates,
    repositories,
    drafts,
  });
  const chooser = new ProjectChooser({ finder, repositories, view });
  const flow = new RedeployFlow({ projects, redeploys, repositories, edits, inspector, known });
  const documents = new DeployDocuments(history);
  const setHere = new WriteOnlySettingsStore(join(deps.storageFolder, 'projects'));
  const work = new ProjectOperations({ containers, projects, known, setHere, history, ledger });
  const hooks = new HookDocuments(drafts);
  const shared = { accounts, environments, projects, history, repositories, chooser, view, flow };
  const editing = { ...shared, drafts, work, setHere, redeploys, texts: deps.texts };
  const commands = {
    ...projectCommands({ ...shared, deployedStates }),
    ...projectSettingCommands({ ...editing, pages: new SettingsPages(editing) }),
  };
  const disposables = [
    ...[projects, history, repositories, redeploys, ledger, deployedStates, view, documents, drafts, hooks],
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
    workspace.registerTextDocumentContentProvider(beforeEditScheme, new NodeEditDocuments(ledger)),
    window.createTreeView('gantry.deployments' satisfies ViewId, { treeDataProvider: view, showCollapseAll: true }),
    showProjectInStatusBar({ accounts, finder, repositories, redeploys, deployedStates, projects }),
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
      deployedStates,
      ledger,
      edits,
      finder,
      inspector,
      view,
      flow,
      setHere,
      work,
      drafts,
      draftStore,
      texts: deps.texts,
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
function noted({ place, type, unpacked: archive }: FileChange): [FilePlace, NodeEditKind] {
  return archive === undefined
    ? [place, { what: whatWasDone[type], before: undefined }]
    : [parentOf(place) ?? place, { what: 'unpacked', before: undefined, archive }];
}

/** For tests inside the extension host. */
export type ProjectParts = ReturnType<typeof wireDeployments>['parts'];
