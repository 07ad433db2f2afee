import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The measurement of one piece of work. Other tools read the first three names from the results file. */
export interface Figure {
  readonly requests?: number | undefined;
  readonly sequential?: number | undefined;
  /** The time as a multiple of the time it is compared with. */
  readonly ratio?: number | undefined;
  /** Other numbers by name. */
  readonly [name: string]: number | undefined;
}

export type Figures = Readonly<Record<string, Figure>>;

const variable = 'GANTRY_BENCH';

/** The input of measurements in the extension host. */
export interface BenchSurroundings {
  /** A folder for the results, with one file per figure. */
  readonly results: string;
  readonly origin: string;
  readonly sample: { readonly email: string; readonly password: string };
  /** The platform of an account with a tenth of the environments, to see what grows with the account. */
  readonly fewer?: Pick<BenchSurroundings, 'origin' | 'sample'>;
  /** The folder of the window's journal. */
  readonly journal?: string;
  /** The node to work on, and the folder of its disk on this machine. */
  readonly node: { readonly id: number; readonly folder: string };
}

export function tellBench(surroundings: BenchSurroundings): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(surroundings) };
}

export function benchSurroundings(): BenchSurroundings {
  const told = process.env[variable];
  if (told === undefined) {
    throw new Error('Measurements are run by `npm run bench`.');
  }
  return JSON.parse(told) as BenchSurroundings;
}

export async function reportFigure(results: string, name: string, figure: Figure): Promise<void> {
  await writeFile(join(results, `${name}.json`), JSON.stringify(figure));
}

/** Returns the available figures in the order of the names. */
export async function reportedFigures(results: string, names: readonly string[]): Promise<Figures> {
  const reported = await readdir(results);
  const measured = names.filter((name) => reported.includes(`${name}.json`));
  const read = async (name: string): Promise<readonly [string, Figure]> => [
    name,
    JSON.parse(await readFile(join(results, `${name}.json`), 'utf8')) as Figure,
  ];
  return Object.fromEntries(await Promise.all(measured.map(read)));
}
