// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { SshTerminals } from '../terminal/sshTerminalNotice';
import { terminalCommands } from '../terminal/terminalCommands';
import { UserIds } from '../terminal/userIds';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';
import type { WiringDeps } from './wiringDeps';

interface TerminalWiringDeps
  extends WiringDeps, Pick<FileParts, 'accounts' | 'environments'>, Pick<FileTreeParts, 'targets'> {}

/** Terminals on nodes, over SSH. */
export function wireTerminal({ accounts, environments, targets, state, report }: TerminalWiringDeps) {
  const userIds = new UserIds(state);
  const terminals = new SshTerminals(userIds, report);
  return {
    commands: terminalCommands({ accounts, environments, targets, userIds, terminals }),
    disposables: [terminals],
    forgetAccount: (slug: string) => userIds.forgetAccount(slug),
  };
}
