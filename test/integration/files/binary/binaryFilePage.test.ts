import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri } from 'vscode';
import {
  binaryExtensions,
  fileKindText,
  type BinaryFile,
  binaryFilePage,
  failurePage,
} from '../../../../src/files/binary/binaryFileEditor';
import { binaryFileViewType } from '../../../../src/manifest';
import manifest from '../../../../package.json';

const file: BinaryFile = {
  uri: Uri.from({ scheme: 'gantry', authority: 'me', path: '/shop/cp~1/srv/logo.png' }),
  name: 'logo.png',
  path: '/srv/logo.png',
  location: 'node 1 (Cache), Shop',
  entry: { absolutePath: '/srv/logo.png', name: 'logo.png', isDir: false, length: 1_234_567 },
  reason: undefined,
  dashboard: 'https://app.example.com',
};

describe('the page of a binary file', () => {
  it('contains names and errors as text, never as markup', () => {
    const name = '<img src=x onerror="alert(1)">&\'.png';
    const all = { name, path: name, location: name, reason: name, dashboard: `https://x/${name}` };
    for (const html of [binaryFilePage({ ...file, ...all }, 'n'), failurePage(name, 'n')]) {
      assert.ok(!html.includes('<img'), html);
      assert.ok(html.includes('&#60;img src=x onerror=&#34;alert(1)&#34;&#62;&#38;&#39;.png'), html);
    }
  });

  it('allows only its own style: no scripts, no pictures, no connections', () => {
    const html = binaryFilePage(file, 'abc');
    assert.ok(html.includes(`content="default-src 'none'; style-src 'nonce-abc'"`));
    assert.ok(!html.includes('<script'));
  });

  it('shows the exact size', () => {
    assert.match(binaryFilePage(file, 'n'), /1\.2 MB \(1,234,567 bytes\)/);
  });

  it('offers the text only of a file that may have some', () => {
    assert.doesNotMatch(binaryFilePage(file, 'n'), /showAsText/);
    assert.match(binaryFilePage({ ...file, name: 'notes.txt' }, 'n'), /showAsText/);
  });

  it('says so if the file is gone', () => {
    assert.match(binaryFilePage({ ...file, entry: undefined }, 'n'), /no longer exists/);
  });

  it('is the default editor for every file type that is never text', () => {
    const pattern = `gantry:/**/*.{${Object.values(binaryExtensions).flat().join(',')}}`;
    const { configurationDefaults } = manifest.contributes;
    assert.deepEqual(configurationDefaults['workbench.editorAssociations'], { [pattern]: binaryFileViewType });
    assert.equal(fileKindText('backup.TAR.GZ'), 'GZ archive');
    assert.equal(fileKindText('de_DE.mo'), 'MO translation file');
    assert.equal(fileKindText('.png'), undefined);
  });
});
