import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { releaseNotes } from '../../host/package/releaseNotes';

const changelog = [
  '# Changelog',
  '',
  '## 1.2.10',
  '',
  '- Newer.',
  '',
  '## 1.2.1 (2026-11-01)',
  '',
  '- First.',
  '- Second.',
  '',
  '## 1.2.0',
  '',
].join('\n');

describe('release notes', () => {
  it("are the changelog's section about the tagged version", () => {
    assert.equal(releaseNotes({ tag: 'v1.2.1', version: '1.2.1', changelog, flaky: [] }), '- First.\n- Second.');
  });

  it("don't exist if the tag is for another version than package.json", () => {
    assert.throws(
      () => releaseNotes({ tag: 'v1.2.1', version: '1.2.2', changelog, flaky: [] }),
      /tag is v1\.2\.1.*version 1\.2\.2/,
    );
  });

  it("don't exist while a test is known to be flaky", () => {
    const flaky = [{ test: 'a', file: 'e2e/a.test.ts' }];
    assert.throws(() => releaseNotes({ tag: 'v1.2.1', version: '1.2.1', changelog, flaky }), /names flaky tests/);
  });

  for (const version of ['1.2.0', '1.2', '1.3.0']) {
    it(`don't exist if the changelog says nothing about ${version}`, () => {
      assert.throws(
        () => releaseNotes({ tag: `v${version}`, version, changelog, flaky: [] }),
        /CHANGELOG\.md has no section/,
      );
    });
  }
});
