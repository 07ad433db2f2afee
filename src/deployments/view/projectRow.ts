import { l10n, MarkdownString, ThemeColor, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { deployedStateLabel, deployedStateSentence } from '../deployedState/deployedStateText';
import { projectKey } from '../projectPlace';
import { autoUpdateWords, conflictWords, kindWord } from '../projectText';
import { withoutSecret } from '../repositories/repositoryUrl';
import { redeployResultText, severityOf } from '../redeploy/redeployResultText';

import type { ProjectElement } from './deploymentElement';
import { appendPlain } from '../../ui/plainText';
import { row } from '../../trees/sharedRows';
import { failureText } from '../../ui/failureMessages';

/** The row of a project: its context, its branch, and how far it is from it. */
export function projectRow(element: ProjectElement): TreeItem {
  const { place, running, namesLayer, isListed } = element;
  return row(`project ${projectKey(place)}`, place.context, TreeItemCollapsibleState.Collapsed, {
    description: [...(namesLayer ? [place.layer] : []), ...stateWords(element)].join(' · '),
    iconPath: iconOf(element),
    tooltip: tooltipOf(element),
    contextValue: ['project', running === undefined ? 'idle' : 'running', ...(isListed ? ['listed'] : [])].join(' '),
  });
}

function stateWords({ read, drift, running, last, hasDraft }: ProjectElement): readonly string[] {
  if (read.kind === 'failed') {
    return [failureText(read.error)];
  }
  const { branch } = read.project.settings;
  return [
    ...(branch === undefined ? [] : [branch]),
    ...(hasDraft ? [l10n.t('unapplied changes')] : []),
    ...(running === undefined ? [] : [running === 'updating' ? l10n.t('redeploying…') : l10n.t('watching its log…')]),
    ...(running !== undefined || drift === undefined ? [] : [deployedStateLabel(drift)]),
    ...(running === undefined && last !== undefined && severityOf(last) === 'trouble'
      ? [redeployResultText(last)]
      : []),
  ];
}

function iconOf({ read, drift = [], running, last }: ProjectElement): ThemeIcon {
  if (running !== undefined) {
    return new ThemeIcon('sync~spin');
  }
  const warning = new ThemeColor('list.warningForeground');
  if (read.kind === 'failed') {
    return new ThemeIcon('warning', warning);
  }
  if (last !== undefined && severityOf(last) === 'trouble') {
    return new ThemeIcon('rocket', new ThemeColor('list.errorForeground'));
  }
  return drift.some(({ kind }) => kind === 'behind' || kind === 'edited' || kind === 'nodesDiffer')
    ? new ThemeIcon('rocket', warning)
    : new ThemeIcon('rocket');
}

function tooltipOf({ place, read, drift = [], last }: ProjectElement): MarkdownString | string {
  if (read.kind === 'failed') {
    return failureText(read.error);
  }
  const { settings } = read.project;
  const rows: readonly (readonly [string, string])[] = [
    [l10n.t('Environment'), `${place.environment} · ${place.layer}`],
    [kindWord(settings), withoutSecret(settings.url ?? '')],
    [l10n.t('Branch'), settings.branch ?? ''],
    [l10n.t('Auto-update'), autoUpdateWords(settings)],
    [l10n.t('On conflict'), conflictWords(settings)],
    ...drift.map((finding) => [deployedStateLabel([finding]), deployedStateSentence(finding)] as const),
    ...(last === undefined ? [] : [[l10n.t('Last redeploy from here'), redeployResultText(last)] as const]),
  ];
  const tooltip = new MarkdownString();
  for (const [name, value] of rows) {
    tooltip.appendMarkdown('**').appendText(name).appendMarkdown('** ');
    appendPlain(tooltip, value).appendMarkdown('  \n');
  }
  return tooltip;
}
