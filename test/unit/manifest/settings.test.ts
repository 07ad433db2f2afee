import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import manifest from '../../../package.json';
import words from '../../../package.nls.json';
import { parseAddress } from '../../../src/platform/address';
import { defaultTimeouts } from '../../../src/platform/client';

interface Setting {
  readonly type: string;
  readonly default?: unknown;
  readonly scope: string;
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}

const settings: Readonly<Record<string, Setting>> = manifest.contributes.configuration.properties;
const { 'gantry.platforms': platforms, 'gantry.requestTimeouts': requestTimeouts } =
  manifest.contributes.configuration.properties;

describe('the settings', () => {
  for (const [name, setting] of Object.entries(settings)) {
    it(`${name} has a description, a valid default, and documented values`, () => {
      const key = setting.markdownDescription.replaceAll('%', '');
      const description = Object.entries(words).find(([word]) => word === key)?.[1] ?? '';
      assert.match(description, /^\p{Lu}.{20,}\.$/su);
      assert.equal(Array.isArray(setting.default) ? 'array' : typeof setting.default, setting.type);
      if (setting.type === 'string') {
        assert.ok(setting.enum?.some((value) => value === setting.default));
        assert.equal(setting.enumDescriptions?.length, setting.enum?.length);
      }
    });
  }

  it('accept the addresses that a sign-in accepts, and none with credentials', () => {
    const pattern = new RegExp(platforms.items.pattern, 'u');
    for (const address of [
      'https://app.hoster.com',
      'app.hoster.com',
      'http://127.0.0.1:8080',
      'https://a.example/1.0/',
    ]) {
      assert.ok('ok' in parseAddress(address, { allowPlainHttp: true }), address);
      assert.match(address, pattern);
    }
    for (const address of ['', 'two words', 'https://me:secret@app.hoster.com']) assert.doesNotMatch(address, pattern);
  });

  it('document the default timeouts', () => {
    const inSeconds = Object.entries(defaultTimeouts).map(([pace, milliseconds]) => [pace, milliseconds / 1000]);
    assert.deepEqual(requestTimeouts.default, Object.fromEntries(inSeconds));
  });
});
