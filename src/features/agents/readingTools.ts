import * as v from 'valibot';
import { l10n, type Uri, window, workspace } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { Environment } from '../../containers/environment';
import { containersIn } from '../../containers/environmentPart';
import { locationText } from '../../containers/locationText';
import { ensureKnownToRun, updateIfStopped } from '../../containers/logs/nodeLogs';
import { type FilePlace, filePlaceOf, keyOf, nameOf, placeOnLayer, wholeLayer } from '../../containers/place';
import { isProtected } from '../../containers/protectedEnvironments';
import { isLog } from '../../containers/secretFiles';
import { uriOf } from '../../containers/uris';
import type { FeatureApis } from '../../featureApis';
import { isSpecial } from '../../files/saving/serverFiles';
import { uriOfTab } from '../../files/tabs';
import type { ProvenText } from '../../files/text';
import { flawSentence, listedEntry, proveText } from '../../files/wholeText';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Services } from '../../services';
import { ExpectedError } from '../../ui/expectedError';
import type { AgentAccess } from './agentAccess';
import { type AgentTool, pageEntries, parsed, placeEntry } from './agentTool';
import { versionTag } from './secretMasks';
import type { ToolPlaces } from './toolPlaces';
import { enclosed, failureLine, maxCharacters, nameText, pageOf, resultText } from './toolText';

const usualEntries = 200;
const usualLines = 500;
/** In bytes. The platform returns only whole files. */
const largestFile = 5 * 1024 * 1024;

/** Says what a tool reads, in the person's words. */
const reading =
  (places: ToolPlaces, { environments }: Services) =>
  async (input: unknown): Promise<string> => {
    const { place } = await places.container(parsed(v.object(placeEntry), input).place);
    return l10n.t('Reading {0} on {1}', nameText(place.path), locationText(place, environments));
  };

export function listEnvironmentsTool(
  places: ToolPlaces,
  access: AgentAccess,
  { accounts, features: { deployments } }: Services,
): AgentTool {
  const name = v.optional(v.pipe(v.string(), v.trim()));
  const schema = v.object({ account: name, environment: name, ...pageEntries });
  return {
    access: 'read',
    prepare: () => Promise.resolve(l10n.t('Listing environments')),
    async invoke(input) {
      const { account, environment: wanted, ...page } = parsed(schema, input);
      const { environments, failures } = await places.environments(account);
      const found = environments.filter(({ name: id, title }) => [id, title, undefined].includes(wanted));
      if (found.length === 0 && wanted !== undefined) {
        // It may be in an account that couldn't be listed.
        throw failures[0] === undefined ? places.missingEnvironment(wanted, environments) : failures[0].error;
      }
      const projects = async ({ account: slug, name: id }: Environment): Promise<readonly string[]> =>
        wanted === undefined
          ? []
          : deployments.use(({ forTools }) => forTools.describe({ account: slug, environment: id }));
      if (wanted !== undefined) {
        for (const { account: slug, name: environment } of found) {
          await access.demandEnvironment({ account: slug, environment });
        }
      }
      const described = await Promise.all(
        found.map(async (environment) => [...environmentLines(environment, places), ...(await projects(environment))]),
      );
      const shown = pageOf(described.flat(), { limit: usualEntries, ...page }, 'lines');
      const slugs = new Set(found.map((environment) => environment.account));
      const rights = accounts.list.filter(({ slug }) => slugs.has(slug)).map(rightsLine);
      const missed = failures.map(({ account: { slug }, error }) => ['account', slug, failureLine(error)].join('\t'));
      return resultText(
        shown.facts,
        wanted === undefined ? l10n.t('For the projects of an environment and their commits, pass environment.') : '',
        enclosed([...rights, ...missed, ...shown.shown].join('\n')),
      );
    },
  };
}

