// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { restartCommands, type RestartDeps } from '../services/restartCommands';
import { restartsForTools } from '../services/restartsForTools';
import { restartAsTask } from '../services/restartTaskFlow';
import type { FileParts } from './wireFiles';

/** What follows a change in a container: restarts. */
export function wireServices(
  deps: Pick<FileParts, 'accounts' | 'environments' | 'savedConfigurations' | 'turns' | 'findObstacle' | 'writeOver'> &
    Pick<RestartDeps, 'noteFollowed' | 'lastLogLine'>,
) {
  const { savedConfigurations: saved, turns: queue } = deps;
  const restarts = { ...deps, saved, queue };
  return {
    commands: restartCommands(restarts),
    forTools: restartsForTools(restarts),
    restartTask: restartAsTask(restarts),
    disposables: [],
  };
}
