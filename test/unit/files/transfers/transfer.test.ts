import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isLocalName } from '../../../../src/files/transfers/transfer';

describe("a container's file name on this computer", () => {
  it('is only accepted if it names an entry of its folder', () => {
    for (const name of ['', '.', '..', 'a/b', 'a\0']) {
      assert.ok(!isLocalName(name, 'linux'), name);
    }
    for (const name of [
      '..\\..\\start.bat',
      'a:stream',
      'nul',
      'com1.txt',
      'a?',
      'dot.',
      'end ',
      'CONIN$',
      'COM¹',
      'NUL .txt',
    ]) {
      assert.ok(!isLocalName(name, 'win32'), name);
      assert.ok(isLocalName(name, 'linux'), name);
    }
    assert.ok(isLocalName('grüße (1).conf', 'win32') && isLocalName('.env', 'win32'));
  });
});
