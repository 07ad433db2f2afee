import { env, l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Account } from '../accounts/accounts';
import { type Environment, type Layer, takesProjects, undescribedNode } from '../containers/environment';
import type { MissingEnvironment } from '../containers/environments';
import { keyOf } from '../containers/place';
import { isProtected } from '../containers/protectedEnvironments';
import { uriOf } from '../containers/uris';
import type { CommandId } from '../manifest';
import { type FileEntry, isReadableType } from '../platform/wire/fileEntry';
import { readTimestamp } from '../platform/wire/scalars';
import { lackText } from '../ui/lackText';
import { formatBriefTime, formatExactTime } from '../ui/relativeTime';
import { sizeText } from '../ui/sizeText';
import { contextWords, problemRow, row, rowCommand, signInAgain } from './row';
import type { EntryElement, EnvironmentElement, Kinds, LayerElement, NodeElement, SharedRows } from './sharedElement';

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** The rows that several views have. Each view adds what is below them. */
export const sharedKinds: Kinds<SharedRows> = {
  account: {
    row: ({ account: { slug, label, host, isSignedOut }, isUnfolded }) =>
      row(`account ${slug}`, label, isUnfolded ? Expanded : Collapsed, {
        description: isSignedOut ? l10n.t('{0} · signed out', host) : host,
        iconPath: new ThemeIcon('account'),
        contextValue: isSignedOut ? 'account signedOut' : 'account',
      }),
  },
  signedOut: {
    row: ({ account: { slug, label, host } }) =>
      row(`signedOut ${slug}`, l10n.t('Signed out'), None, {
        description: host,
        tooltip: l10n.t('{0} no longer accepts the token for {1}. Sign in again to continue.', host, label),
        iconPath: new ThemeIcon('debug-disconnect'),
        contextValue: 'signedOut',
        command: signInAgain(slug),
        accessibilityInformation: { label: l10n.t('Signed out, {0}. Press Enter to sign in again.', host) },
      }),
  },
  unlisted: { row: ({ account }) => unlistedRow(account) },
  missing: { row: ({ missing }) => missingRow(missing) },
  environment: { row: environmentRow },
  layer: { row: layerRow },
  node: { row: nodeRow, target: ({ place }) => ({ place, isFolder: true }) },
  logs: {
    row: ({ place }) =>
      row(`logs ${keyOf(place)}`, l10n.t('Logs'), Collapsed, {
        iconPath: new ThemeIcon('output'),
        contextValue: 'logs',
      }),
  },
  entry: {
    row: entryRow,
    isTimed: ({ isLog }) => isLog === true,
    target: ({ place, entry, isConfiguration }) => ({ place, isFolder: entry.isDir, isShortcut: isConfiguration }),
  },
  problem: { row: problemRow },
};

function unlistedRow({ slug }: Account): TreeItem {
  const reason = l10n.t(
    "The access token doesn't permit {0}, which lists environments.",
    'environment.control.GetEnvs',
  );
  const label = l10n.t("Token can't list environments");
  return row(`unlisted ${slug}`, label, None, {
    tooltip: l10n.t('{0} Add environments by name.', reason),
    iconPath: new ThemeIcon('info'),
    contextValue: 'unlisted',
    command: rowCommand('gantry.environment.add', l10n.t('Add Environment…'), slug),
    accessibilityInformation: { label: l10n.t('{0}. Press Enter to add an environment by name.', label) },
  });
}

function missingRow({ account, name, title, renamedTo }: MissingEnvironment): TreeItem {
  const [description, tooltip] =
    renamedTo === undefined
      ? [
          l10n.t('deleted or renamed'),
          l10n.t("Environment {0} no longer exists. You can't save files opened from it.", name),
        ]
      : [
          l10n.t('renamed to {0}', renamedTo),
          l10n.t('{0} was renamed to {1}. Open the files there to save them.', name, renamedTo),
        ];
  return row(`missing ${account}/${name}`, title, None, {
    description,
    tooltip,
    iconPath: new ThemeIcon('question'),
    contextValue: 'missing',
  });
}

