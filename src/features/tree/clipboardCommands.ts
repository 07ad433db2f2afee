import { FileChangeType, l10n } from 'vscode';
import { ExpectedError } from '../../ui/expectedError';
import { confirmInProduction, confirmChange } from '../../ui/commands/protectedPrompt';
import {
  childOf,
  type FilePlace,
  isSameContainer,
  keyOf,
  nameOf,
  parentOf,
  parentOrSelf,
} from '../../containers/place';
import { copyOnce, ensureNotNested } from '../../files/provider/moves';
import { setContextKey } from '../../ui/contextKeys';
import { withDetachableProgress, withProgress } from '../../ui/progress';
import type { CommandTarget } from '../../trees/sharedElement';
import { isCopyable, isRemovable, isUnder } from '../../trees/commandTargets';
import type { Services } from '../../services';
import { askName, ensureSaved, mayBeMissed, moveWithinContainer } from './fileCommands';
import { locationText } from '../../containers/locationText';
import { modalLines } from '../../ui/notifications';
import { ensureMayUpload, sourcesOf } from './transferCommands';
import { deleteArrived, type Transferred, transferInto } from './transferFlow';
import { showStatusMessage } from '../../ui/statusBar';

interface Clipboard {
  readonly targets: readonly CommandTarget[];
  readonly intent: 'move' | 'copy';
}

export function clipboardCommands(services: Services) {
  const held: { clipboard: Clipboard | undefined } = { clipboard: undefined };
  const hold = async (clipboard: Clipboard | undefined) => {
    held.clipboard = clipboard;
    await setContextKey('gantry.clipboard', clipboard === undefined ? 'empty' : 'filled');
  };
  const take = (intent: Clipboard['intent']) =>
    services.targets.onAll(
      async (targets) => {
        await hold({ targets, intent });
        showStatusMessage('clippy', heldText(targets, intent), 3000);
      },
      intent === 'move' ? isRemovable : isCopyable,
    );
  return {
    'gantry.file.cut': take('move'),

    'gantry.file.copy': take('copy'),

    'gantry.file.duplicate': services.targets.onOne((target) => duplicate(target, services)),

    'gantry.folder.paste': services.targets.onFolder(async (folder) => {
      const { clipboard } = held;
      if (clipboard !== undefined) {
        ensureMayPaste(folder, clipboard.targets, clipboard.intent, services);
      }
      if (clipboard?.intent === 'move') {
        // Other moves are asked about anyway, which puts them back if the user refuses.
        const near = clipboard.targets.map(({ place }) => place).filter((place) => isSameContainer(place, folder));
        if (near.length > 0 && !(await mayMoveWithin(folder, near, confirmInProduction, services))) {
          return;
        }
        await hold(undefined);
      }
      if (clipboard !== undefined) {
        const left = new Set(clipboard.targets);
        try {
          await pasteInto(folder, clipboard.targets, clipboard.intent, services, (pasted) => left.delete(pasted));
        } finally {
          // What the user refused, and what a failed move within a container left, can be pasted elsewhere.
          if (clipboard.intent === 'move' && left.size > 0 && held.clipboard === undefined) {
            await hold({ ...clipboard, targets: [...left] });
          }
        }
      }
    }),
  };
}

function heldText([first, ...more]: readonly CommandTarget[], intent: Clipboard['intent']): string {
  const what = first === undefined || more.length > 0 ? l10n.t('{0} items', more.length + 1) : nameOf(first.place);
  return intent === 'move'
    ? l10n.t('{0} ready to move. Select a folder and paste.', what)
    : l10n.t('{0} ready to copy. Select a folder and paste.', what);
}

/** Asks before a move within a container. Rejects if a layer got or lost nodes during the question. */
export async function mayMoveWithin(
  folder: FilePlace,
  places: readonly FilePlace[],
  ask: typeof confirmInProduction,
  { containers, environments }: Services,
): Promise<boolean> {
  const moving = places.filter((place) => !isIn(folder, place));
  if (moving.length === 0) {
    return true;
  }
  const ensureSameNodes = await containers.rememberNodes(moving, 'rename');
  const [first, ...more] = moving.map(({ path }) => path);
  const question =
    first !== undefined && more.length === 0
      ? l10n.t('Move “{0}” into “{1}”?', first, folder.path)
      : l10n.t('Move these {0} items into “{1}”?', moving.length, folder.path);
  const names = more.length === 0 ? undefined : modalLines(moving.map(({ path }) => path));
  const isAgreed = await ask(moving, environments, {
    question,
    paragraphs: [names, mayBeMissed()],
    button: l10n.t('Move'),
  });
  if (isAgreed) {
    await ensureSameNodes();
  }
  return isAgreed;
}

