import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { transferText } from '../../../../src/features/tree/transferFlow';

describe('what a user reads about a transfer', () => {
  it('says what is being done, and what was done', () => {
    const upload = transferText({ kind: 'upload', folder: '/srv' });
    assert.equal(upload.progress, 'Uploading to /srv');
    assert.equal(upload.heading, 'Upload to /srv');
    assert.equal(upload.done(1), 'Uploaded 1 file to /srv');
    assert.equal(upload.done(3), 'Uploaded 3 files to /srv');
    assert.equal(upload.canceled(1, 3), 'Canceled. Uploaded 1 of 3 files to /srv.');
    assert.equal(upload.failed(1, 3), "Couldn't upload 1 of 3 files to /srv.");
    assert.equal(upload.failedOne('a.txt', 'the disk is full'), "Couldn't upload a.txt to /srv: the disk is full.");
  });

  it('has its own verb for each kind', () => {
    assert.equal(transferText({ kind: 'download', folder: '/home' }).done(2), 'Downloaded 2 files to /home');
    assert.equal(
      transferText({ kind: 'download', folder: '/home' }).canceled(0, 2),
      'Canceled. Downloaded 0 of 2 files to /home.',
    );
    assert.equal(
      transferText({ kind: 'copy', folder: '/srv' }).canceled(1, 2),
      'Canceled. Copied 1 of 2 files to /srv.',
    );
    assert.equal(transferText({ kind: 'copy', folder: '/srv' }).failed(2, 2), "Couldn't copy 2 of 2 files to /srv.");
  });
});
