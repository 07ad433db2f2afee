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
    seen: [headCommit()],
    cause: '',
    plan: '',
  };
  return [
    `FLAKY  ${file}: ${test}`,
    `       first: ${first.problem.split('\n')[0]}${kept}; ${again}`,
    `       for test/flaky.json: ${JSON.stringify(entry)}`,
  ];
}

/** Returns when the commit that is checked out was made, and its short name. Outside a repository, the time is now. */
function headCommit(): string {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--date=format-local:%Y-%m-%d %H:%M', '--format=%cd %h'], {
    cwd: projectFolder,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  });
  return status === 0 ? stdout.trim() : new Date().toISOString().slice(0, 16).replace('T', ' ');
}

/** Keeps what was flaky beside the evidence. */
export function keepFlaky(flaky: readonly Flaky[]): void {
  if (flaky.length === 0) return;
  mkdirSync(failuresFolder, { recursive: true });
  writeFileSync(join(failuresFolder, 'flaky.json'), `${JSON.stringify(flaky, undefined, 2)}\n`);
}
