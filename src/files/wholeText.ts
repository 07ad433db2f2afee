import { l10n, env } from 'vscode';
import type { Containers } from '../containers/containers';
import type { Listings } from '../containers/listings';
import { type FilePlace, nameOf } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import { ExpectedError } from '../ui/expectedError';
import { type CutText, cutOf, mayNotBeListed, type ProvenText, provenText, type TextFlaw } from './text';
import { sizeText } from '../ui/sizeText';

export interface WholeTextDeps {
  readonly containers: Pick<Containers, 'read'>;
  readonly listings: Pick<Listings, 'lookUp'>;
}

/** Reads a text that will be replaced. One that Gantry can't read exactly can't be compared or restored. */
export async function readWholeText(file: FilePlace, deps: WholeTextDeps, signal?: AbortSignal): Promise<string> {
  const { text, flaw } = await readProvenText(file, deps, signal);
  if (flaw !== undefined) {
    throw new ExpectedError(l10n.t("Couldn't read {0}. {1}", nameOf(file), flawSentence(flaw)));
  }
  return text;
}

/** Reads a text, and finds out whether it's exactly the file. Looks at the listing at the same time. */
export async function readProvenText(file: FilePlace, deps: WholeTextDeps, signal?: AbortSignal): Promise<ProvenText> {
  const [text, entry] = await Promise.all([deps.containers.read(file, { signal }), listedEntry(file, deps)]);
  return proveText(file, text, { entry, signal }, deps);
}

/** Finds out whether a text that was just read is exactly the file. */
export function proveText(
  file: FilePlace,
  text: string,
  { entry, signal }: { readonly entry: FileEntry | undefined; readonly signal?: AbortSignal | undefined },
  deps: WholeTextDeps,
): Promise<ProvenText> {
  return provenText(text, entry, {
    read: () => deps.containers.read(file, { signal }),
    measure: () => listedEntry(file, deps),
  });
}

/** Returns how much there is if the platform returned only the beginning, also of a file that is growing. Lists such a file again. */
export async function provenCut(
  file: FilePlace,
  { text, flaw }: ProvenText,
  deps: WholeTextDeps,
): Promise<CutText | undefined> {
  if (flaw !== 'changing') {
    return typeof flaw === 'object' ? flaw : undefined;
  }
  const length = (await listedEntry(file, deps))?.length;
  return length === undefined ? undefined : cutOf(text, length);
}

/** Returns `undefined` if the file's folder may not be listed, or no longer contains it. */
export async function listedEntry(
  file: FilePlace,
  { listings }: Pick<WholeTextDeps, 'listings'>,
): Promise<FileEntry | undefined> {
  try {
    return await listings.lookUp(file);
  } catch (error) {
    if (mayNotBeListed(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Returns a sentence why a text can't be edited. It calls the file "it". */
export function flawSentence(flaw: TextFlaw): string {
  if (typeof flaw === 'object') {
    const sizes = [flaw.returned, flaw.length].map((bytes) => sizeText(bytes, env.language));
    const [returned = '', all = ''] =
      sizes[0] === sizes[1] ? [`${flaw.returned}`, l10n.t('{0} bytes', flaw.length)] : sizes;
    return l10n.t('The platform returned only {0} of {1}. It may limit how much can be read.', returned, all);
  }
  return sentences[flaw]();
}

const sentences: Readonly<Record<Exclude<TextFlaw, object>, () => string>> = {
  bytes: () => l10n.t("It isn't UTF-8 text, and the platform can only return UTF-8 text."),
  replacement: () =>
    l10n.t(
      "It contains the replacement character U+FFFD, which the platform also returns for bytes that aren't UTF-8.",
    ),
  lineEnds: () => l10n.t('It has CRLF line endings, and the platform returns LF instead.'),
  mark: () => l10n.t('It starts with a byte-order mark, which the platform removes.'),
  lineEndsAndMark: () =>
    l10n.t('It has a byte-order mark and CRLF line endings. The platform removes the mark and returns LF.'),
  missing: () =>
    l10n.t(
      "The platform returned less than the whole file. A byte-order mark, CRLF line endings, or bytes that aren't UTF-8 may be missing.",
    ),
  nul: () => l10n.t("It contains NUL bytes, so it's probably a binary file."),
  changing: () => l10n.t('It changed while Gantry was reading it.'),
  growing: () => l10n.t("It's still growing, so the end may be missing."),
  unmeasured: () => l10n.t("The platform doesn't report its actual size, so part of it may be missing."),
};

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
