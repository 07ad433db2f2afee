import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { workspace } from 'vscode';
import { deployLogUri } from '../../../../../src/features/deployments/history/deployHistory';
import type { DeployRecord } from '../../../../../src/features/deployments/redeploy/redeployResult';
import { formatExactTime } from '../../../../../src/ui/relativeTime';
import { gantry } from '../../../support/gantry';
import { type OpenClone, openClone } from '../../../support/openClone';
import { endProject, inAHurry, type ProjectSetUp, startProject } from '../../../support/projects';
import { descriptionOf, rowsBelow } from '../../../support/trees';

describe('a past redeploy', () => {
  let at: ProjectSetUp;
  let open: OpenClone | undefined;
  let record: DeployRecord;

  inAHurry();
  beforeEach(async () => {
    at = await startProject();
    await at.setUp.create({ updateNow: true });
    await at.setUp.repository.commit({ message: 'Raise the price\n\nOf tea.', files: { 'index.php': 'two\n' } });
    const { plans, redeploys, history } = (await gantry()).projects;
    record = await redeploys.start(await plans.prepare({ place: at.place })).ended;
    // Two minutes and five seconds, an hour ago.
    record = { ...record, startedAt: Date.now() - 3_600_000, milliseconds: 125_000 };
    await history.keep(record);
  });
  afterEach(async () => {
    await open?.close();
    open = undefined;
    await endProject(at);
  });

  const row = async () => {
    const { view } = (await gantry()).projects;
    const [first] = await rowsBelow(view, 'Saltmarsh Tea', 'ROOT', 'Redeploys from this computer');
    assert.ok(first);
    return { description: descriptionOf(view, first), tooltip: view.getTreeItem(first).tooltip };
  };
  const tooltipText = async () => {
    const { tooltip } = await row();
    return typeof tooltip === 'object' ? tooltip.value.replaceAll('\\', '') : '';
  };
  const log = async () => (await workspace.openTextDocument(deployLogUri(record))).getText();

  it('shows when it was in its row, and the exact time and the duration in the tooltip', async () => {
    assert.equal((await row()).description, '1 hour ago');
    assert.match(await tooltipText(), /Started: \w+ \d+, \d{4}, .* \(took 2 min 5 s\)/);
  });

  it('has a title that names the project and the time as a person would', () => {
    const time = formatExactTime(Date.UTC(2026, 10, 25, 15, 56, 43, 960));
    const { path } = deployLogUri({ ...record, id: '2026-11-25T15-56-43-960Z' });
    assert.equal(path, `/ROOT on shop, ${time}.log`);
  });

  it("doesn't show a duration that would be rounded to none", async () => {
    const { history } = (await gantry()).projects;
    await history.keep({ ...record, milliseconds: 300 });
    assert.match(await log(), /^# Started: \w+ \d+, \d{4}, [^(]*$/m);
  });

  it('shows the subject of its commit if the repository is open here', async () => {
    open = await openClone(at.setUp);
    assert.equal((await row()).description, '1 hour ago · Raise the price');
    assert.match(await tooltipText(), /Commit: [0-9a-f]{7} Raise the price/);
  });

  it('shows the same in its log', async () => {
    open = await openClone(at.setUp);
    const text = await log();
    assert.match(text, /^# Started: \w+ \d+, \d{4}, .* \(took 2 min 5 s\)$/m);
    assert.match(text, /^# Commit: [0-9a-f]{7} Raise the price$/m);
    assert.match(text, /^# Branch: master$/m);
  });
});
