import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, sep } from 'node:path';

const calls = ['mkdir', 'open', 'writeFile', 'chmod', 'rename', 'rm', 'stat', 'readFile', 'readdir'] as const;
const callsOfFiles = ['appendFile', 'write', 'sync', 'close'] as const;

type Call = (...parameters: readonly unknown[]) => Promise<unknown>;

/** A call to this machine's disk. */
export interface DiskCall {
  readonly name: (typeof calls)[number] | (typeof callsOfFiles)[number];
  readonly path: string;
  /** For `open`: `r` to read, which is what it does without any. */
  readonly flags: string;
  readonly perform: () => Promise<unknown>;
  /** Does what is done of it if it's cut short: writes half of the text, or removes half of what is in a folder. */
  readonly performHalf: () => Promise<unknown>;
}

type OnDiskCall = (call: DiskCall) => Promise<unknown>;

const watched = new Map<string, OnDiskCall>();

/**
 * Calls back instead of each call for something in a folder, until the returned function is called. Replaces the functions
 * in their module, through which Gantry calls them.
 */
export function watchDisk(folder: string, onCall: OnDiskCall): () => void {
  if (watched.size === 0) {
    usual = Object.fromEntries(calls.map((name) => [name, promises[name]]));
    Object.assign(promises, Object.fromEntries(calls.map((name) => [name, watchedCall(name)])));
    syncBuiltinESMExports();
  }
  watched.set(folder, onCall);
  return () => {
    if (watched.delete(folder) && watched.size === 0) {
      Object.assign(promises, usual);
      syncBuiltinESMExports();
    }
  };
}

let usual: Readonly<Record<string, unknown>> = {};

function watchedCall(name: (typeof calls)[number]): Call {
  const original = promises[name] as Call;
  const call: Call =
    name === 'open' ? async (...all) => watchFile(String(all[0]), (await original(...all)) as FileHandle) : original;
  return (...all) => pass(name, String(all[0]), all, call);
}

function watchFile(path: string, file: FileHandle): FileHandle {
  const own = callsOfFiles.map((name): [string, Call] => {
    const call = (file[name] as Call).bind(file);
    return [name, (...all) => pass(name, path, all, call)];
  });
  return Object.assign(file, Object.fromEntries(own));
}

function pass(name: DiskCall['name'], path: string, parameters: readonly unknown[], call: Call): Promise<unknown> {
  const [, onCall] = [...watched].find(([folder]) => path === folder || path.startsWith(folder + sep)) ?? [];
  const perform = () => call(...parameters);
  if (onCall === undefined) return perform();
  const [, opened = 'r'] = parameters;
  const flags = name === 'open' && typeof opened === 'string' ? opened : '';
  return onCall({ name, path, flags, perform, performHalf: () => performHalf(name, path, parameters, call) });
}

function performHalf(
  name: DiskCall['name'],
  path: string,
  parameters: readonly unknown[],
  call: Call,
): Promise<unknown> {
  const index = name === 'writeFile' ? 1 : 0;
  const text = parameters[index];
  if (['writeFile', 'appendFile', 'write'].includes(name) && typeof text === 'string') {
    return call(...parameters.with(index, text.slice(0, text.length / 2)));
  }
  return name === 'rm' ? removeHalf(path, call) : call(...parameters);
}

async function removeHalf(path: string, remove: Call): Promise<void> {
  const found = await promises.readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((entry) => entry.isFile());
  await Promise.all(files.slice(files.length / 2).map(({ parentPath, name }) => remove(join(parentPath, name))));
}

/** A process kills itself at its nth call, before or after it, or when it's half done. */
export interface KillOnCall {
  readonly nth: number;
  readonly when: 'before' | 'midway' | 'after';
  /** Only these count. */
  readonly call?: DiskCall['name'] | undefined;
}

export function killAtCall(folder: string, { nth, when, call }: KillOnCall): void {
  let count = 0;
  watchDisk(folder, async ({ name, perform, performHalf: half }) => {
    count += call === undefined || call === name ? 1 : 0;
    if (count !== nth || (call !== undefined && call !== name)) return perform();
    if (when !== 'before') await (when === 'after' ? perform() : half());
    return process.kill(process.pid, 'SIGKILL');
  });
}
