import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ThemeIcon } from 'vscode';
import {
  deployedStateOf,
  type DeployedFacts,
} from '../../../../../src/features/deployments/deployedState/deployedState';
import type { DeployRecord, NodeChange } from '../../../../../src/features/deployments/redeploy/redeployResult';
import {
  type CommitSubjects,
  nodesText,
  redeployMessage,
  redeployResultText,
  sectionText,
} from '../../../../../src/features/deployments/redeploy/redeployResultText';
import { checkedLabel } from '../../../../../src/features/deployments/deployedState/stateTexts';
import { deploymentRows, factsOfProject } from '../../../../../src/features/deployments/view/deploymentRows';
import { formatExactTime } from '../../../../../src/ui/relativeTime';
import { atTime } from '../../../support/trees';

const moment = new Date(2026, 10, 20, 9).getTime();
const [a, b, c] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)] as const;
const place = { account: 'me', environment: 'shop', layer: 'cp', context: 'ROOT' };

/** A node that a redeploy brought from one commit to another, or whatever else is given. */
const node = (nodeId: number | undefined, change: Partial<NodeChange> = { before: a, after: b }): NodeChange => ({
  name: nodeId === undefined ? 'cp' : `php ${nodeId}`,
  nodeId,
  ...change,
});
const still = { before: a, after: a };
const two = (change?: Partial<NodeChange>) => [node(1, change), node(2, change)];
const hooksLog = (words: string) => ({
  node: 'php 1',
  path: '/var/log/jelastic/vcs/hooks.log',
  text: `Applying pre-deploy hook\n${words}The hook failed\n`,
});
const failure = { result: { kind: 'failed', sentence: '' }, nodes: [{ after: a }, { after: a }] } as const;
const otherBranch = { kind: 'contradicted', because: 'otherBranch', branch: 'next' } as const;
const onOtherBranch = { ...failure, result: otherBranch };

function lookOf({ iconPath, contextValue }: { iconPath?: unknown; contextValue?: string | undefined }): string {
  assert.ok(iconPath instanceof ThemeIcon);
  return [iconPath.id, ...(iconPath.color === undefined ? [] : [iconPath.color.id]), contextValue].join(' ');
}

interface Given extends Partial<DeployRecord> {
  readonly verdict: DeployRecord['verdict'];
  readonly subjects?: CommitSubjects;
}

/** The icon of the redeploy's row with its menu, its label, and the message. */
function endOf({ subjects, ...given }: Given): readonly string[] {
  const times = { startedAt: 0, milliseconds: 1000 };
  const record = { id: '1', ...place, branch: 'main', ...times, nodes: two(), log: '', ...given };
  const message = redeployMessage(record, { titleOf: () => 'Tea' }, subjects);
  const row = deploymentRows.redeploy({ kind: 'redeploy', record, message, commit: undefined });
  assert.equal(row.label, redeployResultText(record));
  return [lookOf(row), redeployResultText(record), message];
}

function resultsOf(given: Partial<DeployedFacts>) {
  return deployedStateOf({
    isSubversion: false,
    autoUpdates: false,
    nodes: [{ after: a }, { after: a }],
    left: a,
    branch: 'main',
    behind: 0,
    unpushed: 0,
    editedFiles: 0,
    areEditsUnchecked: false,
    keepsEdits: false,
    ...given,
  });
}

/** The row of the project, and those below it that say its state. */
function stateOf(given: Partial<DeployedFacts>): readonly string[] {
  const results = resultsOf(given);
  const { pinnedTo = '', rolledBackFrom } = given;
  const pin =
    rolledBackFrom === undefined
      ? { branch: 'main', repoHash: pinnedTo }
      : { branch: `gantry-rollback-${pinnedTo}`, repoHash: '' };
  const project = { place, settings: { type: 'GIT', ...pin } } as const;
  const element = {
    ...({
      kind: 'project',
      place,
      environmentTitle: 'Tea',
      layerTitle: 'Servers',
      isListed: true,
      namesLayer: false,
      results,
    } as const),
    ...({
      read: { kind: 'read', project },
      last: undefined,
      hasDraft: false,
      checked: undefined,
      running: undefined,
      hasClone: true,
    } as const),
  };
  const row = deploymentRows.project(element);
  return [
    `${lookOf(row)}: ${String(row.description)}`,
    ...factsOfProject(project, results, 'works')
      .slice(0, results.length)
      .map(({ icon, label, tooltip }) => `${icon} ${label}: ${tooltip}`),
  ];
}

