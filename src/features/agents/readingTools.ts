import * as v from 'valibot';
import { l10n, type Uri, window, workspace } from 'vscode';
import type { Environment } from '../../containers/environment';
import { containersIn } from '../../containers/environmentPart';
import { type FilePlace, filePlaceOf, keyOf, nameOf, placeOnLayer, wholeLayer } from '../../containers/place';
import { holdsLogin, shownText } from '../../containers/secretFiles';
import { isSpecial } from '../../files/saving/serverFiles';
import { flawSentence, listedEntry, proveText, compareTexts, ensureComparable } from '../../files/wholeText';
import type { ProvenText } from '../../files/text';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Services } from '../../services';
import { digestOf } from '../../storage/jsonFolder';
import { ExpectedError } from '../../ui/expectedError';
import { type AgentTool, namesEntries, pageEntries, parsed, placeEntry } from './agentTool';
import type { ToolPlaces } from './toolPlaces';
import { enclosed, failureLine, maxCharacters, nameText, pageOf, resultText, shortened } from './toolText';
import { isCanceled, isPlatformError } from '../../platform/errors';
import { diffText } from './textEdits';
import type { FeatureApis } from '../../featureApis';
import { uriOfTab } from '../../files/tabs';

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

interface ReadText extends ProvenText {
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

/** Of all nodes together. */
const maxOfDiffs = 40_000;

type NodeText = { readonly node: string } & (
  | ({ readonly kind: 'text' } & ReadText)
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly error: unknown }
);

/** Compares a file on all nodes of its layer with the one on the first node. */
export function compareNodesTool(places: ToolPlaces, services: Services): AgentTool {
  return {
    async invoke(input, signal) {
      const { place, container } = await places.container(parsed(v.object(placeEntry), input).place);
      await ensureComparable(place, services.containers);
      const { id, nodes } = container.layer;
      const files = nodes.map((node) => ({ ...place, target: { nodeGroup: id, nodeId: node.id } }));
      const read = await Promise.all(
        files.map(async (file): Promise<NodeText> => {
          const node = places.textOf(file);
          return readNodeText(file, services, signal).then(
            (text) => ({ kind: 'text', node, ...text }),
            (error: unknown) => {
              if (isCanceled(error)) {
                throw error;
              }
              return isPlatformError(error) && error.kind === 'notFound'
                ? { kind: 'missing', node }
                : { kind: 'unreadable', node, error };
            },
          );
        }),
      );
      const first = read.find((one) => one.kind === 'text');
      const diffs = read.flatMap((one) => {
        if (one.kind !== 'text' || first === undefined || compareTexts(one, first).kind !== 'different') {
          return [];
        }
        const diff = diffText(first, one, 1 / (nodes.length - 1));
        return shortened(
          diff ?? l10n.t('The versions have too little in common to compare.'),
          maxOfDiffs / nodes.length,
        );
      });
      return resultText(
        Object.fromEntries(read.map((one) => [one.node, stateOf(one, first)])),
        nodes.length < 2 ? l10n.t("There's no other node to compare with.") : '',
        diffs.length === 0 ? '' : enclosed(shownText(place, diffs.join('\n'))),
      );
    },
  };
}

function stateOf(one: NodeText, first: ReadText | undefined): string {
  switch (one.kind) {
    case 'missing':
      return 'missing';
    case 'unreadable':
      return `unreadable: ${failureLine(one.error)}`;
    case 'text': {
      const compared = compareTexts(one, first ?? one);
      const state = compared.kind === 'alike' ? `unproven: ${flawSentence(compared.flaw)}` : compared.kind;
      return `${state} (digest ${one.digest ?? '-'})`;
    }
  }
}

type FoundInFolder = Awaited<ReturnType<FeatureApis['search']['findInFolder']>>;

const usualMatches = 100;

