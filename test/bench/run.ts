import { existsSync, mkdtempSync } from 'node:fs';
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder, scratchFolder } from '../host/folders';
import { exitWhenAsked, leftovers } from '../host/leftovers';
import { beginWithSlowness, limit, measureSlowness } from '../host/limits';
import { bundleAsShipped, packageExtension } from '../host/package/packageExtension';
import { hasRelease } from '../host/package/releaseNotes';
import { runInHost } from '../host/runInHost';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { journalFolder } from '../../src/storage/storageKeys';
import { budgets, figureNames, overBudget, parallel, pieces, releasedBytes } from './budgets';
import { median } from './chain';
import { dormantExtension } from './dormantExtension';
import { emptyExtension } from './emptyExtension';
import { type BenchSurroundings, type Figure, type Figures, reportedFigures, reportFigure, tellBench } from './figure';
import { fillJournal } from './fullJournal';
import { openWorkspace } from './openWorkspace';
import { tableOf } from './table';

const activations = 9;
const inMemory = '/dev/shm';
const show = (line: string): void => console.log(line);

/** The files that measure in the extension host, with their figures. */
const inside = {
  files: [...pieces, ...parallel, 'typing'],
  listings: ['list100k', 'cacheMemory'],
  goToFile: ['goToFile', 'names100k'],
  redeploy: ['redeploy'],
  search: ['searchFolder'],
  logs: ['openLog', 'openUnicodeLog'],
} as const;

