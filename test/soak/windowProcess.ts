import { once } from 'node:events';
import { promises } from 'node:fs';
import { join } from 'node:path';
import { InterruptedSaves } from '../../src/files/saving/interruptedSaves';
import type { BaseVersion, ServerVersion } from '../../src/files/saving/serverFiles';
import { FileQueue } from '../../src/files/saving/fileQueue';
import type { Backups, Saves } from '../../src/files/saving/saves';
import { backupsIn } from '../unit/files/journal/journalSetUp';
import type { SaveOutcome } from '../../src/files/saving/saveFile';
import { describeProblem } from '../host/inside/describeProblem';
import { WindowPresence, FileLocks } from '../../src/storage/windows';
import { Connection } from '../unit/files/connection';
import { deadlineWithFaults } from './randomFaults';
import type { KillOnDiskCall } from './killMoment';
import { createTestSaves, placesOnNodes } from './createTestSaves';
import type { FileToSave, Offer, WindowEvent, WindowTask } from './windowTask';

/** A process that simulates a window: the first one is killed while it saves files, and the second one recovers the interrupted saves. */
class WindowProcess {
  private readonly presence: WindowPresence;
  private readonly kept: Backups;
  private readonly connection: Connection;
  private readonly locks: FileLocks;
  private readonly queue: FileQueue;

  constructor(private readonly task: WindowTask) {
    this.presence = new WindowPresence(task.folder);
    this.kept = backupsIn(task.folder, this.presence);
    this.connection = new Connection(task);
    this.locks = new FileLocks({
      folder: join(task.folder, 'locks'),
      presence: this.presence,
      inUse: () => new Error('another window holds the lock'),
      onDidFail: (error) => {
        throw error;
      },
    });
    this.queue = new FileQueue(this.locks);
  }

  /** Saves all files at the same time. */
  async save(): Promise<void> {
    const { files, killOnDisk } = this.task;
    const bases = await Promise.all(files.map((file) => this.baseOf(file)));
    send({ kind: 'ready', owner: this.presence.owner });
    await once(process, 'message');
    if (killOnDisk !== undefined) {
      killAtDiskCall(killOnDisk);
    }
    const withFaults = new Connection({ ...this.task, deadline: deadlineWithFaults });
    const saves = this.savesThrough(withFaults);
    const work = files.map(async (file, index) => {
      const base = bases[index] ?? { kind: 'unknown' };
      const outcome = await this.queue.take([file.place], () => saveOne(saves, file, { base }));
      send(savedEvent(file, outcome));
    });
    await Promise.all(work);
    send({ kind: 'done' });
  }

  /** Finds interrupted saves as a window does when it starts, then saves every file. */
  async recover(): Promise<void> {
    const { kept, presence, connection, locks } = this;
    const recovery = new InterruptedSaves({
      backups: kept,
      files: connection.files,
      isHeldElsewhere: async (entry) => !kept.isOurs(entry) && (await presence.isAlive(entry.owner)),
      isOpen: (owner) => presence.isAlive(owner),
      inTurn: (work) => locks.hold(['offering'], work),
      isBeingEdited: () => false,
      isSignedIn: () => true,
      nodesOf: (place) => placesOnNodes(place, this.task.nodeIds),
    });
    const { offered: unfinished } = await recovery.toOffer();
    const offers = unfinished.map(({ text, earlier, now, backup: { base, place } }): Offer => {
      const known = { text, now, path: place.path, base: base.kind === 'version' ? base.version.text : undefined };
      return { ...known, ...(earlier !== undefined && { earlier }) };
    });
    send({ kind: 'recovered', offered: offers });
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

  private savesThrough({ files }: Connection): Saves {
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

/** Replaces the call in its module: Gantry calls these functions through the module. */
function killAtDiskCall({ call, nth, when }: KillOnDiskCall): void {
  const original = promises[call] as (...parameters: readonly unknown[]) => Promise<unknown>;
  let calls = 0;
  Reflect.set(promises, call, async (...parameters: readonly unknown[]): Promise<unknown> => {
    calls += 1;
    if (calls !== nth) {
      return original(...parameters);
    }
    const [file, text, ...rest] = parameters;
    if (when === 'after') {
      await original(...parameters);
    } else if (when === 'midway' && typeof text === 'string') {
      await original(file, text.slice(0, text.length / 2), ...rest);
    }
    return process.kill(process.pid, 'SIGKILL');
  });
}

function savedEvent({ place: { path } }: FileToSave, outcome: SaveOutcome): WindowEvent {
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
  await (task.role === 'save' ? window.save() : window.recover());
}

main().catch((error: unknown) => {
  send({ kind: 'failed', problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
});
