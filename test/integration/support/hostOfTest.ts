import { type Memento, window } from 'vscode';
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

/** What a second Gantry in the same window has at activation. */
export function hostOfTest(parts: Pick<Host, 'report'> & Partial<Host>): Host {
  return {
    ...{ recent: new RecentErrors(), texts: new ShownTexts(), hostLacks: new Set(), state, secrets: new Keychain() },
    ...{ extensionId: 'test', version: '1.2.3', packageJson: {}, storageFolder: scratchFolder('window') },
    log: window.createOutputChannel('test', { log: true }),
    complete: (work) => void work.catch(parts.report),
    ...parts,
  };
}
