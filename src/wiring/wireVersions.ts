// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import { join } from 'node:path';
import type { FilePlace } from '../containers/place';
import { readWholeText } from '../files/wholeText';
import { versionCommands } from '../versions/versionCommands';
import { VersionKeeping } from '../versions/versionKeepingNotice';
import { VersionStore } from '../versions/versionStore';
import type { WiringDeps } from './wiringDeps';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';

interface VersionWiringDeps
  extends
    WiringDeps,
    Pick<FileParts, 'environments' | 'containers' | 'listings' | 'edits' | 'turns' | 'writeOver'>,
    Pick<FileTreeParts, 'targets'> {}

/** Earlier versions of saved files. */
export function wireVersions(deps: VersionWiringDeps) {
  const { containers, listings, turns: queue, report } = deps;
  const store = new VersionStore(join(deps.storageFolder, 'versions'));
  const keeping = new VersionKeeping(store, report);
  const read = (file: FilePlace, signal?: AbortSignal) => readWholeText(file, { containers, listings }, signal);
  const commands = versionCommands({ ...deps, queue, store, keeping, read });
  return {
    commands,
    disposables: [],
    store,
    noteSaved: keeping.note.bind(keeping),
    forgetAccount: (slug: string) => store.forgetAccount(slug),
  };
}
