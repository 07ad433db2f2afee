import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { PlatformError, type PlatformFailure } from '../../../../../src/platform/errors';
import { kindOfResult } from '../../../../../src/platform/resultCodes';
import { describe, it } from 'mocha';
import {
  type NodeChange,
  type PlatformAnswer,
  answerThen,
  deployRecord,
  hasDeployed,
  isRefused,
  redeployResultFrom,
  sinceBefore,
  withEarlierChange,
} from '../../../../../src/features/deployments/redeploy/redeployResult';

const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
type Evidence = Parameters<typeof redeployResultFrom>[0];

const evidence = (given: Partial<Evidence>): Evidence => ({
  platform: { said: 'success' },
  isSubversion: false,
  folderIsKnown: true,
  nodes: [{ name: 'one', before: a, after: b }],
  ...given,
});

const commit = fc.option(fc.constantFrom(a, b), { nil: undefined });
const node: fc.Arbitrary<NodeChange> = fc.record({
  name: fc.string(),
  before: commit,
  after: commit,
  unreadable: fc.option(fc.constant('permission denied'), { nil: undefined }),
});
const said: fc.Arbitrary<PlatformAnswer> = fc.oneof(
  fc.constant({ said: 'success' } as const),
  fc.constant({ said: 'failure', sentence: 'it failed', code: 4000 } as const),
  fc.boolean().map((ended) => ({ said: 'nothing', ended }) as const),
);
const anyEvidence: fc.Arbitrary<Evidence> = fc.record({
  platform: said,
  isSubversion: fc.boolean(),
  folderIsKnown: fc.boolean(),
  nodes: fc.array(node, { maxLength: 4 }),
  behind: fc.option(fc.nat(3), { nil: undefined }),
  pinnedTo: fc.option(fc.constantFrom(a, b, 'main', '20260101'), { nil: undefined }),
  hashOfTag: commit,
});

