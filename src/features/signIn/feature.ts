import type { Gantry } from '../../gantry';

export function registerSignIn(gantry: Gantry) {
  return gantry.add({
    id: 'signIn',
    needs: 'accounts',
    commands: [
      'gantry.account.signIn',
      'gantry.account.lock',
      'gantry.account.renewToken',
      'gantry.account.signInAgain',
      'gantry.account.signOut',
      'gantry.account.unlock',
    ],
    load: async () => (await import('./signIn')).createSignIn,
  });
}
