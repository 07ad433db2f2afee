import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { window } from 'vscode';
import { type } from '../../support/editing';
import { SavingStage } from '../../support/savingStage';

describe('a notice about saving', () => {
  const stage = new SavingStage();
  const { opened } = stage;

  it("warns once that unsaved text can't be kept on disk", async () => {
    const [one, other] = [await opened('one\n'), await opened('other\n')];
    const { kept } = stage.parts.files;
    const [keep, show] = [kept.keep.bind(kept), window.showWarningMessage];
    const said: string[] = [];
    const failing = () => Promise.reject(new Error('no space left on device'));
    try {
      const told = new Promise<void>((resolve) => {
        const showWarningMessage = (text: string) => {
          said.push(text);
          resolve();
          return Promise.resolve(undefined);
        };
        Object.assign(window, { showWarningMessage });
      });
      kept.keep = failing;
      await type(one.document, '# new\n');
      await told;
      assert.match(said[0] ?? '', /Couldn't back up unsaved text on this computer/);
      const again = new Promise<void>((resolve) => {
        kept.keep = () => failing().finally(resolve);
      });
      await type(other.document, '# new\n');
      await again;
      await nextTurn();
      assert.equal(said.length, 1);
    } finally {
      Object.assign(window, { showWarningMessage: show });
      kept.keep = keep;
    }
    assert.ok(await one.document.save(), 'it is saved all the same');
  });
});
