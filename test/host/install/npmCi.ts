import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runToEnd } from '../processes';

/**
 * Installs exactly what the lock file of `manifests` names, checked against its hashes, into `folder`.
 * No package's script runs: nothing is compiled and nothing is fetched from anywhere but the registry.
 */
export async function npmCi(manifests: string, folder: string): Promise<void> {
  cpSync(manifests, folder, { recursive: true });
  const [command, ...first] = npmCommand();
  await runToEnd(
    command,
    [...first, 'ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      env: { ...process.env, npm_config_engine_strict: 'false' },
    },
  );
}

/** The npm that started us, or the one that came with this Node, run by this Node: no shell and no `.cmd` file in between. */
function npmCommand(): [string, ...string[]] {
  const candidates = [
    process.env['npm_execpath'] ?? '',
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = candidates.find((path) => /npm-cli\.c?js$/.test(path) && existsSync(path));
  return script === undefined ? ['npm'] : [process.execPath, script];
}
