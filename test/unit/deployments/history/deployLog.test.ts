import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { linesThatMatter, subversionRevision, withoutLogins } from '../../../../src/deployments/history/deployLog';

describe('the log of a deployment', () => {
  it('shows the lines that tell of trouble, and its end where none does', () => {
    const log = 'fetch\nerror: Your local changes would be overwritten by merge:\n\tindex.php\nAborting\ndone\n';
    assert.deepEqual(linesThatMatter(log), ['error: Your local changes would be overwritten by merge:', 'Aborting']);
    assert.deepEqual(linesThatMatter('one\ntwo\n\nthree\nfour\n'), ['two', 'three', 'four']);
    assert.deepEqual(linesThatMatter(''), []);
  });

  it('names a Subversion revision only where it is one and the same', () => {
    assert.equal(subversionRevision('Updating\nUpdated to revision 7.\nAt revision 7.\n'), '7');
    assert.equal(subversionRevision('Updated to revision 7.\nAt revision 6.\n'), undefined);
    assert.equal(subversionRevision('nothing of the kind'), undefined);
  });

  it('shows no login that a program repeated with its address', () => {
    const said = withoutLogins('fatal: https://marit:cold-tea@git.example.com/shop.git not found');
    assert.equal(said, 'fatal: https://•••@git.example.com/shop.git not found');
  });
});
