import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import manifestTexts from '../../../package.nls.json';
import { pages } from '../../oracle/pages';

describe("the oracle's texts", () => {
  it('are those of the source and of the manifest, such as titles of commands and texts of empty views', () => {
    const texts = pages.texts.now().get('texts') ?? [];
    assert.ok(texts.includes('The SSH gate of {0} is unknown. Add it to the gantry.ssh.gate setting.'));
    for (const text of Object.values(manifestTexts)) assert.ok(texts.includes(JSON.stringify(text).slice(1, -1)), text);
  });
});
