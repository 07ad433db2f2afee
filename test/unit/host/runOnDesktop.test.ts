import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { limit } from '../../host/limits';
import { countsOf } from '../../host/events/runRecord';
import { projectFolder, scratchFolder } from '../../host/folders';
import { runOnDesktop } from '../../host/runOnDesktop';
import { skipOn } from '../../host/skipOn';
import { suites } from '../../suites';
import { programBehind } from '../../host/vscode/findDesktop';

const fixture = (name: string): string => join(__dirname, 'fixtures', name);

describe('a run in a desktop VS Code', function (this: Mocha.Suite) {
  this.timeout(limit(30_000));
  const scratch = { folder: '' };
  before(function () {
    scratch.folder = scratchFolder('stand-in');
    // It can't start a script like a program.
    skipOn(this, 'win32');
  });
  after(() => rm(scratch.folder, { recursive: true }));

  async function run(tests: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const executable = join(scratch.folder, 'code');
    const report = join(scratch.folder, 'report.json');
    copyFileSync(fixture('standIn.cjs'), executable);
    chmodSync(executable, 0o755);
    const lines: string[] = [];
    const result = await runOnDesktop({
      executable,
      files: tests.map((test) => fixture(`${test}.fixture.ts`)),
      env: { ...env, STAND_IN_REPORT: report },
      show: (line) => lines.push(line),
    });
    return {
      result,
      counts: countsOf(result),
      args: JSON.parse(readFileSync(report, 'utf8')) as string[],
      shown: lines.join('\n'),
    };
  }

  it('starts with the extension, the tests, and a separate state, and leaves nothing behind', async () => {
    const { counts, args } = await run(['passing']);
    assert.deepEqual(counts, { passed: 2, failed: 0, skipped: 0 });
    const value = (name: string): string | undefined =>
      args.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
    assert.equal(value('extensionDevelopmentPath'), projectFolder);
    assert.match(value('extensionTestsPath') ?? '', /main\.js$/);
    assert.ok(args.includes('--disable-workspace-trust'));
    for (const name of ['user-data-dir', 'extensions-dir']) {
      assert.match(value(name) ?? '', /gantry-desktop-/);
      assert.equal(existsSync(value(name) ?? ''), false);
    }
  });

  it('reports which test failed', async () => {
    const { counts, shown } = await run(['mixed']);
    assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 1 });
    assert.match(shown, /✗ mixed fails/);
    assert.ok(shown.includes(`${fixture('mixed.fixture.ts')}:5:`), shown);
  });

  it('fails if it ends in the middle', async () => {
    assert.deepEqual((await run(['crash'])).counts, { passed: 1, failed: 1, skipped: 0 });
  });

  it('fails if one of several files has no test', async () => {
    const { result, counts, shown } = await run(['passing', 'empty']);
    assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 0 });
    assert.deepEqual(
      result.failures.map(({ file, cause, problem }) => ({ file, cause, problem })),
      [{ file: fixture('empty.fixture.ts'), cause: 'error', problem: 'no test was found' }],
    );
    assert.match(shown, /✗ test.unit.host.fixtures.empty\.fixture\.ts: no test was found/);
    const crashed = await run(['empty', 'crash', 'passing']);
    assert.deepEqual(
      [crashed.counts, crashed.result.notRun],
      [{ passed: 1, failed: 2, skipped: 0 }, [fixture('passing.fixture.ts')]],
      'a crash hides no file without a test',
    );
  });

  it('takes a failed hook of all files for a failure of the file whose test it belongs to, and did not get to the others', async () => {
    const { result, counts } = await run(['passing', 'wholeRun'], { FAILING_HOOK: 'afterEach' });
    assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
    assert.deepEqual(
      result.failures.map(({ file, title, cause }) => ({ file, title, cause })),
      [{ file: fixture('passing.fixture.ts'), title: undefined, cause: 'assertion' }],
    );
    assert.deepEqual(result.notRun, [fixture('wholeRun.fixture.ts')]);
  });

  it('repeats all files if a hook of all files fails before the first test', async () => {
    const { result, counts } = await run(['passing', 'wholeRun'], { FAILING_HOOK: 'before' });
    const files = ['passing', 'wholeRun'].map((name) => fixture(`${name}.fixture.ts`));
    assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
    assert.deepEqual(
      result.failures.map(({ file, repeat }) => ({ file, repeat })),
      [{ file: files[0], repeat: files }],
    );
    assert.deepEqual(result.notRun, []);
  });

  it('is followed by another run with the files that it did not get to', async () => {
    const executable = join(scratch.folder, 'code');
    copyFileSync(fixture('standIn.cjs'), executable);
    chmodSync(executable, 0o755);
    const files = ['crash', 'passing'].map((name) => fixture(`${name}.fixture.ts`));
    const { env } = process;
    process.env = { ...env, GANTRY_VSCODE: executable, STAND_IN_REPORT: join(scratch.folder, 'report.json') };
    try {
      const wanted = { grep: 'crash|passing', reversed: false, durations: new Map<string, number>() };
      const result = await suites['desktop']?.runner(wanted).run({ name: 'desktop', files });
      assert.deepEqual(result?.byFile.get(files[1] ?? ''), { passed: 2, failed: 0, skipped: 0 });
    } finally {
      process.env = env;
    }
  });
});

describe('the program of a desktop VS Code', () => {
  before(function () {
    skipOn(this, 'darwin', 'win32');
  });

  it('is found through its command, which returns too early', async () => {
    const folder = scratchFolder('desktop-command');
    mkdirSync(join(folder, 'share', 'bin'), { recursive: true });
    writeFileSync(join(folder, 'share', 'code'), '');
    writeFileSync(join(folder, 'share', 'bin', 'code'), '');
    symlinkSync(join(folder, 'share', 'bin', 'code'), join(folder, 'code'));
    assert.equal(programBehind(join(folder, 'code')), join(folder, 'share', 'code'));
    assert.equal(programBehind(process.execPath), process.execPath);
    await rm(folder, { recursive: true });
  });
});
