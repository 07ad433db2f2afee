import { type Budget, budgets } from './budgets';
import type { Figure, Figures } from './figure';

const columns = ['figure', 'requests', 'in sequence', 'ratio', 'at 50 ms', 'more'];
const own = ['requests', 'sequential', 'ratio', 'ratioAt50'];

/** The figures as lines of text, each beside what it may be. */
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
  const known: Readonly<Record<string, Budget>> = budgets;
  const budget = known[name];
  const more = Object.entries(figure).filter(([key]) => !own.includes(key));
  return [
    name,
    against(figure.requests, budget?.requests),
    against(figure.sequential, budget?.sequential),
    number(figure.ratio),
    number(figure['ratioAt50']),
    more.map(([key, value]) => `${key} ${number(value)}`).join(', '),
  ];
}

function against(value: number | undefined, most: number | undefined): string {
  return value === undefined ? '' : most === undefined ? String(value) : `${value} of ${most}`;
}

function number(value: number | undefined): string {
  return value === undefined ? '' : Number.isInteger(value) ? String(value) : value.toFixed(2);
}