const ends: readonly (readonly [Given, ...(readonly string[])])[] = [
  [
    { verdict: { kind: 'running' } },
    'question list.warningForeground redeploy unclear',
    'result unknown',
    'The redeploy of ROOT on Tea started, but its result is unknown.',
  ],
  [
    { verdict: { kind: 'deployed', commit: b } },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    'Deployed bbbbbbb to ROOT on Tea (was aaaaaaa).',
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, subjects: { before: 'Old', after: 'New' } },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    'Deployed bbbbbbb “New” to ROOT on Tea (was aaaaaaa “Old”).',
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, subjects: { before: 'Old', after: 'N'.repeat(60) } },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    'Deployed bbbbbbb to ROOT on Tea (was aaaaaaa).',
  ],
  [
    { verdict: { kind: 'deployed', commit: b, behind: 0 }, nodes: two({ before: b, after: b }) },
    'pass testing.iconPassed redeploy',
    'bbbbbbb',
    'ROOT on Tea is already up to date with main (bbbbbbb).',
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, nodes: two({ before: b, after: b }) },
    'pass testing.iconPassed redeploy',
    'bbbbbbb',
    'ROOT on Tea still runs bbbbbbb.',
  ],
  [
    {
      verdict: { kind: 'deployed', commit: b, behind: 0 },
      nodes: two({ before: b, after: b }),
      pinnedTo: b.slice(0, 7),
    },
    'pass testing.iconPassed redeploy',
    'bbbbbbb',
    "ROOT on Tea still runs bbbbbbb. The project is pinned to this commit, so newer commits aren't deployed.",
  ],
  [
    { verdict: { kind: 'deployed', commit: b, behind: 1 }, pinnedTo: b.slice(0, 7) },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    'Deployed bbbbbbb to ROOT on Tea (was aaaaaaa). The project is pinned to this commit, 1 commit behind main.',
  ],
  [
    { verdict: { kind: 'deployed', commit: b, behind: 2 }, pinnedTo: b },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    'Deployed bbbbbbb to ROOT on Tea (was aaaaaaa). The project is pinned to this commit, 2 commits behind main.',
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, pinnedTo: 'v1.2' },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    "Deployed bbbbbbb to ROOT on Tea (was aaaaaaa). The project is pinned to v1.2, so newer commits aren't deployed.",
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, nodes: two({ after: b }), isFirst: true },
    'pass testing.iconPassed redeploy',
    'bbbbbbb',
    'Deployed bbbbbbb to ROOT on Tea.',
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, nodes: [node(1), node(2, { before: c, after: b })] },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    'Deployed bbbbbbb to ROOT on Tea.',
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, nodes: [node(undefined)] },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa)',
    "Deployed bbbbbbb to ROOT on Tea, on the node that responded. Gantry doesn't know the other nodes in the layer.",
  ],
  [
    { verdict: { kind: 'deployed', commit: b }, nodes: [node(1)], nodeId: 1 },
    'pass testing.iconPassed redeploy',
    'bbbbbbb (was aaaaaaa), node 1 only',
    'Deployed bbbbbbb to ROOT on node 1 of Tea (was aaaaaaa).',
  ],
  [
    { verdict: { kind: 'unverified', because: 'subversion', revision: '12' }, nodes: two({ after: 'r12' }) },
    'pass testing.iconPassed redeploy',
    'revision 12',
    'Deployed revision 12 to ROOT on Tea, according to the log on every node.',
  ],
  [
    {
      verdict: { kind: 'unverified', because: 'subversion', revision: '12' },
      nodes: [node(1, { after: 'r12' })],
      nodeId: 1,
    },
    'pass testing.iconPassed redeploy',
    'revision 12, node 1 only',
    'Deployed revision 12 to ROOT on node 1 of Tea, according to the log on the node.',
  ],
  [
    { verdict: { kind: 'unverified', because: 'subversion' }, pinnedTo: '17' },
    'question list.warningForeground redeploy unclear',
    'not verified',
    "Deployed revision  to ROOT on Tea, according to the log on every node. The project is pinned to 17, so newer commits aren't deployed.",
  ],
  [
    { verdict: { kind: 'unverified', because: 'revisionUnknown' }, nodes: two({}) },
    'question list.warningForeground redeploy unclear',
    'not verified',
    "Couldn't verify the revision of ROOT on Tea: the platform reports success, but the logs on the nodes don't show it.",
  ],
  [
    { verdict: { kind: 'unverified', because: 'revisionUnknown', revision: '12' }, nodes: two({}) },
    'question list.warningForeground redeploy unclear',
    'not verified',
    "Couldn't verify the revision of ROOT on Tea: the platform reports revision 12, but the logs on the nodes don't show it.",
  ],
  [
    { verdict: { kind: 'unverified', because: 'folderUnknown' }, nodes: two({}) },
    'question list.warningForeground redeploy unclear',
    'not verified',
    "Couldn't verify the commit of ROOT on Tea: the platform reports success, but no clone was found on the nodes.",
  ],
  [
    { verdict: { kind: 'unverified', because: 'pinUnknown' }, pinnedTo: 'v1.2' },
    'question list.warningForeground redeploy unclear',
    'not verified',
    "Deployed bbbbbbb to ROOT on Tea, but couldn't verify that this is v1.2, which the project is pinned to.",
  ],
  [
    { verdict: { kind: 'unverified', because: 'unreadable' }, nodes: [node(1), node(2, { unreadable: 'denied' })] },
    'question list.warningForeground redeploy unclear',
    'not verified',
    "Couldn't verify the commit of ROOT on Tea (php 2): denied. The platform reports success.",
  ],
  [
    { verdict: { kind: 'unverified', because: 'unreadable' } },
    'question list.warningForeground redeploy unclear',
    'not verified',
    'ROOT on Tea runs bbbbbbb, which may not be the newest commit on main.',
  ],
  [
    { verdict: { kind: 'unverified', because: 'unreadable' }, nodes: two({ unreadable: 'denied' }), pinnedTo: b },
    'question list.warningForeground redeploy unclear',
    'not verified',
    "Couldn't verify the commit of ROOT on Tea (php 1): denied. The platform reports success. The project is pinned to bbbbbbb, so newer commits aren't deployed.",
  ],
  [
    { verdict: { kind: 'contradicted', because: 'notPinned' }, pinnedTo: a },
    'error list.errorForeground redeploy',
    'another commit deployed',
    'The platform deployed bbbbbbb to ROOT on Tea, although the project is pinned to aaaaaaa.',
  ],
  [
    { verdict: { kind: 'contradicted', because: 'noClone' }, nodes: two({ before: a }) },
    'error list.errorForeground redeploy',
    'not deployed',
    "ROOT on Tea isn't deployed, although the platform reports success: its folder has no clone.",
  ],
  [
    { verdict: { kind: 'contradicted', because: 'nodesDiffer' }, nodes: [node(1), node(2, { before: a, after: a })] },
    'error list.errorForeground redeploy',
    'not deployed',
    "ROOT on Tea isn't deployed to all nodes, although the platform reports success.",
  ],
  [
    { verdict: otherBranch },
    'error list.errorForeground redeploy',
    'another branch deployed',
    'ROOT on Tea runs bbbbbbb on the branch next instead of main, although the platform reports success.',
  ],
  [
    { verdict: { kind: 'contradicted', because: 'behind', behind: 1 } },
    'error list.errorForeground redeploy',
    'not deployed',
    'ROOT on Tea runs bbbbbbb, 1 commit behind main, although the platform reports success.',
  ],
  [
    { verdict: { kind: 'contradicted', because: 'behind', behind: 3 }, nodes: [node(1)], nodeId: 1 },
    'error list.errorForeground redeploy',
    'not deployed, node 1 only',
    'ROOT on node 1 of Tea runs bbbbbbb, 3 commits behind main, although the platform reports success.',
  ],
  [
    { verdict: { kind: 'contradicted', because: 'behind' } },
    'error list.errorForeground redeploy',
    'may be outdated',
    'ROOT on Tea runs bbbbbbb, which may not be the newest commit on main. The project was on another branch before. Redeploy it again.',
  ],
  [
    { verdict: { kind: 'failed', sentence: 'no way' } },
    'error list.errorForeground redeploy',
    'failed',
    "Couldn't redeploy ROOT on Tea: no way",
  ],
  [
    { verdict: { kind: 'failed', sentence: 'no way' }, isFirst: true },
    'error list.errorForeground redeploy',
    'failed',
    "Couldn't deploy ROOT on Tea: no way",
  ],
  [
    { verdict: { kind: 'failed', sentence: 'no way' }, nodes: [node(1)], nodeId: 1 },
    'error list.errorForeground redeploy',
    'failed, node 1 only',
    "Couldn't redeploy ROOT on node 1 of Tea: no way",
  ],
  [
    { verdict: { kind: 'failed', sentence: 'no way' }, log: 'error: no space left' },
    'error list.errorForeground redeploy',
    'failed',
    "Couldn't redeploy ROOT on Tea: error: no space left",
  ],
  [
    { verdict: { kind: 'failed', sentence: 'no way', code: 4126 }, logsBeside: [hooksLog('npm failed\n')] },
    'error list.errorForeground redeploy',
    'failed',
    "Couldn't redeploy ROOT on Tea: npm failed (hooks.log: The hook failed)",
  ],
  [
    { verdict: { kind: 'failed', sentence: 'no way', code: 4126 }, logsBeside: [hooksLog('')] },
    'error list.errorForeground redeploy',
    'failed',
    "Couldn't redeploy ROOT on Tea: The hook failed (hooks.log)",
  ],
  [
    { verdict: { kind: 'contradicted', because: 'movedBack' }, nodes: two(still) },
    'error list.errorForeground redeploy',
    'not deployed',
    "ROOT on Tea still runs aaaaaaa, because main was moved back to an earlier commit, and a redeploy doesn't undo commits. Use Roll Back.",
  ],
  [
    { verdict: { kind: 'answerLost', ended: false }, nodes: two({}) },
    'question list.warningForeground redeploy unclear',
    'connection lost',
    'The connection was lost, so the redeploy of ROOT on Tea may still be running.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: false, wasClosed: true, commit: a }, nodes: two(still) },
    'question list.warningForeground redeploy unclear',
    'result unknown, at aaaaaaa',
    'The redeploy of ROOT on Tea started, but its result is unknown. All nodes still run aaaaaaa.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: b } },
    'question list.warningForeground redeploy unclear',
    'connection lost, at bbbbbbb',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. All nodes now run bbbbbbb.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: b }, nodes: two({ isBeforeUnknown: true, after: b }) },
    'question list.warningForeground redeploy unclear',
    'connection lost, at bbbbbbb',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. All nodes run bbbbbbb.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: a, behind: 1 }, nodes: two(still) },
    'question list.warningForeground redeploy unclear',
    'connection lost, at aaaaaaa',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. All nodes still run aaaaaaa, 1 commit behind main.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: b, behind: 2 }, nodes: [node(1)], nodeId: 1 },
    'question list.warningForeground redeploy unclear',
    'connection lost, at bbbbbbb, node 1 only',
    'The connection was lost before the platform confirmed the redeploy of ROOT on node 1 of Tea. Node 1 now runs bbbbbbb, 2 commits behind main.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: a }, nodes: [node(1, still)], nodeId: 1 },
    'question list.warningForeground redeploy unclear',
    'connection lost, at aaaaaaa, node 1 only',
    'The connection was lost before the platform confirmed the redeploy of ROOT on node 1 of Tea. Node 1 still runs aaaaaaa.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: b }, nodes: [node(undefined)] },
    'question list.warningForeground redeploy unclear',
    'connection lost, at bbbbbbb',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. The node that responded now runs bbbbbbb.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: a }, nodes: [node(undefined, still)] },
    'question list.warningForeground redeploy unclear',
    'connection lost, at aaaaaaa',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. The node that responded still runs aaaaaaa.',
  ],
  [
    {
      verdict: { kind: 'answerLost', ended: true, withoutClone: ['php 2'] },
      nodes: [node(1), node(2, {})],
    },
    'question list.warningForeground redeploy unclear',
    'connection lost',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. php 1 now runs bbbbbbb. No clone was found on php 2.',
  ],
  [
    {
      verdict: { kind: 'answerLost', ended: false },
      nodes: [...two(), node(3, { after: a }), node(4, {})],
    },
    'question list.warningForeground redeploy unclear',
    'connection lost',
    "The connection was lost, so the redeploy of ROOT on Tea may still be running. The nodes don't all run the same commit.",
  ],
  [
    {
      verdict: { kind: 'answerLost', ended: true },
      nodes: [...two(), node(3, { after: a }), node(4, { unreadable: 'denied' })],
    },
    'question list.warningForeground redeploy unclear',
    'connection lost',
    "The connection was lost before the platform confirmed the redeploy of ROOT on Tea. The nodes don't all run the same commit.",
  ],
  [
    {
      verdict: { kind: 'answerLost', ended: true },
      nodes: [...two(), node(3), node(4, { unreadable: 'denied' })],
    },
    'question list.warningForeground redeploy unclear',
    'connection lost',
    "The connection was lost before the platform confirmed the redeploy of ROOT on Tea. php 1 now runs bbbbbbb. php 2 now runs bbbbbbb. php 3 now runs bbbbbbb. Couldn't check php 4.",
  ],
  [
    { verdict: { kind: 'answerLost', ended: true }, nodes: two({ unreadable: 'denied' }) },
    'question list.warningForeground redeploy unclear',
    'connection lost',
    "The connection was lost before the platform confirmed the redeploy of ROOT on Tea. Couldn't check php 1. Couldn't check php 2.",
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: a }, nodes: two(still), log: 'error: no space left' },
    'question list.warningForeground redeploy unclear',
    'connection lost, at aaaaaaa',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. All nodes still run aaaaaaa. The log says: error: no space left',
  ],
  [
    {
      verdict: { kind: 'answerLost', ended: true, commit: a },
      nodes: two(still),
      log: 'error: old',
      isLogEndUnknown: true,
    },
    'question list.warningForeground redeploy unclear',
    'connection lost, at aaaaaaa',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. All nodes still run aaaaaaa.',
  ],
  [
    { verdict: { kind: 'answerLost', ended: true, commit: b }, log: 'error: no space left' },
    'question list.warningForeground redeploy unclear',
    'connection lost, at bbbbbbb',
    'The connection was lost before the platform confirmed the redeploy of ROOT on Tea. All nodes now run bbbbbbb.',
  ],
];

