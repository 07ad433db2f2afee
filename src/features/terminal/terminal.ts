import { homedir } from 'node:os';
import {
  commands as vscodeCommands,
  env,
  ExtensionKind,
  extensions,
  l10n,
  type Terminal,
  TerminalExitReason,
  type TerminalOptions,
  ThemeIcon,
  window,
  workspace,
} from 'vscode';
import type { Account } from '../../accounts/accounts';
import { type Environment, mustBeStarted, nodeLabel } from '../../containers/environment';
import { type Container, type EnvironmentPart, partOfRow } from '../../containers/environmentPart';
import { askForPart, listContainers } from '../../ui/commands/environmentPartPrompts';
import type { Environments } from '../../containers/environments';
import { type FilePlace, parentOrSelf } from '../../containers/place';
import type { Own } from '../../gantry';
import type { CommandId } from '../../manifest';
import type { Services } from '../../services';
import type { Call } from '../../ui/commands/call';
import { command } from '../../ui/commands/command';
import { step } from '../../ui/commands/runner';
import { containersInLayerOf } from '../../ui/commands/targets';
import { escapeIcons } from '../../ui/escapeMarkup';
import { ExpectedError } from '../../ui/expectedError';
import { type OtherButtons, showErrorMessage } from '../../ui/notifications';
import { connectionFailedCode, posixLine, powerShellLine } from './sshCommand';
import { askForSshArguments, askForUserId, type ShellPlace, UserIds } from './sshDestination';

/** Opens the person's own `ssh` on a node, or copies its command. */
export function createTerminals(services: Services, own: Own) {
  const userIds = new UserIds(services.state);
  const terminals = own(new SshTerminals(userIds, services.report));
  return {
    commands: terminalCommands(services, userIds, terminals),
    forgetAccount: (slug: string) => userIds.forgetAccount(slug),
  };
}

const extensionId = 'gantry.gantry';

function terminalCommands(services: Services, userIds: UserIds, terminals: SshTerminals) {
  return {
    'gantry.terminal.open': command(
      'environment',
      (call) => {
        ensureTrusted();
        return shellPlaceMeant(call, services);
      },
      (place) => openTerminal(place, services.environments, userIds, terminals),
    ),

    'gantry.terminal.copyCommand': command(
      'environment',
      (call) => shellPlaceMeant(call, services),
      step({
        ask: (place) => askForSshArguments(place, userIds),
        run: ({ folder }, args) => env.clipboard.writeText(commandLine(args, folder)),
        done: () => ({ icon: 'terminal', status: l10n.t('Copied the SSH command') }),
      }),
    ),
  };
}

/** Throws before a node is asked for. */
function ensureTrusted(): void {
  if (!workspace.isTrusted) {
    throw new ExpectedError(
      l10n.t("Couldn't open a terminal: this window is in Restricted Mode. Trust its folders, then try again."),
    );
  }
}

async function openTerminal(
  place: ShellPlace,
  environments: Environments,
  userIds: UserIds,
  terminals: SshTerminals,
): Promise<void> {
  const { account, environment, node } = place;
  const current = (await environments.now(account)).find(({ name }) => name === environment.name) ?? environment;
  if (mustBeStarted(current.status)) {
    const text = l10n.t(
      "Couldn't open a terminal: {0} isn't running. Start it in the dashboard, then try again.",
      environment.title,
    );
    await offerDashboard(text, account);
    return;
  }
  const args = await askForSshArguments(place, userIds);
  if (args !== undefined) {
    terminals.open(args, {
      account,
      nodeName: nodeLabel(node, environment),
      line: () => commandLine(args, place.folder),
    });
  }
}

function commandLine(args: readonly string[], folder: string | undefined): string {
  const line = process.platform === 'win32' ? powerShellLine(args, folder) : posixLine(args);
  if (line === undefined) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't copy the command: PowerShell can't pass quotation marks in a path. Copy the node's command instead.",
      ),
    );
  }
  return line;
}

/** Returns the node of the row or file that the command was called on, or asks for one. */
async function shellPlaceMeant(call: Call, services: Services): Promise<ShellPlace | undefined> {
  const part = await partOfRow(call.object, services);
  if (part?.node !== undefined) {
    return shellPlace(part, undefined, services);
  }
  const [target] = await services.targets.all(call);
  const folder = target && (target.isFolder ? target.place : parentOrSelf(target.place));
  const around = folder === undefined ? [] : await nodesAround(folder, services);
  const [only, ...others] = around;
  const isClear = only !== undefined && others.length === 0;
  return shellPlace(isClear ? only : await askForNode(around, services, part?.environment), folder?.path, services);
}

