import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { escapeLinks, escapeMarkup, withIcon } from '../../../src/ui/escapeMarkup';

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

/** Matches the icons that VS Code finds in a label, and the backslash that may come before one. */
const icons = /(\\)?\$\([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:~[A-Za-z]+)?\)/g;
const names = ['$(trash)', '$$(sync~spin)', '\\$(trash)', '$(a)$(b)', '[a](command:b) $(c)'];

describe('names in lists and below inputs', () => {
  it('never become icons or links, and are shown unchanged', () => {
    for (const name of names) {
      const shown = escapeMarkup(name);
      assert.equal(shown.match(icons), null, name);
      assert.ok(!shown.includes(']('), name);
      assert.equal(shown.replaceAll('\u2060', ''), name);
    }
    assert.equal(escapeMarkup('costs $5 (each)'), 'costs $5 (each)');
  });

  it('stay as they are if they are escaped again', () => {
    for (const name of names) assert.equal(escapeMarkup(escapeMarkup(name)), escapeMarkup(name));
  });

  it('can have one icon before them, which is ours', () => {
    for (const name of names) assert.deepEqual(withIcon('file', name).match(icons), ['$(file)']);
    assert.equal(withIcon('info', ''), '$(info)');
  });
});
