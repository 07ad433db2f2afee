import type { l10n } from 'vscode';
import type { PlannedChange } from '../containers/containers';
import { openEnvelope } from '../platform/readReply';
import { fieldOf, readInteger, readTimestamp } from '../platform/wire/scalars';
import {
  type ChangedText,
  clockWord,
  fact,
  given,
  lengthWord,
  limited,
  type StoredText,
  unsafe,
  type Verdict,
  works,
} from './fact';

/** l10n-dev finds texts only in files that import `l10n`. */
type Localizer = Pick<typeof l10n, 't'>;

const isA =
  (kind: PlannedChange['kind']): Verdict['refuses'] =>
  (change) =>
    change.kind === kind;

/** The words of a fact about texts of some kind. */
const altersTexts = (isOfKind: (text: string) => boolean) => ({
  exact: works,
  altered: unsafe(
    (l10n) => l10n.t('The platform changes this kind of text when it stores it. Gantry refuses to save it.'),
    ({ text }) => text !== undefined && isOfKind(text),
  ),
});

const neverReplaces = unsafe(
  (l10n) => l10n.t("The platform doesn't replace the file's content. Gantry refuses to save."),
  isA('write'),
);
const neverAppends = unsafe(
  (l10n) => l10n.t("The platform doesn't add the text at the end. Gantry refuses to append."),
  isA('append'),
);
const altersReads = limited((l10n) =>
  l10n.t('The platform changes some text when it returns it. Files that it would change open read-only or not at all.'),
);
const createsOnto = limited(
  (l10n) => l10n.t("The platform doesn't report that the file exists. Gantry looks before it creates one."),
  'create',
);
const replacesSilently = (l10n: Localizer) =>
  l10n.t(
    'The platform replaces the existing file without a warning. Gantry looks first, and refuses if the file exists.',
  );
const misses = unsafe(
  (l10n) => l10n.t("They don't reach every node. Gantry refuses them. Change the nodes one by one."),
  ({ isLayer }) => isLayer,
);

/** Longer texts are sent in another way by some platforms. */
const longest = 64 * 1024;

