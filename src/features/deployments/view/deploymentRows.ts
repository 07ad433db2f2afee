import type { GitExtensionState } from '../../../files/gitExtension';
import { l10n, MarkdownString, ThemeColor, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Environment } from '../../../containers/environment';
import type { HeadState } from '../deployedState/deployedState';
import { checkedLabel, stateLabel, stateText } from '../deployedState/stateTexts';
import { timesAndCommit } from '../history/deployLogDocuments';
import { gitProblemText, autoUpdateWords, conflictWords, kindWord, unpushedUnchecked } from '../projectText';
import { isFailed, isFolderUnknown, type Severity, severityOf, type StateResult } from '../results';
import { commitOfRollback, pinnedCommit } from '../commits';
import type { Project } from '../projects';
import { projectKey, type ProjectPlace } from '../projectPlace';
import type { DeployRecord } from '../redeploy/redeployResult';
import { nodesText, redeployResultText } from '../redeploy/redeployResultText';
import type { LocalCommit } from '../repositories/localRepository';
import { withoutSecret } from '../repositories/repositoryUrl';
import type { FieldName } from '../settings/projectFields';
import type { RowOf, SharedRows } from '../../../trees/sharedElement';
import { row, rowCommand } from '../../../trees/row';
import { failureText } from '../../../ui/failureMessages';
import { appendPlain } from '../../../ui/plainText';
import { formatExactTime, formatRelativeTime } from '../../../ui/relativeTime';

/** The rows that only the Deployments view has. */
export interface DeploymentRows {
  noProject: { readonly environment: Environment };
  project: {
    readonly place: ProjectPlace;
    readonly environmentTitle: string;
    readonly layerTitle: string;
    /** The platform lists it, so it can't be removed from the view. */
    readonly isListed: boolean;
    /** More than one layer of its environment has projects, so the row names the layer. */
    readonly namesLayer: boolean;
    readonly read:
      { readonly kind: 'read'; readonly project: Project } | { readonly kind: 'failed'; readonly error: unknown };
    readonly results: readonly StateResult[] | undefined;
    /** What Check Deployed Commit found on the nodes, until something is deployed. */
    readonly checked: readonly HeadState[] | 'running' | undefined;
    readonly last: DeployRecord | undefined;
    readonly hasDraft: boolean;
    readonly running: 'updating' | 'following' | undefined;
    /** A clone of its repository is open in this window. */
    readonly hasClone: boolean;
  };
  fact: { readonly place: ProjectPlace; readonly fact: Fact };
  history: { readonly place: ProjectPlace; readonly length: number };
  /** A past redeploy, how it ended, and the commit that it deployed if the repository is open here. */
  redeploy: {
    readonly record: DeployRecord;
    readonly message: string;
    readonly commit: LocalCommit | undefined;
  };
}

export type DeploymentElement = RowOf<DeploymentRows & SharedRows>;
export type ProjectElement = RowOf<DeploymentRows, 'project'>;

interface Fact {
  /** Tells it apart from the project's other facts. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip?: string;
  readonly icon: string;
  readonly contextValue?: string;
  readonly click?: 'gantry.project.selectFolder' | 'gantry.project.showLog' | undefined;
  /** The setting that it shows. */
  readonly field?: FieldName;
}

const { Collapsed, None } = TreeItemCollapsibleState;

export const severityIcons: Readonly<Record<Severity, ThemeIcon>> = {
  success: new ThemeIcon('pass', new ThemeColor('testing.iconPassed')),
  warning: new ThemeIcon('question', new ThemeColor('list.warningForeground')),
  error: new ThemeIcon('error', new ThemeColor('list.errorForeground')),
};

