// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import '../services/files';
import {
  compatibilityCommands,
  mentionLeftFolders,
  warnAboutUnreadableChecks,
} from '../compatibility/checkCompatibilityFlow';
import { dangerText } from '../compatibility/reportText';
import type { FileParts } from '../services/files';
import type { Host } from '../services';

interface CompatibilityWiringDeps
  extends Host, Pick<FileParts, 'accounts' | 'environments' | 'listings' | 'compatibility' | 'presence'> {
  readonly version: string;
}

/** The check of what a platform can do. */
export function wireCompatibility({ compatibility: store, ...deps }: CompatibilityWiringDeps) {
  return {
    explainDanger: dangerText,
    warnAboutUnreadableChecks: () => warnAboutUnreadableChecks({ accounts: deps.accounts, compatibility: store }),
    mentionLeftFolders: async () => {
      await deps.accounts.untilRead();
      await Promise.all(deps.accounts.list.map((account) => mentionLeftFolders({ ...deps, store }, account)));
    },
    commands: compatibilityCommands({ ...deps, store }),
    disposables: [],
  };
}
