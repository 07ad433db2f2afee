// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { restartCommands } from '../services/restartCommands';
import type { FileParts } from './wireFiles';

/** What follows a change in a container: restarts. */
export function wireServices({ accounts, environments }: Pick<FileParts, 'accounts' | 'environments'>) {
  return { commands: restartCommands({ accounts, environments }), disposables: [] };
}
