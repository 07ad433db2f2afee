import { window } from 'vscode';
import { accessCommands } from '../commands/accessCommands';
import type { AccountsAtHand } from '../commands/accountCommands';
import type { ViewId } from '../manifest';
import type { ShownTexts } from '../ui/shownTexts';
import { AccessView } from '../views/accessView';

/** Tokens and sessions, behind the password. */
export function buildAccessParts({ atHand, texts }: { atHand: AccountsAtHand; texts: ShownTexts }) {
  const view = new AccessView(atHand.accounts, atHand.unlocking);
  const tree = window.createTreeView('gantry.access' satisfies ViewId, {
    ...{ treeDataProvider: view, showCollapseAll: true, canSelectMany: true },
  });
  const commands = accessCommands({ ...atHand, view, selection: () => tree.selection, texts });
  return { view, commands, disposables: [view, tree] };
}
