// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFiles';
import { type TaskActions, taskProvider } from '../tasks/taskProvider';
import type { FeatureHandles } from '../services';
import type { Lazy } from '../lazy';
import type { wireDeployments } from './wireDeployments';
import type { wireSearch } from './wireSearch';

/** The features that perform tasks. Each is loaded when one of its tasks runs. */
interface TasksWiringDeps {
  readonly deployments: Lazy<ReturnType<typeof wireDeployments>>;
  readonly restart: FeatureHandles['restart'];
  readonly logs: FeatureHandles['logs'];
  readonly search: Lazy<ReturnType<typeof wireSearch>>;
}

/** The tasks that builds run. */
export function wireTasks({ deployments, restart, logs, search }: TasksWiringDeps) {
  const actions: TaskActions = {
    redeploy: async (task, run) => {
      const ending = await deployments.use(({ redeployTask }) => redeployTask(task, run));
      return ending === 'deployed' ? 0 : 1;
    },
    restart: async (task, run) => ((await restart.use(({ restartTask }) => restartTask(task, run))) ? 0 : 1),
    followLog: async (task, run) => ((await logs.use(({ followTask }) => followTask(task, run))) ? 0 : 1),
    find: (task, run) => search.use(({ findTask }) => findTask(task, run)),
  };
  const provider = taskProvider(() => deployments.use(({ knownProjects }) => knownProjects()), actions);
  return { provider, actions, disposables: [] };
}
