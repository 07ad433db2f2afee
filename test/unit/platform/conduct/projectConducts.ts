import assert from 'node:assert/strict';
import type { ParametersOf } from '../../../../src/platform/contract';
import type { vcs } from '../../../../src/platform/contract/vcs';
import type { Conducts } from './scenario';
import { at, repositoryOf, type Stage } from './stage';

/** Each scenario has a separate context. */
const contextOf = ({ folder }: Stage): string => `C${folder.slice(folder.lastIndexOf('/') + 1)}`;

const newProject = (stage: Stage): ParametersOf<'CreateProject'> => ({
  ...at(stage),
  ...repositoryOf(stage),
  context: contextOf(stage),
  branch: 'master',
});

async function project(stage: Stage, settings: Partial<ParametersOf<'CreateProject'>> = {}): Promise<Stage> {
  await stage.client.call('CreateProject', { ...newProject(stage), ...settings });
  return stage;
}

const named = (stage: Stage) => ({ ...at(stage), context: contextOf(stage) });

const edited = (stage: Stage): ParametersOf<'EditProject'> => ({
  ...at(stage),
  ...repositoryOf(stage),
  oldcontext: contextOf(stage),
  newcontext: `${contextOf(stage)}new`,
  branch: 'master',
  autoupdate: true,
  interval: '7',
  autoResolveConflict: true,
  zdt: false,
});

/** Updates a project whose settings make it fail. */
const updateOf = (settings: (stage: Stage) => Partial<ParametersOf<'CreateProject'>>) => async (stage: Stage) =>
  named(await project(stage, settings(stage)));

const withHook = (name: string) => updateOf(() => ({ hooks: JSON.stringify({ [name]: 'echo told; exit 3' }) }));

export const projectConducts: Conducts<keyof typeof vcs> = {
  CreateProject: {
    works: (stage) => ({ ...newProject(stage), updateNow: true, autoResolveConflict: true }),
    shows: (answer, stage) => {
      assert.equal(answer.type, 'GIT');
      assert.equal(answer.context, contextOf(stage));
      assert.equal(answer.autoResolveConflict, true);
      assert.match(answer.log ?? '', /deployed/);
    },
    fails: {
      3: (stage) => ({ ...newProject(stage), hooks: 'no JSON' }),
      4000: (stage) => ({ ...newProject(stage), branch: 'none', updateNow: true }),
      4001: async (stage) => newProject(await project(stage)),
      4050: (stage) => ({ ...newProject(stage), url: 'file:///etc/passwd' }),
      4053: (stage) => ({ ...newProject(stage), login: 'me=you' }),
      4079: (stage) => ({ ...newProject(stage), context: '../x' }),
    },
  },
  DeleteProject: {
    works: async (stage) => named(await project(stage)),
    fails: { 2500: named },
  },
  EditProject: {
    works: async (stage) => edited(await project(stage)),
    shows: (answer, stage) => {
      assert.equal(answer.context, `${contextOf(stage)}new`);
      assert.equal(answer.interval, '7');
      assert.equal(answer.autoupdate, true);
    },
    fails: {
      2500: edited,
      4017: async (stage) => ({ ...edited(await project(stage)), keyId: 7 }),
      4050: async (stage) => ({ ...edited(await project(stage)), url: 'file:///etc/passwd' }),
      4053: async (stage) => ({ ...edited(await project(stage)), login: 'me=you' }),
      4079: async (stage) => ({ ...edited(await project(stage)), newcontext: '../x' }),
    },
  },
  GetProject: {
    works: async (stage) => named(await project(stage)),
    shows: (answer, stage) => {
      assert.equal(answer.url, repositoryOf(stage).url);
      assert.equal(answer.branch, 'master');
    },
    fails: { 2500: named },
  },
  Update: {
    works: async (stage) => named(await project(stage)),
    shows: ({ log }) => assert.match(log ?? '', /deployed [0-9a-f]{40}/),
    fails: {
      5: async (stage) => ({ ...named(await project(stage)), nodeId: stage.database }),
      2500: named,
      4000: updateOf(() => ({ branch: 'none' })),
      4053: updateOf(() => ({ password: 'wrong' })),
      4125: withHook('preDeploy'),
      4126: withHook('postDeploy'),
      4127: withHook('preBuild'),
      4128: withHook('postBuild'),
    },
  },
};
