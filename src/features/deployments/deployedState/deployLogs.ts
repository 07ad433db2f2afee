import { withoutLogins } from '../../../containers/secretFiles';
import type { AccountCallOptions } from '../../../accounts/signedInAccount';
import type { Containers } from '../../../containers/containers';
import { type FilePlace, keyOf } from '../../../containers/place';
import { deployLogFolders, deployLogNames } from '../../../containers/logs/stackLogs';
import { onPlatformError, undefinedIf } from '../../../platform/errors';
import type { FileEntry } from '../../../platform/wire/fileEntry';
import { readTimestamp } from '../../../platform/wire/scalars';
import { isWhole } from '../../../files/text';
import { listedEntry, provenCut, readProvenText, type WholeTextDeps } from '../../../files/wholeText';
import {
  firstDeployment,
  type LogBaseline,
  type LogLengths,
  type LogPart,
  type LogSection,
  logSince,
} from '../history/deployLog';
import { placeOn, type ProjectPlace } from '../projectPlace';
import type { DeployNode } from './nodeInspector';

const { update, autoResolve, hooks } = deployLogNames;
/** Logs beside the one of the update, in the order in which they are shown. */
const logsBeside: readonly string[] = [hooks, autoResolve];
const names: readonly string[] = [update, ...logsBeside];

const mostLogLines = 2_000;
/** In bytes. Platforms cut off longer texts at most; a shorter one that ends with a line is whole. */
const longestUnproven = 256 * 1024;

/**
 * The logs of deployments on a project's nodes. Their folder depends on the stack. It's where the log of an update was found,
 * which is remembered for each node, so that the others are listed only once. What can't be read is left out, because callers
 * go on without it.
 */
export class DeployLogs {
  /** The folder that has a node's log of updates, and all that have logs. */
  private readonly found = new Map<string, { readonly update: string; readonly all: readonly string[] }>();
  /** The lengths of the updates' logs before the last redeploys. */
  private readonly lengthsBefore = new Map<string, number | undefined>();

  constructor(private readonly deps: WholeTextDeps & { readonly containers: Pick<Containers, 'list'> }) {}

  /** Returns the lengths of each node's logs, 0 for those that it doesn't have, or `undefined` if they couldn't be listed. */
  lengths(place: ProjectPlace, nodes: readonly DeployNode[]): Promise<readonly (LogLengths | undefined)[]> {
    return Promise.all(nodes.map((node) => this.lengthsOn(place, node)));
  }

  /** The same before a redeploy. If the last one added nothing to a log, it may have been written elsewhere. */
  lengthsAtStart(
    place: ProjectPlace,
    nodes: readonly DeployNode[],
    options: AccountCallOptions,
  ): Promise<readonly (LogLengths | undefined)[]> {
    return Promise.all(
      nodes.map(async (node) => {
        const key = nodeKey(place, node);
        const isKnown = this.found.has(key);
        let lengths = await this.lengthsOn(place, node, options);
        if (isKnown && updateLength(lengths) === this.lengthsBefore.get(key)) {
          this.found.delete(key);
          lengths = await this.lengthsOn(place, node, options);
        }
        this.lengthsBefore.set(key, updateLength(lengths));
        return lengths;
      }),
    );
  }

  /** What the nodes' logs of the update say since a redeploy began, as one text; `undefined` if they say nothing. */
  async updates(
    place: ProjectPlace,
    nodes: readonly DeployNode[],
    baseline: LogBaseline,
  ): Promise<LogPart | undefined> {
    const said = (await this.updatesByNode(place, nodes, baseline)).flat();
    return said.length === 0
      ? undefined
      : {
          text: said.map(({ node, path, text }) => `# ${node}: ${path}\n${text}`).join('\n'),
          isEndKnown: said.every(({ isEndKnown }) => isEndKnown),
        };
  }

  updatesByNode(place: ProjectPlace, nodes: readonly DeployNode[], baseline: LogBaseline) {
    return Promise.all(
      nodes.map(async (node) => {
        const known = this.found.get(nodeKey(place, node))?.update;
        const paths =
          known !== undefined
            ? [`${known}/${update}`]
            : ((await this.grown(place, node, { baseline, wanted: [update] })) ??
              deployLogFolders(node.type).deployments.map((folder) => `${folder}/${update}`));
        const sections = (await this.added(place, node, { paths, baseline })).flatMap((ofLog) => ofLog ?? []);
        if (sections.length === 0) {
          // The platform may write it elsewhere now.
          this.found.delete(nodeKey(place, node));
        }
        return sections;
      }),
    );
  }

  /** What the hooks and the resets wrote since a redeploy began, or `undefined` if a log couldn't be listed or read. */
  async beside(
    place: ProjectPlace,
    nodes: readonly DeployNode[],
    baseline: LogBaseline,
  ): Promise<readonly LogSection[] | undefined> {
    const read = nodes.map(async (node) => {
      const paths = await this.grown(place, node, { baseline, wanted: logsBeside });
      return paths === undefined ? [paths] : this.added(place, node, { paths, baseline });
    });
    const sections = (await Promise.all(read)).flat();
    if (sections.includes(undefined)) {
      return undefined;
    }
    const order = ({ path }: LogSection) => logsBeside.findIndex((name) => path.endsWith(`/${name}`));
    return sections
      .flatMap((ofLog = []) => ofLog.map(({ node, path, text }) => ({ node, path, text })))
      .sort((one, other) => order(one) - order(other));
  }

