import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, failuresVariable, projectFolder } from './host/folders';
import { ending } from './host/processes';
import { suitesOf } from './suites';

/** Something that `.ci/run` needn't do before each change. */
interface Part {
  readonly name: string;
  /** The name of its folder with evidence of failed tests. */
  readonly folder: string;
  /** About how long it takes on two cores. */
  readonly minutes: number;
  /** How many minutes it may take. */
  readonly longest: number;
  readonly run: (step: Step) => Promise<boolean>;
}

/** A part that runs. */
interface Step extends Pick<Part, 'longest'> {
  /** The folder for evidence of failed tests. No other part stores any there, so a later one doesn't remove it. */
  readonly failures: string;
}

const day = 24 * 60 * 60 * 1000;
/** Another one every day. */
const seed = String(Math.floor(Date.now() / day));
/** So many known flaky files run in a night. */
const mostFlaky = 5;
/** So often each of them runs, with another seed each time. */
const timesOfFlaky = 20;
/** How many minutes all runs of one of them may take. */
const longestOfFlaky = 40;
/** A run of tests says what it was doing when its time is up. What doesn't end then is ended these minutes later. */
const grace = 5;

const parts: readonly Part[] = [
  {
    name: 'all tests, the shortest first, and all integration tests in the oldest VS Code',
    folder: 'reversed',
    minutes: 50,
    longest: 150,
    run: (step) => tests(step, 'unit', 'integration', 'integration:minimum', 'e2e', '--nightly', '--reversed'),
  },
  {
    name: `window tests while processes stall, seed ${seed}`,
    folder: 'stalls',
    minutes: 35,
    longest: 150,
    run: (step) => tests(step, 'integration', 'e2e', '--nightly', '--stalls', seed),
  },
  {
    name: 'window tests on one core beside a busy program',
    folder: 'oneCore',
    minutes: 40,
    longest: 150,
    run: (step) => onOneCore(step),
  },
  {
    name: `known flaky tests, ${timesOfFlaky} times each while processes stall`,
    folder: 'flaky',
    minutes: 10 * flakyTonight().length,
    longest: longestOfFlaky * flakyTonight().length,
    run: (step) => flakyTests(step),
  },
  {
    name: 'soak tests',
    folder: 'soak',
    minutes: 30,
    longest: 45,
    run: (step) => node(step, 'test/soak/run.ts', '--minutes', '30'),
  },
  {
    name: 'benchmarks',
    folder: 'bench',
    minutes: 8,
    longest: 45,
    run: (step) => node(step, 'test/bench/run.ts'),
  },
];

/**
 * `all.ts [PIECE/PIECES] [--list]`: runs all that the nightly workflow runs, or one of several pieces that take about the
 * same time. `--list` only shows what the piece runs, and how long that may take. Evidence of failed tests goes to
 * `.cache/nightly`, which other runs of tests leave alone.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false } },
  });
  const chosen = chooseParts(positionals);
  if (chosen === undefined) {
    console.error(`Name a piece, such as 1/3, of at most ${parts.length}.`);
    process.exitCode = 2;
    return;
  }
  if (values.list) {
    for (const { name, minutes, longest } of chosen) console.log(`${name}: ${minutes} min, at most ${longest + grace}`);
    const all = chosen.reduce((sum, { longest }) => sum + longest + grace, 0);
    console.log(`at most ${all} min`);
    return;
  }
  // As in `.ci/run`: failed files run again, and a skipped test fails.
  process.env['CI'] = 'true';
  const outcomes: string[] = [];
  for (const part of chosen) {
    console.log(`\n== ${part.name}`);
    const failures = join(cacheFolder, 'nightly', part.folder);
    await rm(failures, { recursive: true, force: true });
    const hasPassed = await part.run({ longest: part.longest, failures });
    if (!hasPassed) process.exitCode = 1;
    outcomes.push(`${hasPassed ? 'passed' : 'FAILED'}  ${part.name}`);
  }
  console.log(['', ...outcomes].join('\n'));
}

/** Returns undefined if the arguments don't name a piece. */
function chooseParts(names: readonly string[]): readonly Part[] | undefined {
  const [name = '1/1', ...others] = names;
  const [, piece, pieces] = /^(\d+)\/(\d+)$/.exec(name) ?? [];
  if (piece === undefined || others.length > 0 || Number(pieces) > parts.length) return undefined;
  return split(Number(pieces))[Number(piece) - 1];
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

async function tests(step: Step, ...args: readonly string[]): Promise<boolean> {
  return await node(step, 'test/run.ts', ...args, '--longest', String(step.longest));
}

async function node(step: Step, ...args: readonly string[]): Promise<boolean> {
  return await runProgram(step, process.execPath, ['--import', 'tsx', ...args]);
}

async function runProgram({ failures, longest }: Step, program: string, args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, [failuresVariable]: failures };
  const child = spawn(program, args, { cwd: projectFolder, stdio: 'inherit', env });
  const most = (longest + grace) * 60_000;
  const late = setTimeout(() => {
    console.log(`ended after ${longest + grace} min: ${args.join(' ')}`);
    child.kill();
  }, most);
  const deaf = setTimeout(() => child.kill('SIGKILL'), most + 60_000);
  const end = await ending(child, 'exit').finally(() => [late, deaf].forEach(clearTimeout));
  return end === 0;
}

async function onOneCore(step: Step): Promise<boolean> {
  if (spawnSync('taskset', ['--version']).status !== 0) {
    console.log('This needs taskset.');
    return process.platform !== 'linux';
  }
  const pinned = (...args: readonly string[]) => ['-c', '0', process.execPath, ...args];
  const busy = spawn('taskset', pinned('-e', 'for (;;);'), { stdio: 'ignore' });
  try {
    const args = pinned('--import', 'tsx', 'test/run.ts', 'e2e', '--longest', String(step.longest));
    return await runProgram(step, 'taskset', args);
  } finally {
    busy.kill();
  }
}

/** Returns the files of the ledger whose turn it is: a few each night. */
function flakyTonight(): readonly string[] {
  const entries = JSON.parse(readFileSync(join(__dirname, 'flaky.json'), 'utf8')) as readonly {
    readonly file: string;
  }[];
  const files = [...new Set(entries.map(({ file }) => file))];
  const nights = Math.ceil(files.length / mostFlaky);
  return files.filter((_, index) => index % nights === Number(seed) % nights);
}

async function flakyTests(step: Step): Promise<boolean> {
  let hasPassed = true;
  for (const [index, file] of flakyTonight().entries()) {
    const own = { ...step, longest: longestOfFlaky, failures: join(step.failures, String(index + 1)) };
    const times = ['--times', String(timesOfFlaky), '--stalls', String(timesOfFlaky * Number(seed))];
    hasPassed = (await tests(own, ...suitesOf(file), file, '--nightly', ...times)) && hasPassed;
  }
  return hasPassed;
}

void main();
