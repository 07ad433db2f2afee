import { Disposable, FileChangeType, FileSystemError, l10n } from 'vscode';
import type { Containers } from '../../containers/containers';
import { uriOf } from '../../containers/uris';
import type { ContainerFileSystem } from '../provider/containerFileSystem';
import type { FailedOverwrite, OverwriteBackups } from '../provider/overwriteBackups';
import { movedContentsOf, type FailedRemoval, type PreviousContent } from '../provider/previousContent';
import { type FilePlace, keyOf, nameOf } from '../../containers/place';
import { isPlatformError, undefinedIf } from '../../platform/errors';
import { ExpectedError } from '../../ui/expectedError';
import { failureText, reasonText } from '../../ui/failureMessages';
import { showErrorMessage, showWarningMessage } from '../../ui/notifications';
import { showStatusMessage } from '../../ui/statusBar';
import { outcomeText } from './outcomeTexts';
import type { ShownTexts } from '../../ui/shownTexts';
import { compareButton, compareNotRestored, foundInstead, type RestoreTexts } from './restoreTexts';

/** If an overwrite fails, tells the user where the previous content is and offers to restore it. */
export function showFailedOverwrites(
  backups: OverwriteBackups,
  fileSystem: ContainerFileSystem,
  containers: Pick<Containers, 'shows' | 'nodes'>,
  restoreTexts: RestoreTexts,
  texts: ShownTexts,
): Disposable {
  return Disposable.from(
    backups.onDidFailToOverwrite((failed) => {
      const { place, backup } = failed;
      const restoreIt = () =>
        backup.kind === 'text'
          ? putTextBack(place, backup.text, restoreTexts, containers)
          : putBack(place, backup, fileSystem, containers);
      void offerRestore(failed, backups, restoreIt, texts);
    }),
    backups.onDidFailToRemove((failed) => {
      fileSystem.announce([{ place: failed.left, type: FileChangeType.Created }]);
      void showWarningMessage(removalText(failed));
    }),
  );
}

async function offerRestore(
  failed: FailedOverwrite,
  backups: OverwriteBackups,
  restoreIt: () => Promise<PutBack>,
  texts: ShownTexts,
): Promise<void> {
  const name = nameOf(failed.place);
  const restore = l10n.t('Restore');
  let text = failedText(failed);
  let different: NonNullable<PutBack['different']> = [];
  for (;;) {
    const buttons = different.length > 0 ? [compareButton()] : [];
    const chosen = await showErrorMessage(text, restore, ...buttons);
    if (chosen === compareButton()) {
      await compareNotRestored(different, texts);
      continue;
    }
    if (chosen !== restore) {
      return;
    }
    try {
      const { problem, isKept, different: found = [] } = await restoreIt();
      different = found;
      if (problem !== undefined && isKept === true) {
        text = problem;
        continue;
      }
      await backups.letGo(failed);
      if (problem === undefined) {
        backups.noteReturned(failed.place);
        showStatusMessage('check', l10n.t('Restored {0}', name), 5_000);
      } else {
        void showWarningMessage(problem);
      }
      return;
    } catch (error) {
      const isTaken = error instanceof FileSystemError && error.code === 'FileExists';
      text = isTaken ? takenText(name) : l10n.t("Couldn't restore {0}. {1}", name, failureText(error));
      different = [];
    }
  }
}

function takenText(name: string): string {
  return l10n.t("Couldn't restore {0}: the name is taken. Rename the other item, then try again.", name);
}

function failedText({ place, backup, isInterrupted }: FailedOverwrite): string {
  const name = nameOf(place);
  if (backup.kind === 'text') {
    return isInterrupted
      ? l10n.t('The window closed before {0} was replaced. Gantry kept its previous content on this computer.', name)
      : l10n.t("Couldn't overwrite {0}. Gantry kept its previous content on this computer.", name);
  }
  const paths = pathsOf(backup);
  return isInterrupted
    ? l10n.t(
        'The window closed before {0} was replaced or deleted. Gantry may have kept its previous content as {1}.',
        name,
        paths,
      )
    : l10n.t("Couldn't overwrite {0}. Gantry kept its previous content as {1}.", name, paths);
}

