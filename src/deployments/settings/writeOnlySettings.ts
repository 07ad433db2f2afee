import * as v from 'valibot';
import { digestOf, JsonFolder } from '../../storage/jsonFolder';
import { noWriteOnlySettings, type WriteOnlySettings } from './projectFields';
import { projectKey, type ProjectPlace } from '../projectPlace';

export const storedHooks = v.object({
  preDeploy: v.exactOptional(v.string()),
  postDeploy: v.exactOptional(v.string()),
  preBuild: v.exactOptional(v.string()),
  postBuild: v.exactOptional(v.string()),
});
const stored = v.pipe(
  v.object({ keyId: v.optional(v.number()), hooks: v.optional(storedHooks), delay: v.optional(v.number()) }),
  v.transform(({ keyId, hooks, delay }): WriteOnlySettings => ({ keyId, hooks, delay })),
);

/**
 * Stores the settings that the platform never returns, because every edit must send them again. Only the owner can read
 * the files, because scripts may contain secrets. Passwords are never stored.
 */
export class WriteOnlySettingsStore {
  private readonly files: JsonFolder<WriteOnlySettings>;

  constructor(folder: string) {
    this.files = new JsonFolder(folder, stored);
  }

  /**
   * Returns `undefined` if nothing was set from this computer, or only by another version. Rejects if the file can't be
   * read, because a change sent without these values would remove the hooks and the SSH key.
   */
  find(place: ProjectPlace): Promise<WriteOnlySettings | undefined> {
    return this.files.read(keyFor(place));
  }

  async of(place: ProjectPlace): Promise<WriteOnlySettings> {
    return (await this.find(place)) ?? noWriteOnlySettings;
  }

  keep(place: ProjectPlace, writeOnlySettings: WriteOnlySettings): Promise<void> {
    return this.files.write(keyFor(place), writeOnlySettings);
  }

  forget(place: ProjectPlace): Promise<void> {
    return this.files.remove(keyFor(place));
  }

  forgetAccount(account: string): Promise<void> {
    return this.files.removeAll(account);
  }
}

function keyFor(place: ProjectPlace): string {
  return `${place.account}/${digestOf(projectKey(place))}`;
}
