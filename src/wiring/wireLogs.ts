// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import type { AccountCallOptions } from '../accounts/signedInAccount';
import { systemTime } from '../async/timeSource';
import type { FilePlace } from '../containers/place';
import { endOfLog, lastLine, type Starting } from '../logs/endOfLog';
import { followLogAsTask } from '../logs/followLogTaskFlow';
import { logCommands } from '../logs/logCommands';
import { LogDocuments } from '../logs/logDocuments';
import { NodeLog } from '../logs/logSource';
import { showLogStatus } from '../logs/logStatus';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';

interface LogsWiringDeps
  extends Pick<FileParts, 'accounts' | 'containers' | 'listings' | 'environments'>, Pick<FileTreeParts, 'targets'> {}

/** Logs of nodes. */
export function wireLogs({ accounts, containers, listings, environments, targets }: LogsWiringDeps) {
  const openLog = (place: FilePlace, options?: AccountCallOptions) =>
    NodeLog.open(place, { containers, listings, environments }, options);
  const documents = new LogDocuments({ openLog, time: systemTime });
  return {
    openLog,
    documents,
    endOfLog: async (place: FilePlace, least: Parameters<typeof endOfLog>[1], signal: AbortSignal) =>
      endOfLog(await openLog(place, { signal }), least),
    lastLine: (starting: Starting, signal: AbortSignal) =>
      lastLine(starting, { ...{ containers, listings, environments }, openLog: (place) => openLog(place, { signal }) }),
    followTask: followLogAsTask({ accounts, environments, openLog }),
    commands: logCommands({ accounts, containers, environments, listings, targets, documents }),
    disposables: [documents, showLogStatus(documents)],
  };
}
