import type { Operation } from './operation';
import type { Parameter } from './parameters';
import { content, flag, int, password, requiredFlag, requiredText, session, text } from './parameters';
import { project, projectUpdate } from '../wire/projects';

const repository = { ...requiredText, values: ['GIT', 'SVN'] } as const satisfies Parameter;
const where = { envName: requiredText, session } as const;
const common = { area: 'vcs', pace: 'long' } as const;

export const vcs = {
  CreateProject: {
    ...common,
    path: 'createproject',
    effect: 'write',
    parameters: {
      ...where,
      type: repository,
      context: requiredText,
      url: requiredText,
      branch: text,
      keyId: int,
      login: text,
      password,
      autoupdate: flag,
      interval: text,
      autoResolveConflict: flag,
      zdt: flag,
      updateNow: flag,
      nodeGroup: text,
      hooks: content,
      delay: int,
      repoHash: text,
    },
    answer: project,
  },
  DeleteProject: {
    ...common,
    path: 'deleteproject',
    effect: 'write',
    parameters: { ...where, context: requiredText, nodeGroup: text },
    answer: project,
  },
  EditProject: {
    ...common,
    path: 'editproject',
    effect: 'write',
    parameters: {
      ...where,
      type: repository,
      oldcontext: requiredText,
      newcontext: requiredText,
      url: requiredText,
      branch: text,
      keyId: int,
      login: text,
      password,
      autoupdate: requiredFlag,
      interval: text,
      autoResolveConflict: requiredFlag,
      zdt: requiredFlag,
      nodeGroup: text,
      hooks: content,
      delay: int,
      repoHash: text,
    },
    answer: project,
  },
  GetProject: {
    ...common,
    path: 'getproject',
    effect: 'read',
    parameters: { ...where, context: text, nodeGroup: text },
    answer: project,
  },
  Update: {
    ...common,
    path: 'update',
    effect: 'write',
    parameters: { ...where, context: requiredText, nodeGroup: text, nodeId: int, delay: int },
    answer: projectUpdate,
  },
} as const satisfies Record<string, Operation>;
