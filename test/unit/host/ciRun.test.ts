import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { projectFolder, scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { skipOn } from '../../host/skipOn';

/** Programs that must not run in a test. They do what `answers` says, and succeed by default; `timeout` runs its program. */
const stubs = ['npm', 'npx', 'node', 'git', 'svn', 'svnadmin', 'ssh', 'sshd', 'apt-get', 'timeout'];
/** What the script itself uses. */
const tools = [
  'basename',
  'bash',
  'cat',
  'cut',
  'dirname',
  'grep',
  'id',
  'mktemp',
  'rm',
  'sh',
  'sleep',
  'tail',
  'tee',
  'touch',
  'tr',
];
const stub = `#!/bin/sh
call="$(basename "$0") $*"
echo "$call" >>calls
answer="answers/$(echo "$call" | tr ' /' '__')"
if [ -f "$answer" ]; then . "./$answer"; fi
if [ "$1" = -k ]; then
  shift 3
  exec "$@"
fi
`;

/** By command, in the language of the shell. */
type Answers = Readonly<Record<string, string>>;

const tests = 'npm run test:gate';
const passing: Answers = {
  [tests]: 'echo "  ✓ adds"; echo; echo "7 passed, 0 failed"',
  'npm run test:unit': 'echo "5 passed, 0 failed"',
};

describe('.ci/run', function () {
  this.timeout(limit(30_000));
  let folder: string;

  before(function () {
    skipOn(this, 'win32');
  });
  beforeEach(() => {
    folder = scratchFolder('ci');
    mkdirSync(join(folder, 'answers'));
    mkdirSync(join(folder, 'stubs'));
    cpSync(join(projectFolder, '.ci'), join(folder, '.ci'), { recursive: true });
    for (const name of stubs) {
      writeFileSync(join(folder, 'stubs', name), stub);
      chmodSync(join(folder, 'stubs', name), 0o755);
    }
    mkdirSync(join(folder, 'tools'));
    for (const name of tools) {
      const found = ['/bin', '/usr/bin'].map((bin) => join(bin, name)).find(existsSync);
      if (found !== undefined) symlinkSync(found, join(folder, 'tools', name));
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  function run(answers: Answers = {}) {
    for (const [call, answer] of Object.entries({ ...passing, ...answers })) {
      writeFileSync(join(folder, 'answers', call.replaceAll(/[ /]/g, '_')), answer);
    }
    const { status, stdout, stderr } = spawnSync('bash', [join(folder, '.ci', 'run')], {
      cwd: folder,
      env: { PATH: `${join(folder, 'stubs')}:${join(folder, 'tools')}`, HOME: folder },
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
    return { status, stdout, lastLine: stdout.trimEnd().split('\n').at(-1), calls };
  }

  it('passes if every step passes, and ends with the count of the tests', () => {
    const { status, stdout, lastLine, calls } = run();
    assert.deepEqual([status, lastLine], [0, '7 passed, 0 failed'], stdout);
    assert.doesNotMatch(stdout, /not in order/);
    assert.deepEqual(
      calls.filter((call) => /^np|^apt/.test(call)).sort(),
      [
        'npm ci',
        'npm run --silent lint',
        'npm run --silent figures -- --check',
        'npm run --silent package',
        'npm run --silent test:gate -- --prepare',
        'npm run --silent typecheck',
        tests,
        'npx prettier --check .',
      ].sort(),
    );
  });

  for (const [name, call] of [
    ['downloads', 'npm run --silent test:gate -- --prepare'],
    ['typecheck', 'npm run --silent typecheck'],
    ['lint', 'npm run --silent lint'],
    ['format', 'npx prettier --check .'],
    ['package', 'npm run --silent package'],
    ['figures', 'npm run --silent figures -- --check'],
  ] as const) {
    it(`counts ${name} as one failure, and runs only the unit tests after it`, () => {
      const { status, stdout, lastLine, calls } = run({ [call]: 'echo "what is wrong"; exit 1' });
      assert.deepEqual([status, lastLine], [1, '5 passed, 1 failed'], stdout);
      assert.ok(!calls.includes(tests));
      assert.equal(calls.filter((one) => one === call).length, 1, 'it runs once');
      assert.match(stdout, new RegExp(`^== ${name} failed:\nwhat is wrong\n\nnot in order: ${name}$`, 'm'));
    });
  }

  it('shows the seconds of each step, and of all but the downloads', () => {
    const { stdout } = run({ 'npm run --silent lint': 'sleep 1' });
    for (const step of ['npm ci', 'downloads', 'typecheck', 'format', 'package', 'all tests']) {
      assert.match(stdout, new RegExp(`^== ${step}: \\d+ s$`, 'm'));
    }
    assert.match(stdout, /^== lint: [1-9]\d* s, beside the steps before$/m);
    assert.match(stdout, /^== figures: \d+ s, beside the steps before$/m);
    assert.match(stdout, /^without what was downloaded and unpacked: \d+ s$/m);
  });

  it('runs lint and the figures beside the other steps, and shows them when these have ended', () => {
    // Each waits for the others, but not forever.
    const waitFor = (...names: readonly string[]) => {
      const areThere = names.map((name) => `[ -f ${name} ]`).join(' && ');
      return `i=0; until { ${areThere}; } || [ $i = 200 ]; do i=$((i + 1)); sleep 0.05; done; { ${areThere}; } || exit 1`;
    };
    const beside = (name: string) => `touch ${name}; ${waitFor('packaged')}; echo "waited"`;
    const { status, stdout } = run({
      'npm run --silent lint': beside('lint'),
      'npm run --silent figures -- --check': beside('figures'),
      'npm run --silent package': `${waitFor('lint', 'figures')}; touch packaged`,
    });
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^== package: \d+ s\n\n== figures\nwaited\n== figures: .+\n\n== lint\nwaited\n== lint: /m);
  });

  it('counts all steps that failed, and the tests', () => {
    const { status, stdout, lastLine } = run({
      'npm run --silent lint': 'exit 1',
      'npm run --silent typecheck': 'exit 2',
      'npm run test:unit': 'echo "4 passed, 1 failed, 2 skipped"; exit 1',
    });
    assert.deepEqual([status, lastLine], [1, '4 passed, 3 failed, 2 skipped'], stdout);
    assert.match(stdout, /^not in order: typecheck,lint,all tests$/m);
  });

  it('fails if the packages cannot be installed, and runs nothing else', () => {
    const { status, stdout, lastLine, calls } = run({ 'npm ci': 'echo "no registry"; exit 1' });
    assert.deepEqual([status, lastLine], [1, '0 passed, 1 failed'], stdout);
    assert.deepEqual(
      calls.filter((call) => call.startsWith('np')),
      ['npm ci', 'npm ci'],
    );
    assert.match(stdout, /^== npm ci failed:\n(no registry\n){2}/m);
  });

  it('installs the packages once more if that hangs', () => {
    const hangsOnce = 'if [ ! -f once ]; then touch once; exit 124; fi';
    const { status, stdout, lastLine } = run({ 'timeout -k 10 600 npm ci': hangsOnce });
    assert.deepEqual([status, lastLine], [0, '7 passed, 0 failed'], stdout);
    assert.match(stdout, /^ended after 600 s: npm ci$/m);
  });

  const browserSearch =
    "node --import tsx -e require('./test/host/install/browser').findBrowser().catch(() => process.exit(1))";
  const asRoot = { [browserSearch]: 'exit 1', 'id -u': 'echo 0' };

  it('installs what is missing, and ends that if it hangs', () => {
    const update = 'timeout -k 10 600 apt-get -qq update';
    const install = 'timeout -k 10 600 apt-get -qq install -y --no-install-recommends chromium';
    writeFileSync(join(folder, 'stubs', 'id'), stub, { mode: 0o755 });
    const { status, stdout, calls } = run({ ...asRoot, [update]: 'echo "Reading package lists"' });
    assert.equal(status, 0, stdout);
    assert.deepEqual(
      calls.filter((call) => call.startsWith('timeout') && call.includes('apt-get')),
      [update, install],
    );
    assert.doesNotMatch(stdout, /could not install|Reading/);
    const hanging = run({ ...asRoot, [update]: 'exit 0', [install]: 'exit 124' }).stdout;
    assert.match(hanging, /^ended after 600 s: (apt-get .+ chromium)\ncould not install chromium$/m);
  });

  it('says that no step has a limit if timeout is missing', () => {
    assert.doesNotMatch(run().stdout, /no step has a limit/);
    rmSync(join(folder, 'stubs', 'timeout'));
    const { status, stdout } = run();
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^no step has a limit, because timeout is not installed$/m);
  });

  it('counts a step that hangs as one failure', () => {
    const { status, stdout, lastLine } = run({ 'timeout -k 10 600 npm run --silent package': 'exit 124' });
    assert.deepEqual([status, lastLine], [1, '5 passed, 1 failed'], stdout);
    assert.match(stdout, /^ended after 600 s: npm run --silent package\n\nnot in order: package$/m);
  });

  it('counts a failed test once', () => {
    const { status, stdout, lastLine } = run({ [tests]: 'echo "6 passed, 1 failed"; exit 1' });
    assert.deepEqual([status, lastLine], [1, '6 passed, 1 failed'], stdout);
    assert.match(stdout, /^not in order: all tests$/m);
  });

  it('passes with tests that are flaky, and shows what the run says of them', () => {
    const lines = [
      'FLAKY  e2e/saving.test.ts: saves',
      '       first: TimeoutError: no row after 25 s (.cache/failures/first/saves); alone: passed in 21 s',
      '       for test/flaky.json: {"test":"saves","file":"e2e/saving.test.ts","seen":["2026-11-25 14:03 1c572ad"],"cause":"","plan":""}',
    ];
    const answer = [...lines, '', '7 passed, 0 failed'].map((line) => `echo '${line}'`).join('\n');
    const { status, stdout, lastLine } = run({ [tests]: answer });
    assert.deepEqual([status, lastLine], [0, '7 passed, 0 failed'], stdout);
    assert.ok(stdout.includes(lines.join('\n')), stdout);
    assert.doesNotMatch(stdout, /not in order/);
  });

  it('fails if the tests end without a count, however they end', () => {
    for (const how of ['exit 0', 'exit 1', 'exit 137']) {
      const { status, stdout, lastLine } = run({ [tests]: `echo "Cannot find module"; ${how}` });
      assert.deepEqual([status, lastLine], [1, '0 passed, 1 failed'], `${how}\n${stdout}`);
      assert.match(stdout, /^not in order: (all tests,)?the count of the tests$/m);
    }
  });

  it('fails if the tests fail although each of them passed', () => {
    for (const count of ['7 passed, 0 failed', '7 passed, 0 failed, 1 skipped']) {
      const { status, stdout, lastLine } = run({ [tests]: `echo "${count}"; exit 1` });
      assert.deepEqual([status, lastLine], [1, count.replace('0 failed', '1 failed')], stdout);
      assert.match(stdout, /^not in order: all tests$/m);
    }
  });

  it('fails if a test failed, whatever the exit code of the tests is', () => {
    const { status, stdout, lastLine } = run({ [tests]: 'echo "6 passed, 1 failed"; exit 0' });
    assert.deepEqual([status, lastLine], [1, '6 passed, 1 failed'], stdout);
  });
});
