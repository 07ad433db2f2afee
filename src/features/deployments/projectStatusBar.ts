import { Disposable, l10n, MarkdownString, type StatusBarItem, window, workspace } from 'vscode';
import type { CommandId } from '../../manifest';
import { stateLabel, stateText } from './deployedState/stateTexts';
import { gitProblemText, projectText } from './projectText';
import { isFailed } from './results';
import type { DeploymentParts } from './parts';
import type { KnownProject } from './projects';
import { projectsOpenHere } from './projectFinder';
import { projectKey } from './projectPlace';
import { appendPlain } from '../../ui/plainText';
import { withIcon } from '../../ui/escapeMarkup';
import { createStatusItem } from '../../ui/statusBar';

/** Shows the open files' project and how far it is behind its branch. A click offers what can be done with it. */
export function showProjectInStatusBar(deps: DeploymentParts): Disposable {
  const { accounts, repositories, redeploys, deployedStates, projects } = deps;
  const item = createStatusItem('gantry.project', l10n.t('Gantry: Project'));
  // No arguments: when a command with arguments is replaced, VS Code drops the old ones before the window has the new
  // command, and clicking at that moment does nothing. The command finds the project in the same way as this item.
  item.command = 'gantry.project.showActions' satisfies CommandId;
  const looked = new Set<string>();
  const update = () => {
    const [project, ...others] = candidates(deps);
    if (project === undefined) {
      item.hide();
      return;
    }
    fill(item, project, others, deps);
    item.show();
    const key = projectKey(project);
    if (
      !looked.has(key) &&
      deployedStates.last(project) === undefined &&
      accounts.find(project.account)?.isSignedOut === false
    ) {
      looked.add(key);
      // The user didn't ask for it: the Deployments view shows a failure, and here the state stays empty.
      deployedStates.look(project, { unattended: true }).catch(() => undefined);
    }
  };
  update();
  return Disposable.from(
    item,
    window.onDidChangeActiveTextEditor(update),
    workspace.onDidChangeWorkspaceFolders(update),
    deps.environments.onDidList(update),
    ...[accounts, repositories, redeploys, deployedStates, projects].map(({ onDidChange }) => onDidChange(update)),
  );
}

/** Returns the candidates, starting with the projects being redeployed. */
function candidates({ finder, repositories, redeploys }: DeploymentParts): readonly KnownProject[] {
  const open = projectsOpenHere(finder, repositories);
  const isRunning = (project: KnownProject) => redeploys.running(project) !== undefined;
  return [...open.filter(isRunning), ...open.filter((project) => !isRunning(project))];
}

function fill(
  item: StatusBarItem,
  project: KnownProject,
  others: readonly KnownProject[],
  { redeploys, deployedStates, repositories, environments }: DeploymentParts,
): void {
  const results = deployedStates.last(project) ?? [];
  const running = redeploys.running(project);
  const name = projectText(project, environments);
  const state = running === undefined ? stateLabel(results) : l10n.t('redeploying…');
  const isBusy = running !== undefined || deployedStates.lastCheck(project) === 'running';
  const icon = isBusy ? 'sync~spin' : results.some(isFailed) ? 'error' : 'rocket';
  // Without the branch, which VS Code's own item shows, because small windows cut off what's farther right.
  item.text = withIcon(icon, [name, state].filter((part) => part !== '').join(' · '));
  item.accessibilityInformation = { label: l10n.t('Project {0}, {1}', name, state), role: 'button' };
  const tooltip = new MarkdownString(undefined, true);
  appendPlain(tooltip.appendMarkdown('**'), l10n.t('Show Actions for {0}', name)).appendMarkdown('**\n\n');
  results.forEach((result) => appendPlain(tooltip, stateText(result).sentence).appendMarkdown('\n\n'));
  if (!repositories.available) {
    appendPlain(tooltip, gitProblemText(repositories.state)).appendMarkdown('\n\n');
  }
  if (others.length > 0) {
    appendPlain(
      tooltip,
      others.length === 1
        ? l10n.t('1 more project is deployed from the open repositories.')
        : l10n.t('{0} more projects are deployed from the open repositories.', String(others.length)),
    );
  }
  item.tooltip = tooltip;
}
