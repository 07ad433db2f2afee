import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import { startProgramsElsewhere } from '../../localPlatform/vcs/starter';
import { extensionParts } from './parts';
import { UnintendedWrites } from './unintendedWrites';

const writes = new UnintendedWrites();

/** Windows of tests begin with other values than those of people, and many files share a window. */
const usual = () =>
  ['versionHistory.keep', 'restart.delay', 'redeploy.confirm'].map(
    (name) => workspace.getConfiguration('gantry').inspect(name)?.globalValue,
  );
let usualAtFirst: readonly unknown[];

// Root hooks: they apply to all tests of the run, whichever file they are in.
before(startProgramsElsewhere);
before(() => writes.beginAction());
before(() => {
  usualAtFirst = usual();
});
beforeEach(() => {
  if (extensionParts.loaded !== undefined) writes.trackExtension(extensionParts.loaded);
});
// A view that a test opened would read beside the tests of other files in the window, whose requests are counted.
afterEach(() => commands.executeCommand('workbench.action.closeSidebar'));
// What a test deleted is removed from the container seconds later, when its account may be gone.
afterEach(() => extensionParts.loaded?.files.backups.settled());

// The last file of each run.
describe('every integration run', () => {
  it('writes only for tests and user actions, never for browsing, hovering, opening, watching, or closing', () => {
    assert.deepEqual(writes.takeAll(), []);
  });

  it('leaves the settings as they were that tests begin with', () => {
    assert.deepEqual(usual(), usualAtFirst);
  });

  it('leaves Auto Save off, which VS Code in a browser turns on without a setting', () => {
    assert.equal(workspace.getConfiguration('files').inspect('autoSave')?.globalValue, 'off');
  });
});
