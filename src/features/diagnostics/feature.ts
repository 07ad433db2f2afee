import type { Gantry } from '../../gantry';

export function registerDiagnostics(gantry: Gantry) {
  return gantry.add({
    id: 'diagnostics',
    needs: 'host',
    commands: ['gantry.diagnostics.copy'],
    load: async () => (await import('./diagnostics')).createDiagnostics,
  });
}
