import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { commands } from 'vscode';
import manifest from '../../../../package.json';
import { windowScene } from '../../support/windowScene';

const told = 'Nothing was done, because the view reloaded while its menu was open. Try again.';

describe('a command of a row that was reloaded while its menu was open', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { person } = scene;

  it('does nothing, whatever is selected or open, and says so', async () => {
    await commands.executeCommand('vscode.open', cp.uri('/etc/hostname'));
    const rowCommands = commandsOfRows();
    assert.ok(rowCommands.includes('gantry.file.delete') && rowCommands.includes('gantry.project.redeploy'));
    scene.platform.journal.reset();
    for (const command of rowCommands) {
      await person.answering([], () => commands.executeCommand(command, undefined, undefined));
      assert.deepEqual(person.seen, [told], command);
    }
    assert.deepEqual(scene.requests(), []);
  });

  it('does nothing either if only another selected row is gone', async () => {
    const file = cp.uri('/etc/hostname');
    await person.answering([], () => commands.executeCommand('gantry.file.delete', file, [file, undefined]));
    assert.deepEqual(person.seen, [told]);
  });

  it('runs if it is also in the title of a view, where VS Code has no row to pass', async () => {
    await person.answering([], () => commands.executeCommand('gantry.environments.refresh', undefined, undefined));
    assert.deepEqual(person.seen, []);
  });
});

/** Leaves out what is also in a view's title, where VS Code may have no row to pass. */
function commandsOfRows(): readonly string[] {
  const { menus } = manifest.contributes;
  const ofFiles = [...menus['gantry.compare'], ...menus['gantry.unpack'], ...menus['gantry.copy']];
  const ofFolders = [...menus['gantry.open'], ...menus['gantry.upload']];
  const ids = [...menus['view/item/context'], ...ofFiles, ...ofFolders].flatMap(({ command }) => command ?? []);
  const inTitles = menus['view/title'].map(({ command }) => command);
  return [...new Set(ids)].filter((id) => !inTitles.includes(id));
}