function shellPlace(
  part: EnvironmentPart | undefined,
  folder: string | undefined,
  { accounts }: Services,
): ShellPlace | undefined {
  const account = part && accounts.find(part.environment.account);
  return account === undefined || part?.node === undefined
    ? undefined
    : { account, environment: part.environment, node: part.node, folder };
}

/** Returns the folder's node, or all nodes of its layer. */
async function nodesAround(folder: FilePlace, services: Services): Promise<Container[]> {
  const { nodeId } = folder.target;
  const inLayer = await containersInLayerOf(folder, services);
  return inLayer.filter(({ node }) => node !== undefined && (nodeId === undefined || node.id === nodeId));
}

async function askForNode(
  around: readonly Container[],
  services: Services,
  environment: Environment | undefined,
): Promise<Container | undefined> {
  const list = around.length > 0 ? { all: around, problems: [] } : await listContainers(services, environment);
  return askForPart(list, l10n.t('Select the node to connect to'), ({ node }) => node !== undefined);
}

interface SshSession {
  readonly account: Account;
  readonly nodeName: string;
  /** Returns the same command as a line to copy. Throws if there's none. */
  readonly line: () => string;
}

/** The terminals that run `ssh`. If one fails, says what to do, because it closes with everything that it printed. */
class SshTerminals {
  private readonly sessions = new Map<Terminal, SshSession>();
  private readonly following = window.onDidCloseTerminal((terminal) => {
    const session = this.sessions.get(terminal);
    this.sessions.delete(terminal);
    const { code, reason } = terminal.exitStatus ?? {};
    if (session !== undefined && code === connectionFailedCode && reason === TerminalExitReason.Process) {
      this.explain(session).catch(this.report);
    }
  });

  constructor(
    private readonly userIds: UserIds,
    private readonly report: (error: unknown) => void,
  ) {}

  open(args: readonly string[], session: SshSession): void {
    const terminal = window.createTerminal({
      name: escapeIcons(session.nodeName),
      iconPath: new ThemeIcon('vm'),
      // A list, which no shell on this computer parses.
      shellPath: 'ssh',
      shellArgs: [...args],
      ...startFolder(env.remoteName, extensions.getExtension(extensionId)?.extensionKind),
      // Nothing is connected to again until the person asks for it.
      isTransient: true,
    });
    this.sessions.set(terminal, session);
    terminal.show();
  }

  dispose(): void {
    this.following.dispose();
  }

  private async explain({ account, nodeName, line }: SshSession): Promise<void> {
    const text = l10n.t(
      "Couldn't connect to {0} over SSH, or the connection was lost. If your account has no public SSH key yet, add one in the dashboard under Settings › SSH Keys › Public Keys.",
      nodeName,
    );
    const copy = () => env.clipboard.writeText(line());
    const change = () => askForUserId(account, this.userIds);
    const isEntered = this.userIds.entered(account.slug) !== undefined;
    await offerDashboard(
      text,
      account,
      new Map<string, () => unknown>([
        [l10n.t('Copy SSH Command'), copy],
        ...(isEntered ? [[l10n.t('Change User ID'), change] as const] : []),
      ]),
    );
  }
}

/**
 * Returns where `ssh` is started. A folder of the window may not exist on this computer, or hold a program of this name.
 * The terminals of a remote window are on the other computer, even if Gantry runs on this one.
 */
function startFolder(remoteName: string | undefined, kind: ExtensionKind | undefined): Pick<TerminalOptions, 'cwd'> {
  return remoteName !== undefined && kind === ExtensionKind.UI ? {} : { cwd: homedir() };
}

/** Shows an error that the person can fix in the dashboard. */
async function offerDashboard(text: string, account: Account, others: OtherButtons = new Map()): Promise<void> {
  const open = l10n.t('Open Dashboard');
  const chosen = await showErrorMessage(text, open, ...others.keys());
  if (chosen === open) {
    const command: CommandId = 'gantry.environment.openDashboard';
    await vscodeCommands.executeCommand(command, account.slug);
  } else {
    await others.get(chosen ?? '')?.();
  }
}
