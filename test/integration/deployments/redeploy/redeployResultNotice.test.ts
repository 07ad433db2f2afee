import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { sentencesOf } from '../../../../src/deployments/redeploy/redeployResultText';
import { DeployedProject } from '../../support/deployedProject';
import { inAHurry } from '../../support/projects';

describe('the message after a redeploy', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  it('calls it a deployment if it is the first and fails', async () => {
    await at.setUp.create();
    const fail = () =>
      at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
    fail();
    const [first, ...offered] = await at.errorShownFor(await at.redeploy());
    assert.match(first ?? '', /: the deployment failed\./);
    assert.deepEqual(offered, ['Show Log', 'Deploy', 'Project Settings']);
    fail();
    assert.match(sentencesOf(await at.redeploy()), /: the deployment failed\./);
    await at.redeploy();
    fail();
    assert.match(sentencesOf(await at.redeploy()), /: the redeploy failed\./);
  });
});
