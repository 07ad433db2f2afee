import { join, relative } from 'node:path';
import { type Failure } from './events/runRecord';
import { projectFolder } from './folders';

/** Returns the shell commands that repeat the failures: one per test, or one per file if its whole run failed. */
export function repeatCommands(script: string, failures: readonly Failure[]): string[] {
  const commands = failures.map(({ file, title }) => {
    const path = file === '' ? [] : [quoted(relative(join(projectFolder, 'test'), file).replaceAll('\\', '/'))];
    const grep = title === undefined ? [] : ['--grep', quoted(title)];
    return ['npm run', script, '--', ...path, ...grep].join(' ');
  });
  return [...new Set(commands)];
}

function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
