import type { Services } from '../../services';
import { type TaskActions, taskProvider } from './taskProvider';

/** The tasks that builds run. Each loads the feature that performs it. */
export function createTasks({ features: { deployments, restart, logs, search } }: Services) {
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
  return { provider, actions };
}