const states: readonly (readonly [Partial<DeployedFacts>, ...(readonly string[])])[] = [
  [
    {},
    'package project idle listed: main · up to date',
    'check up to date: aaaaaaa is the newest commit on main as of the last fetch.',
  ],
  [
    { behind: 1 },
    'arrow-down list.warningForeground project idle listed: main · 1 commit behind',
    "arrow-down 1 commit behind: 1 commit on main isn't deployed.",
  ],
  [
    { behind: 3, unpushed: 1 },
    'arrow-down list.warningForeground project idle listed: main · 3 commits behind · 1 commit not pushed',
    "arrow-down 3 commits behind: 3 commits on main aren't deployed.",
    "repo-push 1 commit not pushed: 1 commit on main isn't pushed, so a redeploy can't deploy it.",
  ],
  [
    { behind: undefined },
    'package project idle listed: main · at aaaaaaa',
    'git-commit at aaaaaaa: To see whether aaaaaaa is the newest commit, open a clone of the repository in VS Code, and fetch.',
  ],
  [
    { behind: undefined, newestAt: moment },
    'package project idle listed: main · at aaaaaaa, the newest commit just now',
    `git-commit at aaaaaaa, the newest commit just now: aaaaaaa was the newest commit on main when it was deployed from this computer (${formatExactTime(moment)}).`,
  ],
  [
    { unpushed: 2 },
    'package project idle listed: main · 2 commits not pushed',
    "repo-push 2 commits not pushed: 2 commits on main aren't pushed, so a redeploy can't deploy them.",
  ],
  [
    { editedFiles: 1 },
    'edit list.warningForeground project idle listed edited: main · edited on a node',
    'edit edited on a node: 1 file has been edited on a node.',
  ],
  [
    { editedFiles: 1, keepsEdits: true },
    'package project idle listed edited: main · edited on a node',
    'edit edited on a node: 1 file has been edited on a node.',
  ],
  [
    { editedFiles: 1, keepsEdits: true, behind: 1 },
    'arrow-down list.warningForeground project idle listed edited: main · edited on a node · 1 commit behind',
    'edit edited on a node: 1 file has been edited on a node.',
    "arrow-down 1 commit behind: 1 commit on main isn't deployed.",
  ],
  [
    { editedFiles: 2, behind: 1 },
    'edit list.warningForeground project idle listed edited: main · edited on a node · 1 commit behind',
    'edit edited on a node: 2 files have been edited on the nodes.',
    "arrow-down 1 commit behind: 1 commit on main isn't deployed.",
  ],
  [
    { areEditsUnchecked: true },
    'package project idle listed: main · edits not checked',
    "warning edits not checked: Couldn't read this computer's record of edits on the nodes.",
  ],
  [
    { editedFiles: 1, areEditsUnchecked: true },
    'edit list.warningForeground project idle listed edited: main · edited on a node · edits not checked',
    'edit edited on a node: 1 file has been edited on a node.',
    "warning edits not checked: Couldn't read this computer's record of edits on the nodes.",
  ],
  [
    { left: b, autoUpdates: true },
    'package project idle listed: main · auto-updated · up to date',
    'sync auto-updated: The platform automatically updated it from bbbbbbb to aaaaaaa.',
    'check up to date: aaaaaaa is the newest commit on main as of the last fetch.',
  ],
  [
    { left: b },
    'package project idle listed: main · updated elsewhere · up to date',
    'sync updated elsewhere: It was updated from bbbbbbb to aaaaaaa, but not from this computer.',
    'check up to date: aaaaaaa is the newest commit on main as of the last fetch.',
  ],
  [
    { nodes: [{ after: a }, { after: b }] },
    'warning list.warningForeground project idle listed: main · nodes differ',
    "warning nodes differ: The nodes don't all run the same commit.",
  ],
  [
    { nodes: [{ after: a }, { after: b }], editedFiles: 1 },
    'warning list.warningForeground project idle listed edited: main · nodes differ · edited on a node',
    "warning nodes differ: The nodes don't all run the same commit.",
    'edit edited on a node: 1 file has been edited on a node.',
  ],
  [
    { nodes: [{}, {}] },
    'package project idle listed: main · not deployed',
    'circle-slash not deployed: No clone was found on the nodes. The project may be deployed to another folder.',
  ],
  [
    { nodes: [{ after: a }, { unreadable: 'denied' }] },
    'package project idle listed: main · unknown',
    "question unknown: Couldn't read the deployed commit: denied.",
  ],
  [
    { isSubversion: true, nodes: [{}] },
    'package project idle listed: main · unknown',
    "question unknown: Gantry can't read the deployed revision of a Subversion project.",
  ],
  [
    { isSubversion: true, nodes: [{}], editedFiles: 1 },
    'edit list.warningForeground project idle listed edited: main · edited on a node',
    'edit edited on a node: 1 file has been edited on a node.',
  ],
  [
    { isSubversion: true, nodes: [{}], pinnedTo: '17' },
    'pinned project idle listed pinned: main · pinned to 17 · unknown',
    'pinned pinned to 17: The project is pinned to 17. To follow the branch again, use Deploy Newest Commit.',
    "question unknown: Gantry can't read the deployed revision of a Subversion project.",
  ],
  [
    { pinnedTo: a.slice(0, 7), behind: 1 },
    'pinned project idle listed pinned: main · pinned to aaaaaaa · 1 commit behind',
    'pinned pinned to aaaaaaa: aaaaaaa is deployed, and the project is pinned to it. To follow the branch again, use Deploy Newest Commit.',
    "arrow-down 1 commit behind: 1 commit on main isn't deployed.",
  ],
  [
    { pinnedTo: a, behind: undefined },
    'pinned project idle listed pinned: main · pinned to aaaaaaa',
    'pinned pinned to aaaaaaa: aaaaaaa is deployed, and the project is pinned to it. To follow the branch again, use Deploy Newest Commit.',
  ],
  [
    { pinnedTo: b, behind: undefined },
    'pinned project idle listed pinned: main · pinned to bbbbbbb · at aaaaaaa',
    'pinned pinned to bbbbbbb: The project is pinned to bbbbbbb. To follow the branch again, use Deploy Newest Commit.',
    'git-commit at aaaaaaa: To see whether aaaaaaa is the newest commit, open a clone of the repository in VS Code, and fetch.',
  ],
  [
    { pinnedTo: b, nodes: [{}, {}] },
    'pinned project idle listed pinned: main · pinned to bbbbbbb · not deployed',
    'pinned pinned to bbbbbbb: The project is pinned to bbbbbbb. To follow the branch again, use Deploy Newest Commit.',
    'circle-slash not deployed: No clone was found on the nodes. The project may be deployed to another folder.',
  ],
  [
    { pinnedTo: a.slice(0, 7), rolledBackFrom: '', behind: undefined },
    'pinned project idle listed pinned: rolled back to aaaaaaa',
    'pinned rolled back to aaaaaaa: aaaaaaa is deployed, and the project is pinned to it. To follow the branch again, use Deploy Newest Commit.',
  ],
  [
    { pinnedTo: a.slice(0, 7), rolledBackFrom: 'main', behind: 2, editedFiles: 1 },
    'edit list.warningForeground project idle listed edited pinned: edited on a node · rolled back to aaaaaaa (was main) · 2 commits behind',
    'edit edited on a node: 1 file has been edited on a node.',
    'pinned rolled back to aaaaaaa (was main): aaaaaaa is deployed, and the project is pinned to it. To follow main again, use Deploy Newest Commit.',
    "arrow-down 2 commits behind: 2 commits on main aren't deployed.",
  ],
  [
    { pinnedTo: b.slice(0, 7), rolledBackFrom: 'main', failure },
    'error list.errorForeground project idle listed pinned: failed · pinned to bbbbbbb',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    'pinned pinned to bbbbbbb: The project is pinned to bbbbbbb. To follow main again, use Deploy Newest Commit.',
    'check up to date: aaaaaaa is the newest commit on main as of the last fetch.',
  ],
  [
    { failure },
    'error list.errorForeground project idle listed: failed · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    'check up to date: aaaaaaa is the newest commit on main as of the last fetch.',
  ],
  [
    { failure, behind: 1, unpushed: 1 },
    'error list.errorForeground project idle listed: failed · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    "arrow-down 1 commit behind: 1 commit on main isn't deployed.",
    "repo-push 1 commit not pushed: 1 commit on main isn't pushed, so a redeploy can't deploy it.",
  ],
  [
    { failure, behind: undefined, editedFiles: 2 },
    'error list.errorForeground project idle listed edited: failed · edited on a node · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    'edit edited on a node: 2 files have been edited on the nodes.',
    'git-commit at aaaaaaa: To see whether aaaaaaa is the newest commit, open a clone of the repository in VS Code, and fetch.',
  ],
  [
    { failure, pinnedTo: a, behind: 1 },
    'error list.errorForeground project idle listed pinned: failed · pinned to aaaaaaa · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    'pinned pinned to aaaaaaa: aaaaaaa is deployed, and the project is pinned to it. To follow the branch again, use Deploy Newest Commit.',
    "arrow-down 1 commit behind: 1 commit on main isn't deployed.",
  ],
  [
    { failure, left: undefined, nodes: [{}, {}] },
    'error list.errorForeground project idle listed: failed · not deployed · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    'circle-slash not deployed: No clone was found on the nodes. The project may be deployed to another folder.',
  ],
  [
    { failure, left: undefined, nodes: [{ after: a }, { after: b }] },
    'error list.errorForeground project idle listed: failed · nodes differ · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    "warning nodes differ: The nodes don't all run the same commit.",
  ],
  [
    { failure, isSubversion: true, nodes: [{}] },
    'error list.errorForeground project idle listed: failed · unknown · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
    "question unknown: Gantry can't read the deployed revision of a Subversion project.",
  ],
  [
    { failure: onOtherBranch },
    'error list.errorForeground project idle listed: failed · main',
    "error failed: The last redeploy from this computer didn't deploy what it should have. Its log says why.",
  ],
  [
    { failure: { ...failure, nodes: [{ after: b }, { after: b }] }, left: b },
    'package project idle listed: main · updated elsewhere · up to date',
    'sync updated elsewhere: It was updated from bbbbbbb to aaaaaaa, but not from this computer.',
    'check up to date: aaaaaaa is the newest commit on main as of the last fetch.',
  ],
];

