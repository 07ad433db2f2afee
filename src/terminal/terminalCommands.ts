import { env, l10n, workspace } from 'vscode';
import type { Account, Accounts } from '../accounts/accounts';
import { type Environment, type Node, nodeLabel } from '../containers/environment';
import { containersInLayerOf } from '../containers/containerPrompt';
import { type Container, type EnvironmentPart, partOfRow } from '../containers/environmentPart';
import { listContainers, partAt, partChoices } from '../containers/environmentPartPrompts';
import type { Environments } from '../containers/environments';
import { type FilePlace, parentOf } from '../containers/place';
import type { CommandTargets } from '../fileTree/commandTargets';
import { ExpectedError } from '../ui/expectedError';
import { askChoice } from '../ui/quickPick';
import { posixLine, powerShellLine } from './sshCommand';
import { askForSshArguments } from './sshDestinationPrompt';
import { offerDashboard, type SshTerminals } from './sshTerminalNotice';
import type { UserIds } from './userIds';
import { showStatusMessage } from '../ui/statusBar';

export interface TerminalCommandsDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly targets: Pick<CommandTargets, 'all'>;
  readonly userIds: UserIds;
  readonly terminals: SshTerminals;
}

/** A node, and the folder on it where a shell starts; `undefined` is the user's home folder. */
interface ShellPlace {
  readonly account: Account;
  readonly environment: Environment;
  readonly node: Node;
  readonly folder: string | undefined;
}

/** Opens the person's own `ssh` on a node, or copies its command. */
export function terminalCommands(deps: TerminalCommandsDeps) {
  return {
    async 'gantry.terminal.open'(...received: readonly unknown[]) {
      if (!workspace.isTrusted) {
        throw new ExpectedError(
          l10n.t("Couldn't open a terminal: this window is in Restricted Mode. Trust its folders, then try again."),
        );
      }
      const place = await shellPlaceMeant(received, deps);
      if (place !== undefined) {
        await openTerminal(place, deps);
      }
    },

    async 'gantry.terminal.copyCommand'(...received: readonly unknown[]) {
      const place = await shellPlaceMeant(received, deps);
      const args = place && (await askForSshArguments(place, deps.userIds));
      if (args !== undefined) {
        await env.clipboard.writeText(commandLine(args, place?.folder));
        showStatusMessage('terminal', l10n.t('Copied the SSH command'), 3000);
      }
    },
  };
}

async function openTerminal(place: ShellPlace, { environments, userIds, terminals }: TerminalCommandsDeps) {
  const { account, environment, node } = place;
  const current = (await environments.now(account)).find(({ name }) => name === environment.name) ?? environment;
  if ((current.status ?? 'running') !== 'running') {
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
async function shellPlaceMeant(
  received: readonly unknown[],
  deps: TerminalCommandsDeps,
): Promise<ShellPlace | undefined> {
  const part = await partOfRow(received[0], deps);
  if (part?.node !== undefined) {
    return shellPlace(part, undefined, deps);
  }
  const [target] = await deps.targets.all(received);
  const folder = target && (target.isFolder ? target.place : (parentOf(target.place) ?? target.place));
  const around = folder === undefined ? [] : await nodesAround(folder, deps);
  const [only, ...others] = around;
  const isClear = only !== undefined && others.length === 0;
  return shellPlace(isClear ? only : await askForNode(around, deps, part?.environment), folder?.path, deps);
}

function shellPlace(
  part: EnvironmentPart | undefined,
  folder: string | undefined,
  { accounts }: TerminalCommandsDeps,
): ShellPlace | undefined {
  const account = part && accounts.find(part.environment.account);
  return account === undefined || part?.node === undefined
    ? undefined
    : { account, environment: part.environment, node: part.node, folder };
}

/** Returns the folder's node, or all nodes of its layer. */
async function nodesAround(folder: FilePlace, deps: TerminalCommandsDeps): Promise<Container[]> {
  const { nodeId } = folder.target;
  const inLayer = await containersInLayerOf(folder, deps);
  return inLayer.filter(({ node }) => node !== undefined && (nodeId === undefined || node.id === nodeId));
}

async function askForNode(
  around: readonly Container[],
  deps: TerminalCommandsDeps,
  environment: Environment | undefined,
): Promise<Container | undefined> {
  const list = around.length > 0 ? { all: around, problems: [] } : await listContainers(deps, environment);
  const rows = partChoices(list, ({ node }) => node !== undefined);
  return partAt(list, await askChoice<string>(rows, { placeHolder: l10n.t('Select the node to connect to') }));
}
