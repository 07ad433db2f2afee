/** Formats rows as fixed-width columns. The first column is left-aligned, the others right-aligned. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => pad(cell, widths[column] ?? 0, column === 0 ? 'left' : 'right')).join('   ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

function pad(cell: string, width: number, side: 'left' | 'right'): string {
  return side === 'left' ? cell.padEnd(width) : cell.padStart(width);
}
