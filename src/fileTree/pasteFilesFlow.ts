import { FileChangeType, l10n, workspace } from 'vscode';
import { copyOnce } from '../files/provider/moves';
import type { FileQueue } from '../files/saving/fileQueue';
import { compareTrees, type Likeness } from '../files/provider/sameTree';
import type { TransferReport } from '../files/transfers/transfer';
import type { Containers } from '../containers/containers';
import { childOf, type FilePlace, nameOf, parentOf, containerText } from '../containers/place';
import { showWarningMessage } from '../ui/notifications';
import { withPatience, withProgress } from '../ui/progress';

import { moveWithinContainer } from './moveWithin';
import { nameOfCopy } from './fileNamePrompt';
import { isSameContainer, isUnder, type CommandTarget, uriOf } from './commandTargets';
import { sourcesOf, type TransferCommandsDeps } from './transferCommands';
import { runTransfer } from './transferFlow';
import { modalLines } from '../ui/modalLines';

export interface PasteFilesDeps extends TransferCommandsDeps {
  readonly containers: Containers;
  readonly turns: FileQueue;
  /** Shows and selects what has arrived. */
  readonly reveal: (place: FilePlace) => Promise<void>;
}

/** Within a container the platform copies; to another one, files are read and written. */
export async function copyInto(
  folder: FilePlace,
  subjects: readonly CommandTarget[],
  parts: PasteFilesDeps,
): Promise<void> {
  const { near, far } = split(folder, subjects);
  await copyWithin(folder, near, parts);
  if (far.length > 0 && (await mayCross(folder, far, 'copy'))) {
    await carryAcross(folder, far, parts);
  }
}

/** Within a container the platform moves; to another one, files are copied, seen to be there, and only then deleted. */
export async function moveInto(
  folder: FilePlace,
  subjects: readonly CommandTarget[],
  parts: PasteFilesDeps,
): Promise<void> {
  const { near, far } = split(folder, subjects);
  await moveWithin(folder, near, parts);
  if (far.length > 0 && (await mayCross(folder, far, 'move'))) {
    refuseUnsaved(far);
    const carried = await carryAcross(folder, far, parts);
    if (carried !== undefined) {
      await deleteArrived(folder, far, carried, parts);
    }
  }
}

function split(folder: FilePlace, subjects: readonly CommandTarget[]) {
  for (const { place, isFolder } of subjects) {
    if (isFolder && (isUnder(folder, place) || isSame(folder, place))) {
      throw new Error(l10n.t('The folder {0} cannot be put into itself.', place.path));
    }
  }
  const isNear = ({ place }: CommandTarget) => isSameContainer(place, folder);
  return { near: subjects.filter(isNear), far: subjects.filter((subject) => !isNear(subject)) };
}

async function copyWithin(folder: FilePlace, subjects: readonly CommandTarget[], parts: PasteFilesDeps): Promise<void> {
  if (subjects.length === 0) {
    return;
  }
  const there = new Set((await parts.listings.list(folder)).keys());
  await withProgress(l10n.t('Copying to {0}', folder.path), async ({ signal, say }) => {
    for (const [index, { place, isFolder }] of subjects.entries()) {
      say(place.path, subjects.length === 1 ? undefined : index / subjects.length);
      const own = nameOf(place);
      const name = there.has(own) ? nameOfCopy({ name: own, isFolder }, (text) => there.has(text)) : own;
      const target = childOf(folder, name);
      try {
        await parts.turns.take([place, target], () => copyOnce(place, target, parts.containers, { signal }));
        there.add(name);
      } finally {
        parts.happened([{ place: target, type: FileChangeType.Created }]);
      }
    }
  });
  await revealFirst(folder, subjects, parts);
}

async function moveWithin(folder: FilePlace, subjects: readonly CommandTarget[], parts: PasteFilesDeps): Promise<void> {
  const moving = subjects.filter(({ place }) => !isSame(parentOf(place) ?? place, folder));
  for (const { place } of moving) {
    await withPatience(l10n.t('Moving {0} to {1}', place.path, folder.path), () =>
      moveWithinContainer(place, childOf(folder, nameOf(place))),
    );
  }
  await revealFirst(folder, moving, parts);
}

