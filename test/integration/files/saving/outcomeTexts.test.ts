import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { conflictText, outcomeLine, outcomeText, type Unsaved } from '../../../../src/files/saving/outcomeTexts';
import { Canceled } from '../../../../src/platform/errors';
import { failed } from '../../../../src/platform/failureTexts';
import { fileAt } from '../../../scene/fileAt';

const onNode = (node: number) => fileAt('/etc/shop.conf', { account: 'me', node });

const found = { kind: 'absent' } as const;
const write = { operation: 'Write', target: '/etc/shop.conf' } as const;
const full = failed({ kind: 'diskFull', ...write });
const silent = failed({ kind: 'timeout', ...write, isOutcomeUnknown: true });
const nodes = [
  { node: onNode(1), found, state: 'saved' },
  { node: onNode(2), found, state: 'unchanged' },
  { node: onNode(3), found, state: 'other' },
] as const;

const outcomes: readonly (readonly [outcome: Unsaved, restored: string, line: string])[] = [
  [
    { kind: 'conflict', nodes: [] },
    "Couldn't restore shop.conf: it changed in the meantime, so nothing was written. Check the file, then try again.",
    'it changed in the meantime, so nothing was written',
  ],
  [
    { kind: 'failed', cause: full },
    "Couldn't restore shop.conf: the container's disk is full.",
    "the container's disk is full",
  ],
  [
    { kind: 'failed' },
    "Couldn't restore shop.conf: the platform reported success, but the file didn't change. Try again.",
    "the platform reported success, but the file didn't change",
  ],
  [
    { kind: 'incomplete', nodes },
    "Couldn't restore shop.conf: saved on node 1, not changed on node 2, other content on node 3. Check the file.",
    'saved on node 1, not changed on node 2, other content on node 3',
  ],
  [
    { kind: 'incomplete', nodes: nodes.slice(2), cause: full },
    "Couldn't restore shop.conf: other content on node 3 (the container's disk is full). Check the file.",
    "other content on node 3 (the container's disk is full)",
  ],
  [
    { kind: 'incomplete', nodes: nodes.slice(0, 2), cause: silent },
    "Couldn't confirm that shop.conf was restored: saved on node 1, not changed on node 2 (the platform didn't respond in time). Check the file.",
    "couldn't confirm the change: saved on node 1, not changed on node 2 (the platform didn't respond in time)",
  ],
  [
    { kind: 'unknown', cause: silent },
    "Couldn't confirm that shop.conf was restored: the platform didn't respond in time. Check the file.",
    "couldn't confirm the change: the platform didn't respond in time",
  ],
  [
    { kind: 'unknown', cause: new Canceled('Write', { isOutcomeUnknown: true }) },
    "Couldn't confirm that shop.conf was restored: you stopped waiting for the platform. Check the file.",
    "couldn't confirm the change: you stopped waiting for the platform",
  ],
];

describe('the outcome of a save, in words', () => {
  for (const [outcome, restored, line] of outcomes) {
    it(`says “${restored}”`, () => {
      assert.equal(outcomeText(outcome, 'shop.conf', 'restored'), restored);
      assert.equal(outcomeLine(outcome), line);
    });
  }

  it("can't confirm a write without a response, even if the file hasn't changed yet", () => {
    const late = { kind: 'failed', cause: silent } as const;
    assert.equal(
      outcomeText(late, 'shop.conf', 'restored'),
      "Couldn't confirm that shop.conf was restored: the platform didn't respond in time. Check the file.",
    );
    assert.equal(outcomeLine(late), "couldn't confirm the change: the platform didn't respond in time");
  });

  it("says that a missing file was deleted only if it's known what the text is based on", () => {
    const missing = [{ node: onNode(1), found }];
    const said = [true, false].map((isBaseKnown) => conflictText({ place: onNode(1), isBaseKnown }, missing));
    assert.deepEqual(said, [
      'The file was deleted on node 1 after you opened it.',
      "The file doesn't exist on node 1.",
    ]);
  });

  it('names what was to be done, and what to do next', () => {
    const texts = (['saved', 'replaced'] as const).flatMap((work) => [
      outcomeText({ kind: 'failed', cause: full }, 'shop.conf', work, 'Free up space.'),
      outcomeText({ kind: 'unknown', cause: silent }, 'shop.conf', work, ''),
    ]);
    assert.deepEqual(texts, [
      "Couldn't save shop.conf: the container's disk is full. Free up space.",
      "Couldn't confirm that shop.conf was saved: the platform didn't respond in time.",
      "Couldn't replace text in shop.conf: the container's disk is full. Free up space.",
      "Couldn't confirm that text was replaced in shop.conf: the platform didn't respond in time.",
    ]);
  });
});