  /** Returns the paths of the logs that have grown, or may have, or `undefined` if they couldn't be listed. */
  private async grown(
    place: ProjectPlace,
    node: DeployNode,
    { baseline, wanted }: { readonly baseline: LogBaseline; readonly wanted: readonly string[] },
  ): Promise<readonly string[] | undefined> {
    const before = baseline.logLengths?.[node.name];
    const now = await this.lengthsOn(place, node);
    return (
      now &&
      Object.entries(now).flatMap(([path, length]) =>
        wanted.some((name) => path.endsWith(`/${name}`)) && length > 0 && length !== before?.[path] ? [path] : [],
      )
    );
  }

  /** Returns what is new in each log, or `undefined` for one that couldn't be read. */
  private added(
    place: ProjectPlace,
    node: DeployNode,
    { paths, baseline }: { readonly paths: readonly string[]; readonly baseline: LogBaseline },
  ): Promise<readonly (readonly (LogSection & { readonly isEndKnown: boolean })[] | undefined)[]> {
    const { startedAt, logLengths, isLongAgo = false } = baseline;
    const sections = paths.map(async (path) => {
      const length = logLengths?.[node.name]?.[path];
      const log = await undefinedIf('any', this.read(placeOn(place, node.target, path), length));
      if (log === undefined) {
        return undefined;
      }
      const added = logSince(log, { startedAt, length });
      const { text, isEndKnown } = isLongAgo ? firstDeployment(added) : { text: added, isEndKnown: true };
      const end = withoutLogins(text.split('\n').slice(-mostLogLines).join('\n'), undefined, !log.endsWith('\n'));
      return end.trim() === '' ? [] : [{ node: node.name, path, text: end, isEndKnown }];
    });
    return Promise.all(sections);
  }

  /** Returns nothing if the platform returns only the beginning, because what a redeploy added last is missing in it. */
  private async read(log: FilePlace, before = 0): Promise<string> {
    const text = await this.deps.containers.read(log);
    const length = Buffer.byteLength(text);
    if (length >= before && length < longestUnproven && (text === '' || text.endsWith('\n'))) {
      return text;
    }
    const entry = await listedEntry(log, this.deps);
    if (entry === undefined || isWhole(text, entry)) {
      return text;
    }
    const proven = await readProvenText(log, this.deps);
    return (await provenCut(log, proven, this.deps)) === undefined ? proven.text : '';
  }

  private async lengthsOn(
    place: ProjectPlace,
    node: DeployNode,
    options?: AccountCallOptions,
  ): Promise<LogLengths | undefined> {
    const key = nodeKey(place, node);
    const { deployments, hooks: ofHooks } = deployLogFolders(node.type);
    const folders = this.found.get(key)?.all ?? [...new Set([...deployments, ...ofHooks])];
    const listed = await Promise.all(folders.map((folder) => this.list(place, node, folder, options)));
    const [newest] = listed
      .filter(({ logs = [] }) => logs.some(({ name }) => name === update))
      .sort((one, other) => writtenAt(other.logs) - writtenAt(one.logs));
    if (newest === undefined) {
      this.found.delete(key);
    } else {
      const hasHooks = (newest.logs ?? []).some(({ name }) => name === hooks);
      const all = hasHooks ? [newest.folder] : [...new Set([newest.folder, ...ofHooks])];
      this.found.set(key, { update: newest.folder, all });
    }
    return listed.every(({ logs }) => logs === undefined)
      ? undefined
      : Object.fromEntries(listed.flatMap(({ folder, logs }) => lengthsIn(folder, logs)));
  }

  /** No logs if the folder doesn't exist, `undefined` if it can't be listed. */
  private async list(place: ProjectPlace, { target }: DeployNode, folder: string, { signal }: AccountCallOptions = {}) {
    const listing = this.deps.containers.list(placeOn(place, target, folder), { signal });
    const entries = await undefinedIf('any', listing.catch(onPlatformError(() => [], 'notFound')));
    return { folder, logs: entries?.filter(({ name, isDir }) => !isDir && names.includes(name)) };
  }
}

export function updateLength(lengths: LogLengths | undefined): number | undefined {
  return lengthOf(lengths, update);
}

export function hooksLength(lengths: LogLengths | undefined): number | undefined {
  return lengthOf(lengths, hooks);
}

/** Before the log's folder is known, the log may have several paths. All but one have the length 0. */
function lengthOf(lengths: LogLengths = {}, name: string): number | undefined {
  const known = Object.entries(lengths).flatMap(([path, length]) => (path.endsWith(`/${name}`) ? [length] : []));
  return known.length === 0 ? undefined : known.reduce((sum, length) => sum + length, 0);
}

function lengthsIn(folder: string, logs: readonly FileEntry[] | undefined): readonly (readonly [string, number])[] {
  return names.flatMap((name) => {
    const entry = logs?.find((log) => log.name === name);
    const length = entry === undefined ? logs && 0 : entry.length;
    return length === undefined ? [] : [[`${folder}/${name}`, length] as const];
  });
}

function writtenAt(logs: readonly FileEntry[] = []): number {
  const log = logs.find(({ name }) => name === update);
  return readTimestamp(log?.lastModified)?.getTime() ?? 0;
}

function nodeKey(place: ProjectPlace, { target }: DeployNode): string {
  return keyOf(placeOn(place, target, '/'));
}
