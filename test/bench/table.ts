import { limitsOf } from './budgets';
import type { Figure, Figures } from './figure';

const columns = ['figure', 'requests', 'in sequence', 'ratio', 'at 50 ms', 'more'];
const own = ['requests', 'sequential', 'ratio', 'ratioAt50'];

/** Formats the figures as lines of text, each with its limit. */
export function tableOf(figures: Figures): string {
  const rows = Object.entries(figures).map(([name, figure]) => row(name, figure));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((cells) => cells[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [columns, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

function row(name: string, figure: Figure): string[] {
  const limits = limitsOf(name);
  const cell = (key: string) => against(figure[key], limits[key]);
  const more = Object.keys(figure).filter((key) => !own.includes(key));
  const further = more.map((key) => `${key} ${cell(key)}`).join(', ');
  return [name, cell('requests'), cell('sequential'), cell('ratio'), number(figure['ratioAt50']), further];
}

function against(value: number | undefined, most: number | undefined): string {
  return value === undefined || most === undefined ? number(value) : `${number(value)} of ${number(most)}`;
}

function number(value: number | undefined): string {
  return value === undefined ? '' : Number.isInteger(value) ? String(value) : value.toFixed(2);
}