function environmentRow({ environment, isUnfolded }: EnvironmentElement): TreeItem {
  const { account, name, title, status = 'running', isAdded } = environment;
  const [icon, text] = statuses[status];
  const isRunning = status === 'running';
  const isProduction = isProtected(environment);
  const production = isProduction ? l10n.t('production') : undefined;
  const can = placesFor(environment, environment.layers);
  return row(`environment ${account}/${name}`, title, isUnfolded === true ? Expanded : Collapsed, {
    // The words come first, so that a narrow side bar shows them. The domain is in the tooltip: every view would cut it off.
    description: [production, isRunning ? '' : text(), name === title ? '' : name].filter(Boolean).join(' · '),
    iconPath: new ThemeIcon(isRunning && isProduction ? 'shield' : icon),
    tooltip: environmentTooltip(environment),
    contextValue: contextWords('environment', isAdded && 'added', isProduction && 'production', ...can),
  });
}

function environmentTooltip(environment: Environment): string {
  const { name, title, domain, status, isAdded } = environment;
  const lines = [
    title,
    l10n.t('Name: {0}', name),
    isProtected(environment) ? l10n.t('Production environment') : undefined,
    domain === undefined ? undefined : l10n.t('Address: {0}', domain),
    status === undefined ? undefined : l10n.t('Status: {0}', statuses[status][1]()),
    isAdded ? l10n.t('Added by name') : undefined,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function layerRow({ environment, layer, isUnfolded, fact }: LayerElement, account?: LackingAccount): TreeItem {
  const { id, contexts, isComplete, nodes } = layer;
  const { account: slug, name } = environment;
  const hasTwin = environment.layers.some((one) => one.id !== id && one.name === layer.name);
  const lines = [
    layer.name,
    l10n.t('ID: {0}', id),
    isComplete ? l10n.t('Nodes: {0}', nodes.length) : l10n.t('Nodes: {0} (entered manually)', nodes.length),
    contexts.length === 0 ? undefined : l10n.t('Projects: {0}', contexts.join(', ')),
    ...absentCommands(account),
  ];
  return row(`layer ${slug}/${name}/${id}`, layer.name, isUnfolded === true ? Expanded : Collapsed, {
    description: [fact ?? softwareOf(layer), hasTwin && id, nodes.length > 1 && l10n.t('{0} nodes', nodes.length)]
      .filter(Boolean)
      .join(' · '),
    iconPath: new ThemeIcon('layers'),
    tooltip: lines.filter((line) => line !== undefined).join('\n'),
    contextValue: contextWords('layer', !isComplete && 'entered', ...placesFor(environment, [layer])),
  });
}

/** What all nodes of a layer run, unless its name says so, or it isn't known. */
function softwareOf({ name, nodes }: Layer): string | undefined {
  const [software, ...others] = new Set(nodes.map((node) => node.name));
  const isKnown = nodes.every((node) => node.name !== undescribedNode(node.id).name);
  return isKnown && others.length === 0 && software !== name ? software : undefined;
}

type LackingAccount = Pick<Account, 'lackOf'> | undefined;

/** Returns why commands on layers and nodes aren't offered. */
function absentCommands(account: LackingAccount): readonly string[] {
  return (['RestartServices', 'GetContainerEnvVars'] as const).flatMap(
    (operation) => lackText(account, operation) ?? [],
  );
}

function placesFor({ domain }: Environment, layers: readonly Layer[]): readonly (string | false)[] {
  return [domain !== undefined && 'browsable', layers.some(takesProjects) && 'takesProjects'];
}

function nodeRow({ environment, node, place, isUnfolded }: NodeElement, account?: LackingAccount): TreeItem {
  const isKnown = place.target.nodeId !== undefined;
  // The row of an environment that doesn't run says so already.
  const [icon, text] = statuses.down;
  const isStopped = node.isStopped === true && environment.status === 'running';
  const status = isStopped ? text() : undefined;
  const facts = [node.id, status, node.isMaster && l10n.t('main node')];
  return row(`node ${keyOf(place)}`, node.name, isUnfolded === true ? Expanded : Collapsed, {
    description: isKnown ? facts.filter(Boolean).join(' · ') : l10n.t('read-only: node IDs unknown'),
    iconPath: new ThemeIcon(isStopped ? icon : 'vm'),
    contextValue: contextWords('node', !isKnown && 'unresolved'),
    tooltip: isKnown ? nodeTooltip(node, status, account) : l10n.t('To edit files, enter the node IDs.'),
  });
}

function nodeTooltip(node: NodeElement['node'], status: string | undefined, account: LackingAccount): string {
  return [
    node.name,
    l10n.t('ID: {0}', node.id),
    status === undefined ? undefined : l10n.t('Status: {0}', status),
    node.isMaster ? l10n.t('Main node of the layer') : undefined,
    node.type === undefined ? undefined : l10n.t('Type: {0}', node.type),
    node.address === undefined ? undefined : l10n.t('Address: {0}', node.address),
    ...absentCommands(account),
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

/** Icons and words for what the platform says of an environment. */
const statuses: Readonly<Record<NonNullable<Environment['status']>, readonly [icon: string, text: () => string]>> = {
  running: ['server-environment', () => l10n.t('running')],
  down: ['circle-slash', () => l10n.t('stopped')],
  sleeping: ['circle-slash', () => l10n.t('sleeping')],
  broken: ['error', () => l10n.t('broken')],
  launching: ['sync', () => l10n.t('starting')],
  creating: ['sync', () => l10n.t('creating')],
  cloning: ['sync', () => l10n.t('cloning')],
  updating: ['sync', () => l10n.t('updating')],
  stopping: ['sync', () => l10n.t('stopping')],
};

const archive = /\.(zip|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|7z|rar|war|ear|jar)$/i;

/** A file or folder's row. Menus distinguish rows by the words in their context value. */
function entryRow(element: EntryElement): TreeItem {
  const { place, entry } = element;
  const uri = uriOf(place);
  const item = new TreeItem(entryName(element), TreeItemCollapsibleState[entry.isDir ? 'Collapsed' : 'None']);
  item.id = entryId(element);
  item.resourceUri = uri;
  item.tooltip = entryTooltip(element);
  item.contextValue = entryContext(element);
  item.iconPath = entryIcon(element);
  item.accessibilityInformation = { label: entryLabel(element) };
  const description = entryDescription(element);
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
function entryName({ entry, isConfiguration }: EntryElement): string {
  return isConfiguration ? (entry.shortcut ?? entry.name) : entry.name;
}

function isArchive(name: string): boolean {
  return archive.test(name);
}

function entryId({ place, via }: EntryElement): string {
  return via === undefined ? `entry ${keyOf(place)}` : `entry via ${via} ${keyOf(place)}`;
}

function entryContext({ entry, isConfiguration, isOnSeveralNodes, isLog, isDeployed }: EntryElement): string {
  const kind = entry.isDir ? 'folder' : isReadableType(entry) ? 'file' : 'special';
  return contextWords(
    kind,
    !entry.isDir && isArchive(entry.name) && 'archive',
    isConfiguration && 'configuration',
    !entry.isDir && (isLog === true || /\.log$/i.test(entry.name)) && 'log',
    isOnSeveralNodes && 'severalNodes',
    isDeployed === true && 'deployed',
  );
}

function entryIcon({ entry, isConfiguration }: EntryElement): ThemeIcon {
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

function entryDescription({ place, entry, isConfiguration, isLog }: EntryElement): string | undefined {
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
function entryTooltip({ place, entry, isConfiguration }: EntryElement): string {
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
    entryType(entry),
    !entry.isDir && length !== undefined ? l10n.t('Size: {0}', sizeText(length, env.language)) : undefined,
    when === undefined || when === '' ? undefined : l10n.t('Modified: {0}', when),
    permission === undefined || permission === '' ? undefined : l10n.t('Permissions: {0}', permission),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function entryType(entry: FileEntry): string | undefined {
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
function entryLabel(element: EntryElement): string {
  const { entry, place, isConfiguration } = element;
  const name = entryName(element);
  if (isConfiguration) {
    return entry.isDir
      ? l10n.t('{0}, {1}, shortcut to a folder', name, place.path)
      : l10n.t('{0}, {1}, shortcut to a configuration file', name, place.path);
  }
  const kind = entry.isDir ? l10n.t('{0}, folder', name) : name;
  const description = entryDescription(element);
  return description === undefined ? kind : `${kind}, ${description}`;
}
