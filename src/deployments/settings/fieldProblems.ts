import { type FieldName, fieldOrder, type ProjectFields } from './projectFields';
import type { Technology } from './technology';
import { longestName } from '../repositories/repositoryUrl';

/** A value that the platform would reject, detected before sending. */
export type FieldProblem =
  | 'urlMissing'
  | 'urlWithoutProtocol'
  | 'urlWithLogin'
  | 'branch'
  | 'loginCharacters'
  | 'passwordAndKey'
  | 'keyId'
  | 'contextPattern'
  | 'rootOnly'
  | 'contextTaken'
  | 'interval'
  | 'delay'
  | 'commit'
  | 'revision'
  | 'zdtUnknown';

/** What a layer allows a project, and what it runs. */
export interface LayerRules {
  readonly contextPattern?: string | undefined;
  readonly singleContext?: boolean;
  /** The contexts of the layer's other projects. */
  readonly taken?: readonly string[];
  readonly technology?: Technology | undefined;
}

const protocols = {
  GIT: ['http:', 'https:', 'ssh:', 'git+ssh:', 'git:'],
  SVN: ['http:', 'https:', 'svn:', 'svn+ssh:'],
} as const;
const shortSshAddress = /^[\w.-]+@[\w.-]+:(?!\/\/)\S+$/;
const refusedInLogins = /[~!#$%^&*(){}\\/=-]/;
const branchName = /^(?![-/.])(?!.*\.\.)[^\s~^:?*[\\\p{Cc}]+$/u;
const positive = /^[1-9]\d{0,5}$/;
const usualContext = /^(?![.])[\w.-]{1,63}$/;

type Check = (fields: ProjectFields, rules: LayerRules) => FieldProblem | undefined;

const checks: Readonly<Partial<Record<FieldName, Check>>> = {
  url: ({ url, type }) => problemWithUrl(url.trim(), type),
  branch: ({ branch, type }) => (type === 'SVN' || branchName.test(branch) ? undefined : 'branch'),
  login: ({ login }) => (refusedInLogins.test(login) ? 'loginCharacters' : undefined),
  password: ({ password, keyId }) => ((password ?? '') !== '' && keyId !== undefined ? 'passwordAndKey' : undefined),
  keyId: ({ password, keyId }) => problemWithKey(keyId, password ?? ''),
  context: ({ context }, rules) => problemWithContext(context, rules),
  interval: ({ interval, autoupdate }) =>
    (interval === '' && !autoupdate) || positive.test(interval) ? undefined : 'interval',
  zdt: ({ zdt }) => (zdt === undefined ? 'zdtUnknown' : undefined),
  delay: ({ delay }) => (delay === undefined || (Number.isSafeInteger(delay) && delay >= 0) ? undefined : 'delay'),
  repoHash: ({ repoHash, type }) => problemWithHash(repoHash, type),
};

export function problemWith(name: FieldName, fields: ProjectFields, rules: LayerRules): FieldProblem | undefined {
  return checks[name]?.(fields, rules);
}

/** Returns all fields that the platform would reject. */
export function problemsIn(
  fields: ProjectFields,
  rules: LayerRules,
): readonly { readonly name: FieldName; readonly problem: FieldProblem }[] {
  return fieldOrder.flatMap((name) => {
    const problem = problemWith(name, fields, rules);
    return problem === undefined ? [] : [{ name, problem }];
  });
}

function problemWithUrl(url: string, type: ProjectFields['type']): FieldProblem | undefined {
  if (url === '') {
    return 'urlMissing';
  }
  if (type === 'GIT' && shortSshAddress.test(url)) {
    return undefined;
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const allowed: readonly string[] = protocols[type];
  if (parsed === undefined || parsed.hostname === '' || !allowed.includes(parsed.protocol)) {
    return 'urlWithoutProtocol';
  }
  return parsed.password === '' && parsed.username.length <= longestName ? undefined : 'urlWithLogin';
}

function problemWithKey(keyId: number | undefined, password: string): FieldProblem | undefined {
  if (keyId === undefined) {
    return undefined;
  }
  if (!Number.isSafeInteger(keyId) || keyId <= 0) {
    return 'keyId';
  }
  return password === '' ? undefined : 'passwordAndKey';
}

function problemWithContext(
  context: string,
  { contextPattern, singleContext, taken = [] }: LayerRules,
): FieldProblem | undefined {
  if (taken.includes(context)) {
    return 'contextTaken';
  }
  if (singleContext === true && context !== 'ROOT') {
    return 'rootOnly';
  }
  return (matches(contextPattern, context) ?? usualContext.test(context)) ? undefined : 'contextPattern';
}

/** Returns `undefined` if JavaScript can't parse the platform's regular expression. */
function matches(pattern: string | undefined, text: string): boolean | undefined {
  if (pattern === undefined || pattern === '' || text.length > 200) {
    return undefined;
  }
  try {
    return new RegExp(pattern).test(text);
  } catch {
    // It uses another regular expression syntax, so let the platform validate the value.
    return undefined;
  }
}

function problemWithHash(hash: string, type: ProjectFields['type']): FieldProblem | undefined {
  if (hash === '') {
    return undefined;
  }
  if (type === 'SVN') {
    return /^\d{1,9}$/.test(hash) ? undefined : 'revision';
  }
  return /^[0-9a-f]{7,64}$/i.test(hash) ? undefined : 'commit';
}
