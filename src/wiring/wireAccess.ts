// Always loaded before this file. The import tells the bundler, which otherwise makes small files of what the two share.
import './wireAccounts';
import type { TreeView } from 'vscode';
import { accessCommands } from '../access/accessCommands';
import type { AccessElement } from '../access/accessElement';
import { AccessView } from '../access/accessView';
import type { AccountParts } from './wireAccounts';
import type { WiringDeps } from './wiringDeps';

/** Tokens and sessions, behind the password. */
export function wireAccess({ atHand, texts, tree }: Pick<AccountParts, 'atHand'> & WiringDeps & AccessTree) {
  const view = new AccessView(atHand.accounts, atHand.unlocking);
  const commands = accessCommands({ ...atHand, view, selection: () => tree.selection, texts });
  return { view, commands, disposables: [view] };
}

interface AccessTree {
  readonly tree: Pick<TreeView<AccessElement>, 'selection'>;
}
