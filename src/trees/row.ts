import { TreeItem, type TreeItemCollapsibleState } from 'vscode';

/** A row is read aloud by its label and description; without telling so, VS Code reads its tooltip in their place. */
export function row(id: string, label: string, state: TreeItemCollapsibleState, rest: Partial<TreeItem>): TreeItem {
  const item = new TreeItem(label, state);
  const spoken = [label, rest.description].filter((part) => typeof part === 'string' && part !== '').join(', ');
  return Object.assign(item, { id, accessibilityInformation: { label: spoken } }, rest);
}
