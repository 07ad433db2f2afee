import { type Disposable, type Memento, window } from 'vscode';
import type { Host } from '../../../src/services';
import { RecentErrors } from '../../../src/ui/recentErrors';
import { ShownTexts } from '../../../src/ui/shownTexts';
import { scratchFolder } from '../../host/folders';
import { Keychain } from './personsAccounts';

const state: Memento = {
  keys: () => [],
  get: <T>(_key: string, otherwise?: T) => otherwise as T,
  update: () => Promise.resolve(),
};

/** One for all, because VS Code returns the closed one again if one of the same name is made later. */
const log = window.createOutputChannel('test', { log: true });

/** What a second Gantry in the same window has at activation. */
export function hostOfTest(
  parts: Pick<Host, 'report'> & Partial<Host>,
  own: (thing: Pick<Disposable, 'dispose'>) => void,
): Host {
  const texts = new ShownTexts();
  own(texts);
  return {
    recent: new RecentErrors(),
    texts,
    log,
    hostLacks: new Set(),
    state,
    secrets: new Keychain(),
    extensionId: 'test',
    version: '1.2.3',
    packageJson: {},
    startedSaves: new Set(),
    storageFolder: scratchFolder('window'),
    workspaceId: '',
    complete: (work) => void work.catch(parts.report),
    ...parts,
  };
}
