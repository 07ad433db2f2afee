import fc from 'fast-check';
import { commands, workspace } from 'vscode';
import { canAttach } from '../../src/features/deployments/redeploy/wedgedClones';
import type { ProjectFields } from '../../src/features/deployments/settings/projectFields';
import { NothingSent } from '../../src/features/deployments/settings/projectOperations';
import { checkSettingsChange, saveSettings } from '../../src/features/deployments/settings/saveSettingsFlow';
import { fileUri } from '../integration/support/gantry';
import { openClone } from '../integration/support/openClone';
import { type AnswerRule, nextTimerTick, typed } from '../integration/support/person';
import { type Trouble, trouble, withTrouble } from './projectTroubles';
import type { ProjectUnderTest } from './projectUnderTest';

/** What the user, or someone else, does to a project. Numbers count commits from the newest one, or choose a node. */
export type Step = (
  | { readonly do: 'redeploy'; readonly node: number | undefined; readonly clonesAgain: boolean }
  | { readonly do: 'rollBack'; readonly back: number; readonly presses: string }
  | { readonly do: 'newest'; readonly presses: string }
  | { readonly do: 'settings'; readonly change: SettingsStep }
  | EasyStep
) & { readonly trouble?: Trouble | undefined };

type EasyStep =
  | { readonly do: 'edit'; readonly node: number; readonly path: string }
  | { readonly do: 'openClone' | 'closeClone' | 'fetch' }
  | { readonly do: 'someonePushes'; readonly branch: string; readonly path: string; readonly isRemoved: boolean }
  | {
      readonly do: 'someoneEdits';
      readonly branch: string;
      readonly pinned: number | undefined;
      readonly isReset: boolean;
    }
  | { readonly do: 'someoneUpdates' | 'someoneDeletesNext' | 'someoneSetsCommit' };

type SettingsStep =
  | { readonly branch: string }
  | { readonly branchAt: number }
  | { readonly pinned: number | undefined }
  | { readonly autoResolveConflict: boolean }
  | { readonly zdt: boolean }
  | { readonly autoupdate: boolean };

const tracked = ['index.php', 'about.php', 'lib/tea.php'];
/** The first two are ignored. Commits may add the last one. */
const loose = ['.env', 'lib/shop.env', 'upload.txt', 'new.php'];
const branch = fc.constantFrom('master', 'next');
const back = fc.nat(4);
const node = fc.nat(1);
const one = <T>(value: T) => fc.constant(value);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: one('edit' as const), node, path: fc.constantFrom(...tracked, ...loose) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: one('redeploy' as const),
      node: fc.option(node, { nil: undefined, freq: 4 }),
      clonesAgain: fc.boolean(),
      trouble,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: one('rollBack' as const),
      back,
      presses: fc.constantFrom('', 'Restore Settings'),
      trouble,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: one('newest' as const), presses: fc.constantFrom('', 'Delete Branch'), trouble }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      // It asks nothing and sends no Update, in the middle of which someone else could do something.
      do: one('settings' as const),
      trouble: trouble.filter((found) => found?.what !== 'someone'),
      change: fc.oneof<fc.Arbitrary<SettingsStep>[]>(
        // The likeliest change, by which a node may stay on an old commit.
        fc.record({ branch: fc.constantFrom('master', 'next') }),
        fc.record({ branch: fc.constantFrom('master', 'next') }),
        fc.record({ branch: fc.constantFrom('next', 'v1') }),
        fc.record({ branchAt: back }),
        fc.record({ pinned: fc.option(back, { nil: undefined }) }),
        fc.record({ autoResolveConflict: fc.boolean() }),
        fc.record({ zdt: fc.boolean() }),
        fc.record({ autoupdate: fc.boolean() }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('openClone' as const, 'closeClone' as const, 'fetch' as const) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: one('someonePushes' as const),
      branch,
      path: fc.constantFrom(...tracked, 'new.php'),
      isRemoved: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: one('someoneEdits' as const),
      branch,
      pinned: fc.option(back, { nil: undefined }),
      isReset: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('someoneUpdates' as const, 'someoneDeletesNext' as const, 'someoneSetsCommit' as const),
    }),
  },
);

export function performStep(one: Step, at: ProjectUnderTest): Promise<void> {
  return withTrouble(one.trouble, at, () => perform(one, at));
}

async function perform(one: Step, at: ProjectUnderTest): Promise<void> {
  switch (one.do) {
    case 'edit':
      return edit(one, at);
    case 'redeploy':
      return redeploy(one, at);
    case 'rollBack':
      at.rollsBackTo = at.commitBack(one.back);
      return deployCommit('gantry.project.rollBack', { ...one, commit: at.hashBack(one.back) }, at);
    case 'newest':
      return deployCommit('gantry.project.deployNewest', one, at);
    case 'settings':
      return changeSettings(one.change, at);
    case 'openClone':
      at.clone ??= at.isSubversion ? undefined : await openClone(at.setUp);
      return;
    case 'closeClone':
      return at.closeClone();
    case 'fetch':
      await at.clone?.clone.git('fetch', '--prune');
      return;
    case 'someonePushes':
      return at.push(one.branch, one.path, one.isRemoved);
    case 'someoneEdits':
      return at.editAsSomeone({
        branch: one.branch,
        autoResolveConflict: one.isReset,
        repoHash: one.pinned === undefined ? '' : at.hashBack(one.pinned),
      });
    case 'someoneUpdates':
      return at.updateAsSomeone();
    case 'someoneDeletesNext':
      return at.deleteBranch('next');
    case 'someoneSetsCommit':
      await at.editAsSomeone({ branch: at.commitBack(1), autoResolveConflict: true, repoHash: '' });
      await at.updateAsSomeone();
  }
}