export const writingFacts = {
  overwriting: fact({
    label: (l10n) => l10n.t('Overwriting a file'),
    words: { replaces: works, appends: neverReplaces, other: neverReplaces },
    probe: ({ overwritten }) =>
      given(changeIn(overwritten), (change) => (change === 'overwrites' ? 'replaces' : change)),
  }),
  appendMode: fact({
    label: (l10n) => l10n.t('Writing in append mode'),
    // Gantry never sends `isAppendMode=true`.
    words: { appends: works, overwrites: works, other: works },
    probe: ({ added }) => changeIn(added),
  }),
  append: fact({
    label: (l10n) => l10n.t('Appending to a file'),
    words: { appends: works, overwrites: neverAppends, other: neverAppends },
    probe: ({ appended }) => changeIn(appended),
  }),
  readTexts: fact({
    label: (l10n) => l10n.t('Reading text'),
    words: {
      exact: works,
      lineFeeds: altersReads,
      withoutMark: altersReads,
      normalized: altersReads,
      latin1: altersReads,
      other: altersReads,
    },
    probe: ({ lineEnds, mark, nonAscii }) => {
      if (lineEnds === undefined || mark === undefined || nonAscii === undefined) {
        return undefined;
      }
      if (nonAscii.text === Buffer.from(nonAscii.sent).toString('latin1')) {
        return 'latin1';
      }
      return isExact(nonAscii) ? lossIn(lineEnds, mark) : 'other';
    },
  }),
  writeLineEnds: fact({
    label: (l10n) => l10n.t('Writing CRLF line endings'),
    words: altersTexts((text) => text.includes('\r')),
    probe: ({ lineEnds }) => lengthShows(lineEnds),
  }),
  writeMark: fact({
    label: (l10n) => l10n.t('Writing a byte-order mark'),
    words: altersTexts((text) => text.startsWith('\uFEFF')),
    probe: ({ mark }) => lengthShows(mark),
  }),
  writeNonAscii: fact({
    label: (l10n) => l10n.t('Writing non-ASCII characters'),
    words: altersTexts((text) => /[^\0-\x7F]/.test(text)),
    probe: ({ nonAscii }) => lengthShows(nonAscii),
  }),
  writeLong: fact({
    label: (l10n) => l10n.t('Writing long text'),
    words: altersTexts((text) => text.length > longest),
    probe: ({ long }) => (long !== undefined && !isExact(long) ? 'altered' : lengthShows(long)),
  }),
  createOnto: fact({
    label: (l10n) => l10n.t('Creating a file that exists'),
    words: { refused: works, overwrites: createsOnto, ignored: createsOnto },
    probe: ({ created }) =>
      given(created, ({ isDone, isKept }) => (!isKept ? 'overwrites' : isDone ? 'ignored' : 'refused')),
  }),
  renameOnto: fact({
    label: (l10n) => l10n.t('Renaming onto a file that exists'),
    words: { refused: works, overwrites: limited(replacesSilently, 'rename') },
    probe: ({ isKeptByRename }) => given(isKeptByRename, (isKept) => (isKept ? 'refused' : 'overwrites')),
  }),
  copyOnto: fact({
    label: (l10n) => l10n.t('Copying onto a file that exists'),
    words: { refused: works, overwrites: limited(replacesSilently, 'copy') },
    probe: ({ isKeptByCopy }) => given(isKeptByCopy, (isKept) => (isKept ? 'refused' : 'overwrites')),
  }),
  renameAcrossFolders: fact({
    label: (l10n) => l10n.t('Moving to another folder'),
    words: {
      done: works,
      refused: limited((l10n) =>
        l10n.t('The platform refuses it. Gantry copies, compares, and then deletes the original.'),
      ),
    },
    probe: ({ isMoved }) => given(isMoved, (isDone) => (isDone ? 'done' : 'refused')),
  }),
  deleting: fact({
    label: (l10n) => l10n.t('Deleting'),
    words: {
      done: works,
      nothing: unsafe(
        (l10n) => l10n.t('The platform reports success and deletes nothing. Gantry refuses to delete.'),
        isA('delete'),
      ),
    },
    probe: ({ isDeleted }) => given(isDeleted, (isDone) => (isDone ? 'done' : 'nothing')),
  }),
  masterOnly: fact({
    label: (l10n) => l10n.t('Changes on all nodes of a layer'),
    words: { honored: works, reversed: misses, ignored: works, masterAlways: misses },
    probe: ({ reached }) => {
      if (reached?.true === undefined || reached.false === undefined) {
        return undefined;
      }
      const [isEveryNode, isEveryNodeDespite] = [reached.false, reached.true].map((count) => count === reached.nodes);
      return isEveryNode
        ? isEveryNodeDespite
          ? 'ignored'
          : 'honored'
        : isEveryNodeDespite
          ? 'reversed'
          : 'masterAlways';
    },
  }),
  /** Whether a change on one node stays there. */
  oneNode: fact({
    label: (l10n) => l10n.t('Changes on one node'),
    words: {
      honored: works,
      everyNode: unsafe(
        (l10n) => l10n.t('They also change other nodes. Gantry refuses all changes on this platform.'),
        ({ kind }) => kind !== 'compareNodes',
      ),
      /** The platform ignores which node is named. */
      ignored: unsafe(
        (l10n) =>
          l10n.t(
            'The platform ignores which node a request names. Gantry refuses changes in layers with several nodes, and comparisons of their nodes. What it shows for one of these nodes may be from another.',
          ),
        ({ hasSeveralNodes }) => hasSeveralNodes,
      ),
      /** Maybe the nodes only have the folder of the check in common. */
      sameFolder: limited((l10n) =>
        l10n.t(
          "A folder created on one node also appeared on another. Either the nodes share it, or changes on one node don't stay there. To find out, check again in a folder that the nodes don't share, such as /tmp.",
        ),
      ),
    },
    probe: ({ oneNode }) => oneNode,
  }),
  /** Where a failure on one of several nodes is reported. */
  nodeFailures: fact({
    label: (l10n) => l10n.t('Errors on one of several nodes'),
    words: { nested: works, outer: works },
    probe: ({ nodeFailure }) => {
      const result = nodeFailure?.body && readInteger(fieldOf(nodeFailure.body, 'result'));
      if (result === undefined || openEnvelope(nodeFailure?.body, 'zero').said !== 'failure') {
        return undefined;
      }
      return result === 0 ? 'nested' : 'outer';
    },
  }),
  /** Whether the node's clock and this computer's differ by more than five minutes. */
  fileClock: fact({
    label: (l10n) => l10n.t("The node's clock"),
    words: {
      same: works,
      differs: limited((l10n) =>
        l10n.t("It differs from this computer's by more than five minutes, so modification times can be off."),
      ),
    },
    probe: ({ nonAscii }) => clockWord(readTimestamp(nonAscii?.lastModified), nonAscii?.listedAt),
  }),
};

function changeIn(changed: ChangedText | undefined) {
  return given(changed, ({ before, sent, after }) =>
    after === before + sent ? ('appends' as const) : after === sent ? ('overwrites' as const) : ('other' as const),
  );
}

function isExact({ sent, text }: StoredText): boolean {
  return text === sent;
}

/** Returns what the platform leaves out of the texts that it returns. */
function lossIn(lineEnds: StoredText, mark: StoredText) {
  const losesEnds = lineEnds.text === lineEnds.sent.replaceAll('\r\n', '\n');
  const losesMark = mark.text === mark.sent.slice(1);
  if (!(losesEnds || isExact(lineEnds)) || !(losesMark || isExact(mark))) {
    return 'other';
  }
  return losesEnds ? (losesMark ? 'normalized' : 'lineFeeds') : losesMark ? 'withoutMark' : 'exact';
}

/** The listed length counts bytes on some platforms, and characters on others. Another one shows that the text was changed. */
function lengthShows(stored: StoredText | undefined) {
  return given(lengthWord(stored?.sent, stored?.length), (counts) => (counts === 'other' ? 'altered' : 'exact'));
}
