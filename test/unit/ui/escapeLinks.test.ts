import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { escapeLinks } from '../../../src/ui/escapeLinks';

/** Matches the links that VS Code finds in a message. */
const links = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

describe('names in messages', () => {
  it('never become links', () => {
    for (const name of ['[Retry](command:evil?1).conf', '[[a](https://x.example)', 'a](command:b)[c](command:d)']) {
      assert.equal(escapeLinks(`${name} was changed.`).match(links), null, name);
    }
  });

  it('are shown unchanged', () => {
    assert.equal(escapeLinks('site [old] (1).conf'), 'site [old] (1).conf');
  });
});
