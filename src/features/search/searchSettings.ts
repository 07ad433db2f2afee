import { workspace } from 'vscode';
import { RequestPace } from './folderWalk';

/** What the settings say about every search. */
export interface SearchLimits {
  readonly requestsPerSecond: number;
  /** In bytes. */
  readonly largestFile: number;
  readonly exclude: readonly string[];
}

const bytesPerMegabyte = 1_024 * 1_024;

/** VS Code doesn't check what is in settings.json, so a value that can't be used counts as the default. */
export function searchLimits(): SearchLimits {
  const settings = workspace.getConfiguration('gantry.search');
  const numberIn = (name: string, least: number) => {
    const values = [settings.get<unknown>(name), settings.inspect<unknown>(name)?.defaultValue];
    const usable = values.find((value) => typeof value === 'number' && Number.isFinite(value) && value > 0);
    return Math.max(least, Number(usable));
  };
  const exclude = settings.get<unknown>('exclude');
  return {
    requestsPerSecond: numberIn('requestsPerSecond', 1),
    largestFile: numberIn('maxFileSize', 0) * bytesPerMegabyte,
    exclude: Array.isArray(exclude) ? exclude.filter((pattern) => typeof pattern === 'string') : [],
  };
}

/** How many requests may be sent at once after a pause. */
const requestsAtOnce = 8;

/** Shared by all that searches in this window. */
export const searchPace = new RequestPace(() => searchLimits().requestsPerSecond, requestsAtOnce);
