import { l10n } from 'vscode';
import { confirmChange } from '../../../ui/commands/protectedPrompt';
import { ExpectedError } from '../../../ui/expectedError';
import { withCancelableRead } from '../../../ui/progress';
import type { DeploymentParts } from '../parts';
import type { ProjectPlace } from '../projectPlace';
import { commitOfRollback, pinnedCommit, rollbackBranch, short } from '../commits';
import { checkingDeployed, gitProblemText, projectText, trustButton } from '../projectText';
import type { LocalCommit } from '../repositories/localRepository';
import { nodeEditName } from '../nodeEdits/nodeEditsAtRisk';
import { laterHooksText } from '../settings/hiddenSettingsText';
import type { ProjectFields } from '../settings/projectFields';
import { changedFields } from '../settings/fieldChanges';
import {
  changeLines,
  checkSettingsChange,
  type CheckedSettingsChange,
  showHooksButton,
} from '../settings/saveSettingsFlow';
import { askBeforeRedeploy, type Decide } from '../redeploy/ask';
import { firstFew } from '../redeploy/stakes';
import {
  askMissingSettings,
  openSettings,
  type RollbackTarget,
  settingsButton,
  tellHowToRollBack,
} from './rollBackPrompt';

/** The settings for what is to be deployed. */
interface Plan {
  readonly fields: ProjectFields;
  /** The commit to push the settings' branch for. */
  readonly pushed?: LocalCommit;
}

/** Changed settings, which were compared with the platform's. */
export type RollbackChange = CheckedSettingsChange & {
  readonly pushed: LocalCommit | undefined;
  /** The branch to follow again afterward. */
  readonly followed: string;
};

interface Start {
  readonly place: ProjectPlace;
  readonly base: ProjectFields;
  /** The same, on the branch that the project follows. */
  readonly following: ProjectFields;
}

/** The change of settings that deploys a commit. Asks for what EditProject needs and Gantry doesn't know. */
export async function changeTo(
  target: RollbackTarget,
  from: Start,
  deps: DeploymentParts,
  ensureMayEdit: () => void,
): Promise<RollbackChange | undefined> {
  const { place, base } = from;
  if (target.kind === 'commit' && target.commit !== base.repoHash && !isRollback(base.branch)) {
    // Before it's said how to do this.
    ensureMayEdit();
  }
  const plan = await planFor(target, from, deps);
  if (plan === undefined) {
    return undefined;
  }
  const { pushed } = plan;
  const missing = [
    // The roll back was made on another computer.
    ...(pushed === undefined && isRollback(plan.fields.branch) ? (['branch'] as const) : []),
    // EditProject requires it, but not every platform returns it.
    ...(plan.fields.zdt === undefined ? (['zdt'] as const) : []),
  ];
  const fields = await askMissingSettings(place, plan.fields, missing, deps);
  if (fields === undefined) {
    return undefined;
  }
  if (changedFields(base, fields).length > 0) {
    ensureMayEdit();
  }
  const checked = await checkSettingsChange({ place, base, fields }, deps);
  return checked && { ...checked, pushed, followed: from.following.branch };
}

/**
 * Decides how to deploy a commit: by the project's `repoHash` if the platform was seen to deploy that, or else by a branch
 * that is pushed for it. If neither is possible, says what to do.
 */
async function planFor(
  target: RollbackTarget,
  { place, base, following }: Start,
  deps: DeploymentParts,
): Promise<Plan | undefined> {
  if (target.kind === 'newest') {
    return { fields: { ...following, repoHash: '' } };
  }
  const { commit } = target;
  return deps.pins.has({ account: place.account, kind: base.type })
    ? { fields: { ...following, repoHash: commit } }
    : planByBranch(commit, { place, base, following }, deps);
}

/** Decides how to deploy a commit by a branch that is pushed for it. If that isn't possible, says what to do. */
async function planByBranch(
  commit: string,
  { place, base, following }: Start,
  deps: DeploymentParts,
): Promise<Required<Plan> | undefined> {
  const repository = base.type === 'SVN' ? undefined : deps.repositories.withAddress(base.url);
  const pushed = await repository?.commit(commit);
  if (pushed === undefined) {
    await tellHowToRollBack(place, base, commit, deps);
    return undefined;
  }
  const branch = rollbackBranch(pushed.hash);
  await ensureDistinct(place, [base.branch, following.branch], branch, deps);
  return { fields: { ...base, branch, repoHash: '' }, pushed };
}

/**
 * Refuses a branch that a node may mistake for another one: it looks for the project's branch with grep among the lines of
 * `git branch`, and stays on the branch that's checked out if it's found in its name.
 */
async function ensureDistinct(
  place: ProjectPlace,
  branches: readonly string[],
  branch: string,
  { inspector, environments }: DeploymentParts,
): Promise<void> {
  const clones = await withCancelableRead(checkingDeployed(), () => inspector.branches({ place }, branch));
  const all = new Set([...branches, ...clones.map(({ current = '' }) => current)]);
  const similar = [...all].find(
    (other) => other !== '' && other !== branch && (isFoundIn(other, branch) || isFoundIn(branch, other)),
  );
  if (similar !== undefined) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't roll back {0}: a node may mistake the branch {1} for {2}, because one name contains the other. Push a branch with another name and set it in the project's settings.",
        projectText(place, environments),
        branch,
        similar,
      ),
    );
  }
}

