import { ConfigurationTarget, workspace } from 'vscode';

/** Marks environments as production, by patterns, during some work. */
export async function inProduction<T>(patterns: readonly string[], work: () => Promise<T>): Promise<T> {
  await setProtected(patterns);
  return work().finally(() => setProtected(undefined));
}

export async function setProtected(patterns: readonly string[] | undefined): Promise<void> {
  await workspace.getConfiguration('gantry').update('protectedEnvironments', patterns, ConfigurationTarget.Global);
}
