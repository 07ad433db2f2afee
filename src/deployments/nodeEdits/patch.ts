import { diffIndices } from 'node-diff3';

export interface PatchedFile {
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** `undefined` where the file was not there, or nobody knows what it held. */
  readonly before: string | undefined;
  /** `undefined` where the file was deleted. */
  readonly after: string | undefined;
}

interface Change {
  readonly from: number;
  readonly removed: readonly string[];
  readonly to: number;
  readonly added: readonly string[];
}

const context = 3;

/** The changes as `git apply` takes them; nothing for files that are the same. */
export function patchOf(files: readonly PatchedFile[]): string {
  return files.map(patchOfFile).join('');
}

function patchOfFile({ path, before, after }: PatchedFile): string {
  if (before === after) {
    return '';
  }
  const oldLines = linesOf(before ?? '');
  const newLines = linesOf(after ?? '');
  const changes = diffIndices([...oldLines], [...newLines]).map(
    ({ buffer1, buffer1Content, buffer2, buffer2Content }): Change => ({
      from: buffer1[0],
      removed: buffer1Content,
      to: buffer2[0],
      added: buffer2Content,
    }),
  );
  const rows = [...headOf({ path, before, after }), ...hunksOf(changes).map((hunk) => hunkText(hunk, oldLines))];
  return `${rows.join('\n')}\n`;
}

/** An empty file has no lines that could tell of it: the mode alone does. */
function headOf({ path, before, after }: PatchedFile): readonly string[] {
  const [oldName, newName] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const mode = [
    ...(before === undefined ? ['new file mode 100644'] : []),
    ...(after === undefined ? ['deleted file mode 100644'] : []),
  ];
  const isEmpty = (before ?? '') === '' && (after ?? '') === '';
  const names = [
    `--- ${before === undefined ? '/dev/null' : oldName}`,
    `+++ ${after === undefined ? '/dev/null' : newName}`,
  ];
  return [`diff --git ${oldName} ${newName}`, ...mode, ...(isEmpty ? [] : names)];
}

/** Each line with its end, so that a missing end of the last one is a difference like any other. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Changes whose surroundings touch belong to one hunk. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && change.from - (last.from + last.removed.length) <= 2 * context) {
      hunks.at(-1)?.push(change);
    } else {
      hunks.push([change]);
    }
  }
  return hunks;
}

function hunkText(changes: readonly Change[], lines: readonly string[]): string {
  const [first] = changes;
  const last = changes.at(-1);
  if (first === undefined || last === undefined) {
    return '';
  }
  const start = Math.max(0, first.from - context);
  const end = Math.min(lines.length, last.from + last.removed.length + context);
  const body: string[] = [];
  let at = start;
  for (const { from, removed, added } of changes) {
    body.push(...lines.slice(at, from).map((line) => marked(' ', line)));
    body.push(...removed.map((line) => marked('-', line)), ...added.map((line) => marked('+', line)));
    at = from + removed.length;
  }
  body.push(...lines.slice(at, end).map((line) => marked(' ', line)));
  const shift = changes.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
  const newStart = first.to - (first.from - start);
  return [`@@ -${range(start, end - start)} +${range(newStart, end - start + shift)} @@`, ...body].join('\n');
}

/** Lines count from 1; a range of none names the line before it. */
function range(start: number, length: number): string {
  return `${length === 0 ? start : start + 1},${length}`;
}

function marked(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line.slice(0, -1) : `${mark}${line}\n\\ No newline at end of file`;
}

/** git puts unusual names in quotes, with octal bytes. */
function quoted(name: string): string {
  if (/^[\w./ @+=,-]+$/.test(name) && !name.includes(' ')) {
    return name;
  }
  const bytes = [...Buffer.from(name)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') {
      return `\\${character}`;
    }
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : character;
  });
  return `"${bytes.join('')}"`;
}