async function mayCross(
  folder: FilePlace,
  subjects: readonly CommandTarget[],
  intent: 'copy' | 'move',
): Promise<boolean> {
  const [first] = subjects;
  if (first === undefined) {
    return false;
  }
  const [from, to] = [containerText(first.place), containerText(folder)];
  const question =
    intent === 'copy' ? l10n.t('Copy from {0} to {1}?', from, to) : l10n.t('Move from {0} to {1}?', from, to);
  const how = l10n.t(
    'Between containers files are read and written here, which only text files survive. Others are left out and named.',
  );
  const then = l10n.t('What has arrived whole is then deleted where it was.');
  const detail = [modalLines(subjects.map(({ place }) => place.path)), intent === 'copy' ? how : `${how} ${then}`];
  const yes = intent === 'copy' ? l10n.t('Copy') : l10n.t('Move');
  return (await showWarningMessage(question, { modal: true, detail: detail.join('\n\n') }, yes)) === yes;
}

interface Carried {
  readonly report: TransferReport;
  /** What was there to be carried: what had gone by then is not among them. */
  readonly names: readonly string[];
}

async function carryAcross(
  folder: FilePlace,
  subjects: readonly CommandTarget[],
  parts: PasteFilesDeps,
): Promise<Carried | undefined> {
  const places = subjects.map(({ place }) => place);
  const title = l10n.t('Copying to {0} in {1}', folder.path, containerText(folder));
  const destination = parts.folders.destination(folder);
  try {
    const sources = await sourcesOf(places, parts);
    const report = await runTransfer({ title, sources, destination }, parts.texts);
    return report && { report, names: sources.map(({ name }) => name) };
  } finally {
    parts.happened(places.map((place) => ({ place: childOf(folder, nameOf(place)), type: FileChangeType.Created })));
  }
}

/** Deletes the originals of what arrived completely, unless an original differs from its copy. */
async function deleteArrived(
  folder: FilePlace,
  subjects: readonly CommandTarget[],
  { report, names }: Carried,
  parts: PasteFilesDeps,
): Promise<void> {
  const left = [...report.failures.map(({ path }) => path), ...report.skipped];
  const arrived = subjects.filter(
    ({ place }) => names.includes(nameOf(place)) && !left.some((path) => isOfItem(path, nameOf(place))),
  );
  for (const { place } of arrived) {
    const copy = childOf(folder, nameOf(place));
    const likeness = await parts.turns.take([place, copy], () => deleteIfSame(place, copy, parts));
    if (likeness === 'same') {
      parts.happened([{ place, type: FileChangeType.Deleted }]);
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

function deleteIfSame(place: FilePlace, copy: FilePlace, { containers, listings }: PasteFilesDeps): Promise<Likeness> {
  return withProgress(l10n.t('Deleting {0}', place.path), async ({ signal }) => {
    const [entry, copied] = await Promise.all([listings.lookUp(place), listings.lookUp(copy)]);
    const likeness = await compareTrees(
      { place, entry },
      { place: copy, entry: copied },
      {
        list: (one) => containers.list(one, { signal }),
        read: (one) => containers.read(one, { signal }),
      },
    );
    if (likeness === 'same') {
      await containers.delete(place, { signal });
    }
    return likeness;
  });
}

function refuseUnsaved(subjects: readonly CommandTarget[]): void {
  const dirty = workspace.textDocuments.find(({ uri, isDirty }) => {
    const text = uri.toString();
    return isDirty && subjects.some(({ place }) => `${text}/`.startsWith(`${uriOf(place).toString()}/`));
  });
  if (dirty !== undefined) {
    throw new Error(l10n.t('{0} has changes that are not saved. Save it first.', dirty.uri.path));
  }
}

async function revealFirst(
  folder: FilePlace,
  subjects: readonly CommandTarget[],
  { reveal }: PasteFilesDeps,
): Promise<void> {
  const [first] = subjects;
  if (first !== undefined) {
    await reveal(childOf(folder, nameOf(first.place)));
  }
}

function isOfItem(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`);
}

function isSame(a: FilePlace, b: FilePlace): boolean {
  return uriOf(a).toString() === uriOf(b).toString();
}
