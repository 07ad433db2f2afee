import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint, Linter } from 'eslint';
import { before, describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';

const breaches = [
  "import { spawn } from 'node:child_process';",
  "import { exec } from 'child_process';",
  "await import('node:child_process');",
  "window.createTerminal({ shellPath: 'sh' });",
  "terminal.sendText('ls');",
  "new ShellExecution('ls');",
  "new ProcessExecution('ls');",
];
const inTheTerminal = "window.createTerminal({ shellPath: 'ssh' });";

type Config = Pick<Linter.Config, 'languageOptions' | 'rules'>;

/** The rules that don't need types. Those that do would check the whole project for each line. */
const rules = ['no-restricted-imports', 'no-restricted-syntax'] as const;

describe('lint lets no program be started', () => {
  const configs = new Map<string, Config>();
  const filesOf = (folder: string) => join(folder, 'new.ts');
  const folders = readdirSync(join(projectFolder, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));

  before(async () => {
    const eslint = new ESLint({ cwd: projectFolder });
    for (const file of [...folders.map(filesOf), join(projectFolder, 'src', 'features', 'terminal', 'terminal.ts')]) {
      configs.set(file, (await eslint.calculateConfigForFile(file)) as Config);
    }
  });

  const isRefused = (text: string, config: Config): boolean => {
    const { parser } = config.languageOptions ?? {};
    const wanted = Object.fromEntries(rules.map((rule) => [rule, config.rules?.[rule] ?? 'off']));
    const messages = new Linter().verify(text, [
      { languageOptions: { ...(parser === undefined ? {} : { parser }), sourceType: 'module' }, rules: wanted },
    ]);
    assert.ok(!messages.some(({ fatal }) => fatal), messages[0]?.message);
    return messages.some(({ severity }) => severity === 2);
  };

  it('in any folder of the product', () => {
    assert.ok(folders.length > 20);
    for (const file of folders.map(filesOf)) {
      const config = configs.get(file) ?? assert.fail();
      const allowed = breaches.filter((text) => !isRefused(text, config));
      assert.deepEqual(allowed, [], file);
    }
  });

  it("except the person's ssh in a terminal, to which no text is sent", () => {
    const config = configs.get(join(projectFolder, 'src', 'features', 'terminal', 'terminal.ts')) ?? assert.fail();
    assert.ok(!isRefused(inTheTerminal, config));
    const others = breaches.filter((text) => !text.includes('createTerminal') && !text.startsWith('new '));
    assert.deepEqual(
      others.filter((text) => !isRefused(text, config)),
      [],
    );
  });
});
