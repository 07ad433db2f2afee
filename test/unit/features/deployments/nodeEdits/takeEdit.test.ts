import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { editIn, isPathInTree, planTake } from '../../../../../src/features/deployments/nodeEdits/takeEdit';

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

  it('merges no text with line ends of two kinds, which would become one', () => {
    const impossible = { kind: 'impossible', why: 'mixedLineEnds' };
    assert.deepEqual(plan('a\nb\r\nc\nd\n', 'A\nb\r\nc\nd\n', 'a\nb\r\nc\nD\n'), impossible);
    assert.deepEqual(plan('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\r\nc\nD\n'), impossible);
    assert.equal(plan('a\r\nb\r\n', 'A\r\nb\r\n', 'a\r\nb\r\nc\r\n').kind, 'write');
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
      '.git/hooks/post-merge',
      '.GIT/config',
      '.git./config',
      '.git /config',
      'GIT~1/config',
      '.g\u200cit/config',
      'a/.git/config',
      '..',
      'a/../../b',
      'a//b',
      '',
      'a\\..\\..\\b',
      'C:b',
      '.git::$INDEX_ALLOCATION/config',
    ]) {
      assert.ok(!isPathInTree(path), path);
    }
    for (const path of ['index.php', '.gitignore', '.github/workflows/ci.yml', 'a b/ü.txt', '.env', 'git/x', '...x']) {
      assert.ok(isPathInTree(path), path);
    }
  });
});
