import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { after, describe, it } from 'mocha';
import { workspace } from 'vscode';
import { plantedContext } from './context';
import { places, portFile } from './places';

describe('a later window of the same server', () => {
  after(() => rm(portFile));

  it('runs on the same server', () => {
    assert.ok(existsSync(portFile));
  });

  it('has its own settings', () => {
    assert.equal(workspace.getConfiguration('editor').get('fontSize'), 32);
  });

  for (const [name, place] of Object.entries(places)) {
    it(`finds nothing from an earlier window in ${name}`, async () => {
      assert.equal(await place.isPlanted(await plantedContext()), false);
    });
  }
});
