import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  commands,
  EventEmitter,
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
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

describe('a question with a button that turns something on', () => {
  const { createInputBox } = window;

  afterEach(() => {
    Object.assign(window, { createInputBox });
  });

  it('changes its prompt and keeps the button, which has the focus, when it is pressed', async () => {
    const input = createInputBox();
    const pressed = new EventEmitter<QuickInputButton>();
    const given: (readonly QuickInputButton[])[] = [];
    Object.defineProperty(input, 'buttons', { set: (buttons: readonly QuickInputButton[]) => given.push(buttons) });
    Object.assign(input, { onDidTriggerButton: pressed.event });
    Object.assign(window, { createInputBox: () => input });
    let isOn = false;
    const press = () => {
      isOn = !isOn;
      return 'stay' as const;
    };
    const answer = askInTurn('Find', [
      {
        key: 'text',
        value: '',
        prompt: () => (isOn ? 'on' : 'off'),
        buttons: [{ icon: 'regex', tooltip: 'Use Regular Expression', isOn: () => isOn, press }],
      },
    ]);
    const [button] = given[0] ?? [];
    pressed.fire(button ?? assert.fail('no button'));
    assert.deepEqual([input.prompt, given.length], ['on', 1]);
    input.hide();
    assert.equal(await answer, undefined);
    pressed.dispose();
  });
});
