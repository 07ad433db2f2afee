import { l10n } from 'vscode';
import { ExpectedError } from '../ui/expectedError';
import type { Containers } from '../containers/containers';
import { type FilePlace, nameOf } from '../containers/place';

/** Rejects if the platform is known not to tell the nodes of the file's layer apart. */
export async function ensureComparable(file: FilePlace, { findDanger }: Pick<Containers, 'findDanger'>): Promise<void> {
  const danger = await findDanger(file, { kind: 'compareNodes', isLayer: false });
  if (danger?.kind === 'refused') {
    throw new ExpectedError(l10n.t("Couldn't compare {0} across nodes. {1}", nameOf(file), danger.reason));
  }
}
