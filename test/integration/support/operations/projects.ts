import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sampleRepository } from '../../../localPlatform/vcs/sampleRepositories';
import { escape, typed } from '../person';
import type { Performance } from './performance';
import type { Stage } from './stage';

const webroot = '/var/www/webroot';
/** In the palette, a command asks for the project. */
const chosen = 'ROOT Saltmarsh Tea';
const home = 'Saltmarsh Tea';

export const projectPerformances: readonly Performance[] = [
  {
    operation: 'GetProject',
    effect: 'the page shows the project’s repository and branch on the platform',
    play: async (stage) => {
      await stage.does('gantry.project.edit', [], [chosen, escape]);
      const { url = '?', branch = '?' } = await stage.ask('GetProject', { envName: 'shop', context: 'ROOT' });
      const page = stage.person.seen.join('\n');
      assert.ok(page.includes(url) && page.includes(branch), page);
    },
  },
  {
    operation: 'Update',
    effect: 'the tip of the branch is on the disks of both nodes',
    play: async (stage) => {
      const tip = await sampleRepository(stage.platform.dataFolder).commit({
        message: 'A new tea',
        files: { 'tea.txt': 'Ceylon\n' },
      });
      assert.match(tip, /^[0-9a-f]{40}$/);
      await stage.does('gantry.project.redeploy', [], [chosen, 'Redeploy']);
      for (const index of [0, 1]) {
        assert.equal(await readFile(stage.disk('cp', `${webroot}/ROOT/tea.txt`, index), 'utf8'), 'Ceylon\n');
      }
    },
  },
  {
    operation: 'EditProject',
    effect: 'the platform has the new branch, and no other setting has changed',
    play: async (stage) => {
      await createProject(stage, 'edited');
      const before = await stage.ask('GetProject', { envName: 'shop', context: 'edited' });
      await stage.does(
        'gantry.project.edit',
        [],
        ['edited Saltmarsh Tea', 'Branch', typed('release'), 'Apply', 'Apply'],
      );
      const after = await stage.ask('GetProject', { envName: 'shop', context: 'edited' });
      assert.deepEqual(after, { ...before, branch: 'release' });
    },
  },
  {
    operation: 'CreateProject',
    effect: 'the platform has a project with that context and its repository',
    play: async (stage) => {
      const { url = '' } = await stage.ask('GetProject', { envName: 'shop', context: 'ROOT' });
      const answers = [
        typed(url),
        typed('master'),
        home,
        'Username',
        'deploy',
        'any password',
        'Project name',
        'blog',
        'Create Without Deploying',
      ];
      await stage.does('gantry.project.create', [], answers);
      assert.equal((await stage.ask('GetProject', { envName: 'shop', context: 'blog' })).url, url);
    },
  },
  {
    operation: 'DeleteProject',
    effect: 'the platform no longer has the project, and its files are gone from both disks',
    play: async (stage) => {
      await createProject(stage, 'deleted');
      const isDeployed = (index: number) => existsSync(stage.disk('cp', `${webroot}/deleted/index.php`, index));
      assert.deepEqual([0, 1].map(isDeployed), [true, true]);
      await stage.does('gantry.project.delete', [], [`deleted ${home}`, home]);
      await assert.rejects(stage.ask('GetProject', { envName: 'shop', context: 'deleted' }));
      assert.deepEqual([0, 1].map(isDeployed), [false, false]);
    },
  },
];

/** Creates a project and deploys it from the sample repository. */
async function createProject(stage: Stage, context: string): Promise<void> {
  const { href, username, password } = new URL(stage.platform.sample.repository ?? '');
  const url = href.replace(`${username}:${password}@`, '');
  await stage.ask('CreateProject', {
    envName: 'shop',
    nodeGroup: 'cp',
    type: 'GIT',
    context,
    updateNow: true,
    url,
    branch: 'master',
    login: username,
    password,
  });
  stage.parts.environments.refresh();
}
