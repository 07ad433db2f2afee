import { answer, enumeration, flagField, record, textField } from './fields';

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
export const project = answer(entry);

export const projectUpdate = answer(record({ log: textField, message: textField }));
