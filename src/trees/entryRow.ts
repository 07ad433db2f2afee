import { l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import { type FileEntry, isReadableType } from '../platform/wire/fileEntry';
import { keyOf, uriParts } from '../containers/place';
import { sizeText } from '../ui/sizeText';
import type { EntryElement } from './sharedElement';

const archive = /\.(zip|tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz|zst)|gz|bz2|7z|rar|war|ear|jar)$/i;

/** A file or folder's row. Menus distinguish rows by the words in their context value. */
export function entryRow(element: EntryElement): TreeItem {
  const { place, entry, isConfiguration } = element;
  const uri = Uri.from(uriParts(place));
  const item = new TreeItem(entry.name, TreeItemCollapsibleState[entry.isDir ? 'Collapsed' : 'None']);
  item.id = idOf(element);
  item.resourceUri = uri;
  item.tooltip = tooltipOf(place.path, entry);
  item.contextValue = contextOf(element);
  item.iconPath = iconOf(element);
  item.accessibilityInformation = { label: accessibleName(element) };
  const description = isConfiguration ? place.path : unusual(entry);
  if (description !== undefined) {
    item.description = description;
  }
  if (!entry.isDir && isReadableType(entry)) {
    item.command = { command: 'vscode.open', title: l10n.t('Open'), arguments: [uri] };
  }
  return item;
}

function isArchive(name: string): boolean {
  return archive.test(name);
}

function idOf({ place, via }: EntryElement): string {
  return via === undefined ? `entry ${keyOf(place)}` : `entry via ${via} ${keyOf(place)}`;
}

function contextOf({ entry, isConfiguration }: EntryElement): string {
  const kind = entry.isDir ? 'folder' : isReadableType(entry) ? 'file' : 'special';
  const words = [kind, !entry.isDir && isArchive(entry.name) && 'archive', isConfiguration && 'configuration'];
  return words.filter(Boolean).join(' ');
}

function iconOf({ entry, isConfiguration }: EntryElement): ThemeIcon {
  if (isConfiguration) {
    return new ThemeIcon(entry.isDir ? 'folder-library' : 'settings');
  }
  if (!entry.isDir && !isReadableType(entry)) {
    return new ThemeIcon('plug');
  }
  return entry.isDir ? ThemeIcon.Folder : ThemeIcon.File;
}

function unusual(entry: FileEntry): string | undefined {
  if (entry.sourceHost !== undefined && entry.sourceHost !== '') {
    return l10n.t('mounted from {0}', `${entry.sourceHost}:${entry.sourcePath ?? ''}`);
  }
  return entry.isDir || isReadableType(entry) ? undefined : entry.fileType;
}

function tooltipOf(path: string, { isDir, length, lastModified, permission }: FileEntry): string {
  const facts = [
    !isDir && length !== undefined ? sizeText(length) : undefined,
    lastModified === undefined ? undefined : l10n.t('modified {0}', lastModified),
    permission,
  ].filter((fact) => fact !== undefined && fact !== '');
  return facts.length === 0 ? path : `${path}\n${facts.join(' · ')}`;
}

function accessibleName({ entry, place, isConfiguration }: EntryElement): string {
  if (isConfiguration) {
    return l10n.t('{0}, configuration, {1}', entry.name, place.path);
  }
  return entry.isDir ? l10n.t('{0}, folder', entry.name) : entry.name;
}
