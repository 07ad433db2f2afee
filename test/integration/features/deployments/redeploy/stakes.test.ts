import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri } from 'vscode';
import type { EditAtRisk } from '../../../../../src/features/deployments/nodeEdits/editFates';
import type { EditedFile } from '../../../../../src/features/deployments/nodeEdits/nodeEditsAtRisk';
import {
  isAtStake,
  isNew,
  keptRows,
  keysAgreedTo,
  keysOfAnyContent,
  missesLocalWork,
  type RowAtStake,
  rowsAtStake,
  summaryOf,
} from '../../../../../src/features/deployments/redeploy/stakes';
import type { WedgedClone } from '../../../../../src/features/deployments/redeploy/wedgedClones';

type CheckedPlan = Parameters<typeof summaryOf>[0];

/** What is at stake, as texts to compare. */
const keysOf = (plan: CheckedPlan) => new Set(keysAgreedTo(plan, undefined, undefined));

const place = { account: 'a', environment: 'shop', layer: 'cp', context: 'ROOT' };
const nodes = [1, 2].map((nodeId) => ({ target: { nodeGroup: 'cp', nodeId }, name: `php ${nodeId}`, type: undefined }));
const commit = 'c0ffee1234567';
const nothing: CheckedPlan = {
  request: { place },
  project: { place, settings: { branch: 'main' } },
  before: nodes.map((node) => ({ node, head: { kind: 'commit', commit } })),
  wasDeployed: true,
  name: 'ROOT on shop',
  deployed: commit,
  local: undefined,
  gitProblem: undefined,
  edits: [],
  kept: [],
  inClone: [],
  editsUnchecked: undefined,
  editOutcome: 'discarded',
  wedged: [],
  production: undefined,
  mustConfirm: false,
};

const edited = (path: string, file: Partial<EditedFile> = {}, edit: Partial<EditedFile['edit']> = {}): EditedFile => ({
  edit: { ...place, nodeId: 1, path: `/www/${path}`, what: 'changed', before: 'a\n', at: 1, lastAt: 1, ...edit },
  place: { kind: 'file', ...place, target: { nodeGroup: 'cp', nodeId: 1 }, path: `/www/${path}` },
  path,
  now: { kind: 'text', text: 'b\n' },
  ...file,
});
const atRisk = (fate: EditAtRisk['fate'], ...file: Parameters<typeof edited>): EditAtRisk => ({
  ...edited(...file),
  fate,
});
const wedged = (clone: Partial<WedgedClone>, node = nodes[0]): WedgedClone[] =>
  node === undefined ? [] : [{ node, goneBranch: undefined, commit, attachTo: undefined, ...clone }];
const local = (work: Partial<NonNullable<CheckedPlan['local']>>) => ({
  local: { unsaved: [], uncommitted: [], unpushed: [], otherBranch: undefined, ...work },
});
const files = (...names: readonly string[]) => names.map((name) => Uri.file(`/work/tea/${name}`));

const changed = '— Settings changed in the meantime';
const notDeployed = '— Not in the deployed branch yet';
const discarded = '— Edited on the nodes and discarded by this redeploy';
const unsure = '— Edited on the nodes (may be discarded, or stop the redeploy)';
const replaced = '— Edited on the nodes and discarded with the whole folder, which is replaced';
const stops = '— Edited on the nodes (stops the redeploy if also changed in the repository)';
const inClone = '— In your clone, but not in the deployed branch yet';
const kept = "— Edited on the nodes and kept (the repository doesn't have these files)";
const localSummary = "Some of your work isn't in the deployed branch yet.";
const one = 'An edit on a node will be discarded.';

