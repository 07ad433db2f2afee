import { l10n, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import type { Environments } from '../containers/environments';
import { isPlatformError } from '../platform/errors';
import type { Listings } from '../containers/listings';
import type { FilePlace } from '../containers/place';
import type { CrossMount, Mounts } from './mounts';
import type { MountInput } from './mountInput';
import { confirm } from '../ui/notifications';
import { withCancelableRead, withDetachableProgress } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import { nodeLabel } from '../containers/environment';
import { nodeIn } from '../containers/environmentIndex';
import { type Container, containersOf } from '../containers/containerPrompts';
import { mountQuestions, type MountPromptDeps, mountInputFrom } from './mountPrompts';
import { failureText } from '../ui/failureMessages';

export interface AddMountDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly mounts: Mounts;
  readonly listings: Listings;
}

/** Asks for a mount's settings, lets the platform check it, and creates it. Skips the target if it's known. */
export async function addMount(
  { target, within }: { readonly target?: Container | undefined; readonly within?: Environment | undefined },
  parts: AddMountDeps,
): Promise<void> {
  const { accounts, environments, listings } = parts;
  const sources = await containersOf(accounts, environments);
  const targets = within === undefined ? sources : await containersOf(accounts, environments, within);
  const asking: MountPromptDeps = { sources, targets, target, listings };
  const title = target === undefined ? l10n.t('Add Mount Point') : l10n.t('Add Mount Point on {0}', nameOf(target));
  const entered = await askInTurn(title, mountQuestions(asking));
  const wish = entered && mountInputFrom(asking, entered);
  if (wish !== undefined && (await isWanted(wish, parts))) {
    await withDetachableProgress(l10n.t('Mounting {0}', wish.place.path), () => parts.mounts.add(wish));
    window.setStatusBarMessage(`$(check) ${l10n.t('{0} is mounted', wish.place.path)}`, shownFor);
  }
}

/** In milliseconds. */
const shownFor = 5_000;

function nameOf({ environment, layer, node }: Container): string {
  return node === undefined ? `${environment.title} · ${layer.name}` : nodeLabel(node, environment);
}

/** Shows possible problems and lets the user decide. */
async function isWanted(wish: MountInput, parts: AddMountDeps): Promise<boolean> {
  const [crossMounts, hidden] = await withCancelableRead(l10n.t('Checking {0}', wish.place.path), () =>
    Promise.all([crossingsOf(wish, parts.mounts), hiddenBy(wish, parts.listings)]),
  );
  const doubts = [...(await crossingDoubts(crossMounts, wish, parts)), ...hidden];
  if (doubts.length === 0) {
    return true;
  }
  return confirm(l10n.t('Mount onto {0}?', wish.place.path), doubts, l10n.t('Mount Anyway'));
}

function crossingsOf({ place, nodeIds, source }: MountInput, mounts: Mounts): Promise<readonly CrossMount[]> {
  return source.kind === 'host' ? Promise.resolve([]) : mounts.crossMounts(place, nodeIds, source.nodeId);
}

async function crossingDoubts(
  crossMounts: readonly CrossMount[],
  { place }: MountInput,
  { accounts, environments }: AddMountDeps,
): Promise<string[]> {
  const account = accounts.find(place.account);
  const known = account === undefined ? [] : await environments.of(account);
  return crossMounts.flatMap(({ nodeId, warnings, error }) => {
    const found = nodeIn(nodeId, known);
    const name = found === undefined ? String(nodeId) : nodeLabel(found.node, found.environment);
    const unchecked = l10n.t('{0} could not be checked: {1}', name, failureText(error));
    return [...warnings.map((warning) => `${name}: ${warning}`), ...(error === undefined ? [] : [unchecked])];
  });
}

/** Returns the folder's entries, because they are hidden while something is mounted there. */
async function hiddenBy({ place, nodeIds }: MountInput, listings: Listings): Promise<string[]> {
  const counts = await Promise.all(
    nodeIds.map((nodeId) => countIn({ ...place, target: { ...place.target, nodeId } }, listings)),
  );
  const most = Math.max(0, ...counts);
  return most === 0
    ? []
    : [l10n.t('{0} is not empty: what lies there ({1}) cannot be seen or used while it is mounted.', place.path, most)];
}

async function countIn(folder: FilePlace, listings: Listings): Promise<number> {
  try {
    return (await listings.list(folder)).size;
  } catch (error) {
    // The platform validates a folder that doesn't exist or can't be listed.
    if (isPlatformError(error)) {
      return 0;
    }
    throw error;
  }
}
