import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { limit } from '../../../../host/limits';
import {
  editIn,
  isPathInTree,
  type PatchedFile,
  patchOf,
  planTake,
} from '../../../../../src/features/deployments/nodeEdits/takeEdit';

const names = { yours: 'Yours', theirs: 'On Node' };
const plan = (deployed: string | undefined, local: string | undefined, node: string | undefined) =>
  planTake({ deployed, local, node }, names);
const unknown = { kind: 'unknown' } as const;

describe('applying an edit to the clone', () => {
  it('writes exactly what the node has if the clone has what was deployed', () => {
    assert.deepEqual(plan('one\n', 'one\n', '\uFEFFtwo\r\nthree'), { kind: 'write', text: '\uFEFFtwo\r\nthree' });
    assert.deepEqual(plan(undefined, undefined, ''), { kind: 'write', text: '' });
    assert.deepEqual(plan('one\n', 'one\n', undefined), { kind: 'delete' });
  });

  it('keeps the line endings and the mark that Git gave the file here', () => {
    assert.deepEqual(plan('one\ntwo\n', 'one\r\ntwo\r\n', 'one\n2\n'), { kind: 'write', text: 'one\r\n2\r\n' });
    assert.deepEqual(plan('one\n', '\uFEFFone\n', 'two\n'), { kind: 'write', text: '\uFEFFtwo\n' });
    assert.deepEqual(plan('one\n', 'one\r\n', undefined), { kind: 'delete' });
  });

  it('also applies an edit of nothing but line endings or the mark', () => {
    assert.deepEqual(plan('a\r\nb\r\n', 'a\r\nb\r\nc\r\n', 'a\nb\n'), { kind: 'write', text: 'a\nb\nc\n' });
    assert.deepEqual(plan('\uFEFFa\n', '\uFEFFa\nb\n', 'a\n'), { kind: 'write', text: 'a\nb\n' });
    assert.deepEqual(plan('a\n', 'a\nb\n', 'a\r\n'), { kind: 'write', text: 'a\r\nb\r\n' });
  });

  it('does nothing if nothing was edited, or the clone has the edit', () => {
    assert.deepEqual(plan('one\n', 'mine\n', 'one\n'), { kind: 'nothing' });
    assert.deepEqual(plan('one\n', 'two\n', 'two\n'), { kind: 'nothing' });
    assert.deepEqual(plan('one\n', undefined, undefined), { kind: 'nothing' });
    assert.deepEqual(plan('a\nb\nc\nd\n', 'A\nb\nc\nD\n', 'A\nb\nc\nd\n'), { kind: 'nothing' });
  });

  it('merges both changes, and marks where they meet', () => {
    assert.deepEqual(plan('a\nb\nc\nd\n', 'a\nb\nc\nD\n', 'A\nb\nc\nd\n'), { kind: 'write', text: 'A\nb\nc\nD\n' });
    const text = '<<<<<<< Yours\nmine\n=======\ntheirs\n>>>>>>> On Node\n';
    assert.deepEqual(plan('one\n', 'mine\n', 'theirs\n'), { kind: 'conflict', text, conflicts: 1 });
    assert.equal(plan(undefined, 'mine\n', 'theirs\n').kind, 'conflict');
  });

  it('drops no change of the clone', () => {
    assert.deepEqual(plan('one\n', 'mine\n', undefined), { kind: 'impossible', why: 'deletedOnNode' });
    assert.deepEqual(plan('one\n', undefined, 'two\n'), { kind: 'impossible', why: 'deletedLocally' });
    const of = (local: string | undefined, node: string | undefined) =>
      planTake({ deployed: unknown, local, node }, names);
    assert.deepEqual(of('mine\n', 'two\n'), { kind: 'impossible', why: 'unknownBase' });
    assert.deepEqual(of('mine\n', undefined), { kind: 'impossible', why: 'unknownBase' });
    assert.deepEqual(of(undefined, 'two\n'), { kind: 'write', text: 'two\n' });
  });
});

describe('a text of the repository', () => {
  const has = (deployed: string | undefined, text: string | undefined, node: string | undefined) =>
    editIn(text, { deployed, node }) === 'has';

  it('has the edit if it is the same but for line endings, or if merging the edit changes nothing', () => {
    assert.ok(has('one\n', 'two\n', 'two\n'));
    assert.ok(has('one\n', 'two\r\n', 'two\n'));
    assert.ok(has('one\n', undefined, undefined));
    assert.ok(has('a\nb\nc\nd\n', 'A\nb\nc\nD\n', 'A\nb\nc\nd\n'));
  });

  it("doesn't have an edit of nothing but line endings or the mark if it has other ones", () => {
    assert.ok(!has('#!/bin/sh\r\n', '#!/bin/sh\r\n', '#!/bin/sh\n'));
    assert.ok(!has('\uFEFF<?php\n', '\uFEFF<?php\n', '<?php\n'));
    assert.ok(!has('#!/bin/sh\r\n', '#!/bin/sh\r\nexit\r\n', '#!/bin/sh\n'));
    assert.ok(has('#!/bin/sh\r\n', '#!/bin/sh\n', '#!/bin/sh\n'));
  });

  it("doesn't have it if a part of it is missing", () => {
    assert.ok(!has('one\n', 'one\n', 'two\n'));
    assert.ok(!has('one\n', 'one\n', undefined));
    assert.ok(!has('one\n', undefined, 'two\n'));
    assert.ok(!has(undefined, undefined, 'two\n'));
    assert.ok(!has('a\nb\nc\nd\n', 'a\nb\nc\nD\n', 'A\nb\nc\nd\n'));
    assert.ok(!has('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n'));
    assert.ok(!has('one\n', 'one\nmore\n', 'two\n'));
  });

  it("doesn't show it if both were changed in the same place, or what was deployed isn't known", () => {
    assert.equal(editIn('mine and theirs\n', { deployed: 'one\n', node: 'theirs\n' }), 'unclear');
    assert.equal(editIn('mine\n', { deployed: unknown, node: 'two\n' }), 'unclear');
    assert.equal(editIn('mine\n', { deployed: 'one\n', node: undefined }), 'lacks');
    assert.equal(editIn(undefined, { deployed: 'one\n', node: 'two\n' }), 'lacks');
  });
});

describe('a path of a node', () => {
  it("can't lead into the clone's own folder or out of the clone", () => {
    for (const path of [
      ...['.git/hooks/post-merge', '.GIT/config', '.git./config', '.git /config', 'GIT~1/config', '.g\u200cit/config'],
      ...['a/.git/config', '..', 'a/../../b', 'a//b', '', 'a\\..\\..\\b', 'C:b', '.git::$INDEX_ALLOCATION/config'],
    ]) {
      assert.ok(!isPathInTree(path), path);
    }
    for (const path of ['index.php', '.gitignore', '.github/workflows/ci.yml', 'a b/ü.txt', '.env', 'git/x', '...x']) {
      assert.ok(isPathInTree(path), path);
    }
  });
});

describe('a patch file', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-patch-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the files after Git has applied the patch. */
  const applied = (files: readonly PatchedFile[]): readonly (string | undefined)[] => {
    const at = mkdtempSync(join(folder, 'tree-'));
    for (const { path, before: text } of files) {
      if (text !== undefined) {
        mkdirSync(dirname(join(at, path)), { recursive: true });
        writeFileSync(join(at, path), text);
      }
    }
    const environment = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, HOME: at };
    const options = { cwd: at, env: environment, input: patchOf(files) };
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

  it('is empty if nothing differs', () => {
    assert.equal(patchOf([{ path: 'a', before: 'same', after: 'same' }]), '');
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
