import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { StatusBarAlignment, window, workspace } from 'vscode';

/** These tests are inside Gantry's folder, so VS Code attributes their calls to Gantry. */
const refusal = (proposal: string) => ({
  message: new RegExp(`^Extension 'gantry\\.gantry' CANNOT use API proposal: ${proposal}`),
});

describe('proposed APIs', () => {
  it('are refused when Gantry calls a function', () => {
    const register: unknown = Reflect.get(workspace, 'registerTextSearchProvider');
    assert.ok(typeof register === 'function');
    assert.throws(() => void Reflect.apply(register, workspace, ['gantry', {}]), refusal('textSearchProvider'));
  });

  it('are refused when Gantry uses a property of an object', () => {
    const item = window.createStatusBarItem(StatusBarAlignment.Left);
    try {
      assert.throws(() => Reflect.set(item, 'tooltip2', 'text'), refusal('statusBarItemTooltip'));
    } finally {
      item.dispose();
    }
  });
});
