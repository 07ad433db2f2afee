import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { linesThatMatter, subversionRevision, withoutLogins } from '../../../../src/deployments/history/deployLog';

describe('a deployment log', () => {
  it('shows its error lines, or its end if there are none', () => {
    const log = 'fetch\nerror: Your local changes would be overwritten by merge:\n\tindex.php\nAborting\ndone\n';
    assert.deepEqual(linesThatMatter(log), ['error: Your local changes would be overwritten by merge:', 'Aborting']);
    assert.deepEqual(linesThatMatter('one\ntwo\n\nthree\nfour\n'), ['two', 'three', 'four']);
    assert.deepEqual(linesThatMatter(''), []);
  });

  it('has a Subversion revision only if all lines name the same one', () => {
    assert.equal(subversionRevision('Updating\nUpdated to revision 7.\nAt revision 7.\n'), '7');
    assert.equal(subversionRevision('Updated to revision 7.\nAt revision 6.\n'), undefined);
    assert.equal(subversionRevision('nothing of the kind'), undefined);
  });

  it('shows no credentials from a URL that a program repeated', () => {
    const said = withoutLogins('fatal: https://marit:cold-tea@git.example.com/shop.git not found');
    assert.equal(said, 'fatal: https://•••@git.example.com/shop.git not found');
  });
});
