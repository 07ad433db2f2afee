import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findTests } from '../host/findTests';
import { projectFolder, scratchFolder } from '../host/folders';
import { exitWhenAsked } from '../host/leftovers';
import { packageExtension } from '../host/package/packageExtension';
import { runInHost } from '../host/runInHost';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { budgets, largestRatio } from './budgets';
import { median } from './chain';
import { emptyExtension } from './emptyExtension';
import { type Figure, type Figures, reportedFigures, reportFigure, tellBench } from './figure';
import { openWorkspace } from './openWorkspace';
import { tableOf } from './table';

const activations = 5;
const delays = { slow: 200, quick: 50 };
const inside = join(__dirname, 'inside');
const show = (line: string): void => console.log(line);

/** `run.ts [--json FILE] [PART OF A FILE'S NAME...]`: prints the figures; what is over its budget fails the run. */
async function main(): Promise<void> {
  exitWhenAsked();
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
  const isWanted = (name: string) => positionals.length === 0 || positionals.some((part) => name.includes(part));
  const results = scratchFolder('bench');
  const platform = await startPlatform();
  const failures: string[] = [];
  try {
    await measurePackage(results);
    if (isWanted('openWorkspace')) await measureOpening(platform, results, failures);
    for (const file of findTests(inside, positionals, '.bench.ts')) {
      const isActivation = file.includes('activation');
      for (let turn = 0; turn < (isActivation ? activations : 1); turn += 1) {
        const failed = await measureInside(
          file,
          platform,
          isActivation ? join(results, `activation-${turn}`) : results,
        );
        if (failed > 0) failures.push(file);
      }
    }
    await summariseActivation(results, failures);
    await tell(await reportedFigures(results), values.json);
  } finally {
    await platform.dispose();
    await rm(results, { recursive: true, force: true });
  }
  if (failures.length > 0) show(`\nOver budget, or not measured: ${failures.join(', ')}`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** What is measured is what is shipped: the packed bundle is left in `dist`. */
async function measurePackage(results: string): Promise<void> {
  const vsix = join(results, 'gantry.vsix');
  await packageExtension(vsix);
  await reportFigure(results, 'vsix', { kilobytes: Math.ceil((await stat(vsix)).size / 1000) });
}

async function measureOpening(platform: LocalPlatform, results: string, failures: string[]): Promise<void> {
  const atSlow = await openWorkspace(platform, delays.slow);
  const atQuick = await openWorkspace(platform, delays.quick);
  const ratioAt50 = atQuick.ratio === undefined ? {} : { ratioAt50: atQuick.ratio };
  await reportFigure(results, 'openWorkspace', { ...atSlow, ...ratioAt50 });
  const { requests, sequential } = budgets.openWorkspace;
  const isOver = (figure: Figure) =>
    (figure.requests ?? 0) > requests || (figure.sequential ?? 0) > sequential || (figure.ratio ?? 0) > largestRatio;
  if (isOver(atSlow)) failures.push('openWorkspace');
}

async function measureInside(file: string, platform: LocalPlatform, results: string): Promise<number> {
  await mkdir(results, { recursive: true });
  const [node] = platform.nodes('shop', 'cp');
  if (node === undefined) throw new Error('The sample has no node to work on.');
  const { email, password } = platform.sample;
  const surroundings = {
    ...{ results, origin: platform.origin, sample: { email, password } },
    node: { id: node.id, folder: platform.nodeFolder(node.id) },
  };
  const { failed } = await runInHost({
    ...{ name: 'bench', files: [file], show, timeout: 300_000, silence: 300_000 },
    extension: { folder: projectFolder },
    alongside: file.includes('activation')
      ? [await emptyExtension(results, 'first'), await emptyExtension(results, 'empty')]
      : [],
    env: tellBench(surroundings),
  });
  return failed;
}

async function summariseActivation(results: string, failures: string[]): Promise<void> {
  const all: Figure[] = [];
  for (let turn = 0; turn < activations; turn += 1) {
    const file = join(results, `activation-${turn}`, 'activation.json');
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) all.push(JSON.parse(text) as Figure);
  }
  if (all.length === 0) return;
  const middle = (name: string) => median(all.map((one) => one[name] ?? 0));
  const figure = { ratio: middle('ratio'), milliseconds: middle('milliseconds'), empty: middle('empty') };
  await reportFigure(results, 'activation', figure);
  if (figure.ratio > 3) failures.push('activation');
}

async function tell(figures: Figures, file: string | undefined): Promise<void> {
  show(`\n${tableOf(figures)}`);
  if (file !== undefined) await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