/** Saves a file through Gantry. A folder that a commit removed isn't made again. */
async function edit({ node: wanted, path }: Extract<Step, { do: 'edit' }>, at: ProjectUnderTest): Promise<void> {
  const chosen = wanted % at.nodeCount;
  const uri = fileUri(at.account, at.place.environment, `cp~${at.nodeId(chosen)}`, `${at.folder}/${path}`);
  if (!at.hasParent(chosen, path)) {
    return;
  }
  const text = at.uniqueText(path);
  await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  // Gantry records edits after the save, one after another, so that this one's turn comes after them.
  await nextTimerTick();
  await at.parts.nodeEditLog.move(at.place, '/none', '/none');
  at.editsOn(chosen).set(path, Buffer.from(text).toString('latin1'));
}

async function redeploy(one: Extract<Step, { do: 'redeploy' }>, at: ProjectUnderTest): Promise<void> {
  const nodeId = one.node === undefined ? undefined : at.nodeId(one.node % at.nodeCount);
  await at.parts.flow.perform({ place: at.place, nodeId, consent: 'byTask' }, async ({ wedged }) => {
    await at.doMeanwhile();
    const otherwise = one.clonesAgain ? ('cloneAgain' as const) : undefined;
    const repair = wedged.length === 0 ? undefined : canAttach(wedged) ? ('attach' as const) : otherwise;
    at.repair ??= repair;
    return { push: false, savesPatch: false, repair };
  });
}

/** Runs a command, and agrees to whatever it asks. */
async function deployCommit(
  command: string,
  { commit = '', presses }: { readonly commit?: string; readonly presses: string },
  at: ProjectUnderTest,
): Promise<void> {
  const rule: AnswerRule = (question, buttons) => {
    const [first] = buttons;
    if (first !== undefined) {
      at.repair ??= first === 'Delete and Clone Again' ? 'cloneAgain' : undefined;
      if (/^(?:Roll back|Deploy the newest) /.test(question)) {
        return { presses: first, when: at.doMeanwhile() };
      }
      return buttons.includes(presses) ? { presses } : first;
    }
    if (/^Select (?:a (?:commit|revision)|the branch)/.test(question)) {
      const text = question.startsWith('Select a') ? commit.slice(0, 7) : 'master';
      if (at.isSubversion) {
        // A revision that was deployed before has its own row.
        return (rows) =>
          rows.some((row) => row.includes(`r${text} `)) ? `r${text} ` : typed(text, `Deploy revision ${text}`);
      }
      return (rows) => (rows.some((row) => row.includes(text)) ? text : typed(text));
    }
    return question.startsWith('Enter the branch') ? typed('master') : (rows) => wayOf(rows, at);
  };
  await at.person.answeringBy(rule, () => commands.executeCommand(command, at.place));
}

/** Goes on in spite of edits, and repairs clones. */
function wayOf(rows: readonly string[], at: ProjectUnderTest): string {
  const ways = [/Attach HEAD and Redeploy/, /\) Redeploy(?!.*Repair)/, /Delete Clone/];
  const way = ways.flatMap((one) => rows.find((row) => one.test(row)) ?? [])[0] ?? 'a way';
  at.repair ??= way.includes('Attach') ? 'attach' : undefined;
  return way;
}

async function changeSettings(change: SettingsStep, at: ProjectUnderTest): Promise<void> {
  const { parts, place } = at;
  const { fields } = await parts.projectOperations.current(place);
  const changed = { place, base: fields, fields: { ...fields, ...toFields(change, at) } };
  try {
    const checked = await at.person.answeringBy(
      (_, [first]) => first,
      () => checkSettingsChange(changed, parts),
    );
    await (checked && saveSettings(checked, parts));
  } catch (error) {
    if (!(error instanceof NothingSent && error.kind === 'notSent')) {
      throw error;
    }
  }
}

function toFields(change: SettingsStep, at: ProjectUnderTest): Partial<ProjectFields> {
  if (at.isSubversion && ('branch' in change || 'branchAt' in change)) {
    return { repoHash: '' };
  }
  if ('branchAt' in change) {
    return { branch: at.commitBack(change.branchAt) };
  }
  if ('pinned' in change) {
    return { repoHash: change.pinned === undefined ? '' : at.hashBack(change.pinned) };
  }
  // Longer than any sequence takes.
  return 'autoupdate' in change ? { ...change, interval: '600' } : change;
}
