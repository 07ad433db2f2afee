import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { projectFolder, scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';

/** Does what a run of tests does with the folder of failures, and fails if the test is to fail. */
const program = `
  import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { failuresFolder } from 'HOST/folders';
  const call = process.argv.slice(2).join(' ');
  rmSync(failuresFolder, { recursive: true, force: true });
  mkdirSync(failuresFolder, { recursive: true });
  writeFileSync(join(failuresFolder, 'call.txt'), call);
  if (call.includes('--reversed')) process.exitCode = 1;
`;

describe('all tests of a night', function () {
  this.timeout(limit(60_000));
  let folder: string;

  before(() => {
    folder = scratchFolder('all');
    for (const path of ['test/all.ts', 'test/suites.ts', 'test/host', 'tsconfig.json', 'package.json']) {
      cpSync(join(projectFolder, path), join(folder, path), { recursive: true });
    }
    for (const [path, host] of [
      ['test/run.ts', './host'],
      ['test/soak/run.ts', '../host'],
      ['test/bench/run.ts', '../host'],
    ] as const) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), program.replace('HOST', host));
    }
    const flaky = [
      'e2e/saving.test.ts',
      'unit/ui/terminalText.test.ts',
      'integration/features/tree/appendCommands.test.ts',
      'integration/platform/globalDispatcher.test.ts',
    ].map((file) => ({ file }));
    writeFileSync(join(folder, 'test', 'flaky.json'), JSON.stringify(flaky));
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  });
  after(() => rm(folder, { recursive: true }));

  function run(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'test/all.ts', ...args], {
      cwd: folder,
      env: { ...process.env, GANTRY_FAILURES: undefined, CI: undefined },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  const cached = (...path: readonly string[]) => join(folder, '.cache', ...path);
  /** Returns the evidence of all parts, by its path in the folder of the night. */
  const evidence = (): ReadonlyMap<string, string> => {
    const files = readdirSync(cached('nightly'), { recursive: true, encoding: 'utf8' });
    return new Map(
      files
        .filter((path) => path.endsWith('call.txt'))
        .map((path) => [dirname(path).replaceAll('\\', '/'), readFileSync(cached('nightly', path), 'utf8')]),
    );
  };

  it('keep the evidence of each part, whatever runs after it', () => {
    mkdirSync(cached('failures', 'first'), { recursive: true });
    const pieces = ['1/3', '2/3', '3/3'].map((piece) => run(piece));
    assert.deepEqual(pieces.map(({ status }) => status).sort(), [0, 0, 1], pieces.map(({ stdout }) => stdout).join());
    const kept = evidence();
    // On systems without taskset, this part doesn't run.
    const names = [...kept.keys()].filter((name) => name !== 'oneCore').sort();
    const ofFlaky = [1, 2, 3, 4].map((number) => `flaky/${number}`);
    assert.deepEqual(names, ['bench', ...ofFlaky, 'reversed', 'soak', 'stalls']);
    assert.match(kept.get('reversed') ?? '', /--reversed --longest 150$/);
    assert.match(
      kept.get('flaky/1') ?? '',
      /^e2e e2e\/saving\.test\.ts --nightly --times 20 --stalls \d+ --longest 40$/,
    );
    assert.match(kept.get('flaky/2') ?? '', /^unit unit\/ui/);
    assert.match(kept.get('flaky/3') ?? '', /^integration integration:minimum integration\/features\/tree\/append/);
    assert.match(
      kept.get('flaky/4') ?? '',
      /^integration integration\/platform\/globalDispatcher/,
      'it needs the newest',
    );
    const [, seed] = /--stalls (\d+)/.exec(kept.get('flaky/1') ?? '') ?? [];
    assert.equal(Number(seed) % 20, 0, 'the seeds of two nights are different ones');
    assert.deepEqual(readdirSync(cached('failures')), ['first'], 'the evidence of other runs stays');
    const [failed] = pieces.filter(({ status }) => status === 1);
    assert.match(failed?.stdout ?? '', /^FAILED {2}all tests, the shortest first/m);
    assert.match(pieces.map(({ stdout }) => stdout).join(), /^passed {2}soak tests$/m);
  });

  it('are listed with the longest time that each piece may take', () => {
    const { status, stdout } = run('3/4', '--list');
    const [sum, ...parts] = stdout.trimEnd().split('\n').reverse();
    const longest = parts.map((part) => Number(/at most (\d+)$/.exec(part)?.[1]));
    assert.equal(status, 0);
    assert.equal(sum, `at most ${longest.reduce((one, other) => one + other, 0)} min`);
  });

  it('are not run if the piece is unclear', () => {
    for (const piece of ['0/3', '4/3', '1/0', '7/7', 'first', '1', '']) {
      const { status, stdout, stderr } = run(piece, '--list');
      assert.deepEqual([status, stdout, stderr], [2, '', 'Name a piece, such as 1/3, of at most 6.\n'], piece);
    }
  });
});
