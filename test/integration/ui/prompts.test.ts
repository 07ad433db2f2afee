import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, type QuickPick, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { askInTurn, type Question } from '../../../src/ui/prompts';
import type { Choice } from '../../../src/ui/quickPick';

const { createQuickPick } = window;
const heading: Choice = { label: 'Saltmarsh Tea', kind: QuickPickItemKind.Separator, value: '' };
const node = (id: string): Choice => ({ label: 'NGINX', description: id, value: id });
const which = (key: string): Question => ({
  kind: 'choice',
  key,
  prompt: `Which ${key}?`,
  choices: [heading, node('66002'), node('66003')],
});

describe('questions with a choice', () => {
  let asked: QuickPick<QuickPickItem>[] = [];

  /** Presses Enter in each question as soon as the window shows it. */
  beforeEach(() => {
    asked = [];
    const pressed = () => void commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    const entered = () => {
      const pick = createQuickPick();
      const show = pick.show.bind(pick);
      asked.push(pick);
      return Object.assign(pick, {
        show: () => {
          show();
          // Property changes reach the window with the next timer tick.
          setTimeout(pressed);
        },
      });
    };
    Object.assign(window, { createQuickPick: entered });
  });

  afterEach(() => {
    Object.assign(window, { createQuickPick });
  });

  it('select the first choice below a heading when the user presses Enter', async () => {
    assert.deepEqual(await askInTurn('Add', [which('node')]), { node: '66002' });
    assert.deepEqual(await askInTurn('Add', [which('node')], { entered: { node: '66003' } }), { node: '66003' });
  });

  it('show step numbers only if there are several, and also match descriptions', async () => {
    await askInTurn('Add', [which('node')]);
    await askInTurn('Add', [which('source'), which('target')]);
    assert.deepEqual(
      asked.map(({ step, totalSteps, buttons }) => [step, totalSteps, buttons.length]),
      [
        [undefined, undefined, 0],
        [1, 2, 0],
        [2, 2, 1],
      ],
    );
    assert.ok(asked.every(({ matchOnDescription }) => matchOnDescription));
  });

  it('show no total while an answer can add questions', async () => {
    await askInTurn('Add', ({ node: answer }) => [
      { ...which('source'), branches: true },
      which('node'),
      ...(answer === undefined ? [] : [which('target')]),
    ]);
    assert.deepEqual(
      asked.map(({ step, totalSteps }) => [step, totalSteps]),
      [
        [1, undefined],
        [2, undefined],
        [3, undefined],
      ],
    );
  });
});
