import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { limit } from '../../host/limits';
import { itNightly } from '../../host/nightly';
import { projectFolder, scratchFolder } from '../../host/folders';
import { skipOn } from '../../host/skipOn';

interface Step {
  readonly command: string;
  readonly folder: string;
}

const workflow = readFileSync(join(projectFolder, '.github', 'workflows', 'release.yml'), 'utf8');

/** The commands of a job, in the form that the workflow file uses. */
function stepsOf(job: string): Step[] {
  const [, text = ''] = new RegExp(`^  ${job}:\n((?:    .*\n|\n)*)`, 'm').exec(workflow) ?? [];
  return text.split(/^ {6}- /m).flatMap((step) => {
    const lines = /^\s*run: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/m.exec(step);
    const command = lines?.[1] ?? lines?.[2];
    return command === undefined ? [] : [{ command, folder: /working-directory: (\S+)/.exec(step)?.[1] ?? '.' }];
  });
}

describe('the release workflow', function () {
  this.timeout(limit(150_000));
  const folder = scratchFolder('release');
  const calls = join(folder, 'calls.txt');
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  const vsix = `gantry-${version}.vsix`;
  const env = {
    ...process.env,
    PATH: `${join(folder, 'stubs')}${delimiter}${process.env['PATH']}`,
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_SERVER_URL: 'https://git.example',
    GITHUB_REPOSITORY: 'owner/gantry',
  };
  const runAll = (job: string, tag = env.GITHUB_REF_NAME): void => {
    for (const step of stepsOf(job).filter(({ command }) => !/^npm ci|apt-get/.test(command))) {
      const bash = ['-eo', 'pipefail', '-c', step.command];
      execFileSync('bash', bash, {
        cwd: join(folder, step.folder),
        env: { ...env, GITHUB_REF_NAME: tag },
        stdio: 'pipe',
      });
    }
  };
  const stub = (path: string, result = 0): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho "$(basename "$0") $*" >> '${calls}'\nexit ${result}\n`);
    chmodSync(path, 0o755);
  };
  const hash = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'release', name)))
      .digest('hex');

  before(function () {
    // The workflow's commands are for a Linux machine.
    skipOn(this, 'darwin', 'win32');
    const isSource = (path: string): boolean => !/^(\.cache|\.git|dist|node_modules)$|\.(vsix|sbom\.json)$/.test(path);
    for (const name of readdirSync(projectFolder).filter(isSource))
      cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n## ${version}\n\n- The first release.\n`);
  });

  it('builds nothing for a tag of another version', () => {
    mkdirSync(join(folder, 'release'));
    const commands = stepsOf('build').filter(({ command }) => command.includes('releaseNotes'));
    assert.equal(commands.length, 1);
    for (const { command } of commands)
      assert.throws(
        () =>
          execFileSync('bash', ['-ec', command], {
            cwd: folder,
            env: { ...env, GITHUB_REF_NAME: 'v9.9.9' },
            stdio: 'pipe',
          }),
        /tag is v9\.9\.9/,
      );
  });

  itNightly('builds one package whose links lead to the release, with notes, checksums, and a list of packages', () => {
    execFileSync('rm', ['-r', 'release'], { cwd: folder });
    runAll('build');
    const sums = readFileSync(join(folder, 'release', 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n');
    assert.deepEqual(
      sums.map((line) => line.split('  ')),
      [vsix, `gantry-${version}.sbom.json`].map((name) => [hash(name), name]),
    );
    assert.equal(readFileSync(join(folder, 'release', 'notes.md'), 'utf8'), '- The first release.\n');
  });

  itNightly('publishes the tested package to both marketplaces and a release', () => {
    for (const name of ['vsce', 'ovsx']) stub(join(folder, '.github', 'release', 'node_modules', '.bin', name));
    stub(join(folder, 'stubs', 'gh'));
    runAll('publish');
    assert.deepEqual(readFileSync(calls, 'utf8').trim().split('\n'), [
      `vsce publish --skip-duplicate --packagePath release/${vsix}`,
      `ovsx publish --skip-duplicate release/${vsix}`,
      `gh release view v${version}`,
      `gh release upload v${version} --clobber -- ${vsix} gantry-${version}.sbom.json SHA256SUMS`,
    ]);
  });

  itNightly('publishes nothing if a file changed after it was built', () => {
    writeFileSync(calls, '');
    writeFileSync(join(folder, 'release', vsix), 'other bytes');
    assert.throws(() => runAll('publish'), /Command failed.*sha256sum --check/);
    assert.equal(readFileSync(calls, 'utf8'), '');
  });
});
