import type { Behaviour } from '../behaviour';
import type { Mounts } from '../mounts/mounts';
import type { OperationTable } from '../operation';
import { codes, Refusal } from '../refusal';
import { answeringContainer } from './eachNode';
import { demand } from './permissions';
import { find, type FoundPlace } from './place';
import { loadFile } from './storeFile';

interface Part {
  readonly from: number;
  /** Undefined for all that follows. */
  readonly count: number | undefined;
}

/** The bytes of a log. Its text, and where its lines begin, are found when they are first needed. */
export class LogContent {
  #text: string | undefined;
  #lines: readonly number[] | undefined;

  constructor(readonly bytes: Buffer) {}

  get text(): string {
    return (this.#text ??= this.bytes.toString('utf8'));
  }

  /** Returns where a line begins, counted from 0. */
  lineStart(line: number): number {
    this.#lines ??= lineStarts(this.bytes);
    return this.#lines[line] ?? this.bytes.length;
  }
}

const lineStarts = (bytes: Buffer): readonly number[] => {
  const starts = [0];
  for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
};

/** Returns a part of a log. Characters are counted like Java does, in units of UTF-16. */
export const partOfLog = (
  log: LogContent,
  { logUnits, logStart }: Pick<Behaviour, 'logUnits' | 'logStart'>,
  { from, count }: Part,
): string => {
  const { bytes } = log;
  const first = Math.max(0, logStart === 'one' ? from - 1 : from);
  const end = count === undefined ? undefined : first + count;
  switch (logUnits) {
    case 'characters':
      return log.text.slice(first, end);
    case 'bytes':
      return bytes.subarray(first, end).toString('utf8');
    case 'lines':
      return bytes.subarray(log.lineStart(first), end === undefined ? end : log.lineStart(end)).toString('utf8');
  }
};

/** Keeps the latest long log until it changes, because a real platform doesn't read all of it for each part. */
class LatestLog {
  #latest: { readonly key: string; readonly log: LogContent } | undefined;

  read(place: FoundPlace): LogContent {
    const { ino, size, mtimeMs, ctimeMs } = place.stats;
    const key = [place.disk, ino, size, mtimeMs, ctimeMs].join(' ');
    if (this.#latest?.key === key) {
      demand(place, 'read');
      return this.#latest.log;
    }
    const log = new LogContent(loadFile(place));
    // A short log may change twice before its time does.
    this.#latest = size < 1024 * 1024 ? undefined : { key, log };
    return log;
  }
}

/** Reads logs by parts. Publicly documented, but not in the contract. */
export const logOperations = (mounts: Mounts, logs = new LatestLog()): OperationTable => ({
  ReadLog: (call) => {
    const { parameters, platform } = call;
    const from = parameters.optionalInteger('from') ?? 0;
    const count = parameters.optionalInteger('count');
    if (from < 0 || (count !== undefined && count < 0)) throw new Refusal(codes.invalidParameter, 'invalid range');
    const log = logs.read(find(answeringContainer(call, mounts), parameters.text('path'), 'followed'));
    const body = partOfLog(log, platform.behaviour, { from, count });
    return Promise.resolve({ body, linescount: body.split('\n').length - 1, source: 'JEL' });
  },
});
