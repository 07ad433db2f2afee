import { parseArgs } from 'node:util';
import { environmentCount } from '../../localPlatform/bigAccount';

export interface StartOptions {
  readonly port: number;
  readonly platformPort: number;
  readonly desktop: boolean;
  /** The number of environments in the account. By default, the two of the sample. */
  readonly environments?: number;
}

const usage = 'usage: npm start -- [--port N] [--platform-port N] [--desktop] [--environments N]';

/** The same at every start, because browsers store data by address. */
const usualPort = 8710;
const usualPlatformPort = 8711;

export function startOptions(args: string[]): StartOptions {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string' },
        'platform-port': { type: 'string' },
        desktop: { type: 'boolean' },
        environments: { type: 'string' },
      },
    });
    const environments = environmentCount(values.environments);
    return {
      port: portNumber(values.port, '--port') ?? usualPort,
      platformPort: portNumber(values['platform-port'], '--platform-port') ?? usualPlatformPort,
      desktop: values.desktop ?? false,
      ...(environments === undefined ? {} : { environments }),
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error });
  }
}

function portNumber(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`${option} takes a number from 0 (any free port) to 65535, not "${text}".`);
  return port;
}
