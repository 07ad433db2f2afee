import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What was measured of one piece of work. The names of the first three are what others read from the results' file. */
export interface Figure {
  readonly requests?: number;
  readonly sequential?: number;
  /** The time it took, as a multiple of what it is held against. */
  readonly ratio?: number;
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

export async function reportedFigures(results: string): Promise<Figures> {
  const names = (await readdir(results)).filter((name) => name.endsWith('.json')).sort();
  const read = async (name: string): Promise<readonly [string, Figure]> => [
    name.replace(/\.json$/, ''),
    JSON.parse(await readFile(join(results, name), 'utf8')) as Figure,
  ];
  return Object.fromEntries(await Promise.all(names.map(read)));
}
