import { env, l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { uriOf } from '../containers/uris';
import { type FileEntry, isReadableType } from '../platform/wire/fileEntry';
import { keyOf } from '../containers/place';
import type { CommandId } from '../manifest';
import { readTimestamp } from '../platform/wire/scalars';
import { formatBriefTime, formatExactTime } from '../ui/relativeTime';
import { sizeText } from '../ui/sizeText';
import type { EntryElement } from './sharedElement';

const archive = /\.(zip|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|7z|rar|war|ear|jar)$/i;

/** A file or folder's row. Menus distinguish rows by the words in their context value. */
export function entryRow(element: EntryElement): TreeItem {
  const { place, entry } = element;
  const uri = uriOf(place);
  const item = new TreeItem(nameOf(element), TreeItemCollapsibleState[entry.isDir ? 'Collapsed' : 'None']);
  item.id = idOf(element);
  item.resourceUri = uri;
  item.tooltip = tooltipOf(element);
  item.contextValue = contextOf(element);
  item.iconPath = iconOf(element);
  item.accessibilityInformation = { label: accessibleName(element) };
  const description = descriptionOf(element);
  if (description !== undefined) {
    item.description = description;
  }
  if (!entry.isDir && isReadableType(entry)) {
    const isLog = element.isLog === true && !isArchive(entry.name);
    const openLog: CommandId = 'gantry.logs.open';
    item.command = { command: isLog ? openLog : 'vscode.open', title: l10n.t('Open'), arguments: [uri] };
  }
  return item;
}

/** The platform's shortcuts keep their own names: several may lead to folders of the same name. */
function nameOf({ entry, isConfiguration }: EntryElement): string {
  return isConfiguration ? (entry.shortcut ?? entry.name) : entry.name;
}

function isArchive(name: string): boolean {
  return archive.test(name);
}

function idOf({ place, via }: EntryElement): string {
  return via === undefined ? `entry ${keyOf(place)}` : `entry via ${via} ${keyOf(place)}`;
}

function contextOf({ entry, isConfiguration, isOnSeveralNodes, isLog, isDeployed }: EntryElement): string {
  const kind = entry.isDir ? 'folder' : isReadableType(entry) ? 'file' : 'special';
  const words = [
    kind,
    !entry.isDir && isArchive(entry.name) && 'archive',
    isConfiguration && 'configuration',
    !entry.isDir && (isLog === true || /\.log$/i.test(entry.name)) && 'log',
    isOnSeveralNodes && 'severalNodes',
    isDeployed === true && 'deployed',
  ];
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

function descriptionOf({ place, entry, isConfiguration, isLog }: EntryElement): string | undefined {
  if (isConfiguration) {
    return place.path;
  }
  const { length, lastModified } = entry;
  const modified = readTimestamp(lastModified);
  const facts = [
    length === undefined ? undefined : sizeText(length, env.language),
    modified === undefined ? undefined : formatBriefTime(modified),
  ];
  return isLog === true && !entry.isDir ? facts.filter((fact) => fact !== undefined).join(' · ') : unusual(entry);
}

/** What the row can't show: the path, the type, where it's from, size, time, and permissions. */
function tooltipOf({ place, entry, isConfiguration }: EntryElement): string {
  // A node's shortcuts are read once, so the details of what they lead to may be old.
  const { length, lastModified, permission }: Partial<FileEntry> = isConfiguration ? {} : entry;
  const modified = readTimestamp(lastModified);
  const when = modified === undefined ? lastModified : formatExactTime(modified);
  const lines = [
    place.path,
    isConfiguration
      ? entry.isDir
        ? l10n.t('Shortcut to a folder')
        : l10n.t('Shortcut to a configuration file')
      : undefined,
    typeOf(entry),
    !entry.isDir && length !== undefined ? l10n.t('Size: {0}', sizeText(length, env.language)) : undefined,
    when === undefined || when === '' ? undefined : l10n.t('Modified: {0}', when),
    permission === undefined || permission === '' ? undefined : l10n.t('Permissions: {0}', permission),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function typeOf(entry: FileEntry): string | undefined {
  const mounted = unusual(entry);
  if (mounted !== undefined) {
    return l10n.t('Type: {0}', mounted);
  }
  if (entry.isDir) {
    return l10n.t('Type: folder');
  }
  return entry.fileType === 'symbolic link' ? l10n.t('Type: symbolic link') : l10n.t('Type: file');
}

/** In the order in which the row shows it: the name, and what comes after it. */
function accessibleName(element: EntryElement): string {
  const { entry, place, isConfiguration } = element;
  const name = nameOf(element);
  if (isConfiguration) {
    return entry.isDir
      ? l10n.t('{0}, {1}, shortcut to a folder', name, place.path)
      : l10n.t('{0}, {1}, shortcut to a configuration file', name, place.path);
  }
  const kind = entry.isDir ? l10n.t('{0}, folder', name) : name;
  const description = descriptionOf(element);
  return description === undefined ? kind : `${kind}, ${description}`;
}
