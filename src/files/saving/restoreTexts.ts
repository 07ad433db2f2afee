import { commands, FileChangeType, l10n, type Uri, workspace } from 'vscode';
import type { Containers } from '../../containers/containers';
import { type FilePlace, nameOf, parentOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { ExpectedError } from '../../ui/expectedError';
import { showErrorMessage } from '../../ui/notifications';
import type { ShownTexts } from '../../ui/shownTexts';
import type { ContainerFileSystem } from '../provider/containerFileSystem';
import type { FolderTrust } from '../provider/folderTrust';
import type { FileQueue } from './saves';
import type { Unsaved } from './outcomeTexts';
import type { SaveOutcome } from './saveFile';
import type { changesIfUnchanged } from './writeIfUnchanged';

/** A file, what it must have now, and the earlier text that it gets back. A missing text means that there's no file. */
export type Restoration = { readonly place: FilePlace } & (
  { readonly now: string; readonly earlier: string | undefined } | { readonly now: undefined; readonly earlier: string }
);

/** The files that have their earlier texts, and the one at which it ended. Nothing was sent for the others. */
export interface Restored<R extends Restoration> {
  readonly restored: readonly R[];
  readonly failed?: { readonly file: R; readonly outcome: Unsaved };
}

/**
 * Gives files back their earlier texts: those before a change, of a version, or of something deleted.
 * @param onDidRestore called in the turn of the files, right after each
 */
export type RestoreTexts = <R extends Restoration>(
  files: readonly R[],
  onDidRestore?: (file: R) => void,
) => Promise<Restored<R>>;

export function restorer(
  { findObstacle, writeIfUnchanged }: ReturnType<typeof changesIfUnchanged>,
  queue: FileQueue,
  containers: Containers,
  fileSystem: ContainerFileSystem,
  trust: FolderTrust,
): RestoreTexts {
  const reason = { cause: 'restore' } as const;
  const isFree = (place: FilePlace) => containers.shows(place, undefined, (entry) => entry === undefined);
  const recreate = async (file: FilePlace, text: string): Promise<SaveOutcome> => {
    // Refused if the name is taken.
    const { isConfirmed } = await containers.createFile(file);
    // Its folder may be one that is hidden until the person trusts it.
    await trust.made(file, 'file');
    const outcome = await writeIfUnchanged(file, { before: '', text, reason, isNew: true });
    if (outcome.kind === 'failed' && isConfirmed) {
      await containers.removeUnwritten(file, outcome.cause);
    }
    if (outcome.kind !== 'saved' && outcome.kind !== 'unknown') {
      // With its text, it's announced already.
      fileSystem.announce([{ place: file, type: FileChangeType.Created }]);
    }
    return outcome;
  };
  const check = async ({ place, now, earlier }: Restoration): Promise<Unsaved | undefined> => {
    if (now !== undefined) {
      return findObstacle(place, { before: now, text: earlier });
    }
    return (await isFree(place)) ? undefined : { kind: 'conflict', nodes: [] };
  };
  const restore = ({ place, now, earlier }: Restoration) =>
    now === undefined ? recreate(place, earlier) : writeIfUnchanged(place, { before: now, text: earlier, reason });
  return async (files, onDidRestore) => {
    for (const { place } of files.filter(({ now }) => now === undefined)) {
      const folder = parentOf(place);
      if (folder !== undefined && (await isFree(folder))) {
        // Not in the file's turn, which is also one of its folder.
        await workspace.fs.createDirectory(uriOf(folder));
      }
    }
    const places = files.map(({ place }) => place);
    return queue.take(places, async () => {
      const restored: (typeof files)[number][] = [];
      // A mixture of earlier and later files could break more than either. One file is checked by its save.
      for (const perform of files.length > 1 ? [check, restore] : [restore]) {
        for (const file of files) {
          const outcome = await perform(file).catch((cause: unknown) => ({ kind: 'failed', cause }) as const);
          if (outcome !== undefined && outcome.kind !== 'saved') {
            return { restored, failed: { file, outcome } };
          }
          if (perform === restore) {
            onDidRestore?.(file);
            restored.push(file);
          }
        }
      }
      return { restored };
    });
  };
}

/** An earlier text that wasn't restored, and what is there instead: in its editor, if that isn't said. */
interface NotRestored {
  readonly place: FilePlace;
  readonly earlier: string;
  readonly found?: string;
}

/** Returns what each node has instead of an earlier text, exactly as it was found: its editor may not show it yet. */
export function foundInstead(outcome: Unsaved, earlier = ''): readonly NotRestored[] {
  return outcome.kind === 'conflict'
    ? outcome.nodes.flatMap(({ node, found }) =>
        found.kind === 'text' ? [{ place: node, earlier, found: found.text }] : [],
      )
    : [];
}

/** Says why a file didn't get its earlier text: rejects, or offers to compare it with what is there instead. */
export async function tellNotRestored(
  text: string,
  outcome: Unsaved,
  earlier: string | undefined,
  texts: ShownTexts,
): Promise<void> {
  if (outcome.kind !== 'conflict') {
    throw new ExpectedError(text, 'cause' in outcome ? { cause: outcome.cause } : {});
  }
  const files = foundInstead(outcome, earlier);
  const buttons = files.length > 0 ? [compareButton()] : [];
  if ((await showErrorMessage(text, ...buttons)) === compareButton()) {
    await compareNotRestored(files, texts);
  }
}

/** Shows the earlier texts beside what is there instead. */
export async function compareNotRestored(files: readonly NotRestored[], texts: ShownTexts): Promise<void> {
  const sidesOf = ({ place, earlier, found }: NotRestored): readonly [Uri, Uri, Uri] => {
    const file = uriOf(place);
    return [file, texts.add(place.path, earlier), found === undefined ? file : texts.add(place.path, found)];
  };
  const sides = texts.addTogether(() => files.map(sidesOf));
  const [[file], [side]] = [files, sides];
  if (file !== undefined && side !== undefined && sides.length === 1) {
    const title = l10n.t('{0}: Earlier Text ↔ Current', nameOf(file.place));
    await commands.executeCommand('vscode.diff', side[1], side[2], title);
  } else {
    await commands.executeCommand('vscode.changes', l10n.t('Earlier Texts ↔ Current'), sides);
  }
}

export function compareButton(): string {
  return l10n.t('Compare');
}
