import { type Command, env, l10n, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Account } from '../accounts/accounts';
import { type Environment, type Layer, takesProjects, undescribedNode } from '../containers/environment';
import type { MissingEnvironment } from '../containers/environments';
import { keyOf } from '../containers/place';
import { isProtected } from '../containers/protectedEnvironments';
import type { CommandId } from '../manifest';
import { isPlatformError } from '../platform/errors';
import { failureReason, failureText, isExpected } from '../ui/failureMessages';
import { command } from '../ui/commands/command';
import { lackText } from '../ui/lackText';
import { operationLabel } from '../ui/operationLabels';
import { entryRow } from './entryRow';
import type { EnvironmentElement, Kinds, LayerElement, NodeElement, ProblemElement, SharedRows } from './sharedElement';

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** Sets the accessibility label to label and description, because VS Code would use the tooltip instead. */
export function row(id: string, label: string, state: TreeItemCollapsibleState, rest: Partial<TreeItem>): TreeItem {
  const item = new TreeItem(label, state);
  const spoken = [label, rest.description].filter((part) => typeof part === 'string' && part !== '').join(', ');
  return Object.assign(item, { id, accessibilityInformation: { label: spoken } }, rest);
}

/** What a click on a row does. */
export function rowCommand(command: CommandId, title: string, argument: unknown): Command {
  return { command, title, arguments: [argument] };
}

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

function signInAgain(slug: string): Command {
  return rowCommand('gantry.account.signInAgain', l10n.t('Sign In Again'), slug);
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
    contextValue: words('environment', isAdded && 'added', isProduction && 'production', ...can),
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
    contextValue: words('layer', !isComplete && 'entered', ...placesFor(environment, [layer])),
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

/** Menus offer a command where the context value has the word for it. */
function words(...all: readonly (string | false)[]): string {
  return all.filter((word) => word !== false).join(' ');
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
    contextValue: words('node', !isKnown && 'unresolved'),
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

/** Shows the error before the operation, because a narrow side bar truncates the row. */
function problemRow(problem: ProblemElement): TreeItem {
  const { id, error, what, slug } = problem;
  const { label, reason } = wordsFor(error);
  const whole = what === undefined ? failureText(error) : `${what}: ${failureText(error)}`;
  const begins = `${reason.slice(0, 1).toLocaleUpperCase(env.language)}${reason.slice(1)}`;
  const isRefused = isPlatformError(error) && error.kind === 'unauthenticated' && slug !== undefined;
  return row(id, what === undefined ? begins : `${what}: ${reason}`, None, {
    iconPath: new ThemeIcon('warning'),
    ...(label === undefined ? {} : { description: label }),
    tooltip: whole,
    contextValue: words('problem', !isExpected(error) && 'unexpected'),
    command: isRefused ? signInAgain(slug) : rowCommand('gantry.view.retry', l10n.t('Retry'), problem),
    accessibilityInformation: {
      label: isRefused
        ? l10n.t('{0} Press Enter to sign in again.', whole)
        : l10n.t('{0} Press Enter to retry.', whole),
    },
  });
}

/** Returns the operation and why it failed, or no label if the sentence alone says both. */
function wordsFor(error: unknown): { readonly label: string | undefined; readonly reason: string } {
  return isPlatformError(error) && error.target !== undefined
    ? { label: operationLabel(error.operation), reason: failureReason(error) }
    : { label: undefined, reason: failureText(error) };
}

/** Tries again what failed, from the row that says so. */
export const retryCommand = command(
  'rows',
  ({ object }) => (canRetry(object) ? object : undefined),
  (problem) => problem.retry(),
);

function canRetry(row: object | undefined): row is Pick<ProblemElement, 'retry'> {
  return row !== undefined && 'retry' in row && typeof row.retry === 'function';
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
