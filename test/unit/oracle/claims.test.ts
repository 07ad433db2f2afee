import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { projectFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { claimsIn, sectionsOf } from '../../oracle/claims';
import { formatPage } from '../../oracle/page';

const fixture = (name: string) => join(projectFolder, 'test', 'unit', 'host', 'fixtures', `${name}.fixture.ts`);

describe('the list of claims', () => {
  it('has titles as they run: of loops, templates, nested suites, nightly and skipped tests, and files that import VS Code', async () => {
    const files = ['titles', 'nightly'].map(fixture);
    assert.equal(
      formatPage('About it.', sectionsOf(await claimsIn(files))),
      [
        '# About it.',
        'unit/host/fixtures/titles.fixture.ts',
        '  a file › is pending (skipped)',
        '  a file › is only on Linux',
        '  a file › in a folder › is saved',
        '  a file › in a folder › is read with 1 node',
        '  a file › in a folder › is read with 2 nodes',
        '  a folder that is skipped › is listed (skipped)',
        'unit/host/fixtures/nightly.fixture.ts',
        '  a file with a nightly test › passes by day',
        '  a file with a nightly test › fails in some nights',
        '',
      ].join('\n'),
    );
  }).timeout(limit(20_000));

  for (const platform of ['win32', 'darwin']) {
    it(`has the titles of tests that are only on Linux if it is written on ${platform}`, async () => {
      const before = process.env['NODE_OPTIONS'];
      const pretends = `Object.defineProperty(process,'platform',{value:'${platform}'})`;
      process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${pretends}`;
      try {
        const claims = await claimsIn([fixture('titles')]);
        assert.ok(claims.some(({ title }) => title === 'a file › is only on Linux'));
      } finally {
        if (before === undefined) delete process.env['NODE_OPTIONS'];
        else process.env['NODE_OPTIONS'] = before;
      }
    }).timeout(limit(20_000));
  }
});
