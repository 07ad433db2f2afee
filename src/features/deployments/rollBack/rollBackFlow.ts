import { isBranchMissingIn } from '../history/deployLog';
import { projectText } from '../projectText';
import { l10n } from 'vscode';
import { type DeployRecord, hasDeployed, withEarlierChange } from '../redeploy/redeployResult';
import { isFailed, severityOf } from '../results';
import { changedFields, fieldsOf, settingsOf, writeOnlySettingsOf } from '../settings/fieldChanges';
import type { ProjectFields } from '../settings/projectFields';
import { confirmChange } from '../../../ui/commands/protectedPrompt';
import type { DeploymentParts } from '../parts';
import type { ProjectPlace } from '../projectPlace';
import { pinnedCommit } from '../commits';
import type { Project, ProjectSettings } from '../projects';
import { type Agreed, decided, plainly, withoutWhatWasAsked } from '../redeploy/ask';
import { changeSince } from '../redeploy/plan';
import { ResultNotRecorded } from '../redeploy/update';
import { type Held, takeProject } from '../projectLock';
import {
  changeLines,
  saveSettings,
  sendSettings,
  showHooksButton,
  checkSettingsChange,
  type CheckedSettingsChange,
} from '../settings/saveSettingsFlow';
import { isAtStake } from '../redeploy/stakes';
import { settingsChanged } from '../settings/projectOperations';
import { offerToDeleteAll, pushRollback, saveAfterPush, tellStopped } from './rollBackBranch';
import {
  changeTo,
  confirmRollBack,
  decideAbout,
  isNewest,
  isRollback,
  leavesBranch,
  leavesRollback,
  type RollbackChange,
} from './rollBackPlan';
import { askRollbackTarget, restoreButton, type RollbackTarget, tellNotSent } from './rollBackPrompt';
import type { PushedBranch } from './waysBack';

/**
 * Deploys an earlier commit, which the user selects.
 * @param ensureMayEdit fails if the token may not change the settings. It's called only if they have to be changed.
 */
export function rollBack(place: ProjectPlace, deps: DeploymentParts, ensureMayEdit: () => void): Promise<void> {
  return deployTarget(place, deps, ensureMayEdit, (fields) => askRollbackTarget(place, fields, deps));
}

/** Makes a pinned project follow its branch again, and deploys the branch's newest commit. */
export function deployNewest(place: ProjectPlace, deps: DeploymentParts, ensureMayEdit: () => void): Promise<void> {
  return deployTarget(place, deps, ensureMayEdit, () => Promise.resolve({ kind: 'newest' }));
}

/** Changes the settings and then redeploys, because an Update always deploys what the settings say. */
async function deployTarget(
  place: ProjectPlace,
  deps: DeploymentParts,
  ensureMayEdit: () => void,
  ask: (fields: ProjectFields) => Promise<RollbackTarget | undefined>,
): Promise<void> {
  const { projects, writeOnlySettings } = deps;
  if (!(await deps.lock.wait(place, 'asks'))) {
    return;
  }
  const { settings } = await projects.read(place);
  const base = fieldsOf(place.context, settings, await writeOnlySettings.of(place));
  const branch = await branchToFollow(place, base, deps);
  const following = { ...base, branch };
  const target = await ask(fieldsToAskAbout(base, branch));
  const change = target && (await changeTo(target, { place, base, following }, deps, ensureMayEdit));
  if (change === undefined) {
    return;
  }
  const changed = changedFields(base, change.base);
  if (change.pushed !== undefined && plannedFor.some((name) => changed.includes(name))) {
    // Someone else has changed what the branch was planned for, and the user keeps that.
    await deployTarget(place, deps, ensureMayEdit, () => Promise.resolve(target));
    return;
  }
  if (!(await confirmRollBack(change, deps))) {
    return;
  }
  const agreed = await agreementOn(change, target?.heads, deps);
  // From before the settings are saved, so that nothing else changes the project before it's redeployed.
  const held = agreed && (await takeProject(place, 'redeploy', deps.lock));
  if (held) {
    await deploy(change, { agreed, held }, deps).finally(() => held.dispose());
  }
}

/**
 * The branch that a project follows, after a roll back the one from before. If all redeploys of it from here failed, Git
 * said in the last one that it doesn't exist, and no clone here knows it: then it's the last one that was deployed.
 */
