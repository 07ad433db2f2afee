import type { Uri } from 'vscode';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import type { FilePlace } from '../../containers/place';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { Call } from '../../ui/commands/call';
import { endOfLog, type Least } from './endOfLog';
import { followLogAsTask, lastLine, logCommands } from './logCommands';
import { LogDocuments, showLogStatus } from './logDocuments';
import { NodeLog } from './logSource';

/** The logs of nodes: opens and follows them, also for tasks, tools, and restarts. */
export function createLogs(services: Services, own: Own) {
  const { accounts, containers, listings, environments } = services;
  const openLog = (place: FilePlace, options?: AccountCallOptions) =>
    NodeLog.open(place, containers, listings, environments, options);
  const documents = own(new LogDocuments(openLog));
  own(showLogStatus(documents));
  const commands = logCommands(documents, services);
  return {
    openLog,
    documents,
    commands,
    open: (log: Uri) => commands['gantry.logs.open'](new Call([log])),
    endOfLog: async (place: FilePlace, least: Least, signal: AbortSignal) =>
      endOfLog(await openLog(place, { signal }), least),
    lastLine: lastLine(services, openLog),
    followTask: followLogAsTask(accounts, environments, openLog),
  };
}
