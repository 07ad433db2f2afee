import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EventEmitter, type FileChangeEvent, FileChangeType, Uri } from 'vscode';
import { BinaryFileEditor } from '../../../../src/files/binary/binaryFileEditor';

const uri = Uri.from({ scheme: 'gantry', authority: 'me', path: '/shop/cp~1/srv/logo.png' });

describe('the editor of a binary file', () => {
  it('loads its page again only if the page changes, because loading takes the focus from the links', async () => {
    const changed = new EventEmitter<readonly FileChangeEvent[]>();
    const closed = new EventEmitter<void>();
    const loaded: string[] = [];
    let length = 70;
    let listed = 0;
    const webview = {
      options: {},
      get html(): string {
        return loaded.at(-1) ?? '';
      },
      set html(page: string) {
        loaded.push(page);
      },
    };
    const editor = new BinaryFileEditor({
      find: () => undefined,
      environments: { titleOf: () => 'Shop', knownLayer: () => undefined },
      listings: {
        entry: (place) => {
          listed += 1;
          return Promise.resolve({ absolutePath: place.path, name: 'logo.png', isDir: false, length });
        },
      },
      readOnly: { reasonFor: () => undefined },
      changed: changed.event,
      ready: () => Promise.resolve(),
    });
    const panel = { webview, onDidDispose: closed.event };
    await editor.resolveCustomEditor({ uri, dispose: () => undefined }, panel);
    assert.equal(loaded.length, 1);

    const tell = async () => {
      const before = listed;
      changed.fire([{ type: FileChangeType.Changed, uri }]);
      await new Promise(setImmediate);
      assert.equal(listed, before + 1);
    };
    await tell();
    assert.equal(loaded.length, 1);
    length = 140;
    await tell();
    assert.equal(loaded.length, 2);
    assert.match(loaded[1] ?? '', /140 B/);

    closed.fire();
    changed.fire([{ type: FileChangeType.Changed, uri }]);
    assert.equal(listed, 3);
  });

  it('shows the newest page, also if an earlier one takes longer', async () => {
    const changed = new EventEmitter<readonly FileChangeEvent[]>();
    const answers: ((length: number) => void)[] = [];
    const webview = { options: {}, html: '' };
    const editor = new BinaryFileEditor({
      find: () => undefined,
      environments: { titleOf: () => 'Shop', knownLayer: () => undefined },
      listings: {
        entry: ({ path: absolutePath }) =>
          new Promise((resolve) =>
            answers.push((length) => resolve({ absolutePath, name: 'logo.png', isDir: false, length })),
          ),
      },
      readOnly: { reasonFor: () => undefined },
      changed: changed.event,
      ready: () => Promise.resolve(),
    });
    const panel = { webview, onDidDispose: new EventEmitter<void>().event };
    const opened = editor.resolveCustomEditor({ uri, dispose: () => undefined }, panel);
    changed.fire([{ type: FileChangeType.Changed, uri }]);
    await new Promise(setImmediate);
    const [first, second] = answers;
    second?.(140);
    await new Promise(setImmediate);
    first?.(70);
    await opened;
    assert.match(webview.html, /140 B/);
  });
});
