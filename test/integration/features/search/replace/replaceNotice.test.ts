import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type MessageOptions, window } from 'vscode';
import type { FilePlace } from '../../../../../src/containers/place';
import { failed } from '../../../../../src/platform/failureTexts';
import { reportReplaced } from '../../../../../src/features/search/replace/replaceNotice';
import type { FileOutcome } from '../../../../../src/features/search/replace/replaceInFiles';
import { ExpectedError } from '../../../../../src/ui/expectedError';

const file = (name: string): FilePlace => ({
  kind: 'file',
  account: 'a',
  environment: 'shop',
  target: { nodeGroup: 'cp', nodeId: 1 },
  path: `/etc/${name}`,
});

type Show = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

describe('the report of a replacement', () => {
  const { showInformationMessage, showWarningMessage, showErrorMessage } = window;
  let shown: string[];

  beforeEach(() => {
    shown = [];
    const record =
      (kind: Show) =>
      (text: string, ...rest: readonly (MessageOptions | string)[]): Promise<string | undefined> => {
        const [options] = rest.filter((one) => typeof one !== 'string');
        const buttons = rest.filter((one) => typeof one === 'string');
        const details = options?.detail === undefined ? [] : options.detail.split('\n');
        shown.push(`${kind.slice(4, 5)}: ${text} [${buttons.join(', ')}]`, ...details);
        return Promise.resolve(buttons.includes('Show Details') ? 'Show Details' : undefined);
      };
    Object.assign(window, {
      showInformationMessage: record('showInformationMessage'),
      showWarningMessage: record('showWarningMessage'),
      showErrorMessage: record('showErrorMessage'),
    });
  });

  afterEach(() => Object.assign(window, { showInformationMessage, showWarningMessage, showErrorMessage }));

  const report = async (outcomes: readonly FileOutcome[], { isCanceled = false } = {}) => {
    const files = outcomes.map((outcome, index) => ({ file: file(`${index}.conf`), outcome }));
    reportReplaced({ outcomes: files, isCanceled, next: new Map([['Undo', () => assert.fail('undone')]]) });
    await new Promise((resolve) => setImmediate(resolve));
    return shown.splice(0);
  };

  const expected = new ExpectedError('Sign in again.');
  const unexpected = failed({ kind: 'platform', operation: 'Write', target: '/etc/0.conf' });
  const silent = failed({ kind: 'timeout', operation: 'Write', target: '/etc/0.conf' });

  const ofOne: readonly (readonly [outcome: FileOutcome, text: string, detail: string, buttons?: string])[] = [
    [
      { kind: 'conflict', nodes: [] },
      "Couldn't replace text in 0.conf: it changed in the meantime, so nothing was written. Check the file, then try again.",
      'it changed in the meantime, so nothing was written',
    ],
    [{ kind: 'failed', cause: expected }, "Couldn't replace text in 0.conf: Sign in again.", 'Sign in again'],
    [{ kind: 'notTried' }, '0.conf: not attempted', 'not attempted'],
    [
      { kind: 'unknown', cause: silent },
      "Couldn't confirm that text was replaced in 0.conf: the platform didn't respond in time. Check the file.",
      "couldn't confirm the change: the platform didn't respond in time",
    ],
    [
      { kind: 'unknown', cause: unexpected },
      "Couldn't confirm that text was replaced in 0.conf: the platform reported an error. Check the file.",
      "couldn't confirm the change: the platform reported an error",
      'Copy Diagnostics',
    ],
  ];
  for (const [outcome, text, detail, buttons = ''] of ofOne) {
    it(`of one file says “${text}”${buttons === '' ? '' : `, and offers ${buttons}`}`, async () => {
      assert.deepEqual(await report([outcome]), [
        `W: ${text} [${['Show Details', buttons].filter(Boolean).join(', ')}]`,
        `E: ${text} [${buttons}]`,
        `/etc/0.conf: ${detail}`,
      ]);
    });
  }

  it('of all files only counts, offers to undo it, and says how that is done later', async () => {
    assert.deepEqual(await report([{ kind: 'saved', count: 1 }]), [
      'I: Replaced 1 match in 1 file. To undo this later, run Undo Replacement. [Undo]',
    ]);
    assert.deepEqual(
      await report([
        { kind: 'saved', count: 2 },
        { kind: 'unsaved', count: 3 },
      ]),
      ['I: Replaced 5 matches in 2 files. 1 file has unsaved changes. Save it to finish. [Undo]'],
    );
  });

  it('of some files offers to undo it first, and has a line for each', async () => {
    const some: readonly FileOutcome[] = [
      { kind: 'saved', count: 1 },
      { kind: 'unsaved', count: 1 },
      { kind: 'conflict', nodes: [] },
      { kind: 'failed', cause: unexpected },
      { kind: 'notTried' },
    ];
    const rest = '1 file has unsaved changes. Save it to finish.';
    const lines = (await report(some)).map((line) => (line.startsWith('/etc/3.conf: ') ? '/etc/3.conf: …' : line));
    assert.deepEqual(lines, [
      `W: Replaced text in 2 of 5 files. ${rest} [Show Details, Undo, Copy Diagnostics]`,
      `E: Replaced text in 2 of 5 files. ${rest} [Undo, Copy Diagnostics]`,
      '/etc/0.conf: replaced',
      '/etc/1.conf: changed in the editor, not saved yet',
      '/etc/2.conf: it changed in the meantime, so nothing was written',
      '/etc/3.conf: …',
      '/etc/4.conf: not attempted',
    ]);
    const canceled = await report(some, { isCanceled: true });
    assert.match(canceled[0] ?? '', /^W: Replacement canceled\. Replaced text in 2 of 5 files\. /);
  });

  it('of a file whose change is uncertain has its lines even if it was canceled', async () => {
    const outcomes: readonly FileOutcome[] = [{ kind: 'unknown', cause: silent }, { kind: 'notTried' }];
    const text = 'Replacement canceled. Replaced text in 0 of 2 files.';
    assert.deepEqual(await report(outcomes, { isCanceled: true }), [
      `W: ${text} [Show Details]`,
      `E: ${text} []`,
      "/etc/0.conf: couldn't confirm the change: the platform didn't respond in time",
      '/etc/1.conf: not attempted',
    ]);
  });

  it('of none is silent if it was canceled', async () => {
    assert.deepEqual(await report([{ kind: 'notTried' }, { kind: 'notTried' }], { isCanceled: true }), []);
  });
});
