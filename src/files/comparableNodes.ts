import { l10n } from 'vscode';
import { ExpectedError } from '../ui/expectedError';
import type { Containers } from '../containers/containers';
import { type FilePlace, nameOf } from '../containers/place';
import type { ProvenText, TextFlaw } from './text';

/** Rejects if the platform is known not to tell the nodes of the file's layer apart. */
export async function ensureComparable(file: FilePlace, { findDanger }: Pick<Containers, 'findDanger'>): Promise<void> {
  const danger = await findDanger(file, { kind: 'compareNodes', isLayer: false });
  if (danger?.kind === 'refused') {
    throw new ExpectedError(l10n.t("Couldn't compare {0} across nodes. {1}", nameOf(file), danger.reason));
  }
}

type Comparison =
  | { readonly kind: 'same' | 'different' }
  /** The texts are equal as far as the platform returned them, but the files may differ because of this flaw. */
  | { readonly kind: 'alike'; readonly flaw: TextFlaw };

/** Compares a file of two nodes, as far as the platform returned its texts. */
export function compareTexts(one: ProvenText, other: ProvenText): Comparison {
  if (one.text !== other.text && !isBeginning(one, other) && !isBeginning(other, one)) {
    return { kind: 'different' };
  }
  // Bytes that are NUL come back as they are.
  const flaw = [one.flaw, other.flaw].find((found) => found !== undefined && found !== 'nul');
  return flaw === undefined ? { kind: 'same' } : { kind: 'alike', flaw };
}

/** Whether the platform returned only the beginning of a file, and the other text begins like it. */
function isBeginning(part: ProvenText, other: ProvenText): boolean {
  return typeof part.flaw === 'object' && other.text.startsWith(part.text);
}
