import type { Services } from '../../services';
import { compatibilityCommands, warnAboutUnreadableChecks } from './compatibilityCommands';
import { mentionLeftFolders } from './leftFolders';

/** The check of what a platform can do. */
export function createCompatibility(services: Services) {
  const { accounts } = services;
  return {
    commands: compatibilityCommands(services),
    warnAboutUnreadableChecks: () => warnAboutUnreadableChecks(services),
    mentionLeftFolders: async () => {
      await accounts.untilRead();
      await Promise.all(accounts.list.map((account) => mentionLeftFolders(services, account)));
    },
  };
}
