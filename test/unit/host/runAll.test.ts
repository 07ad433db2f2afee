import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Flaky } from '../../host/flaky';
import { projectFolder, scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { itNightly } from '../../host/nightly';

const counted = 'unit/host/fixtures/counted.fixture.ts';

describe('a run of suites', function () {
  this.timeout(limit(60_000));
  let scratch: string;
  let failures: string;

  beforeEach(() => {
    scratch = scratchFolder('run');
    failures = join(scratch, 'failures');
  });
  afterEach(() => rm(scratch, { recursive: true, force: true }));

  function run(fixtures: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const args = ['--import', 'tsx', join(__dirname, 'fixtures', 'runner.ts'), ...fixtures];
    const own = { CI: 'true', GANTRY_FAILURES: failures, COUNT_FILE: join(scratch, 'count') };
    const { status, stdout } = spawnSync(process.execPath, args, {
      cwd: projectFolder,
      env: { ...process.env, GANTRY_ATTEMPT: undefined, GANTRY_NIGHTLY: undefined, ...own, ...env },
      encoding: 'utf8',
    });
    return { status, stdout, lastLine: stdout.trimEnd().split('\n').at(-1) };
  }

  const runs = () => Number(readFileSync(join(scratch, 'count'), 'utf8'));
  const allEvidence = (attempt: string): readonly string[] =>
    readdirSync(join(failures, attempt))
      .map((folder) => readFileSync(join(failures, attempt, folder, 'evidence.txt'), 'utf8'))
      .sort();
  const evidence = (attempt: string): string | undefined => allEvidence(attempt)[0];
  const isFlaky = () => existsSync(join(failures, 'flaky.json'));
  const ledgerEntry = /for test\/flaky\.json/;

  it('passes if everything passes, and ends with its speed and the count', () => {
    const { status, stdout, lastLine } = run(['counted']);
    assert.deepEqual([status, lastLine, runs(), isFlaky()], [0, '2 passed, 0 failed', 1, false]);
    assert.ok(!existsSync(join(failures, 'first')));
    assert.match(stdout, /^slowness \d\.\d at the start, \d\.\d at most; 0 min \d+ s/m);
    assert.doesNotMatch(stdout, /FLAKY/);
  });

  it('says how long the tests waited for what they need, on a line of its own, and does not count it', () => {
    const { status, stdout } = run(['passing', '--installs', String(limit(3_000))]);
    assert.equal(status, 0, stdout);
    const [, waited = '', took = ''] = /^ {2}waited (\d+) s for .+, and the build\n {2}in (\d+) s$/m.exec(stdout) ?? [];
    const [, minutes = '', seconds = ''] = /; (\d+) min (\d+) s/.exec(stdout) ?? [];
    const all = 60 * Number(minutes) + Number(seconds);
    assert.ok(Number(waited) >= 3 && Number(waited) + Number(took) <= all + 2, stdout);
    assert.doesNotMatch(run(['passing']).stdout, /waited/);
  });

  it('passes without the tests of other systems, but not with a test that is skipped for another reason', () => {
    const { status, stdout, lastLine } = run(['elsewhere']);
    assert.deepEqual([status, lastLine], [0, '1 passed, 0 failed'], stdout);
    assert.equal(stdout.match(new RegExp(`^ {2}- .+ \\(not on ${process.platform}\\)$`, 'gm'))?.length, 2, stdout);
    const skipped = run(['unwritten']);
    assert.deepEqual([skipped.status, skipped.lastLine], [1, '1 passed, 0 failed, 1 skipped'], skipped.stdout);
  });

  it('runs no later stage if a test was skipped that could run, because the run has failed', () => {
    const { status, stdout, lastLine } = run(['unwritten', '--then', 'counted']);
    assert.deepEqual([status, lastLine], [1, '1 passed, 0 failed, 1 skipped'], stdout);
    assert.match(stdout, /^Not run, because tests before them failed: later$/m);
    assert.ok(!existsSync(join(scratch, 'count')));
    const locally = run(['unwritten', '--then', 'passing'], { CI: '' });
    assert.deepEqual([locally.status, locally.lastLine], [0, '3 passed, 0 failed, 1 skipped'], locally.stdout);
  });

  it('runs a failed file once more, and says that it is flaky if it passes then', () => {
    const ledger = () => readFileSync(join(projectFolder, 'test', 'flaky.json'), 'utf8');
    const before = ledger();
    const { status, stdout, lastLine } = run(['counted', 'passing'], { FAILS_AT: '1' });
    assert.deepEqual([status, lastLine, runs()], [0, '4 passed, 0 failed', 2], stdout);
    assert.match(stdout, /^again, alone: unit\/host\/fixtures\/counted\.fixture\.ts$/m);
    assert.match(
      stdout,
      /^FLAKY {2}unit.host.fixtures.counted\.fixture\.ts: a test that counts its runs fails in some/m,
    );
    assert.match(stdout, /first: AssertionError.*run 1 fails \(.+\); alone: passed in \d+ s$/m);
    assert.match(
      stdout,
      /for test\/flaky\.json: \{"test":.+"seen":\["\d{4}-\d\d-\d\d [^"]*"\],"cause":"","plan":""\}$/m,
    );
    assert.equal(evidence('first'), 'run 1');
    const [entry] = JSON.parse(readFileSync(join(failures, 'flaky.json'), 'utf8')) as { file: string }[];
    assert.equal(entry?.file, counted);
    assert.equal(ledger(), before, 'a run changes no file of the repository');
  });

  it('keeps what was flaky in each of several runs', () => {
    const { status, stdout } = run(['counted', '--times', '3'], { FAILS_AT: '1 4' });
    assert.deepEqual([status, runs()], [0, 5], stdout);
    const kept = JSON.parse(readFileSync(join(failures, 'flaky.json'), 'utf8')) as { first: { problem: string } }[];
    assert.deepEqual(
      kept.map(({ first }) => /run \d/.exec(first.problem)?.[0]),
      ['run 1', 'run 4'],
    );
    assert.equal(stdout.match(/^FLAKY/gm)?.length, 2, 'each run says only what was flaky in it');
  });

  itNightly('keeps the order of files that run again', () => {
    const { stdout } = run(['counted', '--reversed'], { FAILS_AT: '1' });
    assert.match(stdout, /in reverse[^]*again, alone/);
    assert.doesNotMatch(stdout, /again, alone[^]*in reverse/);
  });

  it('fails if the file fails again, and keeps the evidence of both', () => {
    const { status, stdout, lastLine } = run(['counted', 'passing'], { FAILS_AT: '1 2' });
    assert.deepEqual([status, lastLine, runs(), isFlaky()], [1, '3 passed, 1 failed', 2, false], stdout);
    assert.match(stdout, /^unit\/host\/fixtures\/counted\.fixture\.ts failed twice$/m);
    assert.deepEqual([evidence('first'), evidence('again')], ['run 1', 'run 2']);
    const closing = stdout.slice(stdout.indexOf('again, alone'));
    assert.match(
      closing,
      /^FAILED unit\/host\/fixtures\/counted\.fixture\.ts: a test that counts its runs fails in some of them$/m,
    );
    assert.match(closing, /^ {7}AssertionError.+run 2 fails$/m);
    assert.doesNotMatch(stdout, ledgerEntry);
  });

  it('runs no later stage if a file failed twice, and says so', () => {
    const { status, stdout, lastLine } = run(['counted', '--then', 'passing'], { FAILS_AT: '1 2' });
    assert.deepEqual([status, lastLine, runs()], [1, '1 passed, 1 failed', 2], stdout);
    assert.match(stdout, /^Not run, because tests before them failed: later$/m);
  });

  it('runs a later stage if a file was only flaky', () => {
    const { status, lastLine, stdout } = run(['counted', '--then', 'passing'], { FAILS_AT: '1' });
    assert.deepEqual([status, lastLine, runs()], [0, '4 passed, 0 failed', 2], stdout);
    assert.match(stdout, /^FLAKY/m);
  });

  it('runs a file again whose process ended', () => {
    const { status, stdout, lastLine } = run(['counted'], { CRASHES_AT: '1' });
    assert.deepEqual([status, lastLine, runs()], [0, '2 passed, 0 failed', 2], stdout);
    assert.match(stdout, /^FLAKY {2}.+: the whole file\n {7}first: the process ended with 3 before the end/m);
    const [kept] = JSON.parse(readFileSync(join(failures, 'flaky.json'), 'utf8')) as Pick<Flaky, 'first' | 'again'>[];
    assert.equal(kept?.first.cause, 'crash');
    assert.match(kept.first.problem, /, during: a test that counts its runs fails in some of them$/);
    assert.match(kept.again, /^alone: passed in \d+ s$/);
    // The process took along what it could have told of itself.
    assert.ok(!existsSync(join(failures, 'first')));
    assert.match(stdout, ledgerEntry);
  });

  it('runs nothing again if four files failed', () => {
    const { status, stdout, lastLine } = run(['counted', 'mixed', 'unloadable', 'empty'], { FAILS_AT: '1' });
    assert.deepEqual([status, runs(), isFlaky()], [1, 1, false]);
    assert.match(lastLine ?? '', /^\d passed, 4 failed/);
    assert.equal(stdout.match(/^FAILED unit\/host\/fixtures\/\w+\.fixture\.ts: /gm)?.length, 4);
    assert.equal(evidence('first'), 'run 1');
    assert.match(stdout, /^No file ran again, because 4 files failed, too many to be chance$/m);
    assert.doesNotMatch(stdout, ledgerEntry);
  });

  it('runs nothing again if a failure is final', () => {
    const { status, stdout } = run(['--suite', 'unit', 'counted'], { FAILS_AT: '1' });
    assert.deepEqual([status, runs()], [1, 1]);
    assert.match(
      stdout,
      /^No file ran again, because these failures are final: unit\/host\/fixtures\/counted\.fixture\.ts$/m,
    );
  });

  it('runs nothing again if a test that protects texts and secrets failed by an assertion', () => {
    const { status, stdout, lastLine } = run(['../../soak/fixtures/lostText'], { FAILS_AT: '1' });
    assert.deepEqual([status, lastLine, runs(), isFlaky()], [1, '0 passed, 1 failed', 1, false], stdout);
    assert.match(
      stdout,
      /^No file ran again, because these failures are final: unit\/soak\/fixtures\/lostText\.fixture\.ts$/m,
    );
    assert.match(stdout, /^FAILED unit\/soak\/fixtures\/lostText\.fixture\.ts: .+\n {7}AssertionError/m);
    assert.doesNotMatch(stdout, ledgerEntry);
    assert.equal(evidence('first'), 'run 1');
  });

  it('fails if what the tests need cannot be installed in time, and ends the program', () => {
    const { status, stdout, lastLine } = run(['passing', '--hanging']);
    assert.deepEqual([status, lastLine, isFlaky()], [1, '0 passed, 1 failed', false], stdout);
    assert.match(stdout, /^FAILED outside the files: the whole file\n {7}Error: .+ didn't end within \d s:$/m);
    assert.match(stdout, /^ {2}✗ e2e did not run: Error: .+ didn't end within \d s:$/m);
    assert.match(stdout, /^No file ran again, because these failures are final: e2e itself$/m);
    assert.doesNotMatch(stdout, ledgerEntry);
  });

  itNightly('runs a changed file twice more: once failed is flaky, twice failed has failed', () => {
    const passed = run(['counted', '--changed', 'counted']);
    assert.deepEqual([passed.status, passed.lastLine, runs()], [0, '2 passed, 0 failed', 3], passed.stdout);
    const flaky = run(['counted', '--changed', 'counted'], { FAILS_AT: '5' });
    assert.deepEqual([flaky.status, flaky.lastLine, runs()], [0, '2 passed, 0 failed', 6], flaky.stdout);
    assert.match(
      flaky.stdout,
      /^FLAKY.*\n.*run 5 fails.*; the test is new or changed, and failed in one of three runs$/m,
    );
    assert.deepEqual(allEvidence('repeated'), ['run 5']);
    const failed = run(['counted', '--changed', 'counted'], { FAILS_AT: '8 9' });
    assert.deepEqual([failed.status, failed.lastLine], [1, '0 passed, 1 failed'], failed.stdout);
    assert.match(failed.stdout, /^unit.+counted\.fixture\.ts is new or changed, and it failed in two of three runs$/m);
    assert.doesNotMatch(failed.stdout, /FLAKY/);
    assert.deepEqual(allEvidence('repeated'), ['run 5', 'run 8', 'run 9']);
  });

  itNightly('runs at most six changed files twice more, and names the others', () => {
    const changed = ['a', 'b', 'c', 'd', 'e', 'f', 'counted'].flatMap((name) => ['--changed', name]);
    const { status, stdout } = run(['counted', ...changed]);
    assert.deepEqual([status, runs()], [0, 1], stdout);
    const [, named = ''] = /^changed, but not run twice more: (.+)$/m.exec(stdout) ?? [];
    // The others are of no suite that ran.
    assert.deepEqual(named.match(/\w+(?=\.fixture)/g), ['a', 'b', 'c', 'd', 'e', 'f', 'counted']);
  });

  const atNight = /^changed, with its nightly tests: unit\/host\/fixtures\/nightly\.fixture\.ts$/m;

  it('runs the nightly tests of a changed file once', () => {
    const { status, stdout, lastLine } = run(['nightly', '--nightly', 'nightly']);
    assert.deepEqual([status, lastLine, runs(), isFlaky()], [0, '2 passed, 0 failed', 1, false], stdout);
    assert.match(stdout, atNight);
  });

  it('runs the nightly tests of a changed file again if they failed, and no later stage if they fail twice', () => {
    const flaky = run(['nightly', '--nightly', 'nightly', '--then', 'passing'], { FAILS_AT: '1' });
    assert.deepEqual([flaky.status, flaky.lastLine, runs()], [0, '4 passed, 0 failed', 2], flaky.stdout);
    assert.match(
      flaky.stdout,
      /^FLAKY.*nightly\.fixture\.ts: .+\n {7}first: .+run 1 fails.+; alone: passed in \d+ s$/m,
    );
    assert.equal(evidence('nightly'), 'run 1');
    const failed = run(['nightly', '--nightly', 'nightly', '--then', 'passing'], { FAILS_AT: '3 4' });
    assert.deepEqual([failed.status, failed.lastLine, runs()], [1, '1 passed, 1 failed', 4], failed.stdout);
    assert.match(failed.stdout, /^unit.+nightly\.fixture\.ts failed twice with its nightly tests$/m);
    assert.match(failed.stdout, /^Not run, because tests before them failed: later$/m);
    assert.deepEqual([allEvidence('nightly'), allEvidence('nightly-again')], [['run 1', 'run 3'], ['run 4']]);
  });

  itNightly('runs nightly tests of a changed file once if their failure is final, or if all of them run anyway', () => {
    const final = run(['--suite', 'unit', 'nightly', '--nightly', 'nightly'], { FAILS_AT: '1' });
    assert.deepEqual([final.status, final.lastLine, runs()], [1, '1 passed, 1 failed', 1], final.stdout);
    assert.match(final.stdout, /^No file ran again, because these failures are final: unit.+nightly\.fixture\.ts$/m);
    const night = run(['nightly', '--nightly', 'nightly'], { GANTRY_NIGHTLY: 'yes' });
    assert.deepEqual([night.status, night.lastLine, runs()], [0, '2 passed, 0 failed', 2], night.stdout);
    assert.doesNotMatch(night.stdout, atNight);
  });

  itNightly('runs nothing again if only some tests were asked for', () => {
    const { status, stdout } = run(['counted', '--once', '--changed', 'counted'], { FAILS_AT: '1' });
    assert.deepEqual([status, runs(), isFlaky()], [1, 1, false], stdout);
  });

  it('fails if a test that protects texts and secrets fails once in the runs of a changed file', () => {
    const lostText = '../../soak/fixtures/lostText';
    const { status, stdout, lastLine } = run([lostText, '--changed', lostText], { FAILS_AT: '2' });
    assert.deepEqual([status, lastLine, isFlaky()], [1, '0 passed, 1 failed', false], stdout);
    assert.match(stdout, /^unit.soak.fixtures.lostText\.fixture\.ts is new or changed, and its failure is final$/m);
    assert.doesNotMatch(stdout, /FLAKY/);
  });

  it('ends when its time is up, and says what it was doing and what has failed', () => {
    const longest = String(limit(6_000));
    const { status, stdout, lastLine } = run(['counted', 'silent', '--longest', longest], { FAILS_AT: '1' });
    assert.deepEqual([status, lastLine, isFlaky()], [1, '0 passed, 1 failed', false], stdout);
    assert.match(stdout, /^ran out of time after 0 min \d+ s, during: silent never ends$/m);
    assert.doesNotMatch(stdout, ledgerEntry);
    assert.match(stdout, /^FAILED unit.host.fixtures.counted\.fixture\.ts: a test that counts its runs fails in some/m);
    assert.equal(evidence('first'), 'run 1');
  });
});