function pathsOf(backup: PreviousContent): string {
  return movedContentsOf(backup)
    .map(({ movedTo }) => movedTo.path)
    .join(l10n.t(' or '));
}

/** The result of a restore. */
interface PutBack {
  readonly problem?: string;
  /** The previous content isn't certain to be back, so Gantry keeps its copy. */
  readonly isKept?: true;
  /** What there is instead of a text, to compare with it. */
  readonly different?: ReturnType<typeof foundInstead>;
}

async function putTextBack(
  place: FilePlace,
  earlier: string,
  restoreTexts: RestoreTexts,
  containers: Pick<Containers, 'shows'>,
): Promise<PutBack> {
  const { failed } = await restoreTexts([{ place, now: undefined, earlier }]);
  if (failed === undefined) {
    return {};
  }
  const { outcome } = failed;
  if (outcome.kind === 'failed' && isPlatformError(outcome.cause) && outcome.cause.kind === 'exists') {
    const isFile = containers.shows(place, undefined, (entry) => entry?.isDir === false);
    const different = (await undefinedIf('any', isFile)) === true ? [{ place, earlier }] : [];
    return { problem: takenText(nameOf(place)), isKept: true, different };
  }
  if (outcome.kind === 'failed' && outcome.cause instanceof Error) {
    throw outcome.cause;
  }
  const problem = outcomeText(outcome, nameOf(place), 'restored');
  return { problem, isKept: true, different: foundInstead(outcome, earlier) };
}

/**
 * Fails if the name is taken, so that it never replaces someone else's file, and if several names may have the content:
 * each may have only a part of it, such as that of one node.
 */
async function putBack(
  place: FilePlace,
  backup: PreviousContent,
  fileSystem: ContainerFileSystem,
  containers: Pick<Containers, 'shows' | 'nodes'>,
): Promise<PutBack> {
  const uri = uriOf(place);
  const isFree = (one: FilePlace) => containers.shows(one, undefined, (entry) => entry === undefined);
  const taken = async (one: FilePlace) => {
    const nodes = await containers.nodes(one);
    const free = await Promise.all(nodes.map(isFree));
    return {
      one,
      on: nodes.filter((_, index) => free[index] === false),
      without: nodes.filter((_, index) => free[index] === true),
    };
  };
  // Two records may have the same name if a window closed while it took over those of another.
  let left: Awaited<ReturnType<typeof taken>> | undefined;
  for (const { movedTo } of movedContentsOf(backup)) {
    const found = await taken(movedTo);
    if (found.on.length > 0) {
      if (left !== undefined && left.one.path !== movedTo.path) {
        throw new ExpectedError(l10n.t('Parts of it may be in {0}. Check these, then try again.', pathsOf(backup)));
      }
      left = found;
    }
  }
  if (left === undefined) {
    const problem = l10n.t('Nothing is left of {0}.', pathsOf(backup));
    return { problem: l10n.t("Couldn't restore {0}. {1}", nameOf(place), problem) };
  }
  // On a layer, an earlier try may have restored it on some of the nodes.
  const targets = left.on.map(({ target }) => ({ ...place, target }));
  // Some platforms replace the target of a rename.
  if ((await Promise.all(targets.map(isFree))).includes(false)) {
    throw FileSystemError.FileExists(uri);
  }
  const restored = await Promise.all(left.without.map(({ target }) => isFree({ ...place, target })));
  const lacking = left.without.filter((_, index) => restored[index] === true);
  const sources = left.without.length === 0 ? [left.one] : left.on;
  for (const source of sources) {
    await fileSystem.rename(uriOf(source), uriOf({ ...place, target: source.target }));
  }
  if (lacking.length === 0) {
    return {};
  }
  const nodes = lacking.map(({ target }) => target.nodeId ?? l10n.t('the layer')).join(', ');
  return { problem: l10n.t('Restored {0}, but not on nodes without {1}: {2}.', nameOf(place), left.one.path, nodes) };
}

function removalText({ place, left, error }: FailedRemoval): string {
  return keyOf(left) === keyOf(place)
    ? l10n.t("Couldn't delete {0}: {1}.", place.path, reasonText(error))
    : l10n.t("Couldn't fully delete {0}: {1}. What's left is in {2}.", place.path, reasonText(error), left.path);
}
