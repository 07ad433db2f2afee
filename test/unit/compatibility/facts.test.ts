import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CheckResult } from '../../../src/compatibility/compatibilityStore';
import { dangerOf, replacesTarget } from '../../../src/compatibility/facts';
import { Containers, type PlannedChange } from '../../../src/containers/containers';
import type { FilePlace } from '../../../src/containers/place';
import { fileAt } from '../../scene/fileAt';

type Facts = CheckResult['facts'];

const place = fileAt('/srv/a.txt', { account: 'anna', node: 7 });

const layer: FilePlace = { ...place, target: { nodeGroup: 'cp' } };

/** Containers of a platform with these facts. Fails the test if anything is sent. */
function containersWith(facts: Facts): Containers {
  const send = () => assert.fail('A request was sent.');
  const findDanger = (_: FilePlace, change: PlannedChange) => {
    const reason = dangerOf(facts, { ...change, hasSeveralNodes: true })?.name;
    return Promise.resolve(reason && ({ kind: 'refused', reason } as const));
  };
  return new Containers({ find: send }, undefined, findDanger);
}

const refused = { obstacle: 'unsafeHere' };

describe('a change that the platform does not make safely', () => {
  const cases: readonly (readonly [facts: Facts, change: (containers: Containers) => Promise<unknown>])[] = [
    [{ overwriting: 'appends' }, (containers) => containers.write(place, 'text')],
    [{ append: 'overwrites' }, (containers) => containers.append(place, 'text')],
    [{ deleting: 'nothing' }, (containers) => containers.delete(place)],
    [{ masterOnly: 'reversed' }, (containers) => containers.delete(layer)],
    [{ oneNode: 'everyNode' }, (containers) => containers.write(place, '')],
    [{ oneNode: 'ignored' }, (containers) => containers.write(place, '')],
    [{ oneNode: 'ignored' }, (containers) => containers.createFolder(layer)],
    [{ writeLineEnds: 'altered' }, (containers) => containers.write(place, 'a\r\n')],
    [{ writeMark: 'altered' }, (containers) => containers.write(place, '\uFEFFa')],
    [{ writeNonAscii: 'altered' }, (containers) => containers.append(place, 'ä')],
    [{ writeLong: 'altered' }, (containers) => containers.write(place, 'a'.repeat(70_000))],
  ];
  for (const [facts, change] of cases) {
    it(`is refused before anything is sent: ${Object.entries(facts).flat().join(' ')}`, async () => {
      await assert.rejects(change(containersWith(facts)), refused);
    });
  }

  it('is made only to a free name if it would replace what exists', () => {
    const replaces = (facts: Facts) =>
      (['create', 'rename', 'copy', 'write'] as const).filter((kind) =>
        replacesTarget(facts, { kind, isLayer: false }),
      );
    assert.deepEqual(replaces({ createOnto: 'overwrites' }), ['create']);
    assert.deepEqual(replaces({ createOnto: 'ignored', renameOnto: 'refused' }), ['create']);
    assert.deepEqual(replaces({ renameOnto: 'overwrites', copyOnto: 'overwrites' }), ['rename', 'copy']);
    assert.deepEqual(replaces({ createOnto: 'refused' }), []);
  });

  it('leaves other changes alone', () => {
    const facts: Facts = { overwriting: 'appends', masterOnly: 'reversed', writeLineEnds: 'altered' };
    const hasSeveralNodes = true;
    assert.equal(dangerOf(facts, { kind: 'delete', isLayer: false, hasSeveralNodes }), undefined);
    assert.equal(
      dangerOf({ ...facts, overwriting: 'replaces' }, { kind: 'write', isLayer: false, text: 'a\n', hasSeveralNodes }),
      undefined,
    );
    assert.equal(dangerOf({}, { kind: 'write', isLayer: true, text: 'a\r\n', hasSeveralNodes }), undefined);
  });

  it('on a platform that ignores node IDs is refused only in layers with several nodes, as are comparisons', () => {
    const facts: Facts = { oneNode: 'ignored' };
    for (const kind of ['write', 'delete', 'other', 'compareNodes'] as const) {
      for (const isLayer of [true, false]) {
        assert.equal(dangerOf(facts, { kind, isLayer, hasSeveralNodes: true })?.name, 'oneNode');
        assert.equal(dangerOf(facts, { kind, isLayer, hasSeveralNodes: false }), undefined);
      }
    }
  });

  it('is made where nodes only have the folder of the check in common', () => {
    assert.equal(
      dangerOf({ oneNode: 'sameFolder' }, { kind: 'write', isLayer: false, hasSeveralNodes: true }),
      undefined,
    );
  });
});
