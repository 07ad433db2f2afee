import { join } from 'node:path';

/**
 * Returns our environment without variables that affect VS Code's server, its Node, or npm, so that a run is the same
 * in any terminal.
 */
export function cleanEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const foreign =
    /^(VSCODE_|ELECTRON_|NODE_|npm_|CODE_SERVER_|CS_|TSX_|GITHUB_TOKEN$|PASSWORD$|HASHED_PASSWORD$|PORT$|LOG_LEVEL$)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

/** Makes each start of Gantry like the first one: an empty window opens its view. */
export const likeTheFirstStart = { GANTRY_FIRST_START: '1' } as const;

/** Makes a program store its home files in this folder. */
export function homes(folder: string): Record<string, string> {
  return {
    XDG_CACHE_HOME: join(folder, 'home', 'cache'),
    XDG_CONFIG_HOME: join(folder, 'home', 'config'),
    XDG_DATA_HOME: join(folder, 'home', 'share'),
  };
}
