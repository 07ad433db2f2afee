import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MarkdownString } from 'vscode';
import { appendPlain } from '../../../src/ui/plainText';

const shown = (text: string) => appendPlain(new MarkdownString(), text).value;

describe('plain text in a tooltip', () => {
  it('can wrap between words', () => {
    assert.equal(shown('one file was edited'), 'one file was edited');
    assert.equal(appendPlain(new MarkdownString('**On conflict** '), 'it stops').value, '**On conflict** it stops');
  });

  it('is shown literally', () => {
    assert.equal(shown('a *b* [c](command:d)'), 'a \\*b\\* \\[c\\]\\(command:d\\)');
    assert.ok(!/^[ \t]/m.test(shown('    indented\n    and again')));
    assert.equal(shown('<b> & &lt;'), '&lt;b\\> &amp; &amp;lt;');
    assert.ok(!/^1\. /m.test(shown('1. no list\n1. none here')));
  });
});
