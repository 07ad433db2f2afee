import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { workspace } from 'vscode';
import { plantedContext } from './context';
import { places } from './places';

describe('the first window of a server', () => {
  it('has its own settings', () => {
    assert.equal(workspace.getConfiguration('editor').get('fontSize'), 31);
  });

  for (const [name, place] of Object.entries(places)) {
    it(`leaves data in ${name}`, async () => {
      const context = await plantedContext();
      await place.plant(context);
      assert.ok(await place.isPlanted(context));
    });
  }
});
