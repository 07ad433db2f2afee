import type { SaveOutcome } from '../../src/files/saving/saveFile';
import type { SaveScope } from '../../src/files/saving/saves';
import type { InterruptedSave } from '../../src/files/saving/interruptedSaves';
import type { FilePlace } from '../../src/containers/place';
import type { Restoration } from '../../src/files/saving/restoreTexts';
import type { KillOnCall } from './diskCalls';

/** The task of a process that simulates a window. */
export interface WindowTask {
  /** `save` saves all files at once, and `restore` restores some. `recover` finds interrupted saves, then saves all files again. */
  readonly role: 'save' | 'restore' | 'recover';
  readonly origin: string;
  readonly token: string;
  /** The folder where all windows keep texts. */
  readonly folder: string;
  /** The nodes of the layer. */
  readonly nodeIds: readonly number[];
  readonly files: readonly FileToSave[];
  readonly restorations?: readonly Restoration[];
  /** The deadline for a request of a save, in milliseconds. */
  readonly deadline?: number;
  readonly killOnDisk?: KillOnCall | undefined;
}

export interface FileToSave {
  readonly place: FilePlace;
  readonly text: string;
  readonly scope: SaveScope;
  /** Whether an editor saves it, or an earlier version is restored without one. */
  readonly by: 'editor' | 'restore';
}

/** The events that the process reports. */
export type WindowEvent =
  /** The process has read its files and waits for the message to save or restore them. */
  | { readonly kind: 'ready'; readonly owner: { readonly window: string; readonly host: string } }
  | {
      readonly kind: 'saved';
      readonly path: string;
      readonly outcome: SaveOutcome['kind'];
      /** Why the text isn't known to be saved, if there is a reason. */
      readonly cause?: string;
    }
  | { readonly kind: 'done' }
  | { readonly kind: 'recovered'; readonly offered: readonly Offer[] }
  | { readonly kind: 'failed'; readonly problem: string };

export type Offer = Pick<InterruptedSave, 'text' | 'now'> & {
  readonly path: string;
  readonly earlier?: string;
  readonly base: string | undefined;
};

export function offerOf({ text, earlier, now, backup: { base, place } }: InterruptedSave): Offer {
  const known = { text, now, path: place.path, base: base.kind === 'version' ? base.version.text : undefined };
  return { ...known, ...(earlier !== undefined && { earlier }) };
}

/** Returns why files weren't saved, for the message of a failed test. */
export function causesOf(events: readonly WindowEvent[], path?: string): string {
  const causes = events.flatMap((event) => {
    if (event.kind !== 'saved' || event.cause === undefined || (path ?? event.path) !== event.path) return [];
    return [`\n${event.path}: ${event.outcome}, because of ${event.cause}`];
  });
  return causes.join('');
}
