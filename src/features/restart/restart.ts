import type { Services } from '../../services';
import { restartAsTask, restartCommands, restartsForTools } from './restartCommands';

/** Restarts the main service of a node, or of each node in a layer, one after the other, also for tasks and tools. */
export function createRestart(services: Services) {
  return {
    commands: restartCommands(services),
    forTools: restartsForTools(services),
    restartTask: restartAsTask(services),
  };
}
