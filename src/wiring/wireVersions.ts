// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { join } from 'node:path';
import type { FilePlace } from '../containers/place';
import { readWholeText } from '../files/wholeText';
import { versionsFolder } from '../storage/storageKeys';
import { versionCommands } from '../versions/versionCommands';
import { VersionKeeping } from '../versions/versionKeepingNotice';
import { VersionStore } from '../versions/versionStore';
import type { WiringDeps } from './wiringDeps';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';

interface VersionWiringDeps
  extends
    WiringDeps,
    Pick<FileParts, 'accounts' | 'environments' | 'containers' | 'listings' | 'edits' | 'turns' | 'writeOver'>,
    Pick<FileTreeParts, 'targets'> {}

/** Earlier versions of saved files. */
export function wireVersions(deps: VersionWiringDeps) {
  const { accounts, containers, listings, turns: queue, report } = deps;
  const store = new VersionStore(join(deps.storageFolder, versionsFolder));
  const keeping = new VersionKeeping({ store, accounts, report });
  const read = (file: FilePlace) => readWholeText(file, { containers, listings });
  const commands = versionCommands({ ...deps, queue, store, keeping, read });
  return {
    commands,
    disposables: [],
    store,
    noteSaved: keeping.note.bind(keeping),
    noteFollowed: keeping.noteFollowed.bind(keeping),
    /** Removes old versions even if nothing is saved anymore. */
    prune: async () => {
      await accounts.loaded;
      await Promise.all(accounts.list.map(({ slug }) => store.prune(slug)));
    },
    forgetAccount: (slug: string) => keeping.forgetAccount(slug),
  };
}
