import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands, type Uri, workspace } from 'vscode';
import { compareNotRestored } from '../../../../src/files/saving/restoreTexts';
import { windowScene } from '../../support/windowScene';

describe('earlier texts that were not restored', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');

  it('are all compared, however many files have changed since', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const files = numbers.map((index) => ({
      place: cp.place(`/srv/many/${index}.conf`),
      earlier: `earlier ${index}\n`,
      found: `found ${index}\n`,
    }));
    const { executeCommand } = commands;
    let sides: readonly (readonly [Uri, Uri, Uri])[] = [];
    const noting = (command: string, title: string, shown: typeof sides) => {
      assert.deepEqual([command, title], ['vscode.changes', 'Earlier Texts ↔ Current']);
      sides = shown;
      return executeCommand(command, title, shown);
    };
    Object.assign(commands, { executeCommand: noting });
    try {
      await compareNotRestored(files, scene.parts.files.texts);
    } finally {
      Object.assign(commands, { executeCommand });
    }
    const textOf = async (uri: Uri) => (await workspace.openTextDocument(uri)).getText();
    assert.deepEqual(
      await Promise.all(sides.map(async ([, earlier, now]) => [await textOf(earlier), await textOf(now)])),
      files.map(({ earlier, found }) => [earlier, found]),
    );
  });
});
