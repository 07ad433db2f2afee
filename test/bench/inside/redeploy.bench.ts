import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { ProjectParts } from '../../integration/support/parts';
import type { ProjectPlace } from '../../../src/features/deployments/projectPlace';
import { gantry, signedIn } from '../../integration/support/gantry';
import { placeOfShop } from '../../integration/support/projects';
import { sampleRepository } from '../../localPlatform/vcs/sampleRepositories';
import { benchSurroundings, reportFigure } from '../figure';
import { DistantPlatform } from './distantPlatform';
import { measureNearAndFar, withoutWatching } from './measure';

describe('project performance', () => {
  const { results, origin, sample, node } = benchSurroundings();
  const platform = new DistantPlatform(origin);
  const repository = sampleRepository(join(node.folder, '../../..'));
  let projects: ProjectParts;
  let place: ProjectPlace;

  before(async () => {
    const parts = await gantry();
    withoutWatching(parts);
    ({ projects } = parts);
    const account = await signedIn({ origin, sample });
    place = placeOfShop(account);
    await parts.environments.of(account);
  });

  after(() => platform.clearFaults());

  it('redeploy', async () => {
    const work = {
      prepare: (turn: number) =>
        repository.commit({ message: 'next', files: { 'next.txt': `${turn} ${Date.now()}\n` } }),
      run: async () => {
        const { verdict } = await projects.redeploys.start(await projects.plans.prepare({ place })).ended;
        if (verdict.kind !== 'deployed') throw new Error(`Not deployed: ${verdict.kind}`);
      },
    };
    await reportFigure(results, 'redeploy', await measureNearAndFar(work, { platform, turns: 20 }));
  });
});
