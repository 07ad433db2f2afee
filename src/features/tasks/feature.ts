import { tasks as vscodeTasks } from 'vscode';
import type { Gantry } from '../../gantry';
import { isAnyProjectKnown } from '../../storage/storageKeys';

export function registerTasks(gantry: Gantry) {
  const tasks = gantry.add({
    id: 'tasks',
    needs: 'files',
    load: async () => (await import('./tasks')).createTasks,
  });
  gantry.register(() =>
    vscodeTasks.registerTaskProvider('gantry', {
      // VS Code asks some time after a window opens, too, without anyone wanting to run a task.
      provideTasks: (token) =>
        isAnyProjectKnown(gantry.host.state) ? tasks.use(({ provider }) => provider.provideTasks(token)) : [],
      resolveTask: (task, token) => tasks.use(({ provider }) => provider.resolveTask(task, token)),
    }),
  );
  return tasks;
}
