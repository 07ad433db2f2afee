import { confirm } from '../../../ui/notifications';
import { pickRow } from '../../../ui/quickPick';
import { savePatch, patched } from '../nodeEdits/nodeEditsAtRisk';
import { isFirst, type RedeployPlan } from './plan';
import { gitProblemText, pinnedWords, projectText, replacedFolder, trustButton } from '../projectText';
import { pinnedCommit, short } from '../commits';
import {
  isAtStake,
  keysAgreedTo,
  keysOfAnyContent,
  keptRows,
  missesLocalWork,
  type RowAtStake,
  rowsAtStake,
  showEdit,
  summaryOf,
} from './stakes';
import { canAttach, type Repair } from './wedgedClones';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { commands, l10n } from 'vscode';
import type { CommandId } from '../../../manifest';
import type { FoundFolder, NodeInspector } from '../deployedState/nodeInspector';
import { likelyFolders, placeOfProject, type ProjectPlace } from '../projectPlace';
import type { KnownProjects } from '../projects';
import { askInTurn, type Question, type Resumption } from '../../../ui/prompts';

/** The user's decisions before a redeploy. */
export interface Decision {
  /** Push the local commits first. */
  readonly push: boolean;
  /** Save the edits as a patch file first. */
  readonly savesPatch: boolean;
  /** Repair the clones that can't pull first. */
  readonly repair?: Repair | undefined;
  /** Also discard what else these files have by then, such as a counter that the site writes. */
  readonly discardsLaterEdits?: boolean;
}

export const plainly: Decision = { push: false, savesPatch: false };

/**
 * Decides what to do about what a redeploy would miss or discard. Without a decision, nothing is redeployed; a text says
 * why.
 */
export type Decide = (plan: RedeployPlan) => Promise<Decision | string | undefined>;

/** Asks for a decision, and saves the patch if it includes one. Returns the decision, and what the person agreed to by it. */
export async function decided(
  plan: RedeployPlan,
  decide: Decide,
): Promise<{ readonly decision?: Decision; readonly keys: readonly string[]; readonly why?: string | undefined }> {
  const { request, edits, local } = plan;
  const decision = await decide(plan);
  if (typeof decision !== 'object') {
    return { keys: [], why: decision };
  }
  const patch = decision.savesPatch ? await savePatch(request.place, edits, local?.repository.root) : undefined;
  const later = decision.discardsLaterEdits === true ? keysOfAnyContent(plan) : [];
  return decision.savesPatch && patch === undefined
    ? { keys: [] }
    : { decision, keys: [...keysAgreedTo(plan, decision.repair, patch), ...later] };
}

/** What was asked and decided about a roll back, before its settings were saved. */
export interface Agreed {
  readonly decision: Decision;
  readonly keys: readonly string[];
  /** Local work can be part of what is deployed. */
  readonly asksAboutLocal: boolean;
}

/** Leaves out what a roll back has asked already. Its question named the production environment. */
export function withoutWhatWasAsked(
  plan: RedeployPlan,
  { asksAboutLocal }: Pick<Agreed, 'asksAboutLocal'>,
): RedeployPlan {
  return { ...plan, local: asksAboutLocal ? plan.local : undefined, production: undefined };
}

interface Row extends RowAtStake {
  readonly decision?: Decision;
}

/**
 * Asks before a redeploy, in one question: what it would miss or discard, if anything, and whether it's in production.
 * `undefined` cancels the redeploy; canceling the question about a new clone doesn't.
 */
export async function askBeforeRedeploy(plan: RedeployPlan): Promise<Decision | undefined> {
  if (!isAtStake(plan)) {
    return (await confirmRedeploy(plan)) ? plainly : undefined;
  }
  const pinnedTo = pinnedCommit(plan.project.settings);
  const title = isFirst(plan) ? l10n.t('Deploy {0}', plan.name) : l10n.t('Redeploy {0}', plan.name);
  const instead = [...waysInstead(plan)].map(([label, run]): Row => ({ label, icon: 'arrow-right', run }));
  const look = {
    title: plan.production === undefined ? title : l10n.t('{0} (production)', title),
    placeholder: [summaryOf(plan), ...(pinnedTo === undefined ? [] : [pinnedWords(pinnedTo)])].join(' '),
    items: [...continueChoices(plan), ...instead, ...rowsAtStake(plan), ...keptRows(plan)],
  };
  const chosen = await pickRow<Row, Decision | 'cancel'>(
    look,
    (row) => {
      if (row.file !== undefined) {
        void showEdit(row);
        return undefined;
      }
      row.run?.();
      return row.decision ?? 'cancel';
    },
    (pick) => [pick.onDidTriggerItemButton((row) => void showEdit(row))],
  );
  if (chosen === 'cancel' || chosen?.repair !== 'cloneAgain') {
    return chosen === 'cancel' ? undefined : chosen;
  }
  return (await confirmNewClone(plan)) ? chosen : askBeforeRedeploy(plan);
}

