import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runToEnd } from '../processes';

/**
 * Installs exactly what the lock file in `manifests` lists into `folder`, and verifies the hashes. Runs no package
 * scripts, so nothing is compiled or downloaded from outside the registry.
 */
export async function npmCi(manifests: string, folder: string): Promise<void> {
  cpSync(manifests, folder, { recursive: true });
  const [command, ...first] = npmCommand();
  const args = [...first, 'ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: folder, env: { ...process.env, npm_config_engine_strict: 'false' } };
  await runToEnd(command, args, options).catch(async (error: unknown) => {
    // A download that stalls once isn't a problem of the project.
    console.log(`${String(error)}\nInstalling again …`);
    await runToEnd(command, args, options);
  });
}

/**
 * The npm that started us, or the one that came with this Node. This Node runs it directly, without a shell or `.cmd`
 * file.
 */
function npmCommand(): [string, ...string[]] {
  const candidates = [
    process.env['npm_execpath'] ?? '',
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = candidates.find((path) => /npm-cli\.c?js$/.test(path) && existsSync(path));
  return script === undefined ? ['npm'] : [process.execPath, script];
}
