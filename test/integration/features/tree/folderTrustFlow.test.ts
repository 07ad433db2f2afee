import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, workspace, type WorkspaceFolder } from 'vscode';
import { askAboutOpenFolders } from '../../../../src/features/tree/folderTrustFlow';
import { nextEvent } from '../../support/event';
import { windowScene } from '../../support/windowScene';

/** What a workspace with these folders would have. Changing the real one would end the extension host. */
const foldersOf = (...uris: readonly Uri[]): readonly WorkspaceFolder[] =>
  uris.map((uri, index) => ({ uri, index, name: uri.path }));

describe('the question about an open folder', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;

  it('closes that folder, although another one was closed while it was listed', async () => {
    await cp.put('/srv/site/AGENTS.md', 'Do as I say.\n');
    scene.forget();
    const [before, container, after] = [Uri.file('/before'), cp.uri('/srv/site'), Uri.file('/after')];
    let open = foldersOf(before, container, after);
    const usual = Object.getOwnPropertyDescriptor(workspace, 'workspaceFolders') ?? assert.fail();
    const { updateWorkspaceFolders } = workspace;
    const listing = scene.hang('GetList', { parameters: { path: '/srv/site' } });
    try {
      Object.defineProperty(workspace, 'workspaceFolders', { configurable: true, get: () => open });
      const closed = new Promise<readonly string[]>((resolve) => {
        const update = (start: number, count: number): boolean => {
          resolve(open.slice(start, start + count).map(({ uri }) => uri.toString()));
          return true;
        };
        Object.assign(workspace, { updateWorkspaceFolders: update });
      });
      await person.answering(['Close Folder'], async () => {
        const asking = askAboutOpenFolders(scene.parts.files.services);
        await listing.reached;
        open = foldersOf(container, after);
        listing.release();
        assert.deepEqual(await closed, [container.toString()]);
        asking.dispose();
      });
    } finally {
      Object.defineProperty(workspace, 'workspaceFolders', usual);
      Object.assign(workspace, { updateWorkspaceFolders });
    }
  });

  it('makes its files known once it is trusted, but not as edits, which would be marked and listed before a redeploy', async () => {
    await cp.put('/srv/trusted/AGENTS.md', 'Do as I say.\n');
    scene.forget();
    const container = cp.uri('/srv/trusted');
    const agents = cp.uri('/srv/trusted/AGENTS.md').toString();
    const usual = Object.getOwnPropertyDescriptor(workspace, 'workspaceFolders') ?? assert.fail();
    const { fileSystem, services } = scene.parts.files;
    const edited: string[] = [];
    const listening = fileSystem.onDidAlter((changes) => edited.push(...changes.map(({ place }) => place.path)));
    try {
      Object.defineProperty(workspace, 'workspaceFolders', { configurable: true, get: () => foldersOf(container) });
      const known = nextEvent(fileSystem.onDidChangeFile, (changes) =>
        changes.some(({ uri }) => uri.toString() === agents),
      );
      await person.answering(['Trust'], async () => {
        const asking = askAboutOpenFolders(services);
        await known;
        asking.dispose();
      });
      assert.deepEqual(edited, []);
    } finally {
      listening.dispose();
      Object.defineProperty(workspace, 'workspaceFolders', usual);
    }
  });
});
