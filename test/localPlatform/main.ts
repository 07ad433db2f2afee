import { parseArgs } from 'node:util';
import { vendorDeployments } from './behaviour';
import { environmentCount } from './bigAccount';
import { startPlatform } from './localPlatform';

const usage = 'usage: npm run platform -- [--port N] [--data DIR] [--strict] [--vendor] [--environments N]';

const run = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      strict: { type: 'boolean' },
      vendor: { type: 'boolean' },
      environments: { type: 'string' },
    },
  });
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${values.port ?? ''} is no port`);
  const environments = environmentCount(values.environments);
  const platform = await startPlatform({
    port,
    ...(values.data === undefined ? {} : { dataFolder: values.data }),
    ...(environments === undefined ? {} : { bigAccount: environments }),
    behaviour: {
      ...(values.vendor === true ? vendorDeployments : {}),
      requests: values.strict === true ? 'strict' : 'lenient',
      restartSeconds: 1,
    },
    growingLogs: { interval: 1500, rotateAt: 64 * 1024 },
  });
  console.log(`listening on ${platform.origin}`);
  if (platform.sample.repository !== undefined) console.log(`git clone ${platform.sample.repository}`);
  console.log(`sign in as ${platform.sample.email} with password ${platform.sample.password}`);
  const stop = (): void => {
    platform.dispose().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  return isTaken ? 'The port is taken: name another with --port, or none for any free one.' : error.message;
};

run().catch((error: unknown) => {
  console.error(`${reason(error)}\n${usage}`);
  process.exitCode = 1;
});
