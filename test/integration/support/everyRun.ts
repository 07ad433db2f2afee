import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { extensions, workspace } from 'vscode';
import type { TestExports } from '../../../src/extension';
import { UnintendedWrites } from './unintendedWrites';

const writes = new UnintendedWrites();
const extension = () => extensions.getExtension<TestExports | undefined>('gantry.gantry');

// Root hooks: they apply to all tests of the run, whichever file they are in.
before(() => writes.beginAction());
beforeEach(() => {
  const parts = extension()?.isActive === true ? extension()?.exports?.loaded : undefined;
  if (parts !== undefined) writes.trackExtension(parts);
});

// The last file of each run.
describe('every integration run', () => {
  it('writes only for tests and user actions, never for browsing, hovering, opening, watching, or closing', () => {
    assert.deepEqual(writes.takeAll(), []);
  });

  it('leaves Auto Save off, which VS Code in a browser turns on without a setting', () => {
    assert.equal(workspace.getConfiguration('files').inspect('autoSave')?.globalValue, 'off');
  });
});
