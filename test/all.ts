import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './host/folders';
import { ending } from './host/processes';

/** Something that `.ci/run` needn't do before each change. */
interface Part {
  readonly name: string;
  /** About how long it takes on two cores. */
  readonly minutes: number;
  readonly run: () => Promise<boolean>;
}

const day = 24 * 60 * 60 * 1000;
/** Another one every day. */
const seed = String(Math.floor(Date.now() / day));
const tests = (...args: readonly string[]) => node('test/run.ts', ...args);

const parts: readonly Part[] = [
  {
    name: 'all tests, the shortest first, and all integration tests in the oldest VS Code',
    minutes: 40,
    run: () => tests('unit', 'integration', 'integration:minimum', 'e2e', '--nightly', '--reversed'),
  },
  {
    name: `window tests while processes stall, seed ${seed}`,
    minutes: 30,
    run: () => tests('integration', 'e2e', '--nightly', '--stalls', seed),
  },
  { name: 'window tests on one core beside a busy program', minutes: 25, run: () => onOneCore() },
  { name: 'known flaky tests, 20 times each while processes stall', minutes: 5, run: () => flakyTests() },
  { name: 'soak tests', minutes: 30, run: () => node('test/soak/run.ts', '--minutes', '30') },
  { name: 'benchmarks', minutes: 8, run: () => node('test/bench/run.ts') },
];

/**
 * `all.ts [PIECE/PIECES]`: runs all that the nightly workflow runs, or one of several pieces that take about the same time.
 */
async function main(): Promise<void> {
  const [, piece = '1', pieces = '1'] = /^(\d+)\/(\d+)$/.exec(process.argv[2] ?? '1/1') ?? [];
  const chosen = split(Number(pieces))[Number(piece) - 1];
  if (chosen === undefined) {
    console.error('Name a piece, such as 1/3.');
    process.exitCode = 2;
    return;
  }
  // As in `.ci/run`: failed files run again, and a skipped test fails.
  process.env['CI'] = 'true';
  const outcomes: string[] = [];
  for (const { name, run } of chosen) {
    console.log(`\n== ${name}`);
    const hasPassed = await run();
    if (!hasPassed) process.exitCode = 1;
    outcomes.push(`${hasPassed ? 'passed' : 'FAILED'}  ${name}`);
  }
  console.log(['', ...outcomes].join('\n'));
}

/** Gives each part, the longest first, to the piece that takes the shortest time so far. */
function split(pieces: number): readonly (readonly Part[])[] {
  const split = Array.from({ length: pieces }, (): Part[] => []);
  const minutesOf = (some: readonly Part[]): number => some.reduce((sum, { minutes }) => sum + minutes, 0);
  for (const part of [...parts].sort((one, other) => other.minutes - one.minutes)) {
    const [shortest] = [...split].sort((one, other) => minutesOf(one) - minutesOf(other));
    shortest?.push(part);
  }
  return split;
}

async function node(...args: readonly string[]): Promise<boolean> {
  return await runProgram(process.execPath, ['--import', 'tsx', ...args]);
}

async function runProgram(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { cwd: projectFolder, stdio: 'inherit' });
  return (await ending(child, 'exit')) === 0;
}

async function onOneCore(): Promise<boolean> {
  if (spawnSync('taskset', ['--version']).status !== 0) {
    console.log('This needs taskset.');
    return process.platform !== 'linux';
  }
  const pinned = (...args: readonly string[]) => ['-c', '0', process.execPath, ...args];
  const busy = spawn('taskset', pinned('-e', 'for (;;);'), { stdio: 'ignore' });
  try {
    return await runProgram('taskset', pinned('--import', 'tsx', 'test/run.ts', 'e2e'));
  } finally {
    busy.kill();
  }
}

async function flakyTests(): Promise<boolean> {
  const entries = JSON.parse(readFileSync(join(__dirname, 'flaky.json'), 'utf8')) as readonly {
    readonly file: string;
  }[];
  let hasPassed = true;
  for (const { file } of entries) {
    const [suite = ''] = file.split('/');
    hasPassed = (await tests(suite, file, '--times', '20', '--stalls', seed)) && hasPassed;
  }
  return hasPassed;
}

void main();
