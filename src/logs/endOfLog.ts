import { listLogs, listNodeLogs, type NodeLogsDeps } from '../containers/nodeLogs';
import type { FilePlace } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import { type LogSource, LogTail } from './logTail';
import { logThatMatters } from './logThatMatters';

interface Least {
  readonly lines: number;
  readonly characters: number;
}

/** Reads the end of a log, until there are so many lines or characters. */
export async function endOfLog(source: LogSource, { lines, characters }: Least) {
  const tail = await LogTail.open(source);
  const isEnough = () => tail.text.length > characters || tail.text.split('\n').length > lines;
  while (!tail.isFromStart && !isEnough() && (await tail.loadEarlier()) === 'added') {
    // Goes on until there are enough lines.
  }
  return { text: tail.text, isWhole: tail.isFromStart };
}

export interface LastLineDeps extends NodeLogsDeps {
  readonly openLog: (place: FilePlace) => Promise<LogSource>;
}

/** A service that began to start. */
export interface Starting {
  /** The root of its node. */
  readonly node: FilePlace;
  readonly type: string | undefined;
  /** In milliseconds since the epoch. */
  readonly moment: number;
}

/** Returns the last line of the log that most likely says how a service started. */
export async function lastLine({ node, type, moment }: Starting, deps: LastLineDeps): Promise<string | undefined> {
  const log = logThatMatters(await allLogs(node, type, deps), { type, moment });
  const end =
    log && (await endOfLog(await deps.openLog({ ...node, path: log.absolutePath }), { lines: 1, characters: 1 }));
  return end?.text.trim().split('\n').at(-1);
}

/** Returns the node's logs and those one folder below. A folder that can't be listed is left out. */
export async function allLogs(
  root: FilePlace,
  type: string | undefined,
  deps: NodeLogsDeps,
): Promise<readonly FileEntry[]> {
  const entries = await listNodeLogs(root, type, deps);
  const below = await Promise.allSettled(
    entries.filter(({ isDir }) => isDir).map(({ absolutePath }) => listLogs({ ...root, path: absolutePath }, deps)),
  );
  return [...entries, ...below.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))].filter(
    ({ isDir, name }) => !isDir && !/\.(?:gz|bz2|xz|zst|zip)$/i.test(name),
  );
}
