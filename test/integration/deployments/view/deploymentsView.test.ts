import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { DeploymentElement } from '../../../../src/deployments/view/deploymentElement';
import { DeployedProject } from '../../support/deployedProject';
import { inAHurry } from '../../support/projects';

describe('the Deployments view', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  it("finds a redeploy by its own row in the project's history", async () => {
    await at.deployedOnce();
    const older = await at.redeploy();
    await at.redeploy();
    const { view } = at.parts;
    const rowsOf = async (kind: string, above?: DeploymentElement) =>
      (await view.getChildren(above)).filter((row) => row.kind === kind);
    const [environment] = await rowsOf('environment');
    const [project] = await rowsOf('project', environment);
    const [history] = await rowsOf('history', project);
    const row = (await rowsOf('redeploy', history)).at(-1);
    assert.ok(row?.kind === 'redeploy');
    assert.equal(row.record.id, older.id);
    const called: unknown = view.getTreeItem(row).command?.arguments?.[0];
    assert.equal(view.find(called), row, 'the command is told which at.redeploy is meant');
  });
});
