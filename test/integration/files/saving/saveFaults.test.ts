import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { limit } from '../../../host/limits';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { closeWithoutSaving, replaceAll } from '../../support/editing';
import { windowScene } from '../../support/windowScene';

type Fault = FaultRule['fault'];

/** The position of a request in a save: how many requests of the same operation come before it. */
const positions = {
  'reading before the write': { operation: 'Read', nth: 1 },
  'listing before the write': { operation: 'GetList', nth: 1 },
  'the write': { operation: 'Write', nth: 1 },
  'reading after the write': { operation: 'Read', nth: 2 },
  'listing after the write': { operation: 'GetList', nth: 2 },
} as const;

const around = <F extends Fault>(fault: F): readonly F[] => [
  { ...fault, when: 'before' },
  { ...fault, when: 'after' },
];

const faults = (node: number): readonly Fault[] => [
  ...around<Fault>({ kind: 'reset', when: 'before' }),
  ...around<Fault>({ kind: 'gatewayError', status: 502, when: 'before' }),
  ...around<Fault>({ kind: 'gatewayError', status: 504, when: 'before' }),
  ...around<Fault>({ kind: 'nestedFailure', shape: 'response', result: 4099, error: 'failed', when: 'before' }),
  ...around<Fault>({ kind: 'nestedFailure', shape: 'responses', result: 99, error: 'failed', when: 'before' }),
  ...around<Fault>({ kind: 'refuse', result: 99, error: 'failed', when: 'before' }),
  { kind: 'refuse', result: 4037, error: 'permission denied', when: 'before' },
  { kind: 'refuse', result: 702, error: 'session expired', when: 'before' },
  { kind: 'truncate', bytes: 7 },
  { kind: 'textResult' },
  { kind: 'answer', body: '<html>', status: 200, contentType: 'text/html', when: 'before' },
  { kind: 'delay', milliseconds: 100, when: 'before' },
  { kind: 'bandwidth', bytesPerSecond: 5_000 },
  { kind: 'failNode', nodeId: node, result: 99, error: 'the node does not answer' },
];

const ofWrites: readonly Fault[] = [
  { kind: 'wrongText', text: 'something else\n' },
  { kind: 'wrongText', text: '' },
  { kind: 'diskFull', leaves: 'untouched' },
  { kind: 'diskFull', leaves: 'empty' },
  { kind: 'diskFull', leaves: 'partial' },
];

describe('a save from VS Code with each fault at each of its requests', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  let count = 0;

  before(() => {
    scene.parts.files.saveLimits.pauses = [];
  });

  after(() => {
    scene.parts.files.saveLimits.pauses = [1_000, 3_000];
  });

  /**
   * Either the node has exactly the text and the document is clean, or the document is dirty, and base version and text
   * are on disk. The document has no editor, because rendering one takes longer than everything else.
   */
  async function saveWith(position: { operation: string; nth: number }, fault: Fault): Promise<void> {
    count += 1;
    const [base, text] = [`old ${count}\n`, `a new text ${count}\n`];
    const file = await cp.newFile('file.conf', base);
    const document = await file.document();
    await replaceAll(document, text);
    // Reads are tried three times, so a shorter fault would have no effect.
    const armed = scene.platform.faults.add({ ...position, times: 3, fault });
    const saved = await document.save();
    armed.remove();
    assert.ok(armed.hits > 0, 'the fault was met');

    const [kept] = await file.kept();
    assert.equal(document.isDirty, !saved);
    if (saved) {
      assert.equal(await file.text(), text);
      assert.equal(kept, undefined);
    } else {
      assert.equal(kept?.text, text);
      assert.equal(kept.base.kind === 'version' && kept.base.version.text, base);
    }
    // The fault has ended. Only the text that it wrote is still a conflict.
    if (!saved && !(await document.save())) await closeWithoutSaving();
  }

  for (const [title, position] of Object.entries(positions)) {
    it(title, async () => {
      // For a read, it doesn't matter whether the response was lost before or after the operation.
      const ofReads = faults(cp.nodeId()).filter((fault) => !('when' in fault) || fault.when === 'before');
      const all = title === 'the write' ? [...faults(cp.nodeId()), ...ofWrites] : ofReads;
      for (const fault of all) {
        try {
          await saveWith(position, fault);
        } catch (error) {
          throw new Error(JSON.stringify(fault), { cause: error });
        }
      }
    }).timeout(limit(60_000));
  }
});