async function branchToFollow(
  place: ProjectPlace,
  { url, branch: current }: ProjectFields,
  { projects, history, repositories }: DeploymentParts,
): Promise<string> {
  const branch = projects.branchBefore(place) ?? current;
  const records = await history.of(place).catch(() => []);
  const ofBranch = records.filter((record) => record.branch === branch);
  const [last] = ofBranch;
  const saysMissing = last !== undefined && isBranchMissingIn(last.log, branch);
  if (!saysMissing || ofBranch.some(({ verdict }) => !isFailed(verdict))) {
    return branch;
  }
  await repositories.ready;
  const isKnown = (await repositories.withAddress(url)?.upstream({ url, branch })) !== undefined;
  const deployed = records.find(
    (record) => hasDeployed(record) && !isFailed(record.verdict) && !isRollback(record.branch),
  );
  return isKnown ? branch : (deployed?.branch ?? branch);
}

/** With the branch that isn't a roll back's, if it's known, and the commit that the project is pinned to. */
function fieldsToAskAbout(base: ProjectFields, branch: string): ProjectFields {
  return { ...base, branch: isRollback(branch) ? '' : branch, repoHash: pinnedCommit(base) ?? '' };
}

/** The settings that decide which branch a roll back pushes. */
const plannedFor = ['url', 'branch', 'repoHash'] as const;

/** Asks about edits on the nodes, and about local work if that could be part of what is deployed. */
async function agreementOn(
  change: RollbackChange,
  before: RollbackTarget['heads'],
  { flow }: DeploymentParts,
): Promise<Agreed | undefined> {
  const { place, fields: settings, pushed } = change;
  const asksAboutLocal = isNewest(change);
  const found = await flow.plan({ place, commit: pushed?.hash }, { settings, before });
  const plan = withoutWhatWasAsked(found, { asksAboutLocal });
  const { decision, keys } = isAtStake(plan)
    ? await decided(plan, decideAbout(change))
    : { decision: plainly, keys: [] };
  return decision && { decision, keys, asksAboutLocal };
}

/** A redeploy whose questions are answered. The project is let go before a message that may stay open. */
interface Answered {
  readonly agreed: Agreed;
  readonly held: Held;
}

async function deploy(change: RollbackChange, answered: Answered, deps: DeploymentParts): Promise<void> {
  const { place, base, fields, pushed, followed } = change;
  if (pushed !== undefined) {
    // While the questions were open, or this waited, someone may have changed what the branch was planned for.
    const changed = changeSince(settingsOf(base), await deps.projects.readAgain(place));
    if (changed !== undefined) {
      throw settingsChanged(place, changed);
    }
    await pushRollback(fields, pushed, deps);
    // From another roll back, it's what that came from until the settings are saved.
    await keepBranch(place, isRollback(base.branch) ? undefined : followed, fields, deps);
  }
  if (changedFields(base, fields).length === 0) {
    await redeploy(change, answered, deps);
    return;
  }
  const { before, pushed: earlier } = await deps.waysBack.before(place, base);
  const saved = await (pushed === undefined ? sendSettings(change, deps) : saveAfterPush(change, deps, answered.held));
  if (saved !== undefined) {
    const all = pushed === undefined ? earlier : [fields, ...earlier];
    const restore = () => restoreSettings({ ...change, base: before }, saved, all, deps);
    const savedFields = fieldsOf(place.context, saved.settings, writeOnlySettingsOf(fields));
    deps.waysBack.keep(place, { before, saved: savedFields, pushed: all, restore });
    await keepBranch(place, followed, fields, deps);
    if (change.warnings.length > 0) {
      void tellNotSent(change, deps);
    }
    await redeploy(change, answered, deps, { settings: saved.settings, restore, earlier });
  }
}

/** Remembers which branch a project followed before it was rolled back to another one, if that's known. */
async function keepBranch(
  place: ProjectPlace,
  from: string | undefined,
  { branch: to }: ProjectFields,
  { known }: DeploymentParts,
): Promise<void> {
  if (from !== undefined && !isRollback(from) && isRollback(to)) {
    await known.remember(place, { rolledBack: { from, to } });
  }
}

/** The settings of a roll back, if they had to be changed, the way back from them, and what earlier ones pushed. */
interface SavedRollBack {
  readonly settings: ProjectSettings;
  readonly restore: () => Promise<void>;
  readonly earlier: readonly PushedBranch[];
}

