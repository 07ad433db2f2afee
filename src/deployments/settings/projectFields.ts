import type { ProjectSettings } from '../projects';
import { sameRepository } from '../repositories/repositoryUrl';

export const hookNames = ['preDeploy', 'postDeploy', 'preBuild', 'postBuild'] as const;
export type HookName = (typeof hookNames)[number];
export type Hooks = Readonly<Partial<Record<HookName, string>>>;

/** Whether two sets of hooks run the same scripts. */
export function sameHooks(one?: Hooks, other?: Hooks): boolean {
  return differingHooks(one, other).length === 0;
}

/** The hooks that run another script: a platform may store them with other line ends, and an empty one not at all. */
export function differingHooks(one: Hooks = {}, other: Hooks = {}): readonly HookName[] {
  const script = (hooks: Hooks, name: HookName) => (hooks[name] ?? '').replaceAll('\r\n', '\n').trimEnd();
  return hookNames.filter((name) => script(one, name) !== script(other, name));
}

/** The hooks whose text the user changed, even if only its line ends: those can be why a script fails. */
export function editedHooks(before: Hooks = {}, after: Hooks = {}): readonly HookName[] {
  return hookNames.filter((name) => (before[name] ?? '') !== (after[name] ?? ''));
}

/** All settings of a project that CreateProject and EditProject accept. */
export interface ProjectFields {
  readonly type: 'GIT' | 'SVN';
  readonly context: string;
  readonly url: string;
  readonly branch: string;
  /** Empty for no login. */
  readonly login: string;
  readonly autoupdate: boolean;
  /** In minutes; empty if not set. */
  readonly interval: string;
  readonly autoResolveConflict: boolean;
  /** `undefined` if the platform didn't return it. */
  readonly zdt: boolean | undefined;
  /** Empty for the branch's tip. */
  readonly repoHash: string;
  // The platform never returns these. `undefined` means that they weren't set from here.
  readonly password: string | undefined;
  readonly keyId: number | undefined;
  readonly hooks: Hooks | undefined;
  readonly delay: number | undefined;
}
export type FieldName = keyof ProjectFields;

/** The settings that the platform never returns, except the password, which it keeps. */
export type WriteOnlySettings = Pick<ProjectFields, 'keyId' | 'hooks' | 'delay'>;
export const noWriteOnlySettings: WriteOnlySettings = { keyId: undefined, hooks: undefined, delay: undefined };

export const newProject: ProjectFields = {
  ...noWriteOnlySettings,
  type: 'GIT',
  context: 'ROOT',
  url: '',
  branch: 'master',
  login: '',
  autoupdate: false,
  interval: '',
  autoResolveConflict: false,
  zdt: false,
  repoHash: '',
  password: undefined,
};

export function fieldsOf(
  context: string,
  settings: ProjectSettings,
  writeOnlySettings: WriteOnlySettings,
): ProjectFields {
  return {
    ...writeOnlySettings,
    type: settings.type ?? 'GIT',
    context: settings.context ?? context,
    url: settings.url ?? '',
    branch: settings.branch ?? '',
    login: settings.login ?? '',
    autoupdate: settings.autoupdate ?? false,
    interval: settings.interval ?? '',
    autoResolveConflict: settings.autoResolveConflict ?? true,
    zdt: settings.atomicDeploy,
    repoHash: settings.repoHash ?? '',
    password: undefined,
  };
}

/** Returns what the platform would show for a project with these fields. */
export function settingsOf({
  type,
  context,
  url,
  branch,
  login,
  zdt,
  repoHash,
  ...rest
}: ProjectFields): ProjectSettings {
  const { autoupdate, interval, autoResolveConflict } = rest;
  return { type, context, url, branch, login, autoupdate, interval, autoResolveConflict, atomicDeploy: zdt, repoHash };
}

/** Returns the fields that differ, in page order. */
export function changedFields(before: ProjectFields, after: ProjectFields): readonly FieldName[] {
  return fieldOrder.filter((name) =>
    name === 'hooks' ? !sameHooks(before.hooks, after.hooks) : !Object.is(before[name], after[name]),
  );
}

/** Whether the user has changed anything that would be sent. */
export function hasEdits(before: ProjectFields, after: ProjectFields): boolean {
  return changedFields(before, after).length > 0 || editedHooks(before.hooks, after.hooks).length > 0;
}

export const fieldOrder = [
  'type',
  'url',
  'branch',
  'repoHash',
  'login',
  'password',
  'keyId',
  'context',
  'autoupdate',
  'interval',
  'autoResolveConflict',
  'zdt',
  'hooks',
  'delay',
] as const satisfies readonly FieldName[];

/**
 * Applies the user's changes to the platform's current values, one by one, also of the hooks.
 * @param base the values that the user saw
 */
export function rebase(
  base: ProjectFields,
  changed: ProjectFields,
  now: ProjectFields,
): { readonly fields: ProjectFields; readonly theirs: readonly FieldName[] } {
  const mine = Object.fromEntries(changedFields(base, changed).map((name) => [name, changed[name]]));
  const hooks = rebasedHooks(base.hooks, changed.hooks, now.hooks);
  return { fields: { ...now, ...mine, hooks }, theirs: changedFields(base, now) };
}

function rebasedHooks(base: Hooks | undefined, changed: Hooks | undefined, now: Hooks | undefined): Hooks | undefined {
  const mine = editedHooks(base, changed);
  const scripts = hookNames.flatMap((name) => {
    const script = (mine.includes(name) ? changed : now)?.[name];
    return script === undefined ? [] : [[name, script] as const];
  });
  return mine.length === 0 ? now : Object.fromEntries(scripts);
}

/** Returns the parameters shared by CreateProject and EditProject. A removed value is sent as an empty string. */
export function sentFields(fields: ProjectFields, before?: ProjectFields) {
  const cleared = (name: 'login' | 'repoHash' | 'branch' | 'interval') =>
    fields[name] === '' && (before?.[name] ?? '') === '' ? undefined : fields[name];
  return {
    type: fields.type,
    url: fields.url,
    branch: cleared('branch'),
    login: cleared('login'),
    password: fields.password,
    keyId: fields.keyId,
    autoupdate: fields.autoupdate,
    interval: cleared('interval'),
    autoResolveConflict: fields.autoResolveConflict,
    zdt: fields.zdt ?? false,
    hooks: fields.hooks === undefined ? undefined : JSON.stringify(fields.hooks),
    delay: fields.delay,
    repoHash: cleared('repoHash'),
  };
}

/** The fields that the platform does not show as they were sent. */
export function notTaken(wanted: ProjectFields, settings: ProjectSettings): readonly FieldName[] {
  const shown = fieldsOf(wanted.context, settings, writeOnlySettingsOf(wanted));
  return changedFields({ ...wanted, password: undefined }, shown).filter((name) => {
    switch (name) {
      case 'url':
        return !sameRepository(shown.url, wanted.url);
      case 'branch':
        return wanted.type === 'GIT' && wanted.branch !== '';
      case 'interval':
        return wanted.autoupdate && wanted.interval !== '';
      case 'zdt':
        return shown.zdt !== undefined;
      default:
        return true;
    }
  });
}

export function writeOnlySettingsOf({ keyId, hooks, delay }: Partial<WriteOnlySettings>): WriteOnlySettings {
  return { keyId, hooks, delay };
}
