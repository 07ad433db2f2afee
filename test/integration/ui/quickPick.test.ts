import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  commands,
  type InputBox,
  type InputBoxOptions,
  InputBoxValidationSeverity,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
import { askChoice, askValue, showPick } from '../../../src/ui/quickPick';
import { askInTurn, type Question } from '../../../src/ui/prompts';
import { accept, nextTimerTick } from '../support/person';
import { untilTrue } from '../support/untilTrue';

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

describe('a question about names that look like links and icons', () => {
  const name = '[Retry](command:x) $(trash)';
  const escaped = '[Retry]\u2060(command:x) $\u2060(trash)';
  const { createQuickPick, createInputBox, showQuickPick, showInputBox } = window;
  const usual = { createQuickPick, createInputBox, showQuickPick, showInputBox };
  const item = ({ label, description, detail, kind }: QuickPickItem) => [label, description, detail, kind];

  afterEach(async () => {
    Object.assign(window, usual);
    await commands.executeCommand('workbench.action.closeQuickOpen');
  });

  const rows = [
    { label: name, kind: QuickPickItemKind.Separator, value: 0 },
    { label: name, icon: 'file', description: name, detail: name, value: 1 },
    { label: name, value: 2 },
  ];
  const shown = [
    [escaped, undefined, undefined, QuickPickItemKind.Separator],
    [`$(file) ${escaped}`, escaped, escaped, undefined],
    [escaped, undefined, undefined, undefined],
  ];

  it('shows them exactly in a list, and returns the rows that it was given', async () => {
    let made: QuickPick<QuickPickItem> | undefined;
    Object.assign(window, { createQuickPick: () => (made = createQuickPick()) });
    const chosen = showPick<(typeof rows)[number], readonly unknown[]>(
      { items: rows, activeItems: rows.slice(2) },
      (pick, resolve) => {
        assert.deepEqual(pick.items, rows);
        assert.deepEqual(pick.activeItems, rows.slice(2));
        return [pick.onDidAccept(() => resolve(pick.selectedItems))];
      },
    );
    await nextTimerTick();
    assert.deepEqual(made?.items.map(item), shown);
    await accept();
    assert.equal((await chosen)?.[0], rows[2]);
  });

  it('shows them exactly in a choice, also while it loads', async () => {
    for (const choices of [rows, Promise.resolve(rows)]) {
      let items: readonly QuickPickItem[] = [];
      const choose = async (them: readonly QuickPickItem[] | Promise<readonly QuickPickItem[]>) =>
        (items = await them)[1];
      Object.assign(window, { showQuickPick: choose });
      assert.equal(await askChoice(choices, {}), 1);
      assert.deepEqual(items.map(item), shown);
    }
  });

  it('shows them exactly in the prompt and the messages of an input', async () => {
    let asked: InputBoxOptions = {};
    Object.assign(window, { showInputBox: (options: InputBoxOptions) => Promise.resolve(void (asked = options)) });
    const warning = { message: name, severity: InputBoxValidationSeverity.Warning };
    await askValue({ title: name, prompt: name, validateInput: (text) => (text === '' ? warning : text) });
    assert.deepEqual([asked.title, asked.prompt], [name, escaped]);
    assert.deepEqual(await asked.validateInput?.(''), { ...warning, message: escaped });
    assert.equal(await asked.validateInput?.(name), escaped);
  });

  it('shows them exactly in every message of a question for a text', async () => {
    let input: InputBox | undefined;
    Object.assign(window, { createInputBox: () => (input = createInputBox()) });
    const question: Question = {
      key: 'name',
      prompt: name,
      value: 'a',
      check: () => Promise.resolve(`${name}: taken`),
    };
    const answer = askInTurn('Add', [question], { entered: {}, at: { key: 'name', problem: name } });
    assert.deepEqual([input?.prompt, input?.validationMessage], [escaped, escaped]);
    await nextTimerTick();
    await accept();
    await untilTrue(
      () => input?.validationMessage === `${escaped}: taken`,
      () => 'the message of the check is shown',
    );
    input?.hide();
    assert.equal(await answer, undefined);
  });
});
