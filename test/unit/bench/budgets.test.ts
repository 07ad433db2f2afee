import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { releasedBytes } from '../../bench/budgets';
import { projectFolder } from '../../host/folders';
import { hasRelease } from '../../host/package/releaseNotes';

describe('the size that the package is compared with', () => {
  it('stays that of commit 1c572ad until the first release, however much the package grows', () => {
    if (!hasRelease(readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8'))) assert.equal(releasedBytes, 349_068);
    assert.equal(hasRelease('# Changelog\n\n## Unreleased\n\nThe first release.\n'), false);
    assert.equal(hasRelease('# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-12-01)\n\nThe first release.\n'), true);
  });
});
