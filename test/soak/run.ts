import { scratchFolder } from '../host/folders';
import { beginWithSlowness, measureSlowness } from '../host/limits';
import { faultedSaves } from './faultedSaves';
import { fullDisks } from './fullDisks';
import { killedSaves } from './killedSaves';
import { racingSaves } from './racingSaves';
import { corruptedResponses } from './corruptedResponses';
import { parseSoakOptions, type SoakOptions, usage } from './options';
import { SoakReport } from './report';
import { runSeeds, type SeedRange, type SeedResult } from './runSeeds';
import { runSequencesInHost } from './runSequencesInHost';
import type { HostTestName } from './sequenceChannel';
import type { SoakName, SoakTest } from './soakTest';
import { listenForStop, type StopSignal } from './stopSignal';

type Runner = (range: SeedRange, onResult: (result: SeedResult) => void, stop: StopSignal) => Promise<void>;

const runners: Readonly<Record<SoakName, Runner>> = {
  saves: inThisProcess(faultedSaves),
  sequences: inHost('sequences'),
  answers: inThisProcess(corruptedResponses),
  kills: inThisProcess(killedSaves),
  races: inThisProcess(racingSaves),
  'full-disks': inThisProcess(fullDisks),
  redeploys: inHost('redeploys'),
};

/** How many seeds of a test run before the next test's turn: half a minute's to a minute's work each. */
const batchSizes: Readonly<Record<SoakName, number>> = {
  saves: 1_000,
  sequences: 300,
  answers: 5_000,
  kills: 100,
  races: 50,
  'full-disks': 500,
  redeploys: 25,
};

const show = (line: string): void => console.log(line);

/** Runs the soak tests, see `usage`. The exit code is 1 only if a test failed, not if the run was stopped early. */
async function main(): Promise<void> {
  const options = parsedOptions();
  if (options === undefined) {
    return;
  }
  // This folder is removed at the end, with the files that interrupted seeds left in it.
  process.env['TMPDIR'] = scratchFolder('soak');
  beginWithSlowness(measureSlowness());
  const report = new SoakReport(show);
  process.once('exit', () => report.showSummary());
  const stop = listenForStop(options.minutes, show);
  setInterval(() => report.showProgress(), 10_000).unref();
  await runInTurns(options, report, stop);
  // A seed that timed out may still keep the process alive.
  process.exit();
}

function parsedOptions(): SoakOptions | undefined {
  try {
    return parseSoakOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function runInTurns({ counts, firstSeed }: SoakOptions, report: SoakReport, stop: StopSignal): Promise<void> {
  const remaining = new Map([...counts].map(([name, count]) => [name, { first: firstSeed, count }]));
  while (remaining.size > 0) {
    for (const [name, { first, count }] of remaining) {
      if (stop.isStopped()) {
        return;
      }
      const batchSize = Math.min(batchSizes[name], count);
      if (batchSize === count) {
        remaining.delete(name);
      } else {
        remaining.set(name, { first: first + batchSize, count: count - batchSize });
      }
      report.begin(name);
      const add = (result: SeedResult): void => {
        report.add(name, result);
        process.exitCode = report.hasFailures ? 1 : 0;
      };
      try {
        await runners[name]({ first, count: batchSize }, add, stop);
      } catch (error) {
        report.addAborted(name, error);
        process.exitCode = 1;
        remaining.delete(name);
      }
    }
  }
}

function inThisProcess(test: SoakTest): Runner {
  return (range, onResult, stop) => runSeeds(test, range, { onResult, isStopped: stop.isStopped });
}

function inHost(name: HostTestName): Runner {
  return (range, onResult, stop) => runSequencesInHost({ name, ...range }, onResult, stop);
}

void main();
