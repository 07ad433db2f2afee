import { homedir } from 'node:os';
import {
  commands,
  env,
  ExtensionKind,
  extensions,
  l10n,
  type Terminal,
  TerminalExitReason,
  type TerminalOptions,
  ThemeIcon,
  window,
} from 'vscode';
import type { Account } from '../accounts/accounts';
import type { CommandId } from '../manifest';
import { showErrorMessage, type OtherButtons } from '../ui/notifications';
import { connectionFailedCode } from './sshCommand';
import { askForUserId } from './sshDestinationPrompt';
import type { UserIds } from './userIds';
import { escapeIcons } from '../ui/escapeMarkup';

const extensionId = 'gantry.gantry';

interface SshSession {
  readonly account: Account;
  readonly nodeName: string;
  /** Returns the same command as a line to copy. Throws if there's none. */
  readonly line: () => string;
}

/** The terminals that run `ssh`. If one fails, says what to do, because it closes with everything that it printed. */
export class SshTerminals {
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
      ...{ shellPath: 'ssh', shellArgs: [...args] },
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
export function startFolder(
  remoteName: string | undefined,
  kind: ExtensionKind | undefined,
): Pick<TerminalOptions, 'cwd'> {
  return remoteName !== undefined && kind === ExtensionKind.UI ? {} : { cwd: homedir() };
}

/** Shows an error that the person can fix in the dashboard. */
export async function offerDashboard(text: string, account: Account, others: OtherButtons = new Map()): Promise<void> {
  const open = l10n.t('Open Dashboard');
  const chosen = await showErrorMessage(text, open, ...others.keys());
  if (chosen === open) {
    const command: CommandId = 'gantry.environment.openDashboard';
    await commands.executeCommand(command, account.slug);
  } else {
    await others.get(chosen ?? '')?.();
  }
}