/** Fails before the person is asked anything. */
export function ensureMayPaste(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  intent: Clipboard['intent'],
  services: Pick<Services, 'containers'>,
): void {
  for (const { place, isFolder } of targets) {
    if (isFolder && (isUnder(folder, place) || keyOf(folder) === keyOf(place))) {
      throw new ExpectedError(
        l10n.t("Couldn't paste {0}: a folder can't be copied or moved into itself. Select another folder.", place.path),
      );
    }
    if (isSameContainer(place, folder)) {
      services.containers.ensureOffered(intent === 'copy' ? 'Copy' : 'Rename', place);
    } else {
      ensureMayUpload(folder, services);
      if (intent === 'move') {
        // A layer and its nodes have the same files, so the original is what would be written.
        ensureNotNested(place, childOf(folder, nameOf(place)), 'Rename');
        services.containers.ensureOffered('Delete', place);
        ensureSaved([place]);
      }
    }
  }
}

/**
 * Copies or moves on the platform within a container. Otherwise reads and writes the files, and then deletes the
 * originals of those that are verified to have moved.
 * @param done called with each that needs no other paste. The user may refuse the others.
 */
export async function pasteInto(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  intent: Clipboard['intent'],
  services: Services,
  done: (pasted: CommandTarget) => void = () => undefined,
): Promise<void> {
  const isNear = ({ place }: CommandTarget) => isSameContainer(place, folder);
  const near = targets.filter(isNear);
  await (intent === 'copy' ? copyWithin(folder, near, services) : moveWithin(folder, near, services, done));
  const far = targets.filter((target) => !isNear(target));
  if (await pasteAcrossContainers(folder, far, intent, services)) {
    far.forEach(done);
  }
}

async function copyWithin(folder: FilePlace, targets: readonly CommandTarget[], services: Services): Promise<void> {
  if (targets.length === 0) {
    return;
  }
  const there = new Set((await services.listings.list(folder)).keys());
  const copies: FilePlace[] = [];
  await withProgress(l10n.t('Copying to {0}', folder.path), async ({ signal, say }) => {
    for (const [index, { place, isFolder }] of targets.entries()) {
      say(place.path, targets.length === 1 ? undefined : index / targets.length);
      const own = nameOf(place);
      const name = there.has(own) ? nameOfCopy({ name: own, isFolder }, (text) => there.has(text)) : own;
      const copy = childOf(folder, name);
      await copyInTurn(place, copy, services, signal);
      copies.push(copy);
      there.add(name);
    }
  });
  await revealFirst(copies, services);
}

async function copyInTurn(from: FilePlace, to: FilePlace, services: Services, signal: AbortSignal): Promise<void> {
  const { queue, backups, containers, announce } = services;
  let isCertain = false;
  try {
    await queue.take([from, to], async () => {
      await backups.takeOut(from, 'Copy');
      await copyOnce(from, to, containers, { signal });
    });
    isCertain = true;
  } finally {
    announce([{ place: to, type: FileChangeType.Created }], { isCertain });
  }
}

/** Copies a file or folder beside itself under a name that the user enters. */
async function duplicate({ place, isFolder }: CommandTarget, services: Services): Promise<void> {
  const above = parentOf(place);
  if (above === undefined) {
    return;
  }
  services.containers.ensureOffered('Copy', place);
  const there = await services.listings.list(above);
  const own = nameOf(place);
  const name = await askName({
    title: l10n.t('Duplicate {0}', own),
    prompt: l10n.t('Name of the copy in {0}', above.path),
    value: nameOfCopy({ name: own, isFolder }, (text) => there.has(text)),
    taken: (text) => there.has(text),
    isNew: true,
  });
  if (name === undefined) {
    return;
  }
  const target = childOf(above, name);
  await withProgress(l10n.t('Copying {0}', own), ({ signal }) => copyInTurn(place, target, services, signal));
  await services.features.tree.loaded?.reveal(target);
}