/** `run.ts [--json FILE] [FIGURE...]`: prints the figures. The run fails if a figure is over its budget or missing. */
async function main(): Promise<void> {
  exitWhenAsked();
  beginWithSlowness(measureSlowness());
  const own = workInMemory();
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
  const wanted = positionals.length === 0 ? figureNames : positionals;
  const results = scratchFolder('bench');
  const platform = await startPlatform();
  try {
    await measure(wanted, { results, platform });
    const figures = await reportedFigures(results, wanted);
    show(`\n${tableOf(figures)}`);
    if (values.json !== undefined) await writeFile(values.json, asJson(figures));
    const isReleased = hasRelease(await readFile(join(projectFolder, 'CHANGELOG.md'), 'utf8'));
    if (!isReleased) show('\nNothing was released yet: vsix shows the growth since commit 1c572ad, without a limit.');
    const held = wanted.filter((name) => name !== 'vsix' || isReleased);
    const problems = overBudget(figures, held);
    if (problems.length > 0) show(`\nOver budget, or not measured:\n${problems.join('\n')}`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  } finally {
    await platform.dispose();
    for (const folder of [results, ...own]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Moves the temporary folder into memory, so that no disk is measured. Returns the folder to remove at the end. */
function workInMemory(): readonly string[] {
  if (process.env['TMPDIR'] !== undefined || !existsSync(inMemory)) return [];
  const folder = mkdtempSync(join(inMemory, 'gantry-'));
  leftovers.folders.add(folder);
  process.env['TMPDIR'] = folder;
  return [folder];
}

interface Surroundings {
  readonly results: string;
  readonly platform: LocalPlatform;
  readonly fewer?: LocalPlatform;
}

async function measure(wanted: readonly string[], around: Surroundings): Promise<void> {
  await measurePackage(around);
  if (wanted.includes('openWorkspace')) await attempt(() => measureOpening(around));
  for (const [file, figures] of Object.entries(inside)) {
    const chosen = figures.filter((name) => wanted.includes(name));
    if (chosen.length > 0) await attempt(() => measureInside(file, around, { grep: ` (${chosen.join('|')})$` }));
  }
  if (wanted.includes('bigAccount')) await attempt(() => measureBigAccount(around));
  const starts = ['activation', 'fullJournal'].filter((name) => wanted.includes(name));
  if (starts.length > 0) await attempt(() => measureStarts(starts, around));
}

/** Shows errors and continues with the other figures. A missing figure fails the run. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error);
  }
}

/** From here on, the shipped bundle is measured. */
async function measurePackage({ results }: Surroundings): Promise<void> {
  const vsix = join(results, 'gantry.vsix');
  await packageExtension(vsix);
  await bundleAsShipped(join(projectFolder, 'dist'));
  const { size } = await stat(vsix);
  await reportFigure(results, 'vsix', { kilobytes: size / 1000, growth: size / releasedBytes });
}

async function measureOpening({ results, platform }: Surroundings): Promise<void> {
  const far = await openWorkspace(platform, 200);
  const near = await openWorkspace(platform, 50);
  await reportFigure(results, 'openWorkspace', { ...far, ratioAt50: near.ratio });
}

interface Particulars {
  readonly stateFolder?: string;
  readonly grep?: string;
  readonly alongside?: readonly string[];
  readonly extension?: { readonly folder: string };
}

async function measureBigAccount(around: Surroundings): Promise<void> {
  const platforms = [await startPlatform({ bigAccount: 300 }), await startPlatform({ bigAccount: 30 })] as const;
  try {
    const [platform, fewer] = platforms;
    await measureInside('bigAccount', { ...around, platform, fewer });
  } finally {
    for (const platform of platforms) await platform.dispose();
  }
}

function toldOf({ origin, sample: { email, password } }: LocalPlatform): Pick<BenchSurroundings, 'origin' | 'sample'> {
  return { origin, sample: { email, password } };
}

/** Shows failures. A failed figure is missing from the results. */
async function measureInside(name: string, around: Surroundings, particulars: Particulars = {}): Promise<void> {
  const { results, platform, fewer } = around;
  const [node] = platform.nodes('shop', 'cp');
  if (node === undefined) throw new Error('The sample has no node to work on.');
  const surroundings = {
    results,
    ...toldOf(platform),
    ...(fewer === undefined ? {} : { fewer: toldOf(fewer) }),
    ...(particulars.stateFolder === undefined ? {} : { journal: journalIn(particulars.stateFolder) }),
    node: { id: node.id, folder: platform.nodeFolder(node.id) },
  };
  await runInHost({
    name: 'bench',
    files: [join(__dirname, 'inside', `${name}.bench.ts`)],
    show,
    timeout: 300_000,
    silence: limit(300_000),
    extension: { folder: projectFolder },
    env: tellBench(surroundings),
    ...particulars,
  });
}

/** Measures one activation in each of several new windows, next to an extension that does nothing. Those with a full journal take turns. */
async function measureStarts(wanted: readonly string[], around: Surroundings): Promise<void> {
  const [empty, full]: [Figure[], Figure[]] = [[], []];
  const alongside = [await emptyExtension(around.results, 'first'), await emptyExtension(around.results, 'empty')];
  const extension = { folder: await dormantExtension(around.results) };
  const filled = join(around.results, 'filled');
  if (wanted.includes('fullJournal')) await fillJournal(filled);
  const measureOne = async (all: Figure[], journal?: string): Promise<void> => {
    const results = join(around.results, 'start');
    const stateFolder = join(results, 'state');
    await mkdir(results);
    if (journal !== undefined) await cp(journal, journalIn(stateFolder), { recursive: true, preserveTimestamps: true });
    await measureInside('activation', { ...around, results }, { alongside, extension, stateFolder });
    // If it is missing, the error was shown already.
    const { activation } = await reportedFigures(results, ['activation']);
    all.push(...(activation === undefined ? [] : [activation]));
    await rm(results, { recursive: true, force: true, maxRetries: 5 });
  };
  for (let turn = 0; turn < activations; turn += 1) {
    await measureOne(empty);
    if (wanted.includes('fullJournal')) await measureOne(full, filled);
    if (empty.length <= turn) return;
  }
  const middle = (all: readonly Figure[], name: string) => median(all.map((one) => one[name] ?? Number.NaN));
  if (wanted.includes('activation')) {
    const names = ['ratio', 'milliseconds', 'empty', 'firstUse', 'firstUseRatio'];
    const figure = Object.fromEntries(names.map((name) => [name, middle(empty, name)]));
    await reportFigure(around.results, 'activation', figure);
  }
  if (full.length === activations) {
    const [milliseconds, withEmpty] = [middle(full, 'start'), middle(empty, 'start')];
    const textsRead = Math.max(...full.map((one) => one['textsRead'] ?? Number.NaN));
    const tidied = middle(full, 'tidied');
    const figure = { ratio: milliseconds / withEmpty, textsRead, milliseconds, withEmpty, tidied };
    await reportFigure(around.results, 'fullJournal', figure);
  }
}

function journalIn(stateFolder: string): string {
  return join(stateFolder, 'user', 'User', 'globalStorage', 'gantry.gantry', journalFolder);
}

/** Returns the three common numbers of budgeted figures, and all numbers of the others. */
function asJson(figures: Figures): string {
  const told = Object.entries(figures).map(([name, figure]) => {
    const { requests, sequential, ratio } = figure;
    return [name, name in budgets ? { requests, sequential, ratio } : figure];
  });
  return `${JSON.stringify(Object.fromEntries(told), null, 2)}\n`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
