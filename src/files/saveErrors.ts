import { FileSystemError, l10n, type Uri } from 'vscode';
import type { CommandId } from '../manifest';
import { isCancelled, isPlatformError } from '../platform/errors';
import { type FilePlace, nameOf, targetText } from '../remote/place';
import { sentenceOf } from '../ui/sentences';
import { withoutLinks } from '../ui/withoutLinks';
import { fileSystemError } from './fileSystemErrors';
import { NeedsPieces } from './pieceWriting';
import type { NodeFinding } from './saving/found';
import type { NodeResult, SaveOutcome } from './saving/saveOutcome';
import type { Reach } from './saving/saves';

/** What was to be saved, and how far the save was to reach. */
export interface SavedThing {
  readonly place: FilePlace;
  readonly uri: Uri;
  readonly reach: Reach;
}

type Unsaved = Exclude<SaveOutcome, { kind: 'saved' }>;

/** What VS Code shows when a save did not come to its end: what happened, and as links what can be done about it. */
export function saveError({ place, uri, reach }: SavedThing, outcome: Unsaved): unknown {
  switch (outcome.kind) {
    case 'conflict':
      return FileSystemError.Unavailable(
        `${withoutLinks(conflictText(place, outcome.nodes))} ${choices({ place, uri, reach }, outcome.nodes)}`,
      );
    case 'failed':
      return outcome.cause === undefined
        ? unavailable(
            l10n.t(
              'The platform said that it saved {0}, but the file holds what it held before. Save it again.',
              place.path,
            ),
          )
        : failed(outcome.cause, { place, uri, reach });
    case 'incomplete':
      return FileSystemError.Unavailable(incompleteText({ place, uri, reach }, outcome));
    case 'unknown':
      return unavailable(
        l10n.t(
          "Gantry couldn't confirm that {0} was saved: {1} Your text is kept, and Gantry checks the file when the platform answers again.",
          nameOf(place),
          isCancelled(outcome.cause) ? l10n.t('you stopped waiting for the platform.') : textOf(outcome.cause),
        ),
      );
  }
}

function failed(cause: unknown, saved: SavedThing): unknown {
  const { uri } = saved;
  if (cause instanceof NeedsPieces) {
    return FileSystemError.Unavailable(piecesText(cause, saved));
  }
  if (isCancelled(cause)) {
    return unavailable(l10n.t("You stopped waiting for the platform. {0} wasn't saved.", nameOf(saved.place)));
  }
  if (!isPlatformError(cause)) {
    return fileSystemError(cause, uri);
  }
  if (!cause.fateUnknown) {
    return cause.kind === 'unreachable'
      ? unavailable(l10n.t('{0} Nothing was written, and your text is kept.', textOf(cause)))
      : fileSystemError(cause, uri);
  }
  return unavailable(
    l10n.t(
      '{0} What you wrote has not arrived so far, and the file holds what it held before. Save it again.',
      textOf(cause),
    ),
  );
}

function unavailable(text: string): FileSystemError {
  return FileSystemError.Unavailable(withoutLinks(text));
}

function piecesText({ pieces }: NeedsPieces, saved: SavedThing): string {
  const { place } = saved;
  if (pieces === 0) {
    const tooLong = l10n.t(
      'The path of {0} is too long for the URLs that this platform takes. Nothing was written.',
      place.path,
    );
    return withoutLinks(tooLong);
  }
  const text = l10n.t(
    '{0} is too long for one request to this platform. It can be sent in {1} pieces, and until the last has arrived the file in the container is incomplete. Nothing was written.',
    place.path,
    pieces,
  );
  return `${withoutLinks(text)} ${link(l10n.t('Save in Pieces'), 'gantry.file.saveInPieces', saved)}`;
}

function conflictText(place: FilePlace, nodes: readonly NodeFinding[]): string {
  const where = nodeNames(nodes);
  if (nodes.every(({ found }) => found.kind === 'absent')) {
    return l10n.t('{0} was deleted on {1} since you opened it. Nothing was written.', nameOf(place), where);
  }
  if (nodes.some(({ found }) => found.kind === 'noFile')) {
    return l10n.t('{0} is no longer a file on {1}. Nothing was written.', nameOf(place), where);
  }
  return l10n.t('{0} was changed on {1} since you opened it. Nothing was written.', nameOf(place), where);
}

function incompleteText(saved: SavedThing, { nodes, cause }: Extract<Unsaved, { kind: 'incomplete' }>): string {
  const { place } = saved;
  const done = nodes.filter(({ state }) => state === 'saved');
  const others = nodes.filter(({ state }) => state === 'other');
  const unchanged = nodes.filter(({ state }) => state === 'unchanged');
  const sentences = [
    ...(cause === undefined ? [] : [textOf(cause)]),
    ...(done.length === 0 ? [] : [l10n.t('{0} holds your text.', nodeNames(done))]),
    ...(unchanged.length === 0 ? [] : [l10n.t('{0} holds what it held before.', nodeNames(unchanged))]),
    ...others.map((result) => otherText(place, result)),
  ];
  const advice = others.length === 0 ? l10n.t('Save it again.') : choices(saved, others);
  return `${withoutLinks(sentences.join(' '))} ${advice}`;
}

function otherText(place: FilePlace, { node, found }: NodeResult): string {
  const where = nodeNames([{ node, found }]);
  return found.kind === 'absent'
    ? l10n.t('{0} is not there on {1} after the save.', nameOf(place), where)
    : l10n.t('{0} on {1} holds something else than you saved.', nameOf(place), where);
}

function choices(saved: SavedThing, nodes: readonly NodeFinding[]): string {
  const isText = nodes.some(({ found }) => found.kind === 'text');
  const isFile = !nodes.some(({ found }) => found.kind === 'noFile');
  const overwrite = isText ? l10n.t('Overwrite') : l10n.t('Make It Again');
  return [
    ...(isText ? [link(l10n.t('Compare'), 'gantry.conflict.compare', saved)] : []),
    ...(isText ? [link(l10n.t('Merge'), 'gantry.conflict.merge', saved)] : []),
    ...(isFile ? [link(overwrite, 'gantry.conflict.overwrite', saved)] : []),
    link(l10n.t('Save Elsewhere'), 'gantry.conflict.saveElsewhere', saved),
  ].join(' · ');
}

function link(label: string, command: CommandId, { uri, reach }: SavedThing): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([uri.toString(), reach]))})`;
}

export function nodeNames(nodes: readonly NodeFinding[]): string {
  return nodes
    .map(({ node: { environment, target } }) => `${environment} · ${targetText(target).replace('~', ' · ')}`)
    .join(', ');
}

function textOf(cause: unknown): string {
  if (isPlatformError(cause)) {
    return sentenceOf(cause);
  }
  return cause instanceof Error ? cause.message : String(cause);
}
