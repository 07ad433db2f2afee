import { once } from 'node:events';
import { FileChangeType } from 'vscode';
import type { ContainerFileSystem } from '../../src/files/provider/containerFileSystem';
import { FolderTrust } from '../../src/files/provider/folderTrust';
import type { BaseVersion, ServerVersion } from '../../src/files/saving/serverFiles';
import type { Backups } from '../../src/files/saving/backups';
import { restorer } from '../../src/files/saving/restoreTexts';
import { type Saves, FileQueue } from '../../src/files/saving/saves';
import { backupsIn } from '../unit/files/journal/journalSetUp';
import type { SaveOutcome } from '../../src/files/saving/saveFile';
import { changesIfUnchanged } from '../../src/files/saving/writeIfUnchanged';
import { describeProblem } from '../host/inside/describeProblem';
import { type FileLocks, WindowPresence } from '../../src/storage/windows';
import { Connection } from '../unit/files/connection';
import { deadlineWithFaults } from './randomFaults';
import { killAtCall } from './diskCalls';
import { createTestLocks, createTestRecovery, createTestSaves } from './createTestSaves';
import { type FileToSave, offerOf, type WindowEvent, type WindowTask } from './windowTask';

/** A process that simulates a window: the first one is killed while it saves or restores files, and the second one recovers the interrupted saves. */
class WindowProcess {
  readonly presence: WindowPresence;
  private readonly kept: Backups;
  private readonly connection: Connection;
  readonly locks: FileLocks;
  private readonly queue: FileQueue;

  constructor(private readonly task: WindowTask) {
    this.presence = new WindowPresence(task.folder);
    this.kept = backupsIn(task.folder, this.presence);
    this.connection = new Connection(task);
    this.locks = createTestLocks(task.folder, this.presence);
    this.queue = new FileQueue(this.locks);
  }

  /** Saves all files at the same time. */
  async save(): Promise<void> {
    const { files, deadline = deadlineWithFaults } = this.task;
    const bases = await Promise.all(files.map((file) => this.baseOf(file)));
    await this.begin();
    const withFaults = new Connection({ ...this.task, deadline });
    const saves = this.savesThrough(withFaults);
    const work = files.map(async (file, index) => {
      const base = bases[index] ?? { kind: 'unknown' };
      const outcome = await this.queue.take([file.place], () => saveOne(saves, file, { base }));
      send(savedEvent(file, outcome));
    });
    await Promise.all(work);
    send({ kind: 'done' });
  }

  /** Restores files as a window does. A file that it restored counts as saved. */
  async restore(): Promise<void> {
    const { containers, listings, files } = new Connection({ ...this.task, deadline: deadlineWithFaults });
    // What it tells VS Code nobody hears.
    const told: Partial<ContainerFileSystem> = {
      announce: () => undefined,
      announceOwn: () => undefined,
      announceSaved: () => undefined,
      deleteInTurn: async (place) => {
        await containers.delete(place);
        return { place, type: FileChangeType.Deleted, gone: { before: undefined } };
      },
    };
    const fileSystem = told as ContainerFileSystem;
    const changes = changesIfUnchanged(this.savesThrough({ files }), files, containers, listings, fileSystem);
    const restoreTexts = restorer(changes, this.queue, containers, fileSystem, trustingNone());
    await this.begin();
    const { failed } = await restoreTexts(this.task.restorations ?? [], ({ place }) =>
      send({ kind: 'saved', path: place.path, outcome: 'saved' }),
    );
    if (failed !== undefined) send(savedEvent(failed.file, failed.outcome));
    send({ kind: 'done' });
  }

  /** Finds interrupted saves as a window does when it starts, then saves every file. */
  async recover(): Promise<void> {
    const { kept, presence, connection } = this;
    const recovery = createTestRecovery(connection.files, kept, this, this.task.nodeIds);
    const { offered: unfinished } = await recovery.toOffer();
    send({ kind: 'recovered', offered: unfinished.map(offerOf) });
    const saves = this.savesThrough(connection);
    const work = this.task.files.map(async (file) => {
      const one = unfinished.find(({ backup: { place } }) => place.path === file.place.path);
      const outcome = await saveAccepting(saves, file, one?.backup.base ?? (await this.baseOf(file)));
      send(savedEvent(file, outcome));
      if (one !== undefined) {
        await recovery.discard(one);
      }
    });
    await Promise.all(work);
    await Promise.all([connection.close(), presence.dispose()]);
    send({ kind: 'done' });
    process.disconnect();
  }

  /** Waits for the message to begin. */
  private async begin(): Promise<void> {
    const { folder, killOnDisk } = this.task;
    send({ kind: 'ready', owner: this.presence.owner });
    await once(process, 'message');
    if (killOnDisk !== undefined) {
      killAtCall(folder, killOnDisk);
    }
  }

  private savesThrough({ files }: Pick<Connection, 'files'>): Saves {
    return createTestSaves(files, this.kept, this.task.nodeIds);
  }

  private async baseOf({ place }: FileToSave): Promise<BaseVersion> {
    return { kind: 'version', version: await this.connection.open(place) };
  }
}

/** Saves the file, and overwrites a conflicting version. */
async function saveAccepting(saves: Saves, file: FileToSave, base: BaseVersion): Promise<SaveOutcome> {
  const first = await saveOne(saves, file, { base });
  const accepted = first.kind === 'conflict' ? first.nodes.map(({ found }) => found) : [];
  return accepted.length === 0 ? first : saveOne(saves, file, { base, accepted });
}

function saveOne(
  saves: Saves,
  { place, text, scope, by }: FileToSave,
  { base, accepted = [] }: { readonly base: BaseVersion; readonly accepted?: readonly ServerVersion[] },
): Promise<SaveOutcome> {
  const job = { text, base, accepted, scope };
  return by === 'editor'
    ? saves.save(place, { ...job, keeping: { reportedStat: undefined } })
    : saves.save(place, { ...job, reason: { cause: 'restore' }, keeping: 'withoutEditor' });
}

function trustingNone(): FolderTrust {
  const memory = { keys: () => [], get: <T>(_: string, otherwise?: T) => otherwise, update: () => Promise.resolve() };
  return new FolderTrust(memory, () => []);
}

function savedEvent({ place: { path } }: Pick<FileToSave, 'place'>, outcome: SaveOutcome): WindowEvent {
  const cause = 'cause' in outcome ? { cause: describeProblem(outcome.cause) } : {};
  return { kind: 'saved', path, outcome: outcome.kind, ...cause };
}

function send(event: WindowEvent): void {
  process.send?.(event);
}

async function main(): Promise<void> {
  // The process runs until it is killed, its work is done, or its parent process ends.
  process.channel?.ref();
  const [task] = (await once(process, 'message')) as [WindowTask];
  const window = new WindowProcess(task);
  await window[task.role]();
}

main().catch((error: unknown) => {
  send({ kind: 'failed', problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
});
