import { l10n } from 'vscode';
import { isPlatformError, undefinedIf } from '../../platform/errors';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { ExpectedError } from '../../ui/expectedError';
import type { Containers } from '../containers';
import { type Environment, mustBeStarted } from '../environment';
import type { Environments } from '../environments';
import type { Listings } from '../listings';
import { type EnvironmentPlace, type FilePlace, nameOf } from '../place';
import { logFolder, serviceLogFolders } from './stackLogs';

class NotRunning extends ExpectedError {
  override readonly name = 'NotRunning';
}

/** Records of sign-ins, which aren't text. */
const binary = /^(?:[bw]tmp|lastlog|faillog|tallylog)(?:[.-]\d+)?$/;

/** Returns the logs in a folder, and its subfolders. Nothing is sent if the environment is known not to be running. */
export async function listLogs(
  folder: FilePlace,
  {
    containers,
    listings,
    environments,
  }: {
    readonly containers: Pick<Containers, 'account'>;
    readonly listings: Pick<Listings, 'list'>;
    readonly environments: Pick<Environments, 'known' | 'titleOf'>;
  },
): Promise<readonly FileEntry[]> {
  ensureKnownToRun(folder, environments.known(folder.account, folder.environment)?.status, environments);
  const account = containers.account(folder.account);
  const { nodeId } = folder.target;
  const isAsked = nodeId !== undefined && !account.lacks('GetLogs');
  const answer = isAsked
    ? await account
        .call('GetLogs', { envName: folder.environment, nodeId, path: folder.path })
        .catch((error: unknown) => undefinedIfUnavailable(error))
    : undefined;
  const entries = answer?.entries ?? [...(await listings.list(folder)).values()];
  return entries.filter(({ isDir, name }) => isDir || !binary.test(name));
}

/**
 * Returns the logs of a node: the platform's list, or else the usual folder and those of its stack. Nothing is sent if
 * the environment is known not to be running.
 */
export async function listNodeLogs(
  node: FilePlace,
  type: string | undefined,
  deps: Parameters<typeof listLogs>[1],
): Promise<readonly FileEntry[]> {
  ensureKnownToRun(node, deps.environments.known(node.account, node.environment)?.status, deps.environments);
  const [usual, ...others] = await Promise.all([
    listLogs({ ...node, path: logFolder }, deps),
    ...serviceLogFolders(type).map(async (path): Promise<FileEntry | undefined> => {
      const found = await undefinedIf('any', deps.listings.list({ ...node, path }));
      return found === undefined ? undefined : { absolutePath: path, name: nameOf({ ...node, path }), isDir: true };
    }),
  ]);
  return [...others.filter((one) => one !== undefined), ...usual];
}

/** Rejects if the environment is stopped, or sleeps. */
export function ensureKnownToRun(
  place: EnvironmentPlace,
  status: Environment['status'],
  names: Pick<Environments, 'titleOf'>,
): void {
  if (mustBeStarted(status)) {
    throw new NotRunning(l10n.t("{0} isn't running. Start it in the dashboard to see its logs.", names.titleOf(place)));
  }
}

/** Lists the account's environments again if this one was listed as stopped or asleep: it may run by now. */
export async function updateIfStopped(
  { account, environment }: EnvironmentPlace,
  {
    containers,
    environments,
  }: {
    readonly containers: Containers;
    readonly environments: Environments;
  },
): Promise<void> {
  if (mustBeStarted(environments.known(account, environment)?.status)) {
    await environments.now(containers.account(account), 0);
    if (!mustBeStarted(environments.known(account, environment)?.status)) environments.refresh(account);
  }
}

/** For `catch`: the token may not call an optional operation, or the platform doesn't have it. */
export function undefinedIfUnavailable(error: unknown): undefined {
  if (!isPlatformError(error) || (error.kind !== 'tokenLacksMethod' && error.status !== 404)) {
    throw error;
  }
}