export const deploymentRows = {
  noProject: (element) => {
    const { account, name } = element.environment;
    return row(`no project ${account}/${name}`, l10n.t('No projects'), None, {
      description: l10n.t('add an existing project'),
      iconPath: new ThemeIcon('add'),
      command: rowCommand('gantry.project.add', l10n.t('Add Existing Project'), element),
    });
  },
  project: projectRow,
  fact: factRow,
  history: ({ place, length }) =>
    row(`history ${projectKey(place)}`, l10n.t('Redeploys from this computer'), Collapsed, {
      description: String(length),
      iconPath: new ThemeIcon('history'),
    }),
  redeploy: redeployRow,
} satisfies { readonly [K in keyof DeploymentRows]: (element: RowOf<DeploymentRows, K>) => TreeItem };

function factRow(element: RowOf<DeploymentRows, 'fact'>): TreeItem {
  const { place, fact } = element;
  const { id, label, icon, field, click = field && 'gantry.project.edit', ...rest } = fact;
  const title =
    click === 'gantry.project.showLog'
      ? l10n.t('Show Log')
      : field === undefined
        ? l10n.t('Select Project Folder…')
        : l10n.t('Project Settings…');
  return row(`${projectKey(place)} ${id}`, label, None, {
    ...rest,
    iconPath: new ThemeIcon(icon),
    ...(click === undefined ? {} : { command: rowCommand(click, title, element) }),
  });
}

export function factsOfProject(
  { settings }: Project,
  results: readonly StateResult[],
  git: GitExtensionState,
): readonly Fact[] {
  const { url, branch } = settings;
  const explained = (text: string) => ({ description: text, tooltip: text });
  const setting = (field: FieldName, label: string, icon: string, text = '') => ({
    id: field,
    label,
    icon,
    field,
    description: text,
    tooltip: `${text === '' ? label : text}\n${l10n.t('Click to change this setting')}`,
  });
  return [
    ...results.map((result) => {
      const { icon, label, sentence } = stateText(result);
      const asks = isFolderUnknown(result) ? 'gantry.project.selectFolder' : undefined;
      const click: Fact['click'] = isFailed(result) ? 'gantry.project.showLog' : asks;
      return { id: result.kind, label, ...explained(sentence), icon, click };
    }),
    ...[url ?? []].flat().map((address) => ({
      ...setting('url', kindWord(settings), 'repo', withoutSecret(address)),
      contextValue: 'fact repository',
    })),
    ...(branch === undefined ? [] : [setting('branch', branch, 'git-branch')]),
    setting('autoupdate', l10n.t('Auto-update'), 'sync', autoUpdateWords(settings)),
    setting('autoResolveConflict', l10n.t('On conflict'), 'git-merge', conflictWords(settings)),
    ...(git !== 'works'
      ? [{ id: 'gitOff', label: unpushedUnchecked(), ...explained(gitProblemText(git)), icon: 'info' }]
      : []),
  ];
}

function projectRow(element: ProjectElement): TreeItem {
  const { place, layerTitle, read, running, namesLayer, isListed, hasClone, results = [] } = element;
  const settings = read.kind === 'read' ? read.project.settings : {};
  return row(`project ${projectKey(place)}`, place.context, Collapsed, {
    description: [...(namesLayer ? [layerTitle] : []), ...stateWords(element)].join(' · '),
    iconPath: iconOf(element),
    tooltip: tooltipOf(element),
    contextValue: [
      'project',
      running === undefined ? 'idle' : 'running',
      ...(isListed ? ['listed'] : []),
      ...(results.some(({ kind }) => kind === 'edited') ? ['edited'] : []),
      ...(pinnedCommit(settings) === undefined ? [] : ['pinned']),
      ...(settings.type === 'GIT' && !hasClone ? ['cloneable'] : []),
    ].join(' '),
  });
}

function stateWords({ read, results = [], running, hasDraft, checked }: ProjectElement): readonly string[] {
  if (read.kind === 'failed') {
    return [failureText(read.error)];
  }
  const { branch } = read.project.settings;
  const draft = hasDraft ? [l10n.t('draft')] : [];
  const words = branch === undefined ? draft : [branch, ...draft];
  if (running !== undefined) {
    return [...words, running === 'updating' ? l10n.t('redeploying…') : l10n.t('connection lost, checking…')];
  }
  if (checked !== undefined) {
    return [checked === 'running' ? l10n.t('checking…') : checkedLabel(checked, results), ...draft];
  }
  const state = stateLabel(results);
  if (state === '') {
    return words;
  }
  // The label of a roll back names the branch that matters.
  const others = commitOfRollback(branch) === undefined ? words : draft;
  // In front of the branch, so that a narrow side bar shows a failure.
  return results.some(isFailed) ? [state, ...others] : [...others, state];
}

