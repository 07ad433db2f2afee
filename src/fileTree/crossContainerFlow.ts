import { FileChangeType, l10n } from 'vscode';
import { confirmChange } from '../containers/protectedPrompt';
import { childOf, containerText, type FilePlace, nameOf } from '../containers/place';
import { likenessOfPlaces } from '../files/provider/moves';
import type { Likeness } from '../files/provider/sameTree';
import type { TransferReport } from '../files/transfers/transfer';
import { modalLines } from '../ui/modalLines';
import { showWarningMessage } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import { type CommandTarget, ensureSaved } from './commandTargets';
import type { FileTreeDeps } from './fileTreeDeps';
import { runTransfer, sourcesOf } from './transferCommands';

/**
 * Files are read and written; to move them, each is then deleted once its copy is seen to be there. Returns whether the
 * user agreed.
 */
export async function pasteAcrossContainers(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  intent: 'copy' | 'move',
  deps: FileTreeDeps,
): Promise<boolean> {
  const [first] = targets;
  if (first === undefined) {
    return true;
  }
  if (!(await mayCross(folder, [first, ...targets.slice(1)], intent, deps))) {
    return false;
  }
  if (intent === 'move') {
    ensureSaved(targets.map(({ place }) => place));
  }
  const carried = await carryAcross(folder, targets, deps);
  if (intent === 'move' && carried !== undefined) {
    await deleteArrived(folder, targets, carried, deps);
  }
  return true;
}

function mayCross(
  folder: FilePlace,
  targets: readonly [CommandTarget, ...CommandTarget[]],
  intent: 'copy' | 'move',
  { environments }: FileTreeDeps,
): Promise<boolean> {
  const [from, to] = [containerText(targets[0].place), containerText(folder)];
  const how = l10n.t('Only text files can be transferred between containers. Other files are skipped and listed.');
  const then = l10n.t('Originals are deleted after their copies are verified.');
  const paths = modalLines(targets.map(({ place }) => place.path));
  const [question, paragraphs, button] =
    intent === 'copy'
      ? [l10n.t('Copy from {0} to {1}?', from, to), [paths, how], l10n.t('Copy')]
      : [l10n.t('Move from {0} to {1}?', from, to), [paths, `${how} ${then}`], l10n.t('Move')];
  // A copy changes nothing where it comes from.
  const changed = intent === 'copy' ? [folder] : [folder, ...targets.map(({ place }) => place)];
  return confirmChange(changed, environments, { question, paragraphs, button });
}

interface Carried {
  readonly report: TransferReport;
  /** The names that still existed when the copy started. */
  readonly names: readonly string[];
}

async function carryAcross(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  deps: FileTreeDeps,
): Promise<Carried | undefined> {
  const places = targets.map(({ place }) => place);
  const shown = l10n.t('{0} in {1}', folder.path, containerText(folder));
  const destination = deps.folders.destination(folder);
  try {
    const sources = await sourcesOf(places, deps);
    const report = await runTransfer({ kind: 'copy', folder: shown, sources, destination }, deps.texts);
    return report && { report, names: sources.map(({ name }) => name) };
  } finally {
    deps.announce(places.map((place) => ({ place: childOf(folder, nameOf(place)), type: FileChangeType.Created })));
  }
}

/** Deletes the originals of everything that was copied completely, unless an original differs from its copy. */
async function deleteArrived(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  { report, names }: Carried,
  deps: FileTreeDeps,
): Promise<void> {
  const left = [...report.failures.map(({ path }) => path), ...report.skipped];
  const arrived = targets.filter(
    ({ place }) => names.includes(nameOf(place)) && !left.some((path) => isOfItem(path, nameOf(place))),
  );
  for (const { place } of arrived) {
    const copy = childOf(folder, nameOf(place));
    const likeness = await deps.queue.take([place, copy], () => deleteIfSame(place, copy, deps));
    if (likeness === 'same') {
      deps.announce([{ place, type: FileChangeType.Deleted }]);
    } else {
      void showWarningMessage(
        likeness === 'different'
          ? l10n.t('{0} was copied, but the copy differs, so the original was kept. Compare both.', place.path)
          : l10n.t(
              "{0} was copied, but the copy can't be verified byte for byte, so the original was kept. Compare both, then delete the original.",
              place.path,
            ),
      );
    }
  }
}

function deleteIfSame(place: FilePlace, copy: FilePlace, deps: FileTreeDeps): Promise<Likeness> {
  return withProgress(l10n.t('Deleting {0}', place.path), async ({ signal }) => {
    const likeness = await likenessOfPlaces(place, copy, deps, { signal });
    if (likeness === 'same') {
      await deps.containers.delete(place, { signal });
    }
    return likeness;
  });
}

function isOfItem(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}
