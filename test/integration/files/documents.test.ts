import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { showNewDocument } from '../../../src/files/documents';
import { closeWithoutSaving, openedBy } from '../support/editing';

describe('a text in an editor of its own', () => {
  after(closeWithoutSaving);

  it('is what is shown, even if an editor of the same name was closed a moment ago', async () => {
    for (let n = 0; n < 20; n++) {
      const { document } = await openedBy(() => showNewDocument(`text ${n}\n`));
      assert.equal(document.getText(), `text ${n}\n`);
      await closeWithoutSaving();
    }
  });
});
