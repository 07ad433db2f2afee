import { commands, env, l10n, workspace } from 'vscode';
import * as v from 'valibot';
import type { Account } from '../../accounts/accounts';
import { type Environment, type Node, nodeLabel } from '../../containers/environment';
import { isLoopback } from '../../platform/address';
import { isPlatformError, type PlatformErrorKind } from '../../platform/errors';
import { type Memory, StoredRecord } from '../../storage/stores';
import { ExpectedError } from '../../ui/expectedError';
import { showErrorMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askInTurn } from '../../ui/prompts';
import { loginAt, parseGate, sshArguments, type SshGate, type UnsafePart, userIdIn, usualGate } from './sshCommand';

/** A node, and the folder on it where a shell starts; `undefined` is the user's home folder. */
export interface ShellPlace {
  readonly account: Account;
  readonly environment: Environment;
  readonly node: Node;
  readonly folder: string | undefined;
}

/**
 * Returns the arguments of `ssh` for a node. Asks for the person's user ID if the platform doesn't say it. `undefined` if
 * canceled, or if the gate is unknown, which is said.
 */
export async function askForSshArguments(
  { account, environment, node, folder }: ShellPlace,
  userIds: UserIds,
): Promise<readonly string[] | undefined> {
  const gate = await gateOf(account);
  if (gate === undefined) {
    return undefined;
  }
  const known = await withProgress(l10n.t('Reading your user ID'), ({ signal }) =>
    userIds.find(account, environment, signal),
  );
  const userId = known ?? (await askForUserId(account, userIds));
  if (userId === undefined) {
    return undefined;
  }
  const built = sshArguments({ gate, login: loginAt(node.id, userId), folder });
  if ('ok' in built) {
    return built.ok;
  }
  throw new ExpectedError(unsafeText(built.unsafe, nodeLabel(node, environment, environment)));
}

/** Asks for the ID that the platform didn't say, and remembers it. */
export async function askForUserId(account: Account, userIds: UserIds): Promise<number | undefined> {
  const entered = await askInTurn(l10n.t('User ID of {0}', account.label), [
    {
      key: 'userId',
      prompt: l10n.t(
        'The dashboard shows an SSH command for each node. Paste it, or enter the number between the hyphen and the @.',
      ),
      placeholder: 'ssh 12345-678@gate.example.com -p 3022',
      value: String(userIds.entered(account.slug) ?? ''),
      problem: (text) =>
        userIdIn(text) === undefined ? l10n.t('Enter a number, such as 678, or paste the whole command.') : undefined,
    },
  ]);
  const userId = userIdIn(entered?.['userId'] ?? '');
  if (userId !== undefined) {
    await userIds.enter(account.slug, userId);
  }
  return userId;
}

/** Has machine scope, so that no workspace decides where a person connects to. */
async function gateOf({ host }: Account): Promise<SshGate | undefined> {
  const setting = workspace.getConfiguration('gantry').get<unknown>('ssh.gate');
  const entries: readonly (readonly [string, unknown])[] =
    typeof setting === 'object' && setting !== null ? Object.entries(setting) : [];
  const [, set = ''] = entries.find(([platform]) => platform.toLowerCase() === host) ?? [];
  const gate = set === '' ? usualGate(host) : typeof set === 'string' ? parseGate(set) : undefined;
  if (gate !== undefined) {
    return gate;
  }
  const text =
    set === ''
      ? unknownGateText(host)
      : l10n.t(
          "The SSH gate of {0} in the gantry.ssh.gate setting isn't valid. Enter a host name, such as gate.example.com, or gate.example.com:3022.",
          host,
        );
  const open = l10n.t('Open Settings');
  if ((await showErrorMessage(text, open)) === open) {
    // A remote window has it only in the settings of the other computer.
    const settings = env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
    await commands.executeCommand(`workbench.action.${settings}`, { query: '@id:gantry.ssh.gate' });
  }
  return undefined;
}

/** A platform on this computer is most likely the sample, for which nothing helps. */
function unknownGateText(host: string): string {
  return isLoopback(new URL(`http://${host}`).hostname)
    ? l10n.t(
        "Terminals can't connect to {0}, because the sample platform has no SSH gate. For another platform on this computer, add its gate to the gantry.ssh.gate setting.",
        host,
      )
    : l10n.t('The SSH gate of {0} is unknown. Add it to the gantry.ssh.gate setting.', host);
}

function unsafeText(part: UnsafePart, node: string): string {
  return part === 'folder'
    ? l10n.t("Couldn't open the folder on {0}: its path contains control characters.", node)
    : l10n.t("Couldn't connect to {0}: its ID or your user ID isn't valid.", node);
}

/** The kinds of errors by which a platform, or a token, can't say who the person is. */
const cannotSay: readonly PlatformErrorKind[] = [
  ...(['tokenLacksMethod', 'forbidden', 'notFound', 'invalid', 'protocol', 'platform'] as const),
];

/** The IDs by which SSH gates know the person, one for each account. They aren't secret. */
export class UserIds {
  private readonly stored;

  constructor(memory: Memory) {
    this.stored = new StoredRecord(memory, 'gantry.sshUserIds', v.number());
  }

  entered(account: string): number | undefined {
    return this.stored.get(account);
  }

  async enter(account: string, userId: number): Promise<void> {
    await this.stored.set(account, userId);
  }

  async forgetAccount(account: string): Promise<void> {
    await this.stored.remove((slug) => slug === account);
  }

  /** Returns the ID if the person entered it, or the platform says it. */
  async find(account: Account, environment: Environment, signal: AbortSignal): Promise<number | undefined> {
    return this.entered(account.slug) ?? (await idFromPlatform(account, signal)) ?? environment.ownUserId;
  }
}

async function idFromPlatform(account: Account, signal: AbortSignal): Promise<number | undefined> {
  if (account.lacks('GetUserInfo')) {
    return undefined;
  }
  try {
    return (await account.call('GetUserInfo', {}, { signal })).uid;
  } catch (error) {
    if (isPlatformError(error) && cannotSay.includes(error.kind)) {
      return undefined;
    }
    throw error;
  }
}
