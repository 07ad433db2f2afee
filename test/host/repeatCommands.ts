import { join, relative } from 'node:path';
import { type Failure } from './events/runRecord';
import { projectFolder } from './folders';

/** Returns the shell commands that repeat the failures: one per test, or one per file if its whole run failed. */
export function repeatCommands(script: string, failures: readonly Failure[]): string[] {
  const commands = failures.map(({ file, title, repeat = [file] }) => {
    const path = repeat
      .filter((one) => one !== '')
      .map((one) => quoted(relative(join(projectFolder, 'test'), one).replaceAll('\\', '/')));
    const grep = title === undefined || repeat.length > 1 ? [] : ['--grep', quoted(title)];
    return ['npm run', script, '--', ...path, ...grep].join(' ');
  });
  return [...new Set(commands)];
}

function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
