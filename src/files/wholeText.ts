import { l10n } from 'vscode';
import type { Containers } from '../containers/containers';
import type { Listings } from '../containers/listings';
import { type FilePlace, nameOf } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import { ExpectedError } from '../ui/expectedError';
import { flawSentence } from './provider/textFlawText';
import { type CutText, cutOf, mayNotBeListed, type ProvenText, provenText } from './text';

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
