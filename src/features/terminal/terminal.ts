import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { UserIds } from './sshDestination';
import { SshTerminals, terminalCommands } from './terminalCommands';

/** Opens the person's own `ssh` on a node, or copies its command. */
export function createTerminals(services: Services, own: Own) {
  const userIds = new UserIds(services.state);
  const terminals = own(new SshTerminals(userIds, services.report));
  return {
    commands: terminalCommands(services, userIds, terminals),
    forgetAccount: (slug: string) => userIds.forgetAccount(slug),
  };
}
