import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isOfThePlatform, isRiskyInShell } from '../../../../src/features/variables/variablesState';

describe('the names and values of container variables', () => {
  it('are known if the platform manages them itself', () => {
    const managed = [
      'PHP_VERSION',
      'DOCKER_EXPOSED_PORT',
      'MASTER_HOST',
      'MASTER_ID',
      'MASTER_IP',
      'PATH',
      'STACK_NAME',
      'STACK_PATH',
      'STACK_USER',
      'ON_ENV_INSTALL',
      'JELASTIC_PORTS',
    ];
    assert.deepEqual(managed.filter(isOfThePlatform), managed);
    assert.deepEqual(['CLASSPATH', 'VERSION', 'PATH_INFO', 'APP_ENV'].filter(isOfThePlatform), []);
  });

  it('are risky if a shell reads them as more than text', () => {
    const risky = ['"', "'", '`', '\\', '\n', '\r', '\t', '\0', '$HOME'].map((one) => `a${one}b`);
    assert.deepEqual(risky.filter(isRiskyInShell), risky);
    assert.deepEqual(['', 'a b', 'a=b;c&d|e', 'größer'].filter(isRiskyInShell), []);
  });
});
