import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { limit } from '../../../../host/limits';
import { type PatchedFile, patchOf } from '../../../../../src/features/deployments/nodeEdits/takeEdit';

describe('a patch file', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-patch-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const formatted = (files: readonly PatchedFile[]) => patchOf(files, ({ path }) => `Another text of ${path}:`);
  /** The changes that a patch has only as comments. */
  const commentsOf = (patch: string) => patch.match(/^# [^\n]*\n/gm)?.map((line) => line.slice(2)) ?? [];

  /** Returns the files after Git has applied the patch. */
  const applied = (files: readonly PatchedFile[], patch = formatted(files)): readonly (string | undefined)[] => {
    const at = mkdtempSync(join(folder, 'tree-'));
    for (const { path, before: text } of files) {
      if (text !== undefined) {
        mkdirSync(dirname(join(at, path)), { recursive: true });
        writeFileSync(join(at, path), text);
      }
    }
    const environment = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, HOME: at };
    const options = { cwd: at, env: environment, input: patch };
    execFileSync('git', ['-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn', '-'], options);
    return files.map(({ path }) => (existsSync(join(at, path)) ? readFileSync(join(at, path), 'utf8') : undefined));
  };

  const line = fc.constantFrom(
    '',
    'server {',
    '  listen 80;',
    '}',
    'Tee für die Fähre\r',
    '\\ No newline',
    '-- x',
    '+++',
    'a',
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
    .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

  it('can be applied with git apply, for any two texts', () => {
    const pair = fc.tuple(text, text).filter(([one, other]) => one !== other);
    // Many files in each patch, because starting Git takes longer than applying all of them.
    const pairs = fc.array(pair, { minLength: 1, maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(pairs, (texts) => {
        const files = texts.map(([before, after], index) => ({ path: `conf/nginx.${index}.conf`, before, after }));
        assert.deepEqual(
          applied(files),
          files.map(({ after }) => after),
        );
      }),
      { numRuns: 10 },
    );
  });

  it('can contain several files, new ones, and unusual names', () => {
    const files: PatchedFile[] = [
      { path: 'index.php', before: 'one\ntwo\n', after: 'one\nthree\n' },
      { path: 'new folder/Fähre "7".txt', before: 'old', after: 'new' },
      { path: 'added.txt', before: undefined, after: 'added\nwithout an end' },
      { path: 'back\\slash', before: 'x\n', after: '' },
      { path: 'only spaces/a b.txt', before: 'x\n', after: 'y\n' },
      { path: ' at the edges ', before: undefined, after: 'y\n' },
    ];
    assert.deepEqual(
      applied(files),
      files.map((file) => file.after),
    );
  });

  it('has the change of a file that was saved to all nodes once, and another text of a node as a comment', () => {
    const index = { path: 'index.php', before: 'one\ntwo\n', after: undefined };
    const other = { path: 'other.php', before: 'a\n', after: 'b\n' };
    const everywhere = { ...index, after: 'one\nthree\n' };
    const files = [everywhere, everywhere, { ...index, after: 'one\nfour' }, index, other];
    assert.deepEqual(applied(files), [...Array<string>(4).fill(everywhere.after), other.after]);
    const comments = commentsOf(formatted(files));
    const headings = comments.flatMap((line, at) => (line === 'Another text of index.php:\n' ? [at] : []));
    assert.deepEqual([headings.length, headings[0]], [2, 0]);
    assert.deepEqual(applied([index, other], comments.slice(0, headings[1]).join('')), ['one\nfour', other.before]);
    assert.deepEqual(applied([index, other], comments.slice(headings[1]).join('')), [undefined, other.before]);
  });

  it('has the change from an earlier text that is known, if it leads to the same or another text as without one', () => {
    const known = { path: 'index.php', before: 'one\n', after: 'two\n' };
    const unknown = { ...known, before: undefined };
    for (const { after: text } of [known, { after: 'three\n' }]) {
      const files = [known, { ...unknown, after: text }];
      assert.deepEqual(applied([known], formatted([...files].reverse())), [known.after]);
    }
  });

  it('has every text of files that differ on two nodes, for any texts', () => {
    const triple = fc
      .tuple(text, text, text)
      .filter(([before, one, other]) => new Set([before, one, other]).size === 3);
    fc.assert(
      fc.property(fc.array(triple, { minLength: 1, maxLength: 60, size: 'max' }), (triples) => {
        const on = (node: 1 | 2) =>
          triples.map((texts, index) => ({ path: `conf/${index}.conf`, before: texts[0], after: texts[node] }));
        const patch = formatted([...on(1), ...on(2)]);
        assert.deepEqual(
          applied(on(1), patch),
          on(1).map(({ after }) => after),
        );
        assert.deepEqual(
          applied(on(2), commentsOf(patch).join('')),
          on(2).map(({ after }) => after),
        );
      }),
      { numRuns: 10 },
    );
  });

  it('is empty if nothing differs', () => {
    assert.equal(formatted([{ path: 'a', before: 'same', after: 'same' }]), '');
  });

  it('deletes files, and creates and deletes empty ones', () => {
    const files: PatchedFile[] = [
      { path: 'gone.conf', before: 'listen 80;\n\nkeep', after: undefined },
      { path: 'was/empty', before: '', after: undefined },
      { path: 'is/empty', before: undefined, after: '' },
      { path: 'filled', before: '', after: 'text\n' },
      { path: 'emptied', before: 'text\n', after: '' },
    ];
    assert.deepEqual(
      applied(files),
      files.map(({ after: text }) => text),
    );
  });

  it('soon gives up on comparing long texts that have little in common, and replaces the whole text', () => {
    const lines = (name: string) => Array.from({ length: 40_000 }, (_, index) => `${name} ${index}`).join('\n');
    const file = { path: 'dump.sql', before: `${lines('old')}\n`, after: lines('new') };
    const began = performance.now();
    assert.deepEqual(applied([file]), [file.after]);
    assert.ok(performance.now() - began < limit(10_000));
  });
});
