import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { window } from 'vscode';
import { Lazy } from '../../../../src/lazy';
import { CommandTargets } from '../../../../src/trees/commandTargets';
import type { CommandTarget } from '../../../../src/trees/sharedElement';
import { searchFolder } from '../../../../src/features/search/searchFolderPrompt';
import { Call } from '../../../../src/ui/commands/call';
import { type Answer, escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

describe('the folder that a search covers', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;
  const { place } = cp;

  const open = (path: string) => window.showTextDocument(cp.uri(path));
  const meant = async (
    answers: readonly Answer[],
    given: {
      readonly received?: unknown;
      readonly open?: readonly string[];
      readonly favorite?: CommandTarget;
      readonly target?: CommandTarget;
      readonly usual?: 'folder' | 'container';
    },
  ) => {
    const { accounts, environments, listings, handles } = scene.parts;
    const favoritesView = { ...(await handles.favorites.load()), targetOf: () => given.favorite };
    const favorites = new Lazy(() => Promise.resolve(favoritesView));
    await favorites.load();
    const folder = await person.answering(answers, () =>
      searchFolder(
        'Go to File',
        new Call(given.received === undefined ? [] : [given.received]),
        {
          accounts,
          environments,
          listings,
          features: { ...handles, favorites },
          targets: new CommandTargets(() => ({ targetOf: () => given.target, selection: () => [] }), listings),
          openFolders: () => (given.open ?? []).map((path) => place(path)),
        },
        given.usual ?? 'container',
      ),
    );
    return folder?.path;
  };

  it('is the one clicked in any view, or that of the file clicked', async () => {
    const received = {};
    assert.equal(await meant([], { received, target: { place: place('/etc'), isFolder: true } }), '/etc');
    assert.equal(await meant([], { received, target: { place: place('/etc/hosts'), isFolder: false } }), '/etc');
    assert.equal(await meant([], { received, favorite: { place: place('/srv'), isFolder: true } }), '/srv');
  });

  it('is the open folder, also if the active editor shows a file of another one', async () => {
    await open('/etc/hosts');
    assert.equal(await meant([], { open: ['/var'] }), '/var');
  });

  it('is the one of several open folders that the active file is in, or the one that the user selects', async () => {
    assert.equal(await meant(['log'], { open: ['/var/log', '/etc'] }), '/var/log');
    assert.equal(await meant([escape], { open: ['/var/log', '/etc'] }), undefined);
    await open('/etc/hosts');
    assert.equal(await meant([], { open: ['/var/log', '/etc'] }), '/etc');
  });

  it('is the folder or the container of the active file if no folder is open', async () => {
    await open('/etc/hosts');
    assert.equal(await meant([], { usual: 'folder' }), '/etc');
    assert.equal(await meant([], { usual: 'container' }), '/');
  });
});