/** What the account's token is known not to permit. */
function rightsLine(account: Account): string {
  const all = { Write: 'edit files', Update: 'redeploy', RestartServices: 'restart services' } as const;
  const operations = ['Write', 'Update', 'RestartServices'] as const;
  const lacked = operations.filter((operation) => account.lacks(operation)).map((operation) => all[operation]);
  const facts = ['account', account.slug, nameText(account.label)];
  return [...facts, lacked.length === 0 ? '' : `may not ${lacked.join(', ')}`].join('\t').trimEnd();
}

function environmentLines(environment: Environment, places: ToolPlaces): readonly string[] {
  const { name, title, status } = environment;
  const containers = containersIn(environment).map(({ layer, node }) => {
    const address = places.textOf(placeOnLayer(environment, layer.id, node?.id));
    return `${address}\t${nameText(node === undefined ? layer.name : node.name)}`;
  });
  const production = isProtected(environment) ? ['production'] : [];
  const titles = title === name ? [] : [nameText(title)];
  return [[places.environmentText(environment), ...titles, status ?? '', ...production].join('\t'), ...containers];
}

export function listFolderTool(places: ToolPlaces, access: AgentAccess, services: Services): AgentTool {
  const schema = v.object({ ...placeEntry, ...pageEntries });
  return {
    access: 'read',
    prepare: reading(places, services),
    async invoke(input) {
      const { place: address, ...page } = parsed(schema, input);
      const { place } = await places.container(address);
      access.demandFile(place);
      const lines = [...(await services.listings.refresh(place)).values()].map(entryText).sort();
      const shown = pageOf(lines, { limit: usualEntries, ...page }, 'entries');
      return resultText({ place: places.textOf(place), ...shown.facts }, enclosed(shown.shown.join('\n')));
    },
  };
}

/** Folders end in a slash. */
function entryText({ name, isDir, length, lastModified }: FileEntry): string {
  return isDir ? `${nameText(name)}/` : [nameText(name), length ?? '', lastModified ?? ''].join('\t');
}

export function readFileTool(places: ToolPlaces, access: AgentAccess, services: Services): AgentTool {
  const schema = v.object({ ...placeEntry, ...pageEntries, unmask: v.optional(v.boolean(), false) });
  return {
    access: 'read',
    prepare: reading(places, services),
    async invoke(input, signal) {
      const { place: address, unmask, ...page } = parsed(schema, input);
      const { place } = await places.container(address);
      const { text, flaw, version } = await readNodeText(place, { ...services, access }, signal);
      if (unmask) {
        await access.unmask(place);
      }
      const { text: content, masked } = access.masked(place, text);
      const lines = content.replace(/^\uFEFF/, '').split(/\r\n|\n/);
      const shown = pageOf(lines, { limit: usualLines, ...page }, 'lines');
      return resultText(
        { place: places.textOf(place), uri: uriOf(place).toString(), version, ...shown.facts },
        flaw === undefined ? '' : l10n.t("The file can't be edited. {0}", flawSentence(flaw)),
        isUnsaved(place) ? l10n.t("An editor has unsaved changes to this file, which aren't included.") : '',
        masked.length === 0
          ? ''
          : l10n.t(
              'Values of secrets are replaced by masked-by-gantry-…. Never write such a mask: edit other lines. If the task needs a value, pass unmask, and Gantry asks the user.',
            ),
        shown.note,
        enclosed(shown.shown.join('\n')),
      );
    },
  };
}

interface ReadText extends ProvenText {
  /** Names this version of the file; `undefined` if the text may not be exactly the file. */
  readonly version: string | undefined;
}

/** Reads a file on a node. Rejects if it isn't text, or tools never read it. */
export async function readNodeText(
  place: FilePlace,
  services: Services & { readonly access: AgentAccess },
  signal: AbortSignal,
): Promise<ReadText> {
  services.access.demandFile(place);
  const entry = await regularEntry(place, services);
  if ((entry?.length ?? 0) > largestFile) {
    throw new ExpectedError(
      l10n.t("Couldn't read {0}: it's over 5 MB. Search in it, or read it as a log.", nameOf(place)),
    );
  }
  const read = await services.containers.read(place, { signal });
  const { text, flaw } = await proveText(place, read, { entry, signal }, services);
  if (flaw === 'bytes' || flaw === 'nul') {
    throw new ExpectedError(
      l10n.t("Couldn't read {0}: it isn't UTF-8 text, which is all that tools read.", nameOf(place)),
    );
  }
  return { text, flaw, version: flaw === undefined ? versionTag(text) : undefined };
}

