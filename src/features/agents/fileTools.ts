import { l10n } from 'vscode';
import * as v from 'valibot';
import type { Environment } from '../../containers/environment';
import { containersIn } from '../../containers/environmentPart';
import { type FilePlace, nameOf, placeOnLayer } from '../../containers/place';
import { holdsLogin, shownText } from '../../containers/secretFiles';
import { isSpecial } from '../../files/saving/serverFiles';
import { flawSentence } from '../../files/provider/textFlawText';
import type { ProvenText } from '../../files/text';
import { listedEntry, proveText } from '../../files/wholeText';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Services } from '../../services';
import { digestOf } from '../../storage/jsonFolder';
import { ExpectedError } from '../../ui/expectedError';
import { type AgentTool, pageEntries, parsed, placeEntry } from './agentTool';
import type { ToolPlaces } from './toolPlaces';
import { enclosed, nameText, pageOf, resultText } from './toolText';
import { isUnsaved } from './unsavedFiles';

const usualEntries = 200;
const usualLines = 500;
/** In bytes. The platform returns only whole files. */
const largestFile = 5 * 1024 * 1024;

export function listFolderTool(places: ToolPlaces, { listings }: Services): AgentTool {
  const schema = v.object({ place: v.optional(placeEntry.place, ''), ...pageEntries });
  return {
    async invoke(input) {
      const { place: address, ...page } = parsed(schema, input);
      const found = await places.find(address);
      const isFolder = 'container' in found;
      const lines = isFolder
        ? [...(await listings.refresh(found.place)).values()].map(entryText).sort()
        : found.environments.flatMap((environment) => environmentLines(environment, places));
      const shown = pageOf(lines, { limit: usualEntries, ...page }, isFolder ? 'entries' : 'places');
      const facts = { place: isFolder ? places.textOf(found.place) : undefined, ...shown.facts };
      return resultText(facts, enclosed(shown.shown.join('\n')));
    },
  };
}

function environmentLines(environment: Environment, places: ToolPlaces): readonly string[] {
  const { name, title, status } = environment;
  const containers = containersIn(environment).map(({ layer, node }) => {
    const address = places.textOf(placeOnLayer(environment, layer.id, node?.id));
    return `${address}\t${nameText(node === undefined ? layer.name : node.name)}`;
  });
  const facts = [places.environmentText(environment), ...(title === name ? [] : [nameText(title)]), status ?? ''];
  return [facts.join('\t'), ...containers];
}

/** Folders end in a slash. */
function entryText({ name, isDir, length, lastModified }: FileEntry): string {
  return isDir ? `${nameText(name)}/` : [nameText(name), length ?? '', lastModified ?? ''].join('\t');
}

export function readFileTool(places: ToolPlaces, services: Services): AgentTool {
  const schema = v.object({ ...placeEntry, ...pageEntries });
  return {
    async invoke(input, signal) {
      const { place: address, ...page } = parsed(schema, input);
      const { place } = await places.container(address);
      const { text, flaw, digest } = await readNodeText(place, services, signal);
      const content = shownText(place, text).replace(/^\uFEFF/, '');
      const lines = content.split(/\r\n|\n/);
      const shown = pageOf(lines, { limit: usualLines, ...page }, 'lines');
      return resultText(
        { place: places.textOf(place), digest, ...shown.facts },
        flaw === undefined ? '' : l10n.t("The file can't be edited. {0}", flawSentence(flaw)),
        isUnsaved(place) ? l10n.t("An editor has unsaved changes to this file, which aren't included.") : '',
        shown.note,
        enclosed(shown.shown.join('\n')),
      );
    },
  };
}

export interface ReadText extends ProvenText {
  /** Names this version of the file; `undefined` if the text may not be exactly the file. */
  readonly digest: string | undefined;
}

/** Reads a file on a node. Rejects if it isn't text. */
export async function readNodeText(place: FilePlace, services: Services, signal: AbortSignal): Promise<ReadText> {
  if (holdsLogin(place)) {
    throw new ExpectedError(
      l10n.t("Couldn't read {0}: it contains the login of a repository, which tools never return.", nameOf(place)),
    );
  }
  const entry = await listedEntry(place, services);
  // Reading a pipe or a device might never end.
  if (entry !== undefined && isSpecial(entry)) {
    throw new ExpectedError(
      l10n.t("Couldn't read {0}: it's a {1}, not a regular file.", nameOf(place), entry.fileType ?? ''),
    );
  }
  if ((entry?.length ?? 0) > largestFile) {
    throw new ExpectedError(
      l10n.t("Couldn't read {0}: it's over 5 MB. Search in it, or read it as a log.", nameOf(place)),
    );
  }
  const read = await services.containers.read(place, { signal });
  const { text, flaw } = await proveText(place, read, { entry, signal }, services);
  if (flaw === 'bytes' || flaw === 'nul') {
    throw new ExpectedError(l10n.t("Couldn't read {0}: it isn't UTF-8 text.", nameOf(place)));
  }
  return { text, flaw, digest: flaw === undefined ? digestOf(text) : undefined };
}
