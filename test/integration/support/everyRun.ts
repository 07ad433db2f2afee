import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { extensions } from 'vscode';
import type { Parts } from '../../../src/extension';
import { ChangesUnasked } from './changesUnasked';

const changes = new ChangesUnasked();
const running = () => extensions.getExtension<Parts | undefined>('gantry.gantry');

// Of the whole run, whatever file it is for.
before(() => changes.beginTest());
beforeEach(() => {
  const parts = running()?.isActive === true ? running()?.exports : undefined;
  if (parts !== undefined) changes.tellApart(parts);
});

// The last file of each run.
describe('in all of this run', () => {
  it('nothing was changed that nobody asked for: by browsing, hovering, opening, watching or closing', () => {
    assert.deepEqual(changes.takeFound(), []);
  });
});
