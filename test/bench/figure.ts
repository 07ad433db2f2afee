import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What was measured of one piece of work. The names of the first three are what others read from the results' file. */
export interface Figure {
  readonly requests?: number | undefined;
  readonly sequential?: number | undefined;
  /** The time it took, as a multiple of what it is held against. */
  readonly ratio?: number | undefined;
  /** Further numbers, by name. */
  readonly [name: string]: number | undefined;
}

export type Figures = Readonly<Record<string, Figure>>;

const variable = 'GANTRY_BENCH';

/** What measurements inside the extension host are told. */
export interface BenchSurroundings {
  /** A folder for the results, one file for each figure. */
  readonly results: string;
  readonly origin: string;
  readonly sample: { readonly email: string; readonly password: string };
  /** The node that is worked on, and where its disk lies on this machine. */
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

/** The figures that were measured, in the order of the names given. */
export async function reportedFigures(results: string, names: readonly string[]): Promise<Figures> {
  const reported = await readdir(results);
  const measured = names.filter((name) => reported.includes(`${name}.json`));
  const read = async (name: string): Promise<readonly [string, Figure]> => [
    name,
    JSON.parse(await readFile(join(results, `${name}.json`), 'utf8')) as Figure,
  ];
  return Object.fromEntries(await Promise.all(measured.map(read)));
}
