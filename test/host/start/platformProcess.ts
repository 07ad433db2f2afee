import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectFolder, scratchFolder } from '../folders';
import { ending, endGroup, spawnGroup } from '../processes';

/** Runs the local platform in a separate process. */
export interface PlatformProcess {
  readonly origin: string;
  readonly login: string;
  readonly password: string;
  /** The repository of the sample project, if there is one. */
  readonly repository: string | undefined;
  readonly ended: Promise<void>;
  dispose(): Promise<void>;
}

export async function startPlatformProcess(port: number, options: readonly string[] = []): Promise<PlatformProcess> {
  const main = join(projectFolder, 'test', 'localPlatform', 'main.ts');
  const dataFolder = scratchFolder('platform');
  const args = ['--import', 'tsx', main, '--port', String(port), '--data', dataFolder, ...options];
  const child = spawnGroup(process.execPath, args, {
    cwd: projectFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const ended = ending(child, 'close').then(() => undefined);
  const dispose = async (): Promise<void> => {
    await endGroup(child);
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const found = await new Promise<Omit<PlatformProcess, 'ended' | 'dispose'>>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream === null) continue;
        createInterface(stream).on('line', (line) => {
          lines.push(line);
          const ready = readAnnouncement(lines.join('\n'));
          if (ready !== undefined) resolve(ready);
        });
      }
      ended.then(() => reject(new Error(`The local platform did not start:\n${lines.join('\n')}`)), reject);
    });
    return { ...found, ended, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Parses the output once it is complete. Returns undefined until then. */
export function readAnnouncement(printed: string): Omit<PlatformProcess, 'ended' | 'dispose'> | undefined {
  const origin = /^listening on (http:\/\/\S+)$/m.exec(printed)?.[1];
  const [, login, password] = /^sign in as (\S+) with password (\S+)$/m.exec(printed) ?? [];
  const repository = /^git clone (\S+)$/m.exec(printed)?.[1];
  return origin === undefined || login === undefined || password === undefined
    ? undefined
    : { origin, login, password, repository };
}
