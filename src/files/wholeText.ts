import { l10n } from 'vscode';
import type { Containers } from '../containers/containers';
import type { Listings } from '../containers/listings';
import type { FilePlace } from '../containers/place';
import { ExpectedError } from '../ui/expectedError';
import { textFlawOf } from './text';

export interface WholeTextDeps {
  readonly containers: Pick<Containers, 'read'>;
  readonly listings: Pick<Listings, 'lookUp'>;
}

/** Reads a text that will be replaced. One that Gantry can't read exactly can't be compared or restored. */
export async function readWholeText(
  file: FilePlace,
  { containers, listings }: WholeTextDeps,
  signal?: AbortSignal,
): Promise<string> {
  const [text, entry] = await Promise.all([containers.read(file, { signal }), listings.lookUp(file)]);
  if (textFlawOf(text, entry) !== undefined) {
    throw new ExpectedError(l10n.t("{0} isn't UTF-8 text, or it changed while Gantry was reading it.", file.path));
  }
  return text;
}
