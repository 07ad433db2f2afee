// What package.json declares, as types: a wrong id does not compile, and a test proves both equal.

export const scheme = 'gantry';

export const commandIds = [
  'gantry.account.signIn',
  'gantry.account.signInAgain',
  'gantry.account.signOut',
  'gantry.environments.refresh',
  'gantry.file.open',
  'gantry.log.show',
] as const;
export type CommandId = (typeof commandIds)[number];

export const viewIds = ['gantry.environments'] as const;
export type ViewId = (typeof viewIds)[number];

/** Context keys and the values that `when` clauses compare them with. */
export interface ContextKeys {
  'gantry.accounts': 'unknown' | 'none' | 'some';
}