describe('the result of a redeploy', () => {
  it('is never "deployed" unless the platform and every node confirm it', () => {
    fc.assert(
      fc.property(anyEvidence, (given) => {
        const verdict = redeployResultFrom(given);
        if (verdict.kind === 'deployed') {
          assert.equal(given.platform.said, 'success');
          assert.ok(given.nodes.length > 0);
          assert.ok(given.nodes.every(({ after, unreadable }) => after === verdict.commit && unreadable === undefined));
          assert.ok(given.pinnedTo !== undefined || given.behind === undefined || given.behind === 0);
          assert.ok(given.pinnedTo === undefined || [given.pinnedTo, given.hashOfTag].includes(verdict.commit));
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('contains a Subversion revision only if every node confirms it', () => {
    const svn = evidence({ isSubversion: true, revision: '5', nodes: [{ name: 'one', after: 'r5' }, { name: 'two' }] });
    assert.deepEqual(redeployResultFrom(svn), { kind: 'unverified', because: 'revisionUnknown', revision: '5' });
    const [one] = svn.nodes;
    assert.ok(one);
    assert.deepEqual(redeployResultFrom({ ...svn, nodes: [one, { ...one, name: 'two' }] }), {
      kind: 'unverified',
      because: 'subversion',
      revision: '5',
    });
    assert.equal(redeployResultFrom({ ...svn, nodes: [one, { name: 'two', after: 'r4' }] }).kind, 'contradicted');
  });

  it("never names a commit that isn't on every node", () => {
    fc.assert(
      fc.property(anyEvidence, (given) => {
        const verdict = redeployResultFrom(given);
        if (verdict.kind === 'answerLost' && verdict.commit !== undefined) {
          assert.ok(given.nodes.every(({ after }) => after === verdict.commit));
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('is "failed" whenever the platform says so, whatever is on the nodes', () => {
    const platform = { said: 'failure', sentence: 'the hook failed', code: 4126 } as const;
    assert.deepEqual(redeployResultFrom(evidence({ platform })), {
      kind: 'failed',
      sentence: 'the hook failed',
      code: 4126,
    });
  });

  it('contradicts the platform if the nodes do', () => {
    const differ = [
      { name: 'one', before: a, after: b },
      { name: 'two', before: a, after: a },
    ];
    assert.deepEqual(redeployResultFrom(evidence({ nodes: differ })), { kind: 'contradicted', because: 'nodesDiffer' });
    assert.deepEqual(redeployResultFrom(evidence({ nodes: [{ name: 'one' }] })), {
      kind: 'contradicted',
      because: 'noClone',
    });
    assert.deepEqual(redeployResultFrom(evidence({ behind: 2 })), {
      kind: 'contradicted',
      because: 'behind',
      behind: 2,
    });
    const movedBack = redeployResultFrom(evidence({ isMovedBack: true }));
    assert.deepEqual(movedBack, { kind: 'contradicted', because: 'movedBack' });
    assert.ok(!hasDeployed({ verdict: movedBack }));
    // The local repository may know of no newer commit.
    assert.deepEqual(redeployResultFrom(evidence({ mayBeOld: true, isBranchKnown: true, behind: 0 })), {
      kind: 'contradicted',
      because: 'behind',
      behind: 0,
    });
    assert.equal(redeployResultFrom(evidence({ mayBeOld: true, pinnedTo: b })).kind, 'deployed');
    // It isn't known which branch the nodes had.
    assert.deepEqual(redeployResultFrom(evidence({ mayBeOld: true })), { kind: 'unverified', because: 'unreadable' });
    assert.equal(redeployResultFrom(evidence({ mayBeOld: true, behind: 1 })).kind, 'contradicted');
  });

  it('counts as deployed to some nodes only if the others certainly have no clone', () => {
    const differ = { kind: 'contradicted', because: 'nodesDiffer' };
    const [has, lacks, hidden] = [
      { name: 'one', before: a, after: b },
      { name: 'two' },
      { name: 'three', before: a, unreadable: 'permission denied' },
    ];
    for (const folderIsKnown of [true, false]) {
      for (const nodes of [
        [has, lacks],
        [lacks, has],
        [has, lacks, hidden],
      ]) {
        const verdict = redeployResultFrom(evidence({ nodes, folderIsKnown }));
        assert.deepEqual(verdict, differ);
        assert.ok(hasDeployed({ verdict }));
      }
      for (const nodes of [
        [has, hidden],
        [lacks, hidden],
      ]) {
        const verdict = redeployResultFrom(evidence({ nodes, folderIsKnown }));
        assert.deepEqual(verdict, { kind: 'unverified', because: 'unreadable' });
      }
    }
  });

  it('contradicts the platform if it deployed another commit than the pinned one', () => {
    assert.deepEqual(redeployResultFrom(evidence({ pinnedTo: a })), { kind: 'contradicted', because: 'notPinned' });
  });

  it("is unverified if it's pinned to a name, unless that's a tag of the deployed commit", () => {
    const verdictOf = (pinnedTo: string, hashOfTag?: string) => redeployResultFrom(evidence({ pinnedTo, hashOfTag }));
    const unknown = { kind: 'unverified', because: 'pinUnknown' };
    for (const tag of ['20260115', 'v1.2']) {
      assert.deepEqual(verdictOf(tag, b), { kind: 'deployed', commit: b }, tag);
      assert.deepEqual(verdictOf(tag, a), unknown, tag);
    }
    assert.deepEqual(verdictOf('v1.2'), unknown);
  });

  it('is contradicted only by what can be a commit, not by a fingerprint of the dashboard', () => {
    const kindWith = (pinnedTo: string) => redeployResultFrom(evidence({ pinnedTo })).kind;
    assert.equal(kindWith('a'.repeat(32)), 'deployed');
    for (const other of [a.slice(0, 7), '1234abc', '1'.repeat(40), '1234567', '20260115']) {
      assert.equal(kindWith(other), 'contradicted', other);
    }
    const digits = '1234567'.padEnd(40, 'b');
    const nodes = [{ name: 'one', after: digits }];
    assert.equal(redeployResultFrom(evidence({ nodes, pinnedTo: '1234567' })).kind, 'deployed');
  });

  it('counts as deployed if the platform deployed something else, too', () => {
    const has = (given: Partial<Evidence>) => hasDeployed({ verdict: redeployResultFrom(evidence(given)) });
    const two = [a, b].map((after, index) => ({ name: `${index}`, after }));
    const old = { mayBeOld: true, isBranchKnown: true };
    assert.deepEqual([{}, { pinnedTo: a }, { nodes: two }, { otherBranch: 'next' }, old].map(has), Array(5).fill(true));
    const lost = { platform: { said: 'nothing', ended: true } } as const;
    assert.deepEqual([{ nodes: [] }, { behind: 1 }, lost].map(has), Array(3).fill(false));
  });

  it('contradicts the platform if it deployed another Subversion revision than the pinned one', () => {
    const verdictOf = (pinnedTo: string) =>
      redeployResultFrom(evidence({ isSubversion: true, pinnedTo, nodes: [{ name: 'one', after: 'r12' }] }));
    assert.deepEqual(verdictOf('1'), { kind: 'contradicted', because: 'notPinned' });
    for (const same of ['12', 'HEAD', '']) {
      assert.deepEqual(verdictOf(same), { kind: 'unverified', because: 'subversion', revision: '12' }, same);
    }
  });

  it('can be behind the branch in a pinned project, and says so', () => {
    assert.deepEqual(redeployResultFrom(evidence({ behind: 2, pinnedTo: b.slice(0, 7) })), {
      kind: 'deployed',
      commit: b,
      behind: 2,
    });
  });

  it('relies on the platform if nothing can be read, and is then "unverified"', () => {
    const folderUnknown = evidence({ nodes: [{ name: 'one' }], folderIsKnown: false });
    assert.deepEqual(redeployResultFrom(folderUnknown), { kind: 'unverified', because: 'folderUnknown' });
    const unreadable = evidence({ nodes: [{ name: 'one', unreadable: 'permission denied' }] });
    assert.deepEqual(redeployResultFrom(unreadable), { kind: 'unverified', because: 'unreadable' });
    assert.deepEqual(redeployResultFrom(evidence({ isSubversion: true, nodes: [], revision: '7' })), {
      kind: 'unverified',
      because: 'revisionUnknown',
      revision: '7',
    });
  });
});

describe('a failed Update', () => {
  const refused = (failure: Partial<PlatformFailure>) =>
    isRefused(new PlatformError({ kind: 'platform', operation: 'Update', message: '', ...failure }));
  const by = (result: number, failure: Partial<PlatformFailure> = {}) =>
    refused({ kind: kindOfResult(result), result, ...failure });

  it('was refused if the platform says so before it does anything, or if it was never sent', () => {
    for (const result of [3, 5, 8, 11, 701, 702, 901, 2212, 2500, 4006, 4052, 8202]) {
      assert.equal(by(result), true, String(result));
    }
    assert.equal(refused({ kind: 'unreachable', isUnconnected: true }), true);
    assert.equal(refused({ kind: 'tokenLacksMethod' }), true);
  });

  it('failed if something may have run', () => {
    for (const result of [17, 99, 1, 2002, 4000, 4017, 4036, 4037, 4050, 4053, 4075, 4125, 4130]) {
      assert.equal(by(result), false, String(result));
    }
    assert.equal(by(8202, { isOutcomeUnknown: true }), false);
    assert.equal(by(3, { nodes: [{ result: 3 }] }), false);
    assert.equal(by(5, { log: 'project ROOT\n' }), false);
    assert.equal(refused({ kind: 'unreachable', isOutcomeUnknown: true }), false);
  });
});

describe("the platform's response to a redeploy", () => {
  it('is the same however often the nodes are checked', () => {
    fc.assert(
      fc.property(anyEvidence, anyEvidence, (first, later) => {
        assert.deepEqual(
          answerThen(redeployResultFrom({ ...later, platform: answerThen(redeployResultFrom(first)) })),
          answerThen(redeployResultFrom(first)),
        );
        assert.deepEqual(answerThen(redeployResultFrom(first)), first.platform);
      }),
    );
  });
});

describe('the record of a redeploy', () => {
  const stored = (verdict: unknown) => ({
    id: '1',
    account: 'me',
    environment: 'shop',
    layer: 'cp',
    context: 'ROOT',
    startedAt: 1,
    milliseconds: 2,
    verdict,
    nodes: [{ name: 'cp', nodeId: 1, before: a, after: b }],
    log: 'Updated',
  });
  const verdicts = [
    '{"kind":"running"}',
    '{"kind":"deployed","commit":"b","behind":0}',
    ...['subversion', 'revisionUnknown', 'unreadable', 'folderUnknown', 'pinUnknown'].map(
      (because) => `{"kind":"unverified","because":"${because}","revision":"12"}`,
    ),
    ...['noClone', 'nodesDiffer', 'behind', 'notPinned', 'movedBack'].map(
      (because) => `{"kind":"contradicted","because":"${because}","behind":3}`,
    ),
    '{"kind":"failed","sentence":"no way","code":4000}',
    '{"kind":"answerLost","ended":true,"commit":"b","behind":1,"withoutClone":["php 2"]}',
    '{"kind":"answerLost","ended":false,"wasClosed":true}',
  ];

  it("doesn't say that a node which was added since then has anything new", () => {
    const record = v.parse(deployRecord, stored({ kind: 'answerLost', ended: true }));
    const now = [
      { name: 'cp', nodeId: 1, after: a },
      { name: 'php 2', nodeId: 2, after: a },
    ].map((change) => withEarlierChange(change, record));
    assert.deepEqual(now, [
      { name: 'cp', nodeId: 1, before: a, after: a },
      { name: 'php 2', nodeId: 2, before: undefined, isBeforeUnknown: true, after: a },
    ]);
    assert.equal(sinceBefore(now), 'unknown');
  });

  it('is read as it was stored, with each result', () => {
    for (const verdict of verdicts) {
      const record = stored(JSON.parse(verdict));
      assert.deepEqual(v.parse(deployRecord, record), record);
    }
  });
});
