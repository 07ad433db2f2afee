import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { DeployHistory } from '../../../../../src/features/deployments/history/deployHistory';
import { gantry } from '../../../support/gantry';
import { endProject, inAHurry, type ProjectSetUp, startProject } from '../../../support/projects';

describe('the history of redeploys', () => {
  let at: ProjectSetUp;

  inAHurry();
  beforeEach(async () => {
    at = await startProject({ pollingSpeed: 1200 });
    await at.setUp.create({ updateNow: true });
  });
  afterEach(() => endProject(at));

  it('is kept across restarts, newest first, with the log', async () => {
    const { setUp, place } = at;
    const { plans, redeploys, history } = (await gantry()).projects;
    const redeploy = async () => redeploys.start(await plans.prepare({ place })).ended;
    await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const first = await redeploy();
    const second = await redeploy();
    const restarted = new DeployHistory(history.folder);
    assert.deepEqual(await restarted.of(place), JSON.parse(JSON.stringify([second, first])));
  });

  it('has the branch that was deployed then, although the project is renamed with another one', async () => {
    const { place } = at;
    const { plans, redeploys, history } = (await gantry()).projects;
    const { branch } = await redeploys.start(await plans.prepare({ place })).ended;
    const renamed = { ...place, context: 'blog', branch: 'next' };
    await history.move(place, renamed);
    assert.deepEqual([branch, (await history.last(renamed))?.branch], ['master', 'master']);
    await history.forget(renamed);
  });
});
