import { tasks as vscodeTasks } from 'vscode';
import type { Gantry } from '../../gantry';

export function registerTasks(gantry: Gantry) {
  const tasks = gantry.add({
    id: 'tasks',
    needs: 'files',
    load: async () => (await import('./tasks')).createTasks,
  });
  gantry.register(() =>
    vscodeTasks.registerTaskProvider('gantry', {
      provideTasks: (token) => tasks.use(({ provider }) => provider.provideTasks(token)),
      resolveTask: (task, token) => tasks.use(({ provider }) => provider.resolveTask(task, token)),
    }),
  );
  return tasks;
}
