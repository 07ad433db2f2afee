import { window } from 'vscode';
import { accessCommands } from '../access/accessCommands';
import type { AccountCommandsDeps } from '../accounts/accountCommands';
import type { ViewId } from '../manifest';
import type { ShownTexts } from '../ui/shownTexts';
import { AccessView } from '../access/accessView';

/** Tokens and sessions, behind the password. */
export function wireAccess({ atHand, texts }: { atHand: AccountCommandsDeps; texts: ShownTexts }) {
  const view = new AccessView(atHand.accounts, atHand.unlocking);
  const tree = window.createTreeView('gantry.access' satisfies ViewId, {
    ...{ treeDataProvider: view, showCollapseAll: true, canSelectMany: true },
  });
  const commands = accessCommands({ ...atHand, view, selection: () => tree.selection, texts });
  return { view, commands, disposables: [view, tree] };
}
