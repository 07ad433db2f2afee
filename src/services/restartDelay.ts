import { workspace } from 'vscode';

const longest = 3600;
const usual = 10;

/** The pause after a node's restart before the next one, in seconds. */
export function delayBetweenNodes(): number {
  const value = workspace.getConfiguration('gantry.restart').get<unknown>('delay');
  return typeof value === 'number' && value >= 0 ? Math.min(value, longest) : usual;
}