/** What is at stake, how many things, the summary, and the rows. */
const table: readonly (readonly [Partial<CheckedPlan>, number, string, ...(readonly string[])])[] = [
  [{}, 0, ''],
  [
    { changed: 'Branch: main → next' },
    1,
    'The settings changed in the meantime: Branch: main → next.',
    changed,
    'settings-gear Branch: main → next',
  ],
  [
    { wedged: [...wedged({ attachTo: 'main' }), ...wedged({}, nodes[1])] },
    2,
    'The redeploy would probably fail, because HEAD is detached on php 1, php 2.',
    "— Nodes that can't pull",
    'git-branch php 1 · HEAD is detached at c0ffee1 · Can be attached to main',
    "git-branch php 2 · HEAD is detached at c0ffee1 · No branch of this clone can be pulled with the project's settings",
  ],
  [
    { wedged: wedged({ goneBranch: 'next' }) },
    1,
    'The redeploy would probably fail, because next, the branch on php 1, no longer existed in the repository at the last redeploy.',
    "— Nodes that can't pull",
    "git-branch php 1 · next no longer existed in the repository at the last redeploy · No branch of this clone can be pulled with the project's settings",
  ],
  [
    { gitProblem: 'untrusted' },
    0,
    '',
    "info Unpushed commits aren't checked · In Restricted Mode, Gantry can't check for unpushed commits. Trust the workspace to check for them. (runs)",
  ],
  [
    { gitProblem: 'disabled' },
    0,
    '',
    "info Unpushed commits aren't checked · Gantry can't check for unpushed commits because Git is turned off in this window. Turn on the git.enabled setting.",
  ],
  [local({}), 0, ''],
  [
    local({ unpushed: ['Darker tea'] }),
    1,
    localSummary,
    notDeployed,
    "git-commit One commit on main isn't pushed · Darker tea (runs)",
  ],
  [
    local({ unpushed: ['a', 'b', 'c', 'd', 'e', 'f'] }),
    1,
    localSummary,
    notDeployed,
    "git-commit 6 commits on main aren't pushed · a · b · c · d and 2 more (runs)",
  ],
  [
    local({ uncommitted: files('a.php') }),
    1,
    localSummary,
    notDeployed,
    'edit One file has uncommitted changes · a.php (runs)',
  ],
  [
    local({ uncommitted: files('a.php', 'b.php'), unsaved: files('a.php'), otherBranch: 'experiment' }),
    3,
    localSummary,
    notDeployed,
    'edit 2 files have uncommitted changes · a.php · b.php (runs)',
    'circle-filled Editors with unsaved changes · a.php',
    'git-branch experiment is checked out here, main is deployed (runs)',
  ],
  [
    { ...local({ uncommitted: files('a.php') }), inClone: [edited('a.php')] },
    1,
    `${localSummary} An edit on a node is in your clone, but not in the deployed branch yet, so a redeploy now reverts it on the node.`,
    notDeployed,
    'edit One file has uncommitted changes · a.php (runs)',
    inClone,
    'file a.php · php 1 (diff)',
  ],
  // Committed and pushed there.
  [
    { ...local({ otherBranch: 'experiment' }), inClone: [edited('a.php'), edited('b.php')] },
    1,
    `${localSummary} 2 edits on the nodes are in your clone, but not in the deployed branch yet, so a redeploy now reverts them on the nodes.`,
    notDeployed,
    'git-branch experiment is checked out here, main is deployed (runs)',
    inClone,
    'file a.php · php 1 (diff)',
    'file b.php · php 1 (diff)',
  ],
  [{ edits: [atRisk('overwritten', 'a.php')] }, 1, one, discarded, 'file a.php · php 1 (diff)'],
  [
    {
      edits: [
        atRisk('unknown', 'new.php', {}, { what: 'added', before: undefined, nodeId: undefined }),
        atRisk('unknown', 'old.php', { now: { kind: 'absent' } }, { what: 'removed', nodeId: 9 }),
        atRisk('overwritten', 'never-read.php', { now: { kind: 'absent' } }, { what: 'removed', before: undefined }),
        atRisk('unknown', 'docs', { now: { kind: 'folder' } }, { what: 'added' }),
        atRisk('unknown', 'logo.png', { now: { kind: 'unreadable' } }),
        atRisk(
          'unknown',
          '',
          { now: { kind: 'folder' } },
          { what: 'unpacked', archive: '/tmp/site.tar', path: '/www' },
        ),
      ],
    },
    6,
    `${one} 5 edits on the nodes may be discarded, or stop the redeploy.`,
    discarded,
    'file never-read.php · php 1 · deleted',
    unsure,
    'file new.php · new (diff)',
    'file old.php · node 9 · deleted (diff)',
    'folder docs · php 1 · new folder',
    "file logo.png · php 1 · couldn't be read",
    "file-zip site.tar unpacked into /www · php 1 · may have changed this project's files",
  ],
  [
    { edits: [atRisk('gone', 'a.php')], editOutcome: 'replaced' },
    1,
    'The folder will be replaced with a fresh clone, and all edits in it will be discarded.',
    replaced,
    'file a.php · php 1 (diff)',
  ],
  [
    { edits: [atRisk('stops', 'a.php')], editOutcome: 'stops' },
    1,
    'An edit on a node may stop the redeploy.',
    stops,
    'file a.php · php 1 (diff)',
  ],
  [
    { edits: [atRisk('stops', 'a.php'), atRisk('stops', 'b.php'), atRisk('gone', 'c.php')], editOutcome: 'stops' },
    3,
    `${one} 2 edits on the nodes may stop the redeploy.`,
    replaced,
    'file c.php · php 1 (diff)',
    stops,
    'file a.php · php 1 (diff)',
    'file b.php · php 1 (diff)',
  ],
  [{ editsUnchecked: 'ENOTDIR' }, 1, "Couldn't check for edits on the nodes: ENOTDIR."],
  [{ kept: [edited('.env')] }, 0, '', kept, 'file .env · php 1 (diff)'],
  [
    {
      editsUnchecked: 'ENOTDIR',
      kept: [edited('.env')],
      edits: [atRisk('overwritten', 'a.php')],
      ...local({ unpushed: ['Darker tea'] }),
      wedged: wedged({}),
      changed: 'Branch: main → next',
    },
    5,
    [
      'The settings changed in the meantime: Branch: main → next.',
      'The redeploy would probably fail, because HEAD is detached on php 1.',
      `${localSummary} ${one} Couldn't check for edits on the nodes: ENOTDIR.`,
    ].join(' '),
    changed,
    'settings-gear Branch: main → next',
    "— Nodes that can't pull",
    "git-branch php 1 · HEAD is detached at c0ffee1 · No branch of this clone can be pulled with the project's settings",
    notDeployed,
    "git-commit One commit on main isn't pushed · Darker tea (runs)",
    discarded,
    'file a.php · php 1 (diff)',
    kept,
    'file .env · php 1 (diff)',
  ],
];

