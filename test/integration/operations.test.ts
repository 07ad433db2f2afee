import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { commands } from 'vscode';
import contract from '../contract/operations.json';
import { projectFolder } from '../host/folders';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { gantry } from './support/gantry';
import { accessPerformances, signingIn } from './support/operations/accounts';
import { filePerformances } from './support/operations/files';
import type { Performance } from './support/operations/performance';
import { projectPerformances } from './support/operations/projects';
import { sharingPerformances } from './support/operations/sharing';
import { type Gesture, Stage } from './support/operations/stage';

const suite = 'every operation of the contract';
const performances: readonly Performance[] = [
  ...signingIn,
  ...filePerformances,
  ...sharingPerformances,
  ...projectPerformances,
  ...accessPerformances,
];
const page = join(projectFolder, 'docs', 'operations.md');

describe(suite, () => {
  let platform: LocalPlatform;
  let stage: Stage;
  const rows = new Map<string, readonly string[]>();

  before(async () => {
    platform = await startPlatform();
    const parts = await gantry();
    stage = await Stage.set(platform, { ...parts, ...parts.sharing });
  });

  after(async () => {
    stage.person.leave();
    await commands.executeCommand('workbench.action.closeAllEditors');
    await stage.parts.accounts.remove(stage.account.slug);
    await platform.dispose();
  });

  for (const { operation, effect, play } of performances) {
    const title = `${operation}: ${effect}`;
    it(title, async () => {
      stage.gestures();
      await play(stage);
      const reaching = stage.gestures().filter(({ performed }) => performed.has(operation));
      assert.ok(reaching.length > 0, `no gesture made the platform perform ${operation}`);
      rows.set(operation, [operation, wordsOf(reaching), `${suite} › ${operation}`, effect]);
    });
  }

  it('has a row in the table, which is the one in the documentation', async () => {
    const names = contract.operations.map(({ name }) => name).sort();
    assert.equal(names.length, 40);
    assert.deepEqual([...rows.keys()].sort(), names);
    const table = tableOf(names.map((name) => rows.get(name) ?? []));
    if (process.env['UPDATE_OPERATIONS'] !== undefined) await writeFile(page, table);
    assert.equal(await readFile(page, 'utf8'), table, 'UPDATE_OPERATIONS=1 writes the table anew');
  });
});

function wordsOf(gestures: readonly Gesture[]): string {
  return [...new Set(gestures.map(({ words }) => words))].join('; ');
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const head = ['operation', 'command or gesture that reaches it', 'test', 'effect seen on the platform'];
  for (const row of rows) assert.ok(row.length === head.length && row.every((cell) => cell.trim() !== ''), row.join());
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# Every operation of the contract, by a person’s gesture',
    '',
    'Written by `test/integration/operations.test.ts`, which makes each gesture in a real VS Code, sees in the journal of the local platform that the operation was performed because of it, and then looks at the platform for the effect.',
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
  ].join('\n');
}
