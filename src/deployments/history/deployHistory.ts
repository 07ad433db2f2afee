import * as v from 'valibot';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, EventEmitter } from 'vscode';
import { namesIn, readIfThere, writePrivateFile } from '../../storage/privateFiles';
import { type DeployRecord, deployRecord } from '../redeploy/redeployResult';
import { type ProjectPlace, projectKey } from '../projectPlace';

const parsedRecord = v.pipe(v.string(), v.parseJson(), deployRecord);
const mostRecords = 50;
const mostLog = 1024 * 1024;

/**
 * The redeploys from here, kept across restarts. Each is a file of its own, so that windows that write at the same
 * time do not undo one another. Logs may tell more than others should read, so the files are for their owner alone.
 */
export class DeployHistory implements Disposable {
  private readonly changed = new EventEmitter<ProjectPlace & { readonly id?: string }>();
  /** With the id where it is one record that was added or is another now. */
  readonly onDidChange = this.changed.event;

  constructor(readonly folder: string) {}

  /** The newest first. */
  async of(place: ProjectPlace): Promise<readonly DeployRecord[]> {
    const records = await Promise.all((await this.names(place)).map((name) => this.read(place, name)));
    return records.flatMap((record) => record ?? []);
  }

  async last(place: ProjectPlace): Promise<DeployRecord | undefined> {
    const [newest] = await this.names(place);
    return newest === undefined ? undefined : this.read(place, newest);
  }

  async find(place: ProjectPlace, id: string): Promise<DeployRecord | undefined> {
    return this.read(place, fileName(id));
  }

  /** Adds a record, or takes it in place of the one with the same id. */
  async keep(record: DeployRecord): Promise<void> {
    const folder = this.folderOf(record);
    const text = JSON.stringify({ ...record, log: record.log.slice(-mostLog) });
    await writePrivateFile(join(folder, fileName(record.id)), text);
    for (const old of (await this.names(record)).slice(mostRecords)) {
      await rm(join(folder, old), { force: true });
    }
    this.changed.fire(record);
  }

  async forget(place: ProjectPlace): Promise<void> {
    await rm(this.folderOf(place), { recursive: true, force: true });
    this.changed.fire(place);
  }

  /** The project's context got another name. */
  async move(from: ProjectPlace, to: ProjectPlace): Promise<void> {
    for (const record of await this.of(from)) {
      await this.keep({ ...record, ...to });
    }
    await this.forget(from);
  }

  async forgetAccount(account: string): Promise<void> {
    await rm(join(this.folder, account), { recursive: true, force: true });
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async names(place: ProjectPlace): Promise<readonly string[]> {
    const names = await namesIn(this.folderOf(place));
    return names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .toReversed();
  }

  /** Removed in the meantime by another window, or written by another version, so it isn't a record for this one. */
  private async read(place: ProjectPlace, name: string): Promise<DeployRecord | undefined> {
    const parsed = v.safeParse(parsedRecord, await readIfThere(join(this.folderOf(place), name)));
    return parsed.success ? parsed.output : undefined;
  }

  private folderOf(place: ProjectPlace): string {
    const name = createHash('sha256').update(projectKey(place)).digest('hex').slice(0, 24);
    return join(this.folder, place.account, name);
  }
}

/** Names that sort by time; `:` is not allowed in names everywhere. */
export function recordId(startedAt: number): string {
  return new Date(startedAt).toISOString().replaceAll(/[:.]/g, '-');
}

function fileName(id: string): string {
  return `${id.replaceAll(/[^\w-]/g, '')}.json`;
}
