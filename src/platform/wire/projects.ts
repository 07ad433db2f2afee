import { enumeration, flag, record, text } from './fields';
import { answer } from './answer';

const entry = record({
  atomicDeploy: flag,
  autoResolveConflict: flag,
  autoupdate: flag,
  branch: text,
  context: text,
  hash: text,
  interval: text,
  log: text,
  login: text,
  project: text,
  repoHash: text,
  type: enumeration({ SVN: 0, GIT: 1 }),
  url: text,
});
export const project = answer(entry);

export const projectUpdate = answer(record({ log: text, message: text }));
