import * as v from 'valibot';
import type { Behaviour } from '../behaviour';
import type { Parameters } from '../parameters';
import { codes, Refusal } from '../refusal';
import { hooksSchema, type Hooks, type ProjectSettings } from './project';

type Unsent = Behaviour['unsentProjectFields'];

/** The settings of a project if nothing was sent. */
const initial: Omit<ProjectSettings, 'type' | 'url'> = {
  branch: 'master',
  autoupdate: false,
  interval: '5',
  autoResolveConflict: false,
  zdt: false,
  hooks: {},
  delay: 0,
};

const protocols = { GIT: ['http:', 'https:'], SVN: ['svn:', 'http:', 'https:'] } as const;

const invalid = (name: string): Refusal => new Refusal(codes.invalidParameter, `invalid parameter [${name}]`);

const typeIn = (parameters: Parameters): ProjectSettings['type'] => {
  const type = parameters.text('type').toUpperCase();
  if (type !== 'GIT' && type !== 'SVN') throw invalid('type');
  return type;
};

const addressIn = (parameters: Parameters, type: ProjectSettings['type']): URL => {
  const text = parameters.text('url').trim();
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const allowed: readonly string[] = protocols[type];
  if (address === undefined || address.hostname === '' || !allowed.includes(address.protocol)) {
    throw new Refusal(codes.badRepositoryUrl, `the repository URL is not one of ${allowed.join(', ')}`);
  }
  return address;
};

const hooksTextSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !Array.isArray(value), 'scripts stand under names'),
  hooksSchema,
);

const hooksIn = (text: string): Hooks => {
  if (text === '') return {};
  try {
    return v.parse(hooksTextSchema, text);
  } catch {
    // Invalid JSON and unknown script names are both a wrong parameter for the client.
    throw invalid('hooks');
  }
};

const refusedInLogins = /[~!#$%^&*(){}\\/=-]/u;

const checked = (settings: ProjectSettings): ProjectSettings => {
  if (settings.login !== undefined && refusedInLogins.test(settings.login)) {
    throw new Refusal(codes.badRepositoryLogin, 'the login holds characters that are not allowed');
  }
  if (!/^(?![-/.])[^\s~^:?*[\\]+$/u.test(settings.branch)) throw invalid('branch');
  if (!/^[1-9]\d{0,5}$/u.test(settings.interval)) throw invalid('interval');
  const hash = settings.type === 'GIT' ? /^[0-9a-f]{7,64}$/iu : /^\d{1,9}$/u;
  if (settings.repoHash !== undefined && !hash.test(settings.repoHash)) throw invalid('repoHash');
  return settings;
};

/** An empty text removes a value. */
const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** Returns the settings of a new project. */
export const newSettingsIn = (
  parameters: Parameters,
  { unsentAutoResolve }: Pick<Behaviour, 'unsentAutoResolve'>,
): ProjectSettings => {
  const settings = settingsIn(parameters);
  if (parameters.flag('autoResolveConflict') !== undefined || unsentAutoResolve === 'off') return settings;
  // The vendor's container takes an unset value for true (readProjectConfig, facts J).
  return { ...settings, autoResolveConflict: unsentAutoResolve === 'on' ? true : undefined };
};

/**
 * Returns the settings in a request. `before` are those of the edited project. `unsent` says what happens to fields
 * that the request leaves out. The password always stays, because it can never be read and sent again.
 */
export const settingsIn = (
  parameters: Parameters,
  { before, unsent }: { before?: ProjectSettings; unsent: Unsent } = { unsent: 'cleared' },
): ProjectSettings => {
  const type = typeIn(parameters);
  const address = addressIn(parameters, type);
  const base = unsent === 'kept' ? { ...initial, ...before } : initial;
  const optional = (name: string, old: string | undefined): string | undefined =>
    parameters.has(name) ? given(parameters.text(name)) : old;
  const keyId = parameters.optionalInteger('keyId') ?? base.keyId;
  const login = optional('login', given(decodeURIComponent(address.username)) ?? base.login);
  const password = optional('password', given(decodeURIComponent(address.password)) ?? before?.password);
  const repoHash = optional('repoHash', base.repoHash);
  const hooks = parameters.optionalText('hooks');
  address.username = '';
  address.password = '';
  return checked({
    type,
    url: address.href,
    branch: optional('branch', base.branch) ?? initial.branch,
    autoupdate: parameters.flag('autoupdate') ?? base.autoupdate,
    interval: optional('interval', base.interval) ?? initial.interval,
    autoResolveConflict: parameters.flag('autoResolveConflict') ?? base.autoResolveConflict,
    zdt: parameters.flag('zdt') ?? base.zdt,
    hooks: hooks === undefined ? base.hooks : hooksIn(hooks),
    delay: parameters.optionalInteger('delay') ?? base.delay,
    ...(keyId === undefined ? {} : { keyId }),
    ...(login === undefined ? {} : { login }),
    ...(password === undefined ? {} : { password }),
    ...(repoHash === undefined ? {} : { repoHash }),
  });
};

/** Fails with the operation's code if there are both a password and a key. */
export const demandOneSecret = (parameters: Parameters, result: number): void => {
  if (given(parameters.optionalText('password')) !== undefined && parameters.has('keyId')) {
    throw new Refusal(result, 'a password and an SSH key cannot be used together');
  }
};
