import * as v from 'valibot';
import { l10n } from 'vscode';

export const hookNames = ['preDeploy', 'postDeploy', 'preBuild', 'postBuild'] as const;
export type HookName = (typeof hookNames)[number];
export type Hooks = Readonly<Partial<Record<HookName, string>>>;

export const hookLabels: Readonly<Record<HookName, string>> = {
  preDeploy: l10n.t('Pre-deploy hook'),
  postDeploy: l10n.t('Post-deploy hook'),
  preBuild: l10n.t('Pre-build hook'),
  postBuild: l10n.t('Post-build hook'),
};

export function hooksText(hooks: readonly HookName[]): string {
  return hooks.map((hook) => hookLabels[hook]).join(', ');
}

export const storedHooks = v.object({
  preDeploy: v.exactOptional(v.string()),
  postDeploy: v.exactOptional(v.string()),
  preBuild: v.exactOptional(v.string()),
  postBuild: v.exactOptional(v.string()),
});

export function sameHooks(one?: Hooks, other?: Hooks): boolean {
  return differingHooks(one, other).length === 0;
}

/** The hooks that run another script: a platform may store them with other line ends, and an empty one not at all. */
export function differingHooks(one: Hooks = {}, other: Hooks = {}): readonly HookName[] {
  return hookNames.filter((name) => commandsIn(one[name]) !== commandsIn(other[name]));
}

/** Returns what of a script runs, for comparing. */
export function commandsIn(script = ''): string {
  return script.replaceAll('\r\n', '\n').trimEnd();
}

/** The hooks whose text the user changed, even if only its line ends: those can be why a script fails. */
export function editedHooks(before: Hooks = {}, after: Hooks = {}): readonly HookName[] {
  return hookNames.filter((name) => (before[name] ?? '') !== (after[name] ?? ''));
}

/** Applies the user's changes of single hooks to the platform's current ones. */
export function rebasedHooks(
  base: Hooks | undefined,
  changed: Hooks | undefined,
  now: Hooks | undefined,
): Hooks | undefined {
  const mine = editedHooks(base, changed);
  const scripts = hookNames.flatMap((name) => {
    const script = (mine.includes(name) ? changed : now)?.[name];
    return script === undefined ? [] : [[name, script] as const];
  });
  return mine.length === 0 ? now : Object.fromEntries(scripts);
}
