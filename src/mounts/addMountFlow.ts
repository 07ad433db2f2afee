import { l10n, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import type { Environments } from '../containers/environments';
import { undefinedIf } from '../platform/errors';
import type { Listings } from '../containers/listings';
import type { CrossMount, Mounts } from './mounts';
import type { MountInput } from './mountInput';
import { withCancelableRead, withDetachableProgress } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import { nodeLabel } from '../containers/environment';
import { confirmChange, confirmInProduction } from '../containers/protectedPrompt';
import { nodeIn } from '../containers/environmentIndex';
import type { Container } from '../containers/environmentPart';
import { listContainers } from '../containers/environmentPartPrompts';
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
  const sources = await listContainers({ accounts, environments });
  const targets = within === undefined ? sources : await listContainers({ accounts, environments }, within);
  const asking: MountPromptDeps = { sources, targets, target, listings };
  const title = target === undefined ? l10n.t('Add Mount Point') : l10n.t('Add Mount Point on {0}', nameOf(target));
  const entered = await askInTurn(title, mountQuestions(asking));
  const input = entered && mountInputFrom(asking, entered);
  if (input !== undefined && (await isWanted(input, parts))) {
    await withDetachableProgress(l10n.t('Mounting {0}', input.place.path), () => parts.mounts.add(input));
    window.setStatusBarMessage(`$(check) ${l10n.t('Mounted {0}', input.place.path)}`, shownFor);
  }
}

/** In milliseconds. */
const shownFor = 5_000;

function nameOf({ environment, layer, node }: Container): string {
  return node === undefined ? `${environment.title} · ${layer.name}` : nodeLabel(node, environment);
}

/** Shows possible problems and lets the user decide. */
async function isWanted(input: MountInput, parts: AddMountDeps): Promise<boolean> {
  const [crossMounts, hidden] = await withCancelableRead(l10n.t('Checking {0}', input.place.path), () =>
    Promise.all([crossingsOf(input, parts.mounts), hiddenBy(input, parts.listings)]),
  );
  const doubts = [...(await crossingDoubts(crossMounts, input, parts)), ...hidden];
  const question = l10n.t('Mount at {0}?', input.place.path);
  // The source's environment exports the folder from then on.
  const sourceNode = input.source.kind === 'host' ? undefined : input.source.nodeId;
  const places = [input.place, ...parts.environments.knownPlacesOf(input.place.account, sourceNode)];
  return doubts.length === 0
    ? confirmInProduction(places, parts.environments, { question, paragraphs: [], button: l10n.t('Mount') })
    : confirmChange(places, parts.environments, { question, paragraphs: doubts, button: l10n.t('Mount Anyway') });
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
    const unchecked = l10n.t("Couldn't check {0}: {1}", name, failureText(error));
    return [...warnings.map((warning) => `${name}: ${warning}`), ...(error === undefined ? [] : [unchecked])];
  });
}

/** Returns the folder's entries, because they are hidden while something is mounted there. */
async function hiddenBy({ place, nodeIds }: MountInput, listings: Listings): Promise<string[]> {
  const found = await Promise.all(
    // The platform validates a folder that doesn't exist or can't be listed.
    nodeIds.map((nodeId) => undefinedIf('any', listings.list({ ...place, target: { ...place.target, nodeId } }))),
  );
  const most = Math.max(0, ...found.map((listing) => listing?.size ?? 0));
  return most === 0
    ? []
    : [
        l10n.t(
          "{0} isn't empty. Its current items ({1}) won't be accessible while something is mounted there.",
          place.path,
          most,
        ),
      ];
}
