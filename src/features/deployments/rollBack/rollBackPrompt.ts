import { checkingDeployed, manageWorkspaceTrust, projectText } from '../projectText';
import type { EnvironmentTitles } from '../../../containers/locationText';
import { commands, env, l10n, QuickPickItemKind } from 'vscode';
import type { CommandId } from '../../../manifest';
import { showInformationMessage, showWarningMessage } from '../../../ui/notifications';
import { askInTurn, type Question, suggestionQuestion } from '../../../ui/prompts';
import type { Choice } from '../../../ui/quickPick';
import { formatRelativeTime } from '../../../ui/relativeTime';
import { withCancelableRead } from '../../../ui/progress';
import type { NodeHead, NodeInspector } from '../deployedState/nodeInspector';
import type { DeployHistory } from '../history/deployHistory';
import type { ProjectPlace } from '../projectPlace';
import { commitOfRollback, rollbackBranch, short } from '../commits';
import type { LocalRepositories } from '../repositories/localRepositories';
import type { LocalCommit, LocalRepository } from '../repositories/localRepository';
import { withoutSecret } from '../repositories/repositoryUrl';
import { problemWith } from '../settings/fieldChanges';
import type { FieldName, ProjectFields } from '../settings/projectFields';
import { fieldsFromAnswers, questionsFor } from '../settings/settingsPrompts';
import type { PinEvidence } from '../redeploy/pinEvidence';
import { gitProblemOf } from '../redeploy/plan';
import type { DeployRecord } from '../redeploy/redeployResult';
import { headsNow, nodesNow } from '../deployedState/deployedState';

/** The newest commit, or a commit by its hash or revision. `heads`: what the nodes had when the user was asked for it. */
export type RollbackTarget = ({ readonly kind: 'newest' } | { readonly kind: 'commit'; readonly commit: string }) & {
  readonly heads?: readonly NodeHead[];
};

/** Answers that aren't a commit. */
const newest = 'newest';
const manageTrust = 'trust';
const cloneFirst = 'clone';
const openFirst = 'open';

/**
 * Asks which commit to deploy.
 * @param fields with the branch that isn't a roll back's, if it's known, and the commit that the project is pinned to
 */
export async function askRollbackTarget(
  place: ProjectPlace,
  fields: ProjectFields,
  {
    inspector,
    history,
    repositories,
    environments,
    pins,
  }: {
    readonly inspector: NodeInspector;
    readonly history: DeployHistory;
    readonly repositories: LocalRepositories;
    readonly environments: EnvironmentTitles;
    readonly pins: PinEvidence;
  },
): Promise<RollbackTarget | undefined> {
  await repositories.ready;
  const isSubversion = fields.type === 'SVN';
  const repository = isSubversion ? undefined : repositories.withAddress(fields.url);
  const records = await history.of(place);
  // Someone else may have deployed after this computer's last redeploy.
  const heads = await withCancelableRead(checkingDeployed(), () => inspector.heads({ place }));
  const deployed = (isSubversion ? nodesNow(records[0]?.nodes ?? []) : headsNow(heads)).commit;
  const needed = neededFor(fields, place, { repositories, pins });
  const state = stateQuestion(fields, await statesOf(fields, { records, deployed, repository, needed }));
  const entered = await askInTurn(l10n.t('Roll Back {0}', projectText(place, environments)), () => [state]);
  const commit = entered?.['state'];
  if (commit === manageTrust) {
    await manageWorkspaceTrust();
    return undefined;
  }
  if (commit === cloneFirst || commit === openFirst) {
    await (commit === cloneFirst ? clone(place) : commands.executeCommand('vscode.openFolder'));
    return undefined;
  }
  if (commit === undefined) {
    return undefined;
  }
  return commit === newest ? { kind: 'newest', heads } : { kind: 'commit', commit, heads };
}

/** What it takes first to list or deploy earlier commits. */
interface Needed {
  readonly choices: readonly Choice[];
  /** Without a clone, Gantry can only say how to deploy a commit. */
  readonly needsClone?: true;
}

function neededFor(
  fields: ProjectFields,
  place: ProjectPlace,
  { repositories, pins }: { readonly repositories: LocalRepositories; readonly pins: PinEvidence },
): Needed {
  if (gitProblemOf(fields, repositories) === 'untrusted') {
    return { choices: [trustChoice()] };
  }
  const isOpen = fields.type === 'SVN' || repositories.withAddress(fields.url) !== undefined;
  return isOpen || pins.has({ account: place.account, kind: fields.type })
    ? { choices: [] }
    : { choices: cloneChoices(), needsClone: true };
}