/** The icon of what needs attention. Never a rocket, because that's the button of the row. */
function iconOf({ read, results = [], running, checked }: ProjectElement): ThemeIcon {
  if (running !== undefined || checked === 'running') {
    return new ThemeIcon('sync~spin');
  }
  if (read.kind === 'failed') {
    return new ThemeIcon('warning', severityIcons.warning.color);
  }
  const marked = results.map((result) => stateText(result)).find(({ marks }) => marks !== undefined);
  const { icon, marks = 'none' } = marked ?? { icon: 'package' };
  return new ThemeIcon(icon, marks === 'none' ? undefined : severityIcons[marks].color);
}

function tooltipOf({
  place,
  environmentTitle,
  layerTitle,
  read,
  results = [],
  last,
}: ProjectElement): MarkdownString | string {
  if (read.kind === 'failed') {
    return failureText(read.error);
  }
  const { settings } = read.project;
  const rows: readonly (readonly [string, string])[] = [
    [l10n.t('Environment'), `${environmentTitle} · ${layerTitle}`],
    [kindWord(settings), withoutSecret(settings.url ?? '')],
    [l10n.t('Branch'), settings.branch ?? ''],
    [l10n.t('Auto-update'), autoUpdateWords(settings)],
    [l10n.t('On conflict'), conflictWords(settings)],
    ...(results.length === 0
      ? []
      : [[l10n.t('State'), results.map((result) => stateText(result).sentence).join(' ')] as const]),
    ...(last === undefined ? [] : [[l10n.t('Last redeploy from this computer'), timeAndResult(last)] as const]),
  ];
  const tooltip = new MarkdownString();
  appendPlain(tooltip, place.context).appendMarkdown('  \n');
  for (const [name, value] of rows) {
    tooltip.appendMarkdown('**').appendText(name).appendMarkdown('** ');
    appendPlain(tooltip, value).appendMarkdown('  \n');
  }
  return tooltip;
}

/** The result is left out if it's the deployed commit, which the state says. */
function timeAndResult(last: DeployRecord): string {
  const time = formatExactTime(last.startedAt);
  return last.verdict.kind === 'deployed' ? time : l10n.t('{0}: {1}', time, redeployResultText(last));
}

function redeployRow(element: RowOf<DeploymentRows, 'redeploy'>): TreeItem {
  const { record, commit } = element;
  const id = `redeploy ${projectKey(record)} ${record.id}`;
  const severity = severityOf(record.verdict);
  const when = formatRelativeTime(record.startedAt);
  // After a failure, the commit on the nodes is one that was deployed earlier.
  const what = severity === 'error' ? record.branch : commit?.subject;
  return row(id, redeployResultText(record), None, {
    description: what === undefined ? when : `${when} · ${what}`,
    iconPath: severityIcons[severity],
    tooltip: redeployTooltip(element),
    contextValue: severity === 'warning' ? 'redeploy unclear' : 'redeploy',
    command: rowCommand('gantry.project.showLog', l10n.t('Show Log'), element),
  });
}

function redeployTooltip({ record, message, commit }: RowOf<DeploymentRows, 'redeploy'>): MarkdownString {
  const nodes = record.nodes.length > 1 ? [nodesText(record)] : [];
  const result = [message, ...nodes].filter(Boolean).join(' ');
  const deployed = severityOf(record.verdict) === 'error' ? undefined : commit;
  return [result, ...timesAndCommit(record, deployed)].reduce(
    (tooltip, line) => appendPlain(tooltip, line).appendMarkdown('\n\n'),
    new MarkdownString(),
  );
}
