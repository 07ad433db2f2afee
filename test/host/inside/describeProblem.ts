import { findSourceMap } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, stripVTControlCharacters } from 'node:util';

/**
 * Describes an error with its source-mapped stack and its causes. The message of an assertion already shows the
 * difference.
 */
export function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const stack = (error.stack ?? String(error))
    .split('\n')
    .filter((line) => !/node_modules.mocha|node:internal/.test(line));
  const cause = error.cause === undefined ? '' : `\ncaused by: ${describeProblem(error.cause)}`;
  return stripVTControlCharacters(stack.map(inSources).join('\n')) + cause;
}

/**
 * Maps a stack line to its source, because VS Code replaces Node's own mapping for bundled code. Lines of unbundled
 * files are already correct.
 */
function inSources(line: string): string {
  return line.replace(/([^\s()]+):(\d+):(\d+)/, (place, file: string, row: string, column: string) => {
    const entry = findSourceMap(asPath(file))?.findEntry(Number(row) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return place;
    const source = asPath(entry.originalSource);
    if (source === asPath(file)) return place;
    return `${relative(process.cwd(), source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function asPath(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}
