import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { limit } from '../../host/limits';
import { type Counts, countsOf } from '../../host/events/runRecord';
import { projectFolder, scratchFolder } from '../../host/folders';
import { runOnDesktop } from '../../host/runOnDesktop';
import { suites } from '../../suites';
import { programBehind } from '../../host/vscode/findDesktop';

const fixture = (name: string): string => join(__dirname, 'fixtures', name);

// Windows can't start a script like a program, so the tests can't run there.
const whereScriptsStart = process.platform === 'win32' ? (): undefined => undefined : describe;

whereScriptsStart('a run in a desktop VS Code', function (this: Mocha.Suite) {
  this.timeout(limit(30_000));
  const scratch = { folder: '' };
  before(() => (scratch.folder = scratchFolder('stand-in')));
  after(() => rm(scratch.folder, { recursive: true }));

  async function run(test: string): Promise<{ counts: Counts; args: string[]; shown: string }> {
    const executable = join(scratch.folder, 'code');
    const report = join(scratch.folder, 'report.json');
    copyFileSync(fixture('standIn.cjs'), executable);
    chmodSync(executable, 0o755);
    const lines: string[] = [];
    const result = await runOnDesktop({
      executable,
      files: [fixture(test)],
      env: { STAND_IN_REPORT: report },
      show: (line) => lines.push(line),
    });
    return {
      counts: countsOf(result),
      args: JSON.parse(readFileSync(report, 'utf8')) as string[],
      shown: lines.join('\n'),
    };
  }

  it('starts with the extension, the tests, and a separate state, and leaves nothing behind', async () => {
    const { counts, args } = await run('passing.fixture.ts');
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
    const { counts, shown } = await run('mixed.fixture.ts');
    assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 1 });
    assert.match(shown, /✗ mixed fails/);
    assert.ok(shown.includes(`${fixture('mixed.fixture.ts')}:5:`), shown);
  });

  it('fails if it ends in the middle', async () => {
    assert.deepEqual((await run('crash.fixture.ts')).counts, { passed: 1, failed: 1, skipped: 0 });
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

const onLinux = process.platform === 'linux' ? describe : (): undefined => undefined;

onLinux('the program of a desktop VS Code', () => {
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
