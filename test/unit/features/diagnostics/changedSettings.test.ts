import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { declaredSettings, settingText } from '../../../../src/features/diagnostics/changedSettings';
import { projectFolder } from '../../../host/folders';

const settings = declaredSettings(JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')));
const text = (name: string, value: unknown) => settingText(value, settings[name] ?? assert.fail(name));

describe('settings in the diagnostics', () => {
  it('show numbers, booleans, and the words that a setting declares', () => {
    assert.equal(text('gantry.maxConnections', 12), '12');
    assert.equal(text('gantry.allowPlainHttp', true), 'true');
    assert.equal(text('gantry.transport', 'query'), 'query');
    assert.equal(text('gantry.requestTimeouts', { files: 60, long: 1200 }), 'files 60, long 1200');
  });

  it('show only that anything else is set', () => {
    assert.equal(text('gantry.platforms', ['https://app.secret.example']), 'set (1)');
    assert.equal(text('gantry.protectedEnvironments', ['shop', 'shop-*']), 'set (2)');
    assert.equal(settingText('http://anna:pass@proxy.example', { type: 'string' }), 'set');
  });

  it('show no value that a setting does not declare', () => {
    for (const value of ['secret', ['secret'], { secret: 1 }, null, { files: 'secret', secret: 'secret' }]) {
      for (const name of Object.keys(settings)) assert.doesNotMatch(text(name, value), /secret/, name);
    }
    assert.equal(
      text('gantry.requestTimeouts', { files: 'x', y: 1 }),
      'files set to something else than expected, 1 unknown',
    );
  });
});
