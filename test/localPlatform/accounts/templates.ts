import type { Behaviour } from '../behaviour';
import { operationRows, standardTemplates, uploader } from '../contractTable';

export const customTemplate = 'Custom';

const inArea = (area: string): readonly string[] =>
  operationRows.filter((row) => row.area === area).map(({ method }) => method);

const named = (...names: readonly string[]): readonly string[] =>
  operationRows.filter(({ name }) => names.includes(name)).map(({ method }) => method);

export const allMethods: readonly string[] = [...operationRows.map(({ method }) => method), uploader.method];

/** GetTokenApiList returns these only on request. */
const privateMethods = {
  few: named('GetPolicyMethods', 'SignoutSessions'),
  extras: [...named('GetPolicyMethods', 'SignoutSessions'), ...inArea('extra'), uploader.method],
};

export const publicMethods = (form: Behaviour['privateMethods']): readonly string[] =>
  allMethods.filter((method) => !privateMethods[form].includes(method));

const templateMethods: Readonly<Record<string, readonly string[]>> = {
  Marketplace: named('GetEnvs', 'GetEnvInfo', 'GetList', 'Read'),
  'Maven Plugin': [...named('GetEnvs', 'Update', 'GetProject'), uploader.method],
  'IDE Plugins': [...inArea('vcs'), ...inArea('file'), ...inArea('extra'), uploader.method],
  'Extended Access': allMethods,
};

export interface TokenTemplate {
  readonly id: number;
  readonly name: string;
  readonly apiList: readonly string[];
}

export const tokenTemplates: readonly TokenTemplate[] = standardTemplates.map((name, index) => ({
  id: index + 1,
  name,
  apiList: templateMethods[name] ?? [],
}));

/** Normalizes a method, because `env.file.read` and `environment.file.Read` are the same. */
const plain = (method: string): string =>
  method
    .trim()
    .toLowerCase()
    .replace(/^platform\./u, '')
    .replace(/^env\./u, 'environment.');

export const knownMethod = (method: string): string | undefined =>
  allMethods.find((known) => plain(known) === plain(method));

export const permits = (apiList: readonly string[], method: string): boolean =>
  apiList.some((permitted) => plain(permitted) === plain(method));
