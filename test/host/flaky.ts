import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Failure } from './events/runRecord';
import { failuresFolder, projectFolder } from './folders';

/** A file that failed in one run and passed in another. */
export interface Flaky {
  readonly file: string;
  readonly test: string;
  readonly first: Pick<Failure, 'cause' | 'problem' | 'kept'>;
  readonly again: string;
}

export function flakyOf(
  file: string,
  { title = 'the whole file', cause, problem, kept }: Failure,
  again: string,
): Flaky {
  return { file, test: title, first: { cause, problem, ...(kept === undefined ? {} : { kept }) }, again };
}

export function flakyLines({ file, test, first, again }: Flaky): readonly string[] {
  const kept = first.kept === undefined ? '' : ` (${relative(projectFolder, first.kept)})`;
  const entry = {
    test,
    file: file.replace(/ after .+$/, ''),
    seen: [`${new Date().toISOString().slice(0, 10)} ${headCommit()}`.trim()],
    cause: '',
    plan: '',
  };
  return [
    `FLAKY  ${file}: ${test}`,
    `       first: ${first.problem.split('\n')[0]}${kept}; ${again}`,
    `       for test/flaky.json: ${JSON.stringify(entry)}`,
  ];
}

/** Returns the short name of the commit that is checked out, or nothing outside a repository. */
function headCommit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : '';
}

/** Keeps what was flaky beside the evidence. */
export function keepFlaky(flaky: readonly Flaky[]): void {
  if (flaky.length === 0) return;
  mkdirSync(failuresFolder, { recursive: true });
  writeFileSync(join(failuresFolder, 'flaky.json'), `${JSON.stringify(flaky, undefined, 2)}\n`);
}