/** Asks for settings that a change requires and that aren't known. Returns the settings with them. */
export async function askMissingSettings(
  place: ProjectPlace,
  fields: ProjectFields,
  names: readonly FieldName[],
  {
    environments,
    repositories,
  }: { readonly environments: EnvironmentTitles; readonly repositories: LocalRepositories },
): Promise<ProjectFields | undefined> {
  const branches = (await repositories.withAddress(fields.url)?.branchesOf(fields.url)) ?? [];
  const known = branches.filter((name) => commitOfRollback(name) === undefined);
  const suggestions = { repositories: [], branchesOf: () => known };
  const asking = { suggestions, rules: {}, of: 'existing' } as const;
  const entered = await askInTurn(projectText(place, environments), () =>
    names.flatMap((name) => questionsFor(name, { ...fields, branch: '' }, asking)),
  );
  return entered && names.reduce((soFar, name) => fieldsFromAnswers(name, soFar, entered), fields);
}

/** Says what to do where Gantry can't roll back, and offers the commands. */
export async function tellHowToRollBack(
  place: ProjectPlace,
  { type, url }: ProjectFields,
  commit: string,
  {
    environments,
    repositories,
  }: { readonly environments: EnvironmentTitles; readonly repositories: LocalRepositories },
): Promise<void> {
  const project = projectText(place, environments);
  const [text, lines] =
    type === 'SVN'
      ? [
          l10n.t(
            "Couldn't roll back {0}: this platform might deploy only the newest revision. Copy revision {1} to a branch and set its URL in the project's settings.",
            project,
            commit,
          ),
          [svnCopy(withoutSecret(url, ''), commit)],
        ]
      : [
          l10n.t(
            "Couldn't roll back {0}: this platform might deploy only the newest commit on a branch. Open a clone that has {1} and try again, or push a branch at {1} and set it in the project's settings.",
            project,
            short(commit),
          ),
          [`git branch ${rollbackBranch(commit)} ${commit}`, `git push origin ${rollbackBranch(commit)}`],
        ];
  const buttons = new Map<string, () => Thenable<unknown>>([
    ...(type === 'SVN' || repositories.withAddress(url)
      ? []
      : [[l10n.t('Clone Repository…'), () => clone(place)] as const]),
    [l10n.t('Copy Commands'), () => env.clipboard.writeText(lines.join('\n'))],
    [settingsButton(), () => openSettings(place)],
  ]);
  const chosen = await showWarningMessage(text, ...buttons.keys());
  await buttons.get(chosen ?? '')?.();
}

/** Says what the change may have cleared, because it's the person who knows whether there was anything. */
export async function tellNotSent(
  { place, fields }: { readonly place: ProjectPlace; readonly fields: ProjectFields },
  { environments }: { readonly environments: EnvironmentTitles },
): Promise<void> {
  const project = projectText(place, environments);
  const text = l10n.t(
    'Gantry saved the settings of {0} without {1}. If the project had any, enter them again.',
    project,
    fields.hooks === undefined ? l10n.t('hooks or a delay') : l10n.t('a delay'),
  );
  if ((await showInformationMessage(text, settingsButton())) === settingsButton()) {
    await openSettings(place);
  }
}

async function clone(place: ProjectPlace): Promise<void> {
  await commands.executeCommand('gantry.project.clone' satisfies CommandId, place);
}

export const settingsButton = (): string => l10n.t('Project Settings');

export const restoreButton = (): string => l10n.t('Restore Settings');

export async function openSettings(place: ProjectPlace): Promise<void> {
  await commands.executeCommand('gantry.project.edit' satisfies CommandId, place);
}

/** Copies a revision to the usual place for branches, or next to the folder that is deployed. */
function svnCopy(url: string, revision: string): string {
  const quoted = (text: string) => `"${text.replace(/["$`\\]/g, (found) => encodeURIComponent(found))}"`;
  const branch = `gantry-rollback-${revision}`;
  const folder = url.replace(/(?<!\/)\/+$/, '');
  const root = folder.replace(/\/(?:trunk|branches\/[^/]+)$/, '');
  const target = root === folder ? `${folder}-${branch}` : `${root}/branches/${branch}`;
  return `svn copy ${quoted(`${folder}@${revision}`)} ${quoted(target)} -m "Roll back to ${revision}"`;
}

function stateQuestion(fields: ProjectFields, choices: readonly Choice[]): Question {
  return suggestionQuestion({
    key: 'state',
    prompt:
      fields.type === 'SVN'
        ? l10n.t('Select a revision to deploy, or enter a revision number')
        : l10n.t('Select a commit to deploy, or enter a commit hash'),
    choices,
    typed: (text) => typedCommit(text, fields),
  });
}

