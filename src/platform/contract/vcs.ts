import { content, flag, int, type Operation, type Parameter, password, requiredText, session, text } from './operation';
import { answer, enumeration, flagField, record, textField } from '../wire/fields';

const requiredFlag = { type: 'boolean', required: true } as const satisfies Parameter;
const repository = { ...requiredText, values: ['GIT', 'SVN'] } as const satisfies Parameter;
const address = { url: requiredText, branch: text, keyId: int, login: text, password } as const;
const more = { nodeGroup: text, hooks: content, delay: int, repoHash: text } as const;
const where = { envName: requiredText, session } as const;
const common = { area: 'vcs', pace: 'long' } as const;

const entry = record({
  atomicDeploy: flagField,
  autoResolveConflict: flagField,
  autoupdate: flagField,
  branch: textField,
  context: textField,
  hash: textField,
  interval: textField,
  log: textField,
  login: textField,
  project: textField,
  repoHash: textField,
  type: enumeration({ SVN: 0, GIT: 1 }),
  url: textField,
});
const project = answer(entry);

const projectUpdate = answer(record({ log: textField, message: textField }));

export const vcs = {
  CreateProject: {
    ...common,
    path: 'createproject',
    effect: 'write',
    parameters: {
      ...where,
      type: repository,
      context: requiredText,
      ...address,
      autoupdate: flag,
      interval: text,
      autoResolveConflict: flag,
      zdt: flag,
      updateNow: flag,
      ...more,
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
      ...address,
      autoupdate: requiredFlag,
      interval: text,
      autoResolveConflict: requiredFlag,
      zdt: requiredFlag,
      ...more,
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
