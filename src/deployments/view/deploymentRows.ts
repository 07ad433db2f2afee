import { l10n, MarkdownString, ThemeColor, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { gitIsOff } from '../projectText';
import type { DeployRecord } from '../history/deployRecord';
import { deployedStateLabel, deployedStateSentence } from '../deployedState/deployedStateText';
import { short } from '../deployedState/gitHeadLog';
import { projectKey } from '../projectPlace';
import { redeployResultText, type Severity, severityOf, sentencesOf } from '../redeploy/redeployResultText';
import type { DeploymentElement } from './deploymentElement';
import { projectRow } from './projectRow';
import { row, rowCommand, sharedRow } from '../../trees/sharedRows';
import { appendPlain } from '../../ui/plainText';

const { Collapsed, None } = TreeItemCollapsibleState;

/** The row of an element: nothing but the element decides it. */
export function deploymentRow(element: DeploymentElement): TreeItem {
  switch (element.kind) {
    case 'noProject': {
      const { account, name } = element.environment;
      return row(`no project ${account}/${name}`, l10n.t('No project is known here.'), None, {
        description: l10n.t('Add one by its context'),
        iconPath: new ThemeIcon('add'),
        command: rowCommand('gantry.project.add', l10n.t('Add a Project by Its Context'), element),
      });
    }
    case 'project':
      return projectRow(element);
    case 'fact':
      return factItem(`${projectKey(element.place)} ${element.fact.kind}`, element);
    case 'history':
      return row(`history ${projectKey(element.place)}`, l10n.t('Redeploys from here'), Collapsed, {
        description: String(element.length),
        iconPath: new ThemeIcon('history'),
      });
    case 'redeploy':
      return recordItem(element);
    default:
      return sharedRow(element);
  }
}

const gravityIcons: Readonly<Record<Severity, ThemeIcon>> = {
  success: new ThemeIcon('pass', new ThemeColor('testing.iconPassed')),
  doubt: new ThemeIcon('question', new ThemeColor('list.warningForeground')),
  trouble: new ThemeIcon('error', new ThemeColor('list.errorForeground')),
};

function recordItem(element: Extract<DeploymentElement, { kind: 'redeploy' }>): TreeItem {
  const { record } = element;
  const tooltip = appendPlain(new MarkdownString(), sentencesOf(record));
  return row(`redeploy ${projectKey(record)} ${record.id}`, redeployResultText(record), None, {
    description: whenOf(record),
    iconPath: gravityIcons[severityOf(record)],
    tooltip,
    contextValue: severityOf(record) === 'doubt' ? 'redeploy unclear' : 'redeploy',
    command: rowCommand('gantry.project.showLog', l10n.t('Show Log'), element),
  });
}

function whenOf({ startedAt, milliseconds }: DeployRecord): string {
  const when = new Date(startedAt).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' });
  return milliseconds === 0 ? when : l10n.t('{0}, {1} s', when, String(Math.round(milliseconds / 1000)));
}

function factItem(id: string, element: Extract<DeploymentElement, { kind: 'fact' }>): TreeItem {
  const { fact } = element;
  switch (fact.kind) {
    case 'repository':
      return row(id, fact.type, None, {
        description: fact.url,
        tooltip: fact.url,
        iconPath: new ThemeIcon('repo'),
        contextValue: 'fact repository',
      });
    case 'branch':
      return row(id, fact.branch, None, {
        description: fact.pinnedTo === undefined ? '' : l10n.t('pinned to {0}', short(fact.pinnedTo)),
        iconPath: new ThemeIcon('git-branch'),
      });
    case 'autoUpdate':
      return row(id, l10n.t('Auto-update'), None, { description: fact.words, iconPath: new ThemeIcon('sync') });
    case 'conflicts':
      return row(id, l10n.t('On conflict'), None, {
        description: fact.words,
        tooltip: fact.words,
        iconPath: new ThemeIcon('git-merge'),
      });
    case 'gitOff':
      return row(id, l10n.t('Local commits are not looked at'), None, {
        description: gitIsOff(),
        tooltip: gitIsOff(),
        iconPath: new ThemeIcon('info'),
      });
    case 'drift':
      return row(`${id} ${fact.finding.kind}`, deployedStateLabel([fact.finding]), None, {
        description: deployedStateSentence(fact.finding),
        tooltip: deployedStateSentence(fact.finding),
        iconPath: new ThemeIcon(driftIcons[fact.finding.kind]),
        ...(fact.finding.kind === 'notDeployed'
          ? { command: rowCommand('gantry.project.tellFolder', l10n.t('Say Where It Lies'), element) }
          : {}),
      });
  }
}

const driftIcons = {
  upToDate: 'check',
  unpushed: 'repo-push',
  behind: 'arrow-down',
  edited: 'edit',
  editsUnchecked: 'warning',
  autoUpdated: 'sync',
  updatedElsewhere: 'sync',
  nodesDiffer: 'warning',
  notDeployed: 'circle-slash',
  standsAt: 'git-commit',
  unknown: 'question',
} as const;