function typedCommit(text: string, fields: ProjectFields): readonly Choice[] | string {
  const problem = problemWith('repoHash', { ...fields, repoHash: text }, {});
  if (problem !== undefined) {
    return problem;
  }
  const label = fields.type === 'SVN' ? l10n.t('Deploy revision {0}', text) : l10n.t('Deploy commit {0}', text);
  return [{ label, icon: 'arrow-right', value: text }];
}

interface KnownStates {
  /** The redeploys from this computer, the latest first. */
  readonly records: readonly DeployRecord[];
  /** What all nodes have now, if that's known. */
  readonly deployed: string | undefined;
  readonly repository: LocalRepository | undefined;
  readonly needed: Needed;
}

/** What was deployed earlier, and the branch's commits in the local repository. */
async function statesOf(
  fields: ProjectFields,
  { records, deployed, repository, needed }: KnownStates,
): Promise<readonly Choice[]> {
  const earlier = deployedBefore(records, deployed);
  const known = await repository?.find(
    earlier.map(({ commit }) => commit),
    fields,
  );
  const before = earlier.map(({ commit, when }): Choice => {
    const subject = known?.get(commit)?.subject;
    // A Subversion revision is recorded as `r17`.
    const value = fields.type === 'SVN' ? commit.replace(/^r/, '') : commit;
    const facts = [
      ...(subject === undefined ? [] : [short(commit)]),
      when,
      ...(needed.needsClone ? [l10n.t('needs a clone')] : []),
    ];
    return { label: subject ?? short(commit), icon: 'history', description: facts.join(' · '), value };
  });
  const commits = ((await repository?.commitsOf(fields)) ?? []).filter(
    ({ hash }) => !earlier.some(({ commit }) => commit === hash),
  );
  return [
    // The way back from an earlier commit.
    ...(fields.repoHash === '' ? [] : [newestChoice(fields)]),
    ...needed.choices,
    ...below(l10n.t('deployed earlier'), before),
    ...below(
      fields.type === 'SVN' ? '' : l10n.t('branch {0}', fields.branch),
      commits.map((commit) => commitChoice(commit, deployed)),
    ),
  ];
}

function below(heading: string, choices: readonly Choice[]): readonly Choice[] {
  return choices.length === 0 ? [] : [{ label: heading, kind: QuickPickItemKind.Separator, value: '' }, ...choices];
}

/** Says why the list has no commits of the repository that's open here, and leads out of Restricted Mode. */
function trustChoice(): Choice {
  return {
    label: l10n.t('Manage Workspace Trust'),
    icon: 'shield',
    detail: l10n.t("In Restricted Mode, Gantry can't list a local repository's commits."),
    value: manageTrust,
  };
}

function cloneChoices(): readonly Choice[] {
  return [
    {
      label: l10n.t('Clone Repository…'),
      icon: 'repo-clone',
      description: l10n.t('to deploy an earlier commit'),
      value: cloneFirst,
    },
    {
      label: l10n.t('Open Folder…'),
      icon: 'folder-opened',
      description: l10n.t('if you have a clone already'),
      value: openFirst,
    },
  ];
}

function newestChoice({ type, branch }: ProjectFields): Choice {
  const ofBranch = branch === '' ? l10n.t('Newest commit…') : l10n.t('Newest commit on {0}', branch);
  const label = type === 'SVN' ? l10n.t('Newest revision') : ofBranch;
  return { label, icon: 'arrow-up', value: newest };
}

function commitChoice({ hash, subject, at }: LocalCommit, deployed?: string): Choice {
  const words = [
    short(hash),
    ...(at === undefined ? [] : [formatRelativeTime(at)]),
    ...(hash === deployed ? [l10n.t('currently deployed')] : []),
  ];
  return { label: subject, icon: 'git-commit', description: words.join(' · '), value: hash };
}

/** The commits that the nodes had before and after each redeploy and don't have now, the latest first. */
function deployedBefore(records: readonly DeployRecord[], deployed: string | undefined) {
  const seen = records.flatMap(({ nodes, startedAt }) => {
    const at = formatRelativeTime(startedAt);
    const after = nodes.map((node) => ({ commit: node.after, when: l10n.t('deployed {0}', at) }));
    const before = nodes.map((node) => ({ commit: node.before, when: l10n.t('deployed until {0}', at) }));
    return [...after, ...before].flatMap(({ commit, when }) =>
      commit === undefined || commit === deployed ? [] : [{ commit, when }],
    );
  });
  return seen.filter(({ commit }, index) => seen.findIndex((other) => other.commit === commit) === index);
}
