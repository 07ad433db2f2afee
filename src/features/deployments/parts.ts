import type { Accounts } from '../../accounts/accounts';
import type { Containers } from '../../containers/containers';
import type { Environments } from '../../containers/environments';
import type { Listings } from '../../containers/listings';
import type { ShownTexts } from '../../ui/shownTexts';
import type { DeployedStates } from './deployedState/deployedStates';
import type { DeployLogs } from './deployedState/deployLogs';
import type { NodeInspector } from './deployedState/nodeInspector';
import type { DeployHistory, FindDeployedCommits } from './history/deployHistory';
import type { DeployedVersions } from './nodeEdits/deployedVersions';
import type { NodeEditLog } from './nodeEdits/nodeEditLog';
import type { NodeEditsAtRisk } from './nodeEdits/nodeEditsAtRisk';
import type { ProjectFinder } from './projectFinder';
import type { ProjectLock } from './projectLock';
import type { Projects } from './projects';
import type { Redeploys } from './redeploy/redeploys';
import type { LocalRepositories } from './repositories/localRepositories';
import type { NodeHooks } from './settings/hooks';
import type { ProjectDrafts } from './settings/projectDrafts';
import type { ProjectOperations } from './settings/projectOperations';
import type { WriteOnlySettingsStore } from './settings/writeOnlySettings';

/** What commands, flows and views of projects are built from, as types. Each picks what it uses; nothing gets all of it. */
export interface DeploymentParts {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly containers: Containers;
  readonly listings: Listings;
  readonly texts: ShownTexts;
  readonly projects: Projects;
  readonly finder: ProjectFinder;
  readonly lock: ProjectLock;
  readonly inspector: NodeInspector;
  readonly logs: DeployLogs;
  readonly deployedStates: DeployedStates;
  readonly history: DeployHistory;
  readonly findDeployedCommits: FindDeployedCommits;
  readonly redeploys: Redeploys;
  readonly repositories: LocalRepositories;
  readonly nodeEditLog: NodeEditLog;
  readonly edits: NodeEditsAtRisk;
  readonly versions: DeployedVersions;
  readonly drafts: ProjectDrafts;
  readonly work: ProjectOperations;
  readonly writeOnlySettings: WriteOnlySettingsStore;
  readonly nodeHooks: NodeHooks;
}
