import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '../host/folders';
import { readPage } from '../oracle/page';
import { type Figure, figuresOf } from './figures';
import { improved, type Recorded, worsened } from './recorded';
import { readSources } from './sources';
import { sizesByFolder } from './structure';

const flag = { type: 'boolean', default: false } as const;
const recordedFile = join(__dirname, 'recorded.json');

/**
 * `main.ts [--check] [--record] [--list FIGURE]`: prints the figures by which the structure of the source is judged. What
 * each one counts is written down where it's counted. `--check` fails if a structural figure is worse than in
 * recorded.json, and `--record` writes what is reached now. `--list` prints what was counted for a figure, such as the
 * files with a single importer.
 */
function main(): void {
  const options = { check: flag, record: flag, list: { type: 'string' } } as const;
  const { check, record, list } = parseArgs({ options }).values;
  const src = readSources(projectFolder, 'src');
  const figures = figuresOf(src, readSources(projectFolder, 'test'), readPage('claims'));
  if (list !== undefined) {
    const items = figures.find(({ name }) => name === list)?.items;
    if (items === undefined)
      throw new Error(
        `These figures have a list: ${figures.flatMap(({ name, items: some }) => (some === undefined ? [] : [name])).join(', ')}.`,
      );
    console.log(items.join('\n'));
    return;
  }
  console.log(tableOf(figures));
  if (!check) {
    const folders = [...sizesByFolder(src)].map(([name, { lines, files }]) => `${name} ${lines} / ${files}`);
    console.log(`\nLines / files by folder: ${folders.join(', ')}`);
  }
  if (record) writeFileSync(recordedFile, `${JSON.stringify(heldIn(figures), null, 2)}\n`);
  if (check) compare(figures);
}

function heldIn(figures: readonly Figure[]): Recorded {
  return Object.fromEntries(figures.flatMap(({ name, held }) => (held === undefined ? [] : [[name, held]])));
}

function compare(figures: readonly Figure[]): void {
  const recorded = JSON.parse(readFileSync(recordedFile, 'utf8')) as Recorded;
  const now = heldIn(figures);
  const worse = worsened(recorded, now);
  for (const line of worse) console.log(line);
  if (worse.length > 0) {
    console.log(
      '`npm run figures -- --list FIGURE` prints what was counted. If there is no better way, run `npm run figures -- --record`; the commit says why.',
    );
    process.exitCode = 1;
  }
  const better = improved(recorded, now);
  if (better.length > 0)
    console.log(`Better than recorded: ${better.join(', ')}. Run \`npm run figures -- --record\` to hold this.`);
}

function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'at 1c572ad', 'now', 'goal'],
    ...figures.map(({ name, before, now, goal, held }) => [
      held === undefined ? `${name} (reported)` : name,
      before,
      now,
      goal,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

main();