describe('the texts of results', () => {
  it('say how each redeploy ended', () => {
    assert.deepEqual(
      ends.map(([given]) => [given, ...endOf(given)]),
      ends,
    );
  });

  it('say how each project is, most severe first', () => {
    assert.deepEqual(
      states.map(([given]) => [given, ...atTime(moment, () => stateOf(given))]),
      states,
    );
  });

  it('say what a check found on how many nodes', () => {
    const label = (given: Partial<DeployedFacts>) =>
      checkedLabel(given.nodes ?? [{ after: a }, { after: a }], resultsOf(given));
    assert.equal(label({ behind: 1 }), '2 nodes at aaaaaaa, 1 commit behind main');
    assert.equal(label({ nodes: [{ after: a }] }), '1 node at aaaaaaa, the newest commit on main');
    assert.equal(label({ behind: undefined }), '2 nodes at aaaaaaa');
    assert.equal(label({ editedFiles: 1, behind: 2 }), '2 nodes at aaaaaaa, edited on a node, 2 commits behind main');
    assert.equal(label({ nodes: [{ after: a }, { after: b }] }), 'nodes differ');
    assert.equal(label({ failure }), 'failed');
  });

  it('lead to the log of a failed redeploy, to the folder of a project without a clone, and to its settings', () => {
    const clickOn = (given: Partial<DeployedFacts>) =>
      factsOfProject({ place, settings: {} }, resultsOf(given), 'works')
        .map((fact) => deploymentRows.fact({ kind: 'fact', place, fact }).command?.command)
        .filter((command) => command !== undefined);
    const settings = ['gantry.project.edit', 'gantry.project.edit'];
    assert.deepEqual(clickOn({ failure }), ['gantry.project.showLog', ...settings]);
    assert.deepEqual(clickOn({ nodes: [{}, {}] }), ['gantry.project.selectFolder', ...settings]);
    assert.deepEqual(clickOn({}), settings);
  });

  it('show no password of a login whose end is not in the log yet', () => {
    const text = sectionText({ ...hooksLog(''), text: 'begun\ngit clone https://marit:cold-t' });
    assert.equal(text, '# Hooks on php 1: /var/log/jelastic/vcs/hooks.log\nbegun\ngit clone https://•••');
  });

  it('name each node that was checked', () => {
    const textOf = (nodes: readonly NodeChange[]) => nodesText({ nodes } as DeployRecord);
    assert.equal(textOf(two()), 'php 1 now runs bbbbbbb. php 2 now runs bbbbbbb.');
    assert.equal(textOf(two({ before: b, after: b })), 'php 1 still runs bbbbbbb. php 2 still runs bbbbbbb.');
    assert.equal(textOf([node(1, { isBeforeUnknown: true, after: b })]), 'php 1 runs bbbbbbb.');
    assert.equal(
      textOf([node(1), node(2, { unreadable: 'denied' }), node(3, {})]),
      "php 1 now runs bbbbbbb. Couldn't check php 2.",
    );
  });
});
