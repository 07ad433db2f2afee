import type { Accounts } from '../accounts/accounts';
import type { FindDanger } from '../containers/containers';
import type { Environments } from '../containers/environments';
import type { FilePlace } from '../containers/place';
import { undefinedIf } from '../platform/errors';
import type { CompatibilityStore } from './compatibilityStore';
import type { Localizer, Text } from './fact';
import { dangerOf, replacesTarget } from './facts';

/** Finds out which changes the platform of an account doesn't make safely, as far as it was checked. */
export function dangersIn(
  compatibility: CompatibilityStore,
  environments: Environments,
  accounts: Accounts,
  l10n: Localizer,
) {
  const hasSeveralNodes = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return layer?.isComplete !== true || layer.nodes.length > 1;
  };
  // A check that can't be read switches nothing off, as on a platform that wasn't checked.
  const findDanger: FindDanger = async (place, change) => {
    await compatibility.loaded;
    const facts = compatibility.of(place.account)?.facts;
    const account = accounts.find(place.account);
    if (facts?.oneNode === 'ignored' && hasSeveralNodes(place) && account !== undefined) {
      // Maybe it isn't listed yet. If it can't be, it counts as a layer of several nodes.
      await undefinedIf('any', environments.of(account));
    }
    const danger = facts && dangerOf(facts, { ...change, hasSeveralNodes: hasSeveralNodes(place) });
    if (danger !== undefined) {
      return { kind: 'refused', reason: explain(danger, l10n) };
    }
    return facts !== undefined && replacesTarget(facts, change) ? { kind: 'replacesTarget' } : undefined;
  };
  const isWriteUnsafe = (place: FilePlace) => {
    const change = { kind: 'write', isLayer: place.target.nodeId === undefined, text: '' } as const;
    const facts = compatibility.of(place.account)?.facts ?? {};
    return dangerOf(facts, { ...change, hasSeveralNodes: hasSeveralNodes(place) }) !== undefined;
  };
  return { findDanger, isWriteUnsafe };
}

/** Explains a fact. If it's unsafe, this is also why a change is refused. */
export function explain(
  { label, consequence }: { readonly label: Text; readonly consequence: Text },
  l10n: Localizer,
): string {
  return l10n.t('{0}: {1}', label(l10n), consequence(l10n));
}