/** Names the consequence of a new clone: it also discards what Gantry doesn't know about. */
function confirmNewClone({ name, wedged }: RedeployPlan): Promise<boolean> {
  return confirm(
    l10n.t('Delete the clone of {0} and clone it again?', name),
    [
      l10n.t('Gantry deletes the .git folder on {0}.', wedged.map(({ node }) => node.name).join(', ')),
      l10n.t(
        "The redeploy then replaces the project's folder there. Everything in it that isn't in the repository is lost, such as .env files and uploads.",
      ),
    ],
    l10n.t('Delete and Clone Again'),
  );
}

/** Asks before a redeploy by which nothing is missed or discarded, or by which the task accepts that. */
export function confirmRedeploy(plan: RedeployPlan): Promise<boolean> {
  const { question, paragraphs } = redeployQuestion(plan);
  const button = isFirst(plan) ? l10n.t('Deploy') : l10n.t('Redeploy');
  return confirm(question, paragraphs, button, new Map([...waysInstead(plan), ...trustButton(plan.gitProblem)]));
}

/** What else a person may want who clicked Redeploy. Each runs on its own, after the question is closed. */
function waysInstead({ request, project, edits, local }: RedeployPlan): ReadonlyMap<string, () => void> {
  const run = (command: CommandId) => () => void commands.executeCommand(command, placeOfProject(request.place));
  const isAsked = request.consent === undefined;
  const isPinned = pinnedCommit(project.settings) !== undefined;
  const canApply = local !== undefined && edits.some(({ fate }) => fate !== 'stops');
  return new Map([
    ...(isAsked && canApply
      ? [[l10n.t('Apply Edits to Local Repository'), run('gantry.project.applyEdits')] as const]
      : []),
    ...(isAsked && isPinned ? [[l10n.t('Deploy Newest Commit'), run('gantry.project.deployNewest')] as const] : []),
  ]);
}

export function redeployQuestion(plan: RedeployPlan) {
  return {
    question: isFirst(plan) ? l10n.t('Deploy {0}?', plan.name) : l10n.t('Redeploy {0}?', plan.name),
    paragraphs: [
      plan.production,
      [whatWillBeDeployed(plan), whatIsDeployed(plan)].join('\n'),
      // A person who clicked has a button for it.
      plan.request.consent !== undefined && pinnedCommit(plan.project.settings) !== undefined
        ? l10n.t('To deploy newer commits, cancel and use Deploy Newest Commit.')
        : undefined,
      summaryOf(plan),
      plan.gitProblem && gitProblemText(plan.gitProblem),
    ],
  };
}

function whatWillBeDeployed({ project, before }: RedeployPlan): string {
  const { branch = '', type } = project.settings;
  const pinnedTo = pinnedCommit(project.settings);
  const what =
    pinnedTo !== undefined
      ? l10n.t('the pinned commit {0}', short(pinnedTo))
      : type === 'SVN'
        ? l10n.t('the newest revision')
        : l10n.t('the newest commit on {0}', branch);
  const [only, ...others] = before;
  return only !== undefined && others.length === 0
    ? l10n.t('This deploys {0} to {1}.', what, only.node.name)
    : l10n.t('This deploys {0} to {1} nodes.', what, String(before.length));
}

function whatIsDeployed({ project, before, deployed, editOutcome }: RedeployPlan): string {
  if (project.settings.type === 'SVN') {
    return editOutcome === 'replaced' ? replacedFolder() : '';
  }
  const unread = before.find(({ head }) => head.kind === 'unreadable');
  if (unread !== undefined) {
    return l10n.t("Couldn't read the deployed commit of {0}.", unread.node.name);
  }
  if (editOutcome === 'replaced') {
    return replacedFolder();
  }
  return deployed === undefined
    ? l10n.t('The nodes currently run different commits.')
    : l10n.t('Currently deployed: {0}.', short(deployed));
}

/**
 * Returns the choices, safest first. Doesn't offer a push on another branch: the project wouldn't get it. If HEAD can't be
 * attached, all other ways would probably fail, so the new clone and Cancel come first.
 */
