import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { Range, type TextDocument, workspace, WorkspaceEdit } from 'vscode';
import type { TextFlaw } from '../../../src/files/text';
import { type Behaviour } from '../../localPlatform/behaviour';
import { type } from '../support/editing';
import { windowScene } from '../support/windowScene';

/** Files as they occur in containers, and whether they can be edited without losing a byte. */
const corpus: Readonly<Record<string, { readonly bytes: Buffer; readonly flaw?: TextFlaw }>> = {
  'plain text': { bytes: Buffer.from('listen 80;\n') },
  'an empty file': { bytes: Buffer.alloc(0) },
  'Windows line endings': { bytes: Buffer.from('one\r\ntwo\r\nthree\r\n') },
  'a byte-order mark': { bytes: Buffer.from('\uFEFFone\ntwo\n') },
  'a byte-order mark and Windows line endings': { bytes: Buffer.from('\uFEFFone\r\ntwo\r\n') },
  'no line ending at the end': { bytes: Buffer.from('one\ntwo') },
  'emoji and other scripts': { bytes: Buffer.from('🏗️ grüße 日本語 \u{1F469}\u200D\u{1F680}\n') },
  'characters that forms encode': { bytes: Buffer.from('a=b&c=d+e %20 %2B\t;\n') },
  'one long line': { bytes: Buffer.from(`${'x'.repeat(200_000)}\n`) },
  '5 MB': { bytes: Buffer.from('0123456789 grüße\n'.repeat(300_000)) },
  'Latin-1': { bytes: Buffer.from('Gr\xfc\xdfe\n', 'latin1'), flaw: 'bytes' },
  'UTF-16 with a byte-order mark': { bytes: Buffer.from('\uFEFFone\n', 'utf16le'), flaw: 'bytes' },
  'a NUL': { bytes: Buffer.from('one\0two\n'), flaw: 'nul' },
  'half a character': { bytes: Buffer.from([0x61, 0xf0, 0x9f, 0x0a]), flaw: 'bytes' },
  'a replacement character': { bytes: Buffer.from('a\uFFFDb\n'), flaw: 'replacement' },
};

describe('the text of a file in a container', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const planted = (content: string | Buffer) => cp.newFile('file.txt', content);

  /** Edits the text and reverts the edit. The document stays dirty, so a save writes the text unchanged. */
  async function editAndTakeBack(document: TextDocument): Promise<void> {
    await type(document, 'x');
    assert.ok(await document.save());
    const edit = new WorkspaceEdit();
    edit.delete(document.uri, new Range(0, 0, 0, 1));
    assert.ok(await workspace.applyEdit(edit));
    assert.ok(await document.save());
  }

  for (const [name, { bytes, flaw }] of Object.entries(corpus)) {
    if (flaw === undefined) {
      it(`comes back byte for byte: ${name}`, async () => {
        const file = await planted(bytes);
        // This test needs no visible editor, and rendering a long text takes longer than everything else.
        const document = await file.document();
        assert.ok(!(await file.isReadOnly()));
        await editAndTakeBack(document);
        assert.ok((await file.bytes()).equals(bytes));
      });
    } else {
      it(`can't be edited, and says why: ${name}`, async () => {
        const file = await planted(bytes);
        // VS Code shows no text for these: it can't read the file or considers it binary.
        await file.document().then(undefined, () => undefined);
        assert.ok(await file.isReadOnly());
        assert.deepEqual(file.whyReadOnly(), { kind: 'flaw', flaw });
        assert.ok((await file.bytes()).equals(bytes));
      });
    }
  }

  const altered: readonly [readTexts: Behaviour['readTexts'], name: string, bytes: Buffer, flaw: TextFlaw][] = [
    ['lineFeeds', 'Windows line endings', Buffer.from('one\r\ntwo\r\n'), 'lineEnds'],
    ['withoutMark', 'a byte-order mark', Buffer.from('\uFEFFone\ntwo\n'), 'mark'],
    [
      'normalized',
      'a byte-order mark and Windows line endings',
      Buffer.from('\uFEFFone\r\ntwo\r\n'),
      'lineEndsAndMark',
    ],
    ['normalized', 'either of them, detected by length', Buffer.from('a\r\nb\r\nc\r\n'), 'missing'],
    ['lineFeeds', 'some Windows line endings', Buffer.from('one\r\ntwo\n'), 'missing'],
    ['latin1', 'Latin-1', Buffer.from('Gr\xfc\xdfe\n', 'latin1'), 'bytes'],
  ];
  for (const [readTexts, name, bytes, flaw] of altered) {
    it(`can't be edited, and says why, if the platform alters it (${readTexts}): ${name}`, async () => {
      scene.platform.behaviour.readTexts = readTexts;
      const file = await planted(bytes);
      await assert.rejects(async () => workspace.fs.readFile(file.uri), /Couldn't read file\.txt\. /);
      assert.ok(await file.isReadOnly());
      assert.deepEqual(file.whyReadOnly(), { kind: 'flaw', flaw });
      assert.ok((await file.bytes()).equals(bytes));
    });
  }

  for (const [text, returned] of [
    ['line\n'.repeat(20), 40],
    // Cut in the middle of a character.
    ['ü'.repeat(50), 40],
  ] as const) {
    it(`can't be edited, and says how much there is, if the platform cuts it: ${text.slice(0, 4).trim()}`, async () => {
      scene.platform.behaviour.readBytes = text.startsWith('ü') ? 41 : 40;
      const file = await planted(text);
      await assert.rejects(
        async () => workspace.fs.readFile(file.uri),
        /The platform returned only 40 B of 100 B\. It may limit/,
      );
      assert.deepEqual(file.whyReadOnly(), { kind: 'flaw', flaw: { returned, length: 100 } });
      // Otherwise, VS Code would read it again after each read.
      const changes: unknown[] = [];
      const listening = scene.parts.files.readOnly.onDidChange((place) => changes.push(place));
      await assert.rejects(async () => workspace.fs.readFile(file.uri));
      listening.dispose();
      assert.deepEqual(changes, []);
    });
  }

  it('is listed again if it grew after its folder was listed', async () => {
    const file = await planted('one\n');
    await workspace.fs.stat(file.uri);
    await appendFile(file.disk, 'two\n');
    await file.inEditor();
    assert.ok(!(await file.isReadOnly()));
  });
});
