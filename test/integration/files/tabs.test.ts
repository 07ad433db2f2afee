import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { workspace } from 'vscode';
import { closeWithoutSaving, openInEditor } from '../support/editing';
import { windowScene } from '../support/windowScene';
import { untilTrue } from '../support/untilTrue';

describe('the files that were opened last', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });

  it('have none that was deleted or renamed since', async () => {
    const folder = '/srv/opened';
    const opened = () =>
      scene.parts.files.recentFiles
        .of(cp.place('/'))
        .map(({ path }) => path)
        .filter((path) => path.startsWith(`${folder}/`));
    const areOpened = (...names: readonly string[]) =>
      assert.deepEqual([...opened()].sort(), names.map((name) => `${folder}/${name}`).sort());
    for (const name of ['a.conf', 'b.conf', 'below/c.conf']) {
      const path = `${folder}/${name}`;
      await cp.file(path, 'one\n');
      await openInEditor(cp.uri(path));
      await untilTrue(
        () => opened()[0] === path,
        () => opened().join(),
      );
    }
    await closeWithoutSaving();
    await workspace.fs.delete(cp.uri(`${folder}/b.conf`, 1));
    areOpened('a.conf', 'b.conf', 'below/c.conf');
    await workspace.fs.delete(cp.uri(`${folder}/b.conf`));
    areOpened('a.conf', 'below/c.conf');
    await workspace.fs.rename(cp.uri(`${folder}/below`), cp.uri(`${folder}/other`));
    areOpened('a.conf');
  });
});
