import { l10n } from 'vscode';
import type { Listings } from '../../containers/listings';
import { failedObjectAt, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { isPlatformError, PlatformError } from '../../platform/errors';
import { failed } from '../../platform/failureTexts';
import { reasonText } from '../../ui/failureMessages';
import type { ContainerFolders } from './containerFolder';
import { planTransfer } from './plan';
import { runPlan } from './runPlan';
import type { TransferFailure } from './transfer';

const maxNamed = 5;

/**
 * Copies between containers by reading and writing every file, which only works for text. Reports what failed. Changes
 * nothing if something exists, which only another node of a layer may have.
 */
export async function copyAcross(
  from: FilePlace,
  to: FilePlace,
  folders: ContainerFolders,
  listings: Listings,
): Promise<void> {
  const entry = await listings.lookUp(from);
  if (entry === undefined) {
    throw new PlatformError({ kind: 'notFound', operation: 'Copy', message: l10n.t("{0} doesn't exist.", from.path) });
  }
  const { signal } = new AbortController();
  const source = folders.source(from, { ...entry, name: nameOf(to) });
  const plan = await planTransfer([source], folders.destination(parentOrSelf(to)), signal);
  if (plan.existing.size > 0) {
    throw failed({ kind: 'exists', operation: 'Copy', target: to.path, object: failedObjectAt(to) });
  }
  const { failures } = await runPlan(plan, { signal });
  if (failures.length > 0) {
    throw failureOf(from, failures);
  }
}

function failureOf(from: FilePlace, failures: readonly TransferFailure[]): unknown {
  const [first] = failures;
  if (first !== undefined && failures.length === 1 && isPlatformError(first.error)) {
    return first.error;
  }
  const lines = failures.slice(0, maxNamed).map(({ path, error }) => `${path}: ${reasonText(error)}`);
  const rest = failures.length > maxNamed ? [l10n.t('and {0} more', failures.length - maxNamed)] : [];
  return new PlatformError({
    kind: 'platform',
    operation: 'Copy',
    message: l10n.t("Couldn't copy all of {0}: {1}.", from.path, [...lines, ...rest].join('; ')),
  });
}
