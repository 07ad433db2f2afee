import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, MarkdownString, type StatusBarItem, window } from 'vscode';
import { showProjectInStatusBar } from '../../../../src/features/deployments/currentProject';
import { webroot } from '../../../unit/localPlatform/vcsSetUp';
import { until } from '../../support/event';
import { fileUri, gantry } from '../../support/gantry';
import { endProject, inAHurry, type ProjectSetUp, startProject } from '../../support/projects';

describe('the project in the status bar', () => {
  let at: ProjectSetUp;

  inAHurry();
  beforeEach(async () => {
    at = await startProject({ pollingSpeed: 1200 });
    await at.setUp.create({ updateNow: true });
  });
  afterEach(() => endProject(at));

  it('keeps the same status bar command throughout, so no click is lost', async () => {
    const { setUp, account, place } = at;
    const parts = (await gantry()).projects;
    await parts.projects.read(place);
    await window.showTextDocument(fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, `${webroot}/ROOT/index.php`));
    const { createStatusBarItem } = window;
    const items: StatusBarItem[] = [];
    Object.assign(window, {
      createStatusBarItem: (...args: Parameters<typeof createStatusBarItem>) => {
        const item = createStatusBarItem(...args);
        items.push(item);
        return item;
      },
    });
    const shown = showProjectInStatusBar({ ...(await gantry()), ...parts });
    Object.assign(window, { createStatusBarItem });
    try {
      const [item] = items;
      const texts = new Set<string | undefined>();
      const looked = new Set<unknown>();
      const tooltips: unknown[] = [];
      const look = () => {
        // VS Code only logs what a listener throws.
        if (parts.redeploys.running(place) !== undefined) {
          tooltips.push(item?.tooltip);
        }
        texts.add(item?.text);
        looked.add(item?.command);
      };
      await parts.deployedStates.look(place);
      look();
      const earlier = item?.tooltip;
      assert.ok(earlier instanceof MarkdownString);
      assert.match(earlier.value, /newest commit/);
      const listening = parts.redeploys.onDidChange(look);
      await parts.redeploys.start(await parts.plans.prepare({ place })).ended;
      listening.dispose();
      assert.ok(tooltips.length > 0);
      for (const tooltip of tooltips) {
        assert.ok(tooltip instanceof MarkdownString);
        assert.doesNotMatch(tooltip.value, /newest commit/, 'an earlier state');
      }
      await parts.deployedStates.look(place);
      look();
      assert.ok(texts.size > 1, `it was shown as ${[...texts].join(' | ')}`);
      assert.deepEqual([...looked], ['gantry.project.showActions']);
      await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
      await parts.redeploys.start(await parts.plans.prepare({ place })).ended;
      await until(parts.deployedStates.onDidChange, () => item?.text.includes('failed') === true);
      assert.match(item?.text ?? '', /^\$\(error\) ROOT on Saltmarsh Tea/);
      assert.doesNotMatch(item?.text ?? '', /behind/);
      await setUp.succeed('EditProject', { ...setUp.editWishes, repoHash: setUp.first });
      await parts.projects.read(place);
      await parts.deployedStates.look(place);
      // A look from before the change of the settings may still be under way and be shown first.
      const pinned = `pinned to ${setUp.first.slice(0, 7)}`;
      await until(parts.deployedStates.onDidChange, () => item?.text.endsWith(pinned) === true);
    } finally {
      shown.dispose();
      await commands.executeCommand('workbench.action.closeAllEditors');
    }
  });
});