function textOf({ icon = '—', label, description = '', detail = '', buttons, run }: RowAtStake): string {
  const words = [label, description, detail].filter((text) => text !== '').join(' · ');
  return `${icon} ${words}${buttons === undefined ? '' : ' (diff)'}${run === undefined ? '' : ' (runs)'}`;
}

describe('what is at stake in a redeploy', () => {
  it('is summarized and listed, each kind alone and all together', () => {
    for (const [found, count, summary, ...rows] of table) {
      const plan = { ...nothing, ...found };
      const seen = [...rowsAtStake(plan), ...keptRows(plan)].map(textOf);
      assert.deepEqual([keysOf(plan).size, summaryOf(plan), ...seen], [count, summary, ...rows]);
      assert.equal(isAtStake(plan), count > 0);
      assert.equal(missesLocalWork(plan), summary.includes(localSummary));
    }
  });

  it('was agreed to only as it was', () => {
    const isNewTo = (before: Partial<CheckedPlan>, now: Partial<CheckedPlan>) =>
      isNew({ ...nothing, ...now }, keysOf({ ...nothing, ...before }));
    for (const [found] of table) {
      assert.equal(isNewTo(found, found), found.changed !== undefined);
      assert.equal(isNewTo(found, {}), false, 'less is at stake');
    }
    const edits = (...file: Parameters<typeof atRisk>) => ({ edits: [atRisk(...file)] });
    const edit = edits('overwritten', 'a.php');
    const text = { now: { kind: 'text', text: 'c\n' } } as const;
    for (const other of [
      edits('stops', 'a.php'),
      edits('overwritten', 'b.php'),
      edits('overwritten', 'a.php', text),
      edits('overwritten', 'a.php', {}, { nodeId: 2 }),
      edits('overwritten', 'a.php', { now: { kind: 'unreadable' } }, { at: 2 }),
      { ...edit, editsUnchecked: 'ENOTDIR' },
      { ...edit, wedged: wedged({}) },
      { ...edit, ...local({ unsaved: files('a.php') }) },
      { ...edit, ...local({ otherBranch: 'experiment' }) },
    ]) {
      assert.equal(isNewTo(edit, other), true, JSON.stringify(other));
    }
    assert.equal(isNewTo(edit, edits('overwritten', 'a.php', {}, { at: 2 })), false, 'the same text was saved again');
  });

  it('was agreed to whatever the edited files have by then, if that was agreed to', () => {
    const agreed = new Set(keysOfAnyContent({ ...nothing, edits: [atRisk('overwritten', 'a.php')], ...local({}) }));
    const isNewNow = (...file: Parameters<typeof atRisk>) => isNew({ ...nothing, edits: [atRisk(...file)] }, agreed);
    assert.equal(isNewNow('overwritten', 'a.php', { now: { kind: 'text', text: 'c\n' } }), false);
    assert.equal(isNewNow('overwritten', 'a.php', { now: { kind: 'absent' } }, { what: 'removed', at: 2 }), false);
    assert.equal(isNewNow('stops', 'a.php'), true);
    assert.equal(isNewNow('overwritten', 'b.php'), true);
    assert.equal(isNewNow('overwritten', 'a.php', {}, { nodeId: 2 }), true);
    const unpushed = { ...nothing, edits: [atRisk('overwritten', 'a.php')], ...local({ unpushed: ['Darker tea'] }) };
    assert.equal(isNew(unpushed, agreed), true);
  });

  it('is the same if the editor of a local file saves it, or has newer changes than the saved ones', () => {
    const [unsaved, uncommitted, both] = [
      { unsaved: files('a.php') },
      { uncommitted: files('a.php') },
      { unsaved: files('a.php'), uncommitted: files('a.php') },
    ].map((work) => ({ ...nothing, ...local(work) }));
    for (const agreed of [unsaved, uncommitted, both]) {
      for (const now of [unsaved, uncommitted, both]) {
        assert.equal(agreed && now && isNew(now, keysOf(agreed)), false);
      }
    }
    const other = { ...nothing, ...local({ uncommitted: files('b.php') }) };
    assert.equal(unsaved && isNew(other, keysOf(unsaved)), true);
  });

  it('includes what follows from the decision: files in new clones, and a patch in the repository', () => {
    const found = { ...nothing, ...local({}), edits: [atRisk('overwritten', 'a.php')], kept: [edited('.env')] };
    const [patch] = files('edits.patch');
    const gone = { ...found, edits: ['a.php', '.env'].map((path) => atRisk('gone', path)), kept: [] };
    const saved = { ...found, ...local({ uncommitted: files('edits.patch') }) };
    assert.deepEqual(
      [gone, saved].map((now) => isNew(now, new Set(keysAgreedTo(found, undefined, undefined)))),
      [true, true],
    );
    assert.equal(isNew(gone, new Set(keysAgreedTo(found, 'cloneAgain', undefined))), false);
    assert.equal(isNew(saved, new Set(keysAgreedTo(found, undefined, patch))), false);
  });
});
