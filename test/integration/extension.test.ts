import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension', () => {
  it('is known to VS Code', () => {
    assert.ok(vscode.extensions.getExtension('gantry.gantry'));
  });
});
