import { formatPatch, structuredPatch } from 'diff';
import { mergeTexts } from '../../../files/saving/mergeTexts';
import { hasMixedLineEnds, normalizeText } from '../../../files/text';

/** A file's text, or `undefined` if the file doesn't exist. */
export type Side = string | undefined;

export interface EditSides {
  /** What was deployed; `unknown` if neither a clone nor Gantry has it. */
  readonly deployed: Side | { readonly kind: 'unknown' };
  /** What the clone's working tree has. */
  readonly local: Side;
  readonly node: Side;
}

/** What to do to a file of the clone, so that it has the edit. */
export type TakePlan =
  | { readonly kind: 'nothing' | 'delete' }
  | { readonly kind: 'write'; readonly text: string }
  /** Both changed the same lines. The text has conflict markers. */
  | { readonly kind: 'conflict'; readonly text: string; readonly conflicts: number }
  /** No text can have both changes: one side deleted the file, or nothing says what the node's edit or line ends are. */
  | { readonly kind: 'impossible'; readonly why: 'deletedLocally' | 'deletedOnNode' | 'unknownBase' | 'mixedLineEnds' };

/** Decides how an edit on a node gets into the clone. Never drops a change of the clone. */
export function planTake(
  { deployed, local, node }: EditSides,
  names: { readonly yours: string; readonly theirs: string },
): TakePlan {
  if (node === local || node === deployed) {
    return { kind: 'nothing' };
  }
  if (typeof deployed === 'object') {
    return local === undefined && node !== undefined
      ? { kind: 'write', text: node }
      : { kind: 'impossible', why: 'unknownBase' };
  }
  const isUnchangedHere = isAlike(local, deployed);
  if (node === undefined) {
    return isUnchangedHere ? { kind: 'delete' } : { kind: 'impossible', why: 'deletedOnNode' };
  }
  if (local === undefined) {
    return isUnchangedHere ? { kind: 'write', text: node } : { kind: 'impossible', why: 'deletedLocally' };
  }
  if (local === deployed) {
    return { kind: 'write', text: node };
  }
  return planMerge(deployed, local, node, names);
}

function planMerge(
  deployed: Side,
  local: string,
  node: string,
  names: { readonly yours: string; readonly theirs: string },
): TakePlan {
  if (hasMixedLineEnds(local) || hasMixedLineEnds(node)) {
    // A merge would make them all alike.
    return { kind: 'impossible', why: 'mixedLineEnds' };
  }
  const { text: merged, conflicts } = mergeTexts({ base: deployed ?? '', yours: local, theirs: node }, names);
  const text = withFormOf(changesForm({ deployed, node }) ? node : local, merged);
  if (conflicts > 0) {
    return { kind: 'conflict', text, conflicts };
  }
  return text === local ? { kind: 'nothing' } : { kind: 'write', text };
}

/**
 * Whether a text has all that the node's edit changed, so that deploying it loses nothing. Unclear if it was changed in
 * the same places, or what was deployed isn't known.
 */
export function editIn(text: Side, { deployed, node }: Omit<EditSides, 'local'>): 'has' | 'lacks' | 'unclear' {
  if (text === undefined || node === undefined) {
    return text === node ? 'has' : 'lacks';
  }
  if (changesForm({ deployed, node }) && formOf(text) !== formOf(node)) {
    return 'lacks';
  }
  if (isAlike(text, node)) {
    return 'has';
  }
  if (typeof deployed === 'object') {
    return 'unclear';
  }
  const merged = mergeTexts({ base: deployed ?? '', yours: text, theirs: node }, { yours: '', theirs: '' });
  return merged.conflicts > 0 ? 'unclear' : merged.text === normalizeText(text) ? 'has' : 'lacks';
}

/** Whether the edit is, among others, one of the line endings or of the byte-order mark. */
function changesForm({ deployed, node }: Omit<EditSides, 'local'>): boolean {
  return typeof deployed === 'string' && node !== undefined && formOf(node) !== formOf(deployed);
}

/** What normalizing a text removes. */
function formOf(text: string): string {
  return `${text.startsWith('\uFEFF')} ${text.includes('\r\n')}`;
}

/** Whether both are absent, or are the same text but for line endings and a byte-order mark, which Git may convert. */
function isAlike(one: Side, other: Side): boolean {
  return one === other || (one !== undefined && other !== undefined && normalizeText(one) === normalizeText(other));
}

/** Gives a merged text the line endings and the byte-order mark of the file that it's written to. */
function withFormOf(file: string, text: string): string {
  const lines = file.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  return file.startsWith('\uFEFF') ? `\uFEFF${lines}` : lines;
}

/**
 * Whether a path can be a file of a working tree. A node's files are data, so they must not get into the clone's own
 * folder, whose hooks Git runs, by any name that a file system takes for it, or out of the clone.
 */
export function isPathInTree(path: string): boolean {
  return path.split('/').every((name) => {
    const plain = name.replaceAll(/\p{Cf}/gu, '');
    return plain !== '' && !/^\.+$|[\\:]|^(?:\.git|git~\d+)[. ]*$/i.test(plain);
  });
}

export interface PatchedFile {
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** `undefined` if the file didn't exist, or its earlier text is unknown. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Comparing long texts that have little in common would block all extensions. After this many milliseconds, give up. */
const timeout = 1000;

/**
 * Formats the changes for `git apply`, which would take nothing if it couldn't make one of them. So it makes one change of
 * each file, and those that lead to other texts, such as on other nodes, follow as comments. Empty if no file changed.
 * @param heading what is said above such a comment
 */
export function patchOf<F extends PatchedFile>(files: readonly F[], heading: (file: F) => string): string {
  const byPath = new Map<string, F[]>();
  for (const file of files.filter(({ before, after }) => before !== after)) {
    byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  }
  return [...byPath.values()]
    .flatMap((changes) => {
      // A patch without the earlier text creates the file, which may be there already.
      const isUnknown = ({ before }: PatchedFile) => Number(before === undefined);
      const knownFirst = [...changes].sort((one, other) => isUnknown(one) - isUnknown(other));
      const texts = knownFirst.map(({ after }) => after);
      return knownFirst
        .filter(({ after }, index) => texts.indexOf(after) === index)
        .map((file, index) =>
          index === 0 ? patchOfFile(file) : patchComment(`${heading(file)}\n${patchOfFile(file)}`),
        );
    })
    .join('');
}

/** Git ignores such lines before and after the changes of a file. */
export function patchComment(text: string): string {
  return text.replaceAll(/[^\n]*\n/g, '# $&');
}

function patchOfFile({ path, before, after }: PatchedFile): string {
  return formatPatch({
    oldFileName: before === undefined ? '/dev/null' : `a/${path}`,
    newFileName: after === undefined ? '/dev/null' : `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    isGit: true,
    isCreate: before === undefined,
    isDelete: after === undefined,
    hunks: hunksOf(before ?? '', after ?? ''),
  });
}

function hunksOf(before: string, after: string) {
  const compare = (one: string, other: string) => structuredPatch('', '', one, other, '', '', { context: 3, timeout });
  const hunks = compare(before, after)?.hunks;
  if (hunks !== undefined) {
    return hunks;
  }
  const [removal, addition] = [compare(before, '')?.hunks[0], compare('', after)?.hunks[0]];
  return removal === undefined || addition === undefined
    ? []
    : [{ ...removal, newStart: 1, newLines: addition.newLines, lines: [...removal.lines, ...addition.lines] }];
}
