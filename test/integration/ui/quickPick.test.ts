import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { askChoice, askValue, showPick } from '../../../src/ui/quickPick';
import { askInTurn } from '../../../src/ui/prompts';
import { accept, nextTimerTick } from '../support/person';

const choices = [{ label: 'NGINX', value: '66001' }];

/** Every way to ask, with the answer that Enter gives. */
const questions: Readonly<Record<string, readonly [ask: () => Thenable<unknown>, answer: unknown]>> = {
  'a choice': [() => askChoice(choices, { placeHolder: 'Select a node' }), '66001'],
  'a choice among what is still loading': [() => askChoice(Promise.resolve(choices), {}), '66001'],
  'a value': [() => askValue({ value: 'shop.conf', prompt: 'Enter a name' }), 'shop.conf'],
  'a list': [
    () =>
      showPick<(typeof choices)[number], string>({ items: choices }, (pick, resolve) => [
        pick.onDidAccept(() => resolve(pick.selectedItems[0]?.value)),
      ]),
    '66001',
  ],
  'a text among several': [
    () => askInTurn('Add', [{ kind: 'text', key: 'name', prompt: 'Name' }], { entered: { name: 'shop' } }),
    { name: 'shop' },
  ],
};

describe('a question', () => {
  afterEach(() => commands.executeCommand('workbench.action.closeQuickOpen'));

  for (const [name, [ask, answer]] of Object.entries(questions)) {
    it(`with ${name} stays open when it loses the focus`, async () => {
      const asked = ask();
      await nextTimerTick();
      await commands.executeCommand('workbench.action.focusActiveEditorGroup');
      await accept();
      assert.deepEqual(await asked, answer);
    });
  }
});
