// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireAccounts';
import type { TreeView } from 'vscode';
import { accessCommands } from '../access/accessCommands';
import type { AccessElement } from '../access/accessElement';
import { AccessView } from '../access/accessView';
import type { AccountParts } from './wireAccounts';
import type { WiringDeps } from './wiringDeps';

/** Access tokens and sessions, which require the password. */
export function wireAccess({ accountDeps, tree }: Pick<AccountParts, 'accountDeps'> & WiringDeps & AccessTree) {
  const view = new AccessView(accountDeps.accounts, accountDeps.unlocking);
  const commands = accessCommands({ ...accountDeps, view, selection: () => tree.selection });
  return { view, commands, disposables: [view] };
}

interface AccessTree {
  readonly tree: Pick<TreeView<AccessElement>, 'selection'>;
}
