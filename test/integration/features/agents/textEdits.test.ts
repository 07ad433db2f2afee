import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  diffBlock,
  diffText,
  replacementsIn,
  type TextEdit,
  withReplacements,
} from '../../../../src/features/agents/textEdits';
import { limit } from '../../../host/limits';

const withEdits = (text: string, edits: readonly TextEdit[]) => withReplacements(text, replacementsIn(text, edits));

describe('the edits that a tool makes to a text', () => {
  const edited = (text: string, ...edits: readonly (readonly [oldText: string, newText: string, count?: number])[]) =>
    withEdits(
      text,
      edits.map(([oldText, newText, count = 1]) => ({ oldText, newText, count })),
    );
  const refused = (message: RegExp, ...[text, ...edits]: Parameters<typeof edited>) =>
    assert.throws(() => edited(text, ...edits), message);

  it('are exact, so nothing in them is a pattern', () => {
    assert.equal(edited('a.b a+b $1', ['a.b', '$& $1']), '$& $1 a+b $1');
    assert.equal(edited('Größe 🫖🫖\n', ['🫖🫖', '☕']), 'Größe ☕\n');
    refused(/occurs 0 times instead of 1/, 'Größe', ['gr\u00f6ße', '']);
  });

  it('need the old text as often as stated', () => {
    refused(/oldText of edit 2 occurs 2 times instead of 1\./, 'x\nx\ny\n', ['y', 'z'], ['x', 'z']);
    refused(/oldText of edit 1 occurs 2 times instead of 3\./, 'x x', ['x', 'y', 3]);
    assert.equal(edited('x x', ['x', 'y', 2]), 'y y');
  });

  it("apply to the text that was read, so one can't change what another one has written", () => {
    assert.equal(edited('one two', ['one', 'two'], ['two', 'three']), 'two three');
    assert.equal(edited('one two', ['two', 'three'], ['one', 'two']), 'two three');
    refused(/oldText of edit 2 occurs 0 times/, 'one', ['one', 'two'], ['two', 'three']);
  });

  it('are refused if they overlap or repeat', () => {
    const overlap = /^Error: Nothing was changed: edit \d overlaps another one\./;
    refused(overlap, 'abc', ['ab', 'x'], ['bc', 'y']);
    refused(overlap, 'abc', ['abc', 'x'], ['b', 'y']);
    refused(overlap, 'abc', ['b', 'x'], ['b', 'x']);
    refused(overlap, 'aaa', ['aa', 'x', 2]);
    refused(/occurs 2 times instead of 1/, '}\n}\n}\n', ['}\n}\n', '}\n']);
    assert.equal(edited('abc', ['a', '1'], ['b', '2'], ['c', '']), '12');
  });

  it('change only what differs, so that what they repeat is untouched', () => {
    const changes = (text: string, oldText: string, newText: string) =>
      replacementsIn(text, [{ oldText, newText, count: 1 }]).map((one) => [one.start, one.end, one.newText]);
    assert.deepEqual(changes('a=1\nb=2\nc=3\n', 'a=1\nb=2\nc=3\n', 'a=9\nb=2\nc=8\nd=4\n'), [
      [2, 3, '9'],
      [10, 11, '8\nd=4'],
    ]);
    assert.deepEqual(changes('x b=2\n', 'b=2\n', '# b\nb=2\nc=3\n'), [
      [2, 2, '# b\n'],
      [6, 6, 'c=3\n'],
    ]);
    assert.deepEqual(changes('b=2', 'b=2', 'b=2'), []);
  });

  it('refuse a long repetitive text without blocking the window', () => {
    const start = Date.now();
    refused(/occurs 2 times instead of 1/, 'a'.repeat(4_000_000), ['a'.repeat(2_000_000), '']);
    assert.ok(Date.now() - start < limit(1_000));
  });

  it('keep Windows line ends where a file has no others', () => {
    assert.equal(edited('a\r\nb\r\n', ['a\nb', 'c\nd']), 'c\r\nd\r\n');
    assert.equal(edited('a\r\nb\r\n', ['a\r\n', 'c\r\n']), 'c\r\nb\r\n');
    assert.equal(edited('a\r\nb\n', ['b\n', 'c\nd\n']), 'a\r\nc\nd\n');
    refused(/occurs 0 times/, 'a\r\nb\n', ['a\nb', 'c']);
  });
});

describe('the diff that a confirmation shows', () => {
  const diff = (before: string, text: string) =>
    diffText({ node: 'a/x', text: before }, { node: 'b/x', text }) ?? assert.fail();

  it('shows changes that only line ends or the end of the file make', () => {
    assert.match(diff('a\n', 'a'), /No newline at end of file/);
    assert.match(diff('a\r\n', 'a\n'), /^-a\r\n\+a$/m);
  });

  it("is in a code block that the text can't end", () => {
    const block = diffBlock(diff('a\n', '```\n[Allow](command:x)\n````\n'));
    assert.ok(block.startsWith('`````diff\n') && block.endsWith('\n`````'), block);
  });
});
