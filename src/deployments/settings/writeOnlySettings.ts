import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { readIfThere, writePrivateFile } from '../../storage/privateFiles';
import { noWriteOnlySettings, type WriteOnlySettings } from './projectFields';
import { projectKey, type ProjectPlace } from '../projectPlace';

export const storedHooks = v.object({
  preDeploy: v.exactOptional(v.string()),
  postDeploy: v.exactOptional(v.string()),
  preBuild: v.exactOptional(v.string()),
  postBuild: v.exactOptional(v.string()),
});
const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ keyId: v.optional(v.number()), hooks: v.optional(storedHooks), delay: v.optional(v.number()) }),
);

/**
 * What was set from here of a project and is never returned by the platform: it has to be sent again with every edit.
 * Scripts may hold secrets, so the files are for their owner alone. A password is never kept.
 */
export class WriteOnlySettingsStore {
  constructor(private readonly folder: string) {}

  /**
   * `undefined` if nothing was ever set from this computer, or only by another version. Rejects if the file can't be read:
   * a change sent without these values would remove the hooks and the SSH key.
   */
  async find(place: ProjectPlace): Promise<WriteOnlySettings | undefined> {
    const parsed = v.safeParse(stored, await readIfThere(this.fileOf(place)));
    if (!parsed.success) {
      return undefined;
    }
    const { keyId, hooks: scripts, delay } = parsed.output;
    return { keyId, hooks: scripts, delay };
  }

  async of(place: ProjectPlace): Promise<WriteOnlySettings> {
    return (await this.find(place)) ?? noWriteOnlySettings;
  }

  async keep(place: ProjectPlace, setHere: WriteOnlySettings): Promise<void> {
    await writePrivateFile(this.fileOf(place), JSON.stringify(setHere));
  }

  async forget(place: ProjectPlace): Promise<void> {
    await rm(this.fileOf(place), { force: true });
  }

  async forgetAccount(account: string): Promise<void> {
    await rm(join(this.folder, account), { recursive: true, force: true });
  }

  private fileOf(place: ProjectPlace): string {
    const name = createHash('sha256').update(projectKey(place)).digest('hex').slice(0, 24);
    return join(this.folder, place.account, `${name}.json`);
  }
}
