// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { restartCommands } from '../services/restartCommands';
import type { FileParts } from './wireFiles';

/** What follows a change in a container: restarts. */
export function wireServices(
  deps: Pick<FileParts, 'accounts' | 'environments' | 'savedConfigurations' | 'turns' | 'writeOver'>,
) {
  const { accounts, environments, savedConfigurations: saved, turns: queue, writeOver } = deps;
  return { commands: restartCommands({ accounts, environments, saved, queue, writeOver }), disposables: [] };
}
