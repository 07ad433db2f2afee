import type { TreeView } from 'vscode';
import type { Own } from '../../gantry';
import type { Levels } from '../../services';
import { accessCommands } from './accessCommands';
import { createAccessView } from './accessView';

/** Access tokens and sessions, which require the password. */
export function createAccess(services: Levels['accounts'], own: Own, treeView: TreeView<unknown>) {
  const view = own(createAccessView(services));
  view.keepTimes(treeView);
  return { view, commands: accessCommands(services, view, treeView) };
}