async function moveWithin(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  services: Services,
  done: (moved: CommandTarget) => void,
): Promise<void> {
  const moving = targets.filter(({ place }) => !isIn(folder, place));
  targets.filter((target) => !moving.includes(target)).forEach(done);
  for (const target of moving) {
    const { place } = target;
    await withDetachableProgress(l10n.t('Moving {0} to {1}', place.path, folder.path), () =>
      moveWithinContainer(place, childOf(folder, nameOf(place))),
    );
    done(target);
  }
  await revealFirst(
    moving.map(({ place }) => childOf(folder, nameOf(place))),
    services,
  );
}

function isIn(folder: FilePlace, place: FilePlace): boolean {
  return keyOf(parentOrSelf(place)) === keyOf(folder);
}

async function revealFirst([first]: readonly FilePlace[], { features }: Services): Promise<void> {
  if (first !== undefined) {
    await features.tree.loaded?.reveal(first);
  }
}

/** Names a copy like VS Code's own Explorer: `site.conf`, `site copy.conf`, `site copy 2.conf`. */
function nameOfCopy(
  { name, isFolder }: { readonly name: string; readonly isFolder: boolean },
  taken: (name: string) => boolean,
): string {
  const end = isFolder ? -1 : name.lastIndexOf('.');
  const [stem, extension] = end > 0 ? [name.slice(0, end), name.slice(end)] : [name, ''];
  for (let n = 1; ; n += 1) {
    const copy = `${stem} copy${n === 1 ? '' : ` ${n}`}${extension}`;
    if (!taken(copy)) {
      return copy;
    }
  }
}

/**
 * Files are read and written; to move them, each is then deleted once its copy is seen to be there. Returns whether the
 * user agreed.
 */
async function pasteAcrossContainers(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  intent: 'copy' | 'move',
  services: Services,
): Promise<boolean> {
  if (targets.length === 0) {
    return true;
  }
  if (!(await mayCross(folder, targets, intent, services))) {
    return false;
  }
  const places = targets.map(({ place }) => place);
  if (intent === 'move') {
    ensureSaved(places);
  }
  let left: readonly FilePlace[] = places;
  const deleteOriginals = async (transferred: Transferred) => {
    const complete = left.filter((place) => isComplete(nameOf(place), transferred));
    left = left.filter((place) => !complete.includes(place));
    // Between attempts, there may have been time to edit them.
    ensureSaved(complete);
    await deleteArrived(folder, complete, transferred, services);
  };
  const onDidTransfer = intent === 'move' ? deleteOriginals : undefined;
  const shown = l10n.t('{0} in {1}', folder.path, locationText(folder, services.environments));
  const sources = await sourcesOf(places, services);
  await transferInto(folder, { kind: 'copy', folder: shown, sources, onDidTransfer }, services);
  return true;
}

function mayCross(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  intent: 'copy' | 'move',
  { environments }: Services,
): Promise<boolean> {
  const locations = new Set(targets.map(({ place }) => locationText(place, environments)));
  const [from, to] = [[...locations].join('; '), locationText(folder, environments)];
  const how = l10n.t('Only text files can be transferred between containers. Other files are skipped and listed.');
  const then = l10n.t('Originals are deleted after their copies are verified.');
  const lineOf = ({ place }: CommandTarget) =>
    locations.size === 1 ? place.path : `${place.path} · ${locationText(place, environments)}`;
  const paths = modalLines(targets.map(lineOf));
  const [question, paragraphs, button] =
    intent === 'copy'
      ? [l10n.t('Copy from {0} to {1}?', from, to), [paths, how], l10n.t('Copy')]
      : [l10n.t('Move from {0} to {1}?', from, to), [paths, `${how} ${then}`], l10n.t('Move')];
  // A copy changes nothing where it comes from.
  const changed = intent === 'copy' ? [folder] : [folder, ...targets.map(({ place }) => place)];
  return confirmChange(changed, environments, { question, paragraphs, button });
}

/** Whether everything of a source has arrived. */
function isComplete(name: string, { failures, skipped }: Transferred): boolean {
  const missing = [...failures.map(({ path }) => path), ...skipped];
  return !missing.some((path) => path === name || path.startsWith(`${name}/`));
}
