import { type Disposable, EventEmitter } from 'vscode';
import { digestOf, JsonFolder } from '../../storage/jsonFolder';
import { type DeployRecord, deployRecord } from '../redeploy/redeployResult';
import { type ProjectPlace, projectKey } from '../projectPlace';

const mostRecords = 50;
const mostLog = 1024 * 1024;

/**
 * Stores the redeploys started here across restarts. Each has its own file, so that windows don't overwrite each
 * other's records. Only the owner can read the files, because logs may contain sensitive data.
 */
export class DeployHistory implements Disposable {
  private readonly records: JsonFolder<DeployRecord>;
  private readonly changed = new EventEmitter<ProjectPlace & { readonly id?: string }>();
  /** Fires with an ID if a single record was added or changed. */
  readonly onDidChange = this.changed.event;

  constructor(readonly folder: string) {
    this.records = new JsonFolder(folder, deployRecord);
  }

  /** Returns the redeploys, newest first. */
  async of(place: ProjectPlace): Promise<readonly DeployRecord[]> {
    return [...(await this.records.list(folderOf(place))).values()].toReversed();
  }

  async last(place: ProjectPlace): Promise<DeployRecord | undefined> {
    const newest = (await this.records.keys(folderOf(place))).at(-1);
    return newest === undefined ? undefined : this.records.read(newest);
  }

  find(place: ProjectPlace, id: string): Promise<DeployRecord | undefined> {
    return this.records.read(keyFor(place, id));
  }

  async keep(record: DeployRecord): Promise<void> {
    const { log, logsBeside } = record;
    const cut = logsBeside?.map((section) => ({ ...section, text: section.text.slice(-mostLog) }));
    await this.records.write(keyFor(record, record.id), { ...record, log: log.slice(-mostLog), logsBeside: cut });
    for (const old of (await this.records.keys(folderOf(record))).slice(0, -mostRecords)) {
      await this.records.remove(old);
    }
    this.changed.fire(record);
  }

  /** Removes the record of a redeploy that the platform refused. */
  async remove(record: DeployRecord): Promise<void> {
    await this.records.remove(keyFor(record, record.id));
    this.changed.fire(record);
  }

  async forget(place: ProjectPlace): Promise<void> {
    await this.records.removeAll(folderOf(place));
    this.changed.fire(place);
  }

  /** Moves the records after a context was renamed. Leaves those of another version where they are. */
  async move(from: ProjectPlace, to: ProjectPlace): Promise<void> {
    for (const [key, record] of await this.records.list(folderOf(from))) {
      await this.keep({ ...record, ...to });
      await this.records.remove(key);
    }
    this.changed.fire(from);
  }

  forgetAccount(account: string): Promise<void> {
    return this.records.removeAll(account);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Makes names that sort by time. Some file systems don't allow `:` in names. */
export function recordId(startedAt: number): string {
  return new Date(startedAt).toISOString().replaceAll(/[:.]/g, '-');
}

function folderOf(place: ProjectPlace): string {
  return `${place.account}/${digestOf(projectKey(place))}`;
}

function keyFor(place: ProjectPlace, id: string): string {
  return `${folderOf(place)}/${id.replaceAll(/[^\w-]/g, '')}`;
}
