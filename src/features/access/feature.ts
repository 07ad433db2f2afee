import type { Gantry } from '../../gantry';

export function registerAccess(gantry: Gantry) {
  return gantry.add({
    id: 'access',
    needs: 'accounts',
    commands: [
      'gantry.access.refresh',
      'gantry.token.create',
      'gantry.token.edit',
      'gantry.token.regenerate',
      'gantry.token.delete',
      'gantry.token.signOutSessions',
      'gantry.session.signOutAll',
    ],
    view: { id: 'gantry.access', canSelectMany: true },
    load: async () => (await import('./access')).createAccess,
  });
}
