import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { workspace } from 'vscode';
import { limit } from '../../../host/limits';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import { placeOf } from '../../../../src/containers/place';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { closeWithoutSaving, replaceAll } from '../../support/editing';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, startOneLayer } from '../../support/oneLayer';

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
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let node: number;
  let count = 0;

  before(async () => {
    const started = await startOneLayer();
    ({ platform, account, parts } = started);
    node = started.nodes[0] ?? 0;
    parts.files.saveLimits.pauses = [];
  });

  afterEach(() => clearOneLayer(platform));

  after(async () => {
    parts.files.saveLimits.pauses = [1_000, 3_000];
    await endOneLayer({ platform, account, parts });
  });

  /**
   * Either the node has exactly the text and the document is clean, or the document is dirty, and base version and text
   * are on disk. The document has no editor, because rendering one takes longer than everything else.
   */
  async function saveWith(position: { operation: string; nth: number }, fault: Fault): Promise<void> {
    count += 1;
    const path = `/srv/file-${count}.conf`;
    const disk = join(platform.nodeFolder(node), path);
    const [base, text] = [`old ${count}\n`, `a new text ${count}\n`];
    await writeFile(disk, base);
    parts.listings.forgetAll();
    const document = await workspace.openTextDocument(fileUri(account, 'shop', `cp~${node}`, path));
    await replaceAll(document, text);
    // Reads are tried three times, so a shorter fault would have no effect.
    const armed = platform.faults.add({ ...position, times: 3, fault });
    const saved = await document.save();
    armed.remove();
    assert.ok(armed.hits > 0, 'the fault was met');

    const place = placeOf(document.uri);
    assert.ok(place?.kind === 'file');
    const [kept] = await parts.files.kept.find(place);
    assert.equal(document.isDirty, !saved);
    if (saved) {
      assert.equal(await readFile(disk, 'utf8'), text);
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
      const ofReads = faults(node).filter((fault) => !('when' in fault) || fault.when === 'before');
      const all = title === 'the write' ? [...faults(node), ...ofWrites] : ofReads;
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
