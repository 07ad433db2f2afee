import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, ConfigurationTarget, workspace } from 'vscode';
import { credentials, type VcsSetUp } from '../../unit/localPlatform/vcsSetUp';
import { until } from './event';
import { gantry } from './gantry';
import { LocalClone } from './localClone';

/** A clone of the repository that VS Code's Git extension has open. */
export interface OpenClone {
  readonly clone: LocalClone;
  close(): Promise<void>;
}

export async function openClone({ url }: VcsSetUp): Promise<OpenClone> {
  const { repositories } = (await gantry()).projects;
  const setGit = (name: string, value: unknown) =>
    workspace.getConfiguration('git').update(name, value, ConfigurationTarget.Global);
  // Older versions ask the user about a repository outside the open folders, and open it only then.
  await setGit('openRepositoryInParentFolders', 'always');
  await setGit('autorefresh', false);
  const folder = await mkdtemp(join(tmpdir(), 'gantry-work-'));
  const clone = await LocalClone.of(url, join(folder, 'tea'), credentials);
  await commands.executeCommand('git.openRepository', clone.folder);
  await repositories.ready;
  await until(repositories.onDidChange, () => repositories.withAddress(url) !== undefined);
  return {
    clone,
    close: async () => {
      await commands.executeCommand('git.close', repositories.withAddress(url)?.root);
      await setGit('openRepositoryInParentFolders', undefined);
      await setGit('autorefresh', undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