function continueChoices(plan: RedeployPlan): readonly Row[] {
  const { local, edits, wedged } = plan;
  const canPush = local !== undefined && local.unpushed.length > 0 && local.otherBranch === undefined;
  const inPatch = edits.filter((file) => patched(file) !== undefined).length;
  // Don't let a patch with only some of the edits look complete.
  const keep =
    inPatch === edits.length
      ? l10n.t('Save Patch')
      : l10n.t('Save Patch ({0} of {1} Edits)', String(inPatch), String(edits.length));
  const repair = canAttach(wedged) ? 'attach' : undefined;
  const actionRow = (icon: string, label: string, push: boolean, savesPatch: boolean) => ({
    icon,
    label: repair === undefined ? label : l10n.t('Attach HEAD and {0}', label),
    decision: { push, savesPatch, repair },
  });
  const isLossy = edits.some(({ fate }) => fate !== 'stops');
  const push = isLossy ? l10n.t('Push, Discard Edits, and Redeploy') : l10n.t('Push and Redeploy');
  const last = plainRedeployLabel({ isLossy, canPush, missesLocal: missesLocalWork(plan) });
  const cancel = { label: l10n.t('Cancel'), icon: 'close' };
  const careful = [
    actionRow('repo-push', l10n.t('Push, {0}, and Redeploy', keep), true, true),
    actionRow('save', l10n.t('{0} and Redeploy', keep), false, true),
    actionRow('repo-push', push, true, false),
  ].filter(({ decision }) => (canPush || !decision.push) && (inPatch > 0 || !decision.savesPatch));
  const plain = actionRow(isLossy ? 'trash' : 'rocket', last, false, false);
  if (wedged.length === 0) {
    return [...careful, plain, cancel];
  }
  const cloneAgain: Row = {
    icon: 'repo-clone',
    label: l10n.t('Delete Clone and Redeploy…'),
    decision: { ...plainly, repair: 'cloneAgain' },
  };
  const withoutRepair = { icon: 'warning', label: l10n.t('{0} Without Repair', last), decision: plainly };
  return repair === undefined
    ? [cloneAgain, cancel, ...careful, withoutRepair]
    : [...careful, plain, cloneAgain, withoutRepair, cancel];
}

/** What a redeploy without any precaution does. */
function plainRedeployLabel(now: {
  readonly isLossy: boolean;
  readonly canPush: boolean;
  readonly missesLocal: boolean;
}): string {
  if (now.isLossy) {
    return now.canPush ? l10n.t('Redeploy Without Pushing and Discard Edits') : l10n.t('Redeploy and Discard Edits');
  }
  if (now.canPush) {
    return l10n.t('Redeploy Without Pushing');
  }
  return now.missesLocal ? l10n.t('Redeploy Without Local Changes') : l10n.t('Redeploy');
}

const pathProblem = (text: string) =>
  /^\/[^/]/.test(text.trim()) ? undefined : l10n.t('Enter an absolute path, such as /var/www.');

/** Whether to ask for a project's folder: it is unknown, and the user hasn't been asked yet. */
export function isFolderMissing(place: ProjectPlace, known: KnownProjects): boolean {
  const { folder, wasAskedForFolder } = known.find(place) ?? {};
  return folder === undefined && wasAskedForFolder !== true;
}

interface ProjectFolderDeps {
  readonly inspector: NodeInspector;
  readonly known: KnownProjects;
  readonly environments: EnvironmentTitles;
}

/** Asks for a project's folder in its containers, looks there, and remembers it. Returns whether the user entered one. */
export async function askForFolder(
  place: ProjectPlace,
  { inspector, known, environments }: ProjectFolderDeps,
): Promise<boolean> {
  const { folder: knownFolder } = known.find(place) ?? {};
  const question: Question = {
    key: 'folder',
    prompt: promptFor(knownFolder, known.isFolderFound(place)),
    value: knownFolder ?? likelyFolders(place)[0] ?? '/',
    problem: pathProblem,
  };
  const title = l10n.t('Select Project Folder for {0}', projectText(place, environments));
  let resumption: Resumption = { entered: {} };
  for (let doubted: string | undefined; ;) {
    const entered = await askInTurn(title, [question], resumption);
    const folder = entered?.['folder']?.trim().replace(/\/+$/, '');
    if (entered === undefined || folder === undefined) {
      // Gantry doesn't ask again.
      await known.remember(place, { wasAskedForFolder: true });
      return false;
    }
    const problem = folder === doubted ? undefined : problemOf(await inspector.look(place, folder), folder);
    if (problem === undefined) {
      await known.remember(place, { folder, isFolderUnconfirmed: true, wasAskedForFolder: true });
      return true;
    }
    doubted = folder;
    resumption = { entered, at: { key: 'folder', problem } };
  }
}

function promptFor(folder: string | undefined, isFound: boolean): string {
  const where = folder ?? l10n.t('the default locations');
  const found = isFound ? l10n.t('A clone was found in {0}.', where) : l10n.t('No clone was found in {0}.', where);
  return `${l10n.t('Path of the project folder in the container.')} ${found}`;
}

/** Accepts an unconfirmed folder if the user enters it a second time. */
function problemOf(found: FoundFolder, folder: string): string | undefined {
  if (found === 'commit' || found === 'checkout') {
    return undefined;
  }
  const why = found === 'absent' ? l10n.t("There's no clone in {0}.", folder) : l10n.t("Couldn't read {0}.", folder);
  return `${why} ${l10n.t('Press Enter again to use this folder anyway.')}`;
}
