import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sampleRepository } from '../../../platform/vcs/sampleRepositories';
import { escape } from '../person';
import type { Performance } from './performance';

const webroot = '/var/www/webroot';
/** Called from the palette, a command asks which project is meant. */
const chosen = 'ROOT shop';
const home = 'Saltmarsh Tea';

export const projectPerformances: readonly Performance[] = [
  {
    operation: 'GetProject',
    effect: 'the page shows the repository and the branch that the platform keeps',
    play: async (stage) => {
      await stage.does('gantry.project.edit', [], [chosen, escape]);
      const { url = '?', branch = '?' } = await stage.ask('GetProject', { envName: 'shop', context: 'ROOT' });
      const page = stage.person.seen.join('\n');
      assert.ok(page.includes(url) && page.includes(branch), page);
    },
  },
  {
    operation: 'Update',
    effect: 'the tip of the branch stands on both nodes’ disks',
    play: async (stage) => {
      const tip = await sampleRepository(stage.platform.dataFolder).commit({
        ...{ message: 'A new tea', files: { 'tea.txt': 'Ceylon\n' } },
      });
      assert.match(tip, /^[0-9a-f]{40}$/);
      await stage.does('gantry.project.redeploy', [], [chosen]);
      for (const index of [0, 1]) {
        assert.equal(await readFile(stage.disk('cp', `${webroot}/ROOT/tea.txt`, index), 'utf8'), 'Ceylon\n');
      }
    },
  },
  {
    operation: 'EditProject',
    effect: 'the platform keeps the new branch, and all else as it was',
    play: async (stage) => {
      const before = await stage.ask('GetProject', { envName: 'shop', context: 'ROOT' });
      await stage.does('gantry.project.edit', [], [chosen, 'Branch', 'release', 'Apply', 'Apply']);
      const after = await stage.ask('GetProject', { envName: 'shop', context: 'ROOT' });
      assert.deepEqual(after, { ...before, branch: 'release' });
    },
  },
  {
    operation: 'CreateProject',
    effect: 'the platform keeps a project of that context, with its repository',
    play: async (stage) => {
      const { url = '' } = await stage.ask('GetProject', { envName: 'shop', context: 'ROOT' });
      const answers = [
        ...[home, 'Git', url, 'master', 'With a login', 'deploy', 'any password', 'blog'],
        ...['only by Redeploy', 'the update stops', 'No', 'Create without Deploying'],
      ];
      await stage.does('gantry.project.create', [], answers);
      assert.equal((await stage.ask('GetProject', { envName: 'shop', context: 'blog' })).url, url);
    },
  },
  {
    operation: 'DeleteProject',
    effect: 'the platform knows no such project any more, and what was deployed is gone from both disks',
    play: async (stage) => {
      await stage.does('gantry.project.delete', [], [chosen, 'ROOT']);
      await assert.rejects(stage.ask('GetProject', { envName: 'shop', context: 'ROOT' }));
      for (const index of [0, 1]) assert.ok(!existsSync(stage.disk('cp', `${webroot}/ROOT/tea.txt`, index)));
    },
  },
];
