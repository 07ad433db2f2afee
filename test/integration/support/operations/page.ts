import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../../host/folders';

/** Returns the row of an operation on the page. */
export interface Row {
  readonly operation: string;
  readonly gestures: string;
  readonly test: string;
  readonly effect: string;
}

const page = join(projectFolder, 'docs', 'operations.md');
const isUpdate = process.env['UPDATE_OPERATIONS'] !== undefined;
const hint = 'Run again with UPDATE_OPERATIONS=1 to update the page.';

const above = [
  '# The gesture for every operation of the contract',
  '',
  'Written by `test/integration/operations.test.ts`, which makes each gesture in a real VS Code, verifies in the local platform’s journal that it triggered the operation, and then checks the effect on the platform.',
  '',
  toLine(['operation', 'command or gesture that triggers it', 'test', 'effect on the platform']),
  toLine(['---', '---', '---', '---']),
];

/** Compares a row with the page, or updates the row on the page. */
export async function checkRow(row: Row): Promise<void> {
  const rows = await readRows();
  const others = rows.filter(({ operation }) => operation !== row.operation);
  if (isUpdate) return writeFile(page, toPage([...others, row]));
  const [onPage] = rows.filter((one) => !others.includes(one));
  assert.deepEqual(row, onPage, hint);
}

/** Compares the whole page except the gestures, which are known only to the test that makes them. */
export async function checkPage(expected: readonly Omit<Row, 'gestures'>[]): Promise<void> {
  const rows = await readRows();
  const gesturesOf = (name: string) => rows.find(({ operation }) => operation === name)?.gestures ?? '';
  const text = toPage(expected.map((row) => ({ ...row, gestures: gesturesOf(row.operation) })));
  if (isUpdate) await writeFile(page, text);
  assert.equal(await readFile(page, 'utf8'), text, hint);
}

async function readRows(): Promise<readonly Row[]> {
  const lines = (await readFile(page, 'utf8')).split('\n').slice(above.length);
  return lines.filter((line) => line.startsWith('| ')).map(toRow);
}

function toRow(line: string): Row {
  const [operation = '', gestures = '', test = '', effect = '', ...rest] = line.slice(2, -2).split(' | ');
  assert.deepEqual(rest, [], line);
  return { operation, gestures, test, effect };
}

function toPage(rows: readonly Row[]): string {
  const sorted = rows.toSorted((one, other) => (one.operation < other.operation ? -1 : 1));
  return [...above, ...sorted.map(toTableRow), ''].join('\n');
}

function toTableRow({ operation, gestures, test, effect }: Row): string {
  const cells = [operation, gestures, test, effect];
  for (const cell of cells) assert.ok(cell.trim() !== '', `A cell is empty: ${cells.join(' | ')}`);
  return toLine(cells);
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
