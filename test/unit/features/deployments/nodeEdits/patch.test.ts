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