/** Returns the file as it's listed, if it is. Rejects a pipe or a device, because reading it might never end. */
async function regularEntry(place: FilePlace, services: Services): Promise<FileEntry | undefined> {
  const entry = await listedEntry(place, services);
  if (entry !== undefined && isSpecial(entry)) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't read {0}: it's a {1}, not a regular file, which is all that tools read.",
        nameOf(place),
        entry.fileType ?? '',
      ),
    );
  }
  return entry;
}

type FoundInFolder = Awaited<ReturnType<FeatureApis['search']['findInFolder']>>;

const usualMatches = 100;

export function searchFilesTool(places: ToolPlaces, access: AgentAccess, services: Services): AgentTool {
  const { search } = services.features;
  const flag = v.optional(v.boolean(), false);
  const pattern = v.optional(v.string(), '');
  const schema = v.object({
    ...placeEntry,
    ...pageEntries,
    text: v.pipe(v.string(), v.minLength(1)),
    isRegex: flag,
    matchCase: flag,
    wholeWord: flag,
    include: pattern,
    exclude: pattern,
  });
  const view = {
    reads: (file: FilePlace) => access.reads(file),
    // What is masked isn't searched, or a model could guess a secret letter by letter.
    text: (file: FilePlace, text: string) => access.masked(file, text).text,
  };
  return {
    access: 'read',
    prepare: reading(places, services),
    async invoke(input, signal) {
      const { place: address, offset, limit = usualMatches, ...query } = parsed(schema, input);
      const { place } = await places.container(address);
      access.demandFile(place);
      const { files, skipped, state } = await search.use((loaded) => loaded.findInFolder(place, query, signal, view));
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

export function readLogTool(places: ToolPlaces, access: AgentAccess, services: Services): AgentTool {
  const { logs } = services.features;
  const schema = v.object({ ...placeEntry, lines: pageEntries.limit });
  return {
    access: 'read',
    prepare: reading(places, services),
    async invoke(input, signal) {
      const { place: address, lines: wanted = usualLogLines } = parsed(schema, input);
      const { place } = await places.container(address);
      access.demandFile(place);
      const { environments } = services;
      await updateIfStopped(place, services);
      // Listing a folder may wake it up.
      ensureKnownToRun(place, environments.known(place.account, place.environment)?.status, environments);
      await regularEntry(place, services);
      const most = Math.min(wanted, maxLogLines);
      const { text, isWhole } = await logs.use((loaded) =>
        loaded.endOfLog(place, { lines: most, characters: maxCharacters }, signal),
      );
      if (!isWhole && !isLog(place)) {
        // What makes a value a secret may be far above it.
        throw new ExpectedError(
          l10n.t(
            "{0} isn't a log, so its end alone isn't returned. Use gantry_read_file or search in it.",
            nameOf(place),
          ),
        );
      }
      const all = access.masked(place, text).text.replace(/\n$/, '').split(/\r?\n/);
      // The newest lines count, so a result that is too long loses the earliest.
      const { shown, note } = pageOf(all.slice(-most).reverse(), {}, 'lines');
      const isAll = isWhole && shown.length === all.length;
      return resultText(
        { place: places.textOf(place), lines: shown.length, hasMore: isAll ? undefined : 'true' },
        isAll
          ? l10n.t('This is the whole log.')
          : l10n.t('Earlier lines were left out. Pass a larger number of lines, at most {0}.', maxLogLines),
        note,
        enclosed([...shown].reverse().join('\n')),
      );
    },
  };
}