async function redeploy(
  change: RollbackChange,
  answered: Answered,
  deps: DeploymentParts,
  saved?: SavedRollBack,
): Promise<void> {
  const { place } = change;
  const { held } = answered;
  const project = projectText(place, deps.environments);
  const undeployed =
    change.pushed === undefined
      ? l10n.t("Saved the settings of {0}, but didn't redeploy it.", project)
      : l10n.t(
          "Pushed the branch {1} and saved the settings of {0}, but didn't redeploy it.",
          project,
          change.fields.branch,
        );
  const agreed = saved?.settings ?? settingsOf(change.base);
  const request = { place, consent: 'confirmed', agreed, commit: change.pushed?.hash } as const;
  const perform = async () => {
    const ended = await deps.flow.perform(request, decideAbout(change), {
      isShown: true,
      ...answered,
    });
    return ended.kind === 'ended' ? ended.record : undefined;
  };
  const tell = async (error?: unknown): Promise<undefined> => {
    held.dispose();
    if (saved !== undefined && (await tellStopped(undeployed, error, restoreButton())) === restoreButton()) {
      await saved.restore();
    }
  };
  const first = await perform().then(
    (done) => done ?? tell(),
    (error: unknown) => {
      if (saved === undefined || error instanceof ResultNotRecorded) {
        throw error;
      }
      return tell(error);
    },
  );
  if (first === undefined) {
    return;
  }
  const leaves = leavesRollback(change);
  const record = leaves ? await redeployedAgain(first, perform, change, deps) : first;
  held.dispose();
  const shown = deps.flow.showResult(record);
  // After a failure, the settings may be restored, and then the branch is needed.
  const isLeft = leavesBranch(change) && severityOf(record.verdict) !== 'error';
  const left = isLeft ? [change.base, ...(saved?.earlier ?? [])] : [];
  await Promise.all([shown, offerToDeleteAll(left, { place, current: change.fields.branch }, deps)]);
}

/**
 * Redeploys again if a node may have an older commit. Returns the result of both, or the first one if that didn't happen,
 * and says so.
 */
async function redeployedAgain(
  first: DeployRecord,
  perform: () => Promise<DeployRecord | undefined>,
  change: RollbackChange,
  deps: DeploymentParts,
): Promise<DeployRecord> {
  const mayRun = first.verdict.kind === 'answerLost' && !first.verdict.ended;
  const older = l10n.t(
    "Didn't redeploy {0} a second time, so a node may have an older commit.",
    projectText(change.place, deps.environments),
  );
  const next = mayRun ? l10n.t('Check the result, then redeploy it again.') : l10n.t('Redeploy it again.');
  let problem: unknown;
  try {
    if (!(await mayBeOlder(first, change, deps))) {
      return first;
    }
    const second = mayRun ? undefined : await perform();
    if (second !== undefined) {
      return { ...second, nodes: second.nodes.map((node) => withEarlierChange(node, first)) };
    }
  } catch (error) {
    problem = error;
  }
  void tellStopped(problem instanceof ResultNotRecorded ? '' : `${older} ${next}`, problem);
  return first;
}

/**
 * Whether a node may have an older commit than its clone knows, or another branch, after a redeploy that didn't fail.
 * Edits that kept Git from checking out the branch would do so again.
 */
async function mayBeOlder(
  { verdict, nodes }: DeployRecord,
  { place, fields }: RollbackChange,
  { inspector }: DeploymentParts,
): Promise<boolean> {
  if (verdict.kind === 'failed') {
    return false;
  }
  const clones = await inspector.branches({ place }, fields.branch);
  return nodes.some(({ name, after }) => {
    const { current = fields.branch, tip } = clones.find(({ node }) => node.name === name) ?? {};
    return current === fields.branch ? tip === undefined || tip !== after : fields.autoResolveConflict;
  });
}

/**
 * Gives the project back the settings from before the roll back. If someone else has changed settings since, the user
 * sees which ones, and decides.
 * @param saved the project with the settings of the roll back
 * @param pushed the branches that aren't needed then
 */
async function restoreSettings(
  { place, base, fields }: RollbackChange,
  saved: Project,
  pushed: readonly PushedBranch[],
  deps: DeploymentParts,
): Promise<void> {
  const from = deps.projects.branchBefore(place);
  const change = {
    place,
    base: fieldsOf(place.context, saved.settings, writeOnlySettingsOf(fields)),
    // If the platform didn't return the value, use what the user entered.
    fields: { ...base, zdt: base.zdt ?? fields.zdt },
  };
  const checked = await checkSettingsChange(change, deps);
  if (
    checked === undefined ||
    (checked.resent.length + checked.leftOut.length > 0 && !(await confirmRestore(checked, deps))) ||
    (await saveSettings(checked, deps)) === undefined
  ) {
    return;
  }
  await keepBranch(place, from, checked.fields, deps);
  await offerToDeleteAll(pushed, { place, current: checked.fields.branch }, deps);
}

/** Names the settings that are sent again although the roll back didn't change them, and hooks that this may clear. */
function confirmRestore(change: CheckedSettingsChange, deps: DeploymentParts): Promise<boolean> {
  const { place, base, fields, resent, leftOut } = change;
  const { environments } = deps;
  return confirmChange([place], environments, {
    question: l10n.t('Restore the settings of {0}?', projectText(place, environments)),
    paragraphs: [changeLines(base, fields).join('\n'), [...resent, ...leftOut].join('\n')],
    button: l10n.t('Restore'),
    others: showHooksButton(change, deps),
  });
}