/** Of what a branch's name may contain, only a dot has another meaning to grep. */
function isFoundIn(name: string, line: string): boolean {
  const literal = name.split('.').map((part) => part.replace(/[$()*+?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(literal.join('.')).test(line);
}

export function isRollback(branch: string | undefined): boolean {
  return commitOfRollback(branch) !== undefined;
}

/** Whether the newest commit of the project's branch is deployed. */
export function isNewest({ fields, pushed }: RollbackChange): boolean {
  return fields.repoHash === '' && pushed === undefined;
}

/** Whether a platform may need two Updates, because the first one pulls the branch that is left. */
export function leavesRollback(change: RollbackChange): boolean {
  return isNewest(change) && leavesBranch(change);
}

/** Whether the branch that an earlier roll back pushed may not be needed anymore. */
export function leavesBranch({ base, fields }: RollbackChange): boolean {
  return isRollback(base.branch) && base.branch !== fields.branch;
}

/** Asks before a roll back, or before the newest commit is deployed again. */
export async function confirmRollBack(change: RollbackChange, deps: DeploymentParts): Promise<boolean> {
  const { place, fields, warnings, resent, leftOut } = change;
  const { environments, flow, texts } = deps;
  const gitProblem = isNewest(change) ? await flow.gitProblem(place) : undefined;
  const mayKeepMore = warnings.length + leftOut.length > 0 || resent.includes(laterHooksText());
  const project = projectText(place, environments);
  const commit = await commitText(change, deps);
  const newest =
    fields.type === 'SVN'
      ? l10n.t('Deploy the newest revision to {0}?', project)
      : l10n.t('Deploy the newest commit on {1} to {0}?', project, fields.branch);
  return confirmChange([place], environments, {
    question: isNewest(change) ? newest : l10n.t('Roll back {0} to {1}?', project, commit ?? ''),
    paragraphs: [
      otherChanges(change).join('\n'),
      consequences(change, commit).join('\n'),
      [...resent, ...leftOut].join('\n'),
      ...warnings,
      gitProblem && gitProblemText(gitProblem),
    ],
    button: isNewest(change) ? l10n.t('Deploy') : l10n.t('Roll Back'),
    others: new Map([
      ...trustButton(gitProblem),
      ...showHooksButton(change, { texts }),
      ...(mayKeepMore ? [[settingsButton(), () => openSettings(place)] as const] : []),
    ]),
  });
}

/** Asks about what is at stake, but refuses edits that could keep a node on the branch before, which is pulled first. */
export function decideAbout({ pushed }: RollbackChange): Decide {
  return async (plan) => {
    const inTheWay = plan.edits.filter(({ fate, isNew }) => fate === 'stops' || isNew === true);
    if (pushed === undefined || inTheWay.length === 0) {
      return askBeforeRedeploy(plan);
    }
    const text = l10n.t(
      "Couldn't roll back {0}: edits on the nodes ({1}) may keep Git from changing the branch there. Undo them and try again.",
      plan.name,
      firstFew([...new Set(inTheWay.map(nodeEditName))]),
    );
    // It doesn't change what happens to added files.
    const isAnyNew = inTheWay.some(({ isNew }) => isNew === true);
    throw new ExpectedError(isAnyNew ? text : `${text} ${l10n.t('Or change On conflict in the project settings.')}`);
  };
}

/** The changed settings that neither the question nor the consequences name. */
function otherChanges(change: RollbackChange): readonly string[] {
  const { base, fields, pushed, followed } = change;
  const isNamed = (pushed !== undefined || isNewest(change)) && (base.branch === followed || isRollback(base.branch));
  const { branch } = isNamed ? base : fields;
  return changeLines(base, { ...fields, branch, repoHash: base.repoHash });
}

/** Names the commit to deploy or, for the newest one, the newest that is known here, if any. */
async function commitText(change: RollbackChange, { repositories }: DeploymentParts): Promise<string | undefined> {
  const { fields, pushed } = change;
  const { repoHash, type } = fields;
  const repository = repositories.withAddress(fields.url);
  if (isNewest(change)) {
    const [tip] = (await repository?.commitsOf(fields)) ?? [];
    return tip && `${short(tip.hash)} (${tip.subject})`;
  }
  const { hash, subject } = pushed ?? (await repository?.find([repoHash], fields))?.get(repoHash) ?? { hash: repoHash };
  const name = type === 'SVN' ? `r${hash}` : short(hash);
  return subject === undefined ? name : `${name} (${subject})`;
}

/** @param tip the newest commit on the branch that is known here */
function followLines({ base, fields: { branch } }: RollbackChange, tip: string | undefined): readonly string[] {
  if (pinnedCommit(base) === undefined) {
    return tip === undefined ? [] : [l10n.t('The newest known commit on {0} is {1}.', branch, tip)];
  }
  return [
    tip === undefined
      ? l10n.t('The project and its auto-update follow {0} again.', branch)
      : l10n.t('The project and its auto-update follow {0} again, where the newest known commit is {1}.', branch, tip),
  ];
}

/** At most three sentences, so that they can be read at a glance. */
function consequences(change: RollbackChange, commit: string | undefined): readonly string[] {
  const {
    base,
    fields: { branch, repoHash },
    pushed,
    followed,
  } = change;
  const unchanged = l10n.t("Databases and uploaded files don't change.");
  if (pushed !== undefined) {
    return [
      l10n.t(
        'Gantry pushes the branch {0}, which may start CI, and the project and its auto-update follow it until you use Deploy Newest Commit.',
        branch,
      ),
      unchanged,
      ...(isRollback(base.branch)
        ? []
        : [
            l10n.t(
              'Nodes may briefly have the newest commit on {0}, and stay on it if a file keeps Git from changing the branch.',
              followed,
            ),
          ]),
    ];
  }
  if (repoHash !== '') {
    return [l10n.t('The project stays pinned to {0} until you use Deploy Newest Commit.', short(repoHash)), unchanged];
  }
  return [
    ...followLines(change, commit),
    unchanged,
    ...(leavesRollback(change)
      ? [l10n.t('If a node may have an older commit afterward, Gantry redeploys again.')]
      : []),
  ];
}