export function findInFolderTool(places: ToolPlaces, { features: { search } }: Services): AgentTool {
  const flag = v.optional(v.boolean(), false);
  const pattern = v.optional(v.string(), '');
  const schema = v.object({
    ...{ ...placeEntry, ...pageEntries, text: v.pipe(v.string(), v.minLength(1)) },
    ...{ isRegex: flag, matchCase: flag, wholeWord: flag, include: pattern, exclude: pattern },
  });
  return {
    async invoke(input, signal) {
      const { place: address, offset, limit = usualMatches, ...query } = parsed(schema, input);
      const { place } = await places.container(address);
      const { files, skipped, state } = await search.use((loaded) => loaded.findInFolder(place, query, signal));
      const lines = files.flatMap(({ file, lines: found }) =>
        found.map(({ line, preview }) => `${nameText(places.textOf(file))}:${line + 1}: ${preview}`),
      );
      const page = pageOf(lines, { offset, limit }, 'matchingLines');
      return resultText(
        { place: places.textOf(place), files: files.length, ...page.facts, notSearched: countsOf(skipped) },
        endText(state),
        enclosed(page.shown.join('\n')),
      );
    },
  };
}

/** How many files and folders were left out, by reason. */
function countsOf(skipped: FoundInFolder['skipped']): string | undefined {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts.size === 0 ? undefined : [...counts].map(([reason, count]) => `${reason} ${count}`).join(', ');
}

function endText({ kind, error }: FoundInFolder['state']): string {
  if (kind === 'done') {
    return '';
  }
  const rest = l10n.t("The search didn't finish, so there may be more matches. Search a smaller folder.");
  return error === undefined ? rest : `${failureLine(error)} ${rest}`;
}

/** Whether an editor has unsaved changes to the file on this node, or on all nodes of its layer. */
export function isUnsaved(file: FilePlace): boolean {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.isDirty);
  const documents = workspace.textDocuments.filter(({ isDirty }) => isDirty);
  const unsaved = [...tabs.map(uriOfTab), ...documents.map(({ uri }) => uri)];
  return unsaved.some((uri) => uri !== undefined && isSameFile(uri, file));
}

function isSameFile(uri: Uri, file: FilePlace): boolean {
  const place = filePlaceOf(uri);
  if (place === undefined || keyOf(wholeLayer(place)) !== keyOf(wholeLayer(file))) {
    return false;
  }
  const [one, other] = [place.target.nodeId, file.target.nodeId];
  return one === undefined || other === undefined || one === other;
}

const usualLogLines = 100;
const maxLogLines = 1000;

export function readLogTool(places: ToolPlaces, { features: { logs } }: Services): AgentTool {
  const schema = v.object({ ...placeEntry, lines: pageEntries.limit });
  return {
    async invoke(input, signal) {
      const { place: address, lines: wanted = usualLogLines } = parsed(schema, input);
      const { place } = await places.container(address);
      const most = Math.min(wanted, maxLogLines);
      const { text, isWhole } = await logs.use((loaded) =>
        loaded.endOfLog(place, { lines: most, characters: maxCharacters }, signal),
      );
      const all = text.replace(/\n$/, '').split(/\r?\n/);
      // The newest lines count, so a result that is too long loses the earliest.
      const { shown, note } = pageOf(all.slice(-most).reverse(), {}, 'lines');
      return resultText(
        { place: places.textOf(place), lines: shown.length },
        isWhole && shown.length === all.length
          ? l10n.t('This is the whole log.')
          : l10n.t('Earlier lines were left out.'),
        note,
        enclosed([...shown].reverse().join('\n')),
      );
    },
  };
}

export function deployedCommitTool({ features: { deployments } }: Services): AgentTool {
  const schema = v.object(namesEntries);
  return {
    async invoke(input) {
      const names = parsed(schema, input);
      const found = await deployments.use(({ forTools }) => forTools.list(names));
      const [only, ...others] = found;
      const isOne = only !== undefined && others.length === 0;
      const lines = isOne
        ? await deployments.use(({ forTools }) => forTools.describe(only))
        : found.map((one) => JSON.stringify(one));
      const page = pageOf(lines, {}, isOne ? 'lines' : 'projects');
      // It has no pages: with more names, there are fewer.
      return resultText({ ...page.facts, nextOffset: undefined }, enclosed(page.shown.join('\n')));
    },
  };
}
