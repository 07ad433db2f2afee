import { isIP } from 'node:net';
import { posix } from 'node:path';
import { l10n, QuickPickItemKind } from 'vscode';
import { type FilePlace, isPathWithin, nameOf, placeOnLayer } from '../../containers/place';
import type { Listings } from '../../containers/listings';
import type { Entered, Question } from '../../ui/prompts';
import type { Choice } from '../../ui/quickPick';
import { type Container, startIn } from '../../containers/environmentPart';
import { type Environment, nodeLabel } from '../../containers/environment';
import { partAt, partChoices, type PartList } from '../../ui/commands/environmentPartPrompts';
import { pathQuestion } from '../../ui/commands/pathPrompt';
import { type MountSource, plainHost } from './mount';

const protocols = ['NFS', 'NFS4', 'NFS3', 'GLUSTER', 'WEBDAV', 'LOCAL'] as const;
type Protocol = (typeof protocols)[number];

export interface MountInput {
  /** The mount point: on one node or on all nodes of a layer. */
  readonly place: FilePlace;
  /** The nodes of the place. */
  readonly nodeIds: readonly number[];
  readonly source: MountSource;
  readonly sourcePath: string;
  readonly protocol: Protocol;
  readonly readOnly: boolean;
  /** If omitted, the platform uses the folder's name. */
  readonly name: string | undefined;
}

/** Normalizes `//`, `/./` and a trailing slash. A space at the end belongs to the name. */
export function plainPath(path: string): string {
  return posix.normalize(path.trimStart()).replace(/(?<=.)\/+$/, '');
}

/** Returns why a path can't be a mount point, before anything is sent. */
function mountPathProblem(path: string): string | undefined {
  const problem = absolutePathProblem(path);
  return problem === undefined && plainPath(path) === '/'
    ? l10n.t("You can't mount at “/” because that would hide the whole container. Select a folder in it.")
    : problem;
}

/** Returns why a path isn't a valid source path. */
function absolutePathProblem(path: string): string | undefined {
  if (path.trim() === '') {
    return l10n.t('Enter an absolute path, such as /var/www/shared.');
  }
  return path.trim().startsWith('/') && !path.includes('\0')
    ? undefined
    : l10n.t("“{0}” isn't an absolute path. Start it with a slash.", path.trim());
}

function hostProblem(host: string): string | undefined {
  if (isIP(plainHost(host)) !== 0) {
    return undefined;
  }
  return /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i.test(plainHost(host))
    ? undefined
    : l10n.t('Enter only the name or IP address of a host, such as storage.example.com or 10.0.0.5.');
}

/** Splits `storage.example.com:/data` into the host and the path. */
function hostAndPath(text: string): { readonly host: string; readonly path: string } {
  const at = text.indexOf(':/');
  return at < 0 ? { host: text, path: '' } : { host: text.slice(0, at), path: text.slice(at + 1) };
}

function hostAndPathProblem(text: string): string | undefined {
  const { host, path } = hostAndPath(text);
  if (/\s$/.test(path)) {
    // Nothing lists the folders of another host, so it's more likely to come with a copied text than to be in a name.
    return l10n.t("The path can't end with a space.");
  }
  // The text may be a web address.
  const noPath = path === '' ? l10n.t('Add the path of the data, as in {0}.', hostExample) : undefined;
  return hostProblem(path.startsWith('//') ? text : host) ?? noPath;
}

/** Returns why a mount makes no sense, even if the platform would accept it. */
export function mountInputProblem({ place, nodeIds, source, sourcePath }: MountInput): string | undefined {
  const problem = mountPathProblem(place.path) ?? absolutePathProblem(sourcePath);
  if (problem !== undefined || source.kind === 'host' || !nodeIds.includes(source.nodeId)) {
    return problem;
  }
  const [path, from] = [plainPath(place.path), plainPath(sourcePath)];
  return isPathWithin(path, from) || isPathWithin(from, path)
    ? l10n.t("“{0}” and “{1}” overlap on the same node. A folder can't be mounted inside itself.", path, from)
    : undefined;
}

/** What a mount can be made of. */
interface MountChoices {
  /** The layers and nodes of all environments that can be a source. */
  readonly sources: PartList;
  readonly targets: PartList;
  /** Known if the command was invoked on a row. */
  readonly target: Container | undefined;
}

const otherHost = 'host';
const hostExample = 'storage.example.com:/data';

export function mountQuestions(asking: MountChoices, listings: Listings): (entered: Entered) => readonly Question[] {
  return (entered) => {
    const target = targetIn(asking, entered);
    const where: Question[] = asking.target === undefined ? [whereQuestion(asking)] : [];
    return target === undefined ? where : [...where, ...questionsFor(target, asking, listings, entered)];
  };
}

/** Returns the entered mount, or `undefined` if an answer is missing. */
export function mountInputFrom(asking: MountChoices, entered: Entered): MountInput | undefined {
  const target = targetIn(asking, entered);
  const source = target && sourceIn(asking, entered);
  const { protocol, readOnly } = mannerIn(entered);
  if (target === undefined || source === undefined || protocol === undefined) {
    return undefined;
  }
  const name = (entered['name'] ?? '').trim();
  return {
    place: targetPlace(target, entered['path'] ?? ''),
    nodeIds: nodeIdsOf(target),
    source,
    sourcePath: sourcePathIn(entered),
    protocol,
    readOnly,
    name: name === '' ? undefined : name,
  };
}

function sourcePathIn(entered: Entered): string {
  return (entered['from'] === otherHost ? hostAndPath(entered['host'] ?? '').path : entered['sourcePath']) ?? '';
}

/** What was answered so far, for the title of the next question. */
export function mountTitle(asking: MountChoices, entered: Entered): string {
  const target = targetIn(asking, entered);
  if (entered['path'] === undefined) {
    return [l10n.t('Add Mount Point'), target && containerName(target)].filter(Boolean).join(' · ');
  }
  // The place has no room for more, and the summary has it.
  const on = target && containerName(target, target.environment);
  return [on, entered['path'], ...sourceWords(asking, entered), ...mannerWords(entered)].filter(Boolean).join(' · ');
}

/** What will be mounted where, as lines. */
export function mountSummary(asking: MountChoices, entered: Entered): string {
  const target = targetIn(asking, entered);
  const [nodes, on] = target === undefined ? [0, ''] : [nodeIdsOf(target).length, containerName(target)];
  const where = nodes === 1 ? l10n.t('On {0} (1 node)', on) : l10n.t('On {0} ({1} nodes)', on, nodes);
  return [where, ...sourceWords(asking, entered), mannerWords(entered).join(', ')].join('\n');
}

function sourceWords(asking: MountChoices, entered: Entered): readonly string[] {
  const container = partAt(asking.sources, entered['from'] === otherHost ? '' : entered['from']);
  if (container !== undefined) {
    const name = containerName(container, targetIn(asking, entered)?.environment);
    return [l10n.t('From {0}', [name, entered['sourcePath'] ?? ''].filter(Boolean).join(':'))];
  }
  return entered['host'] === undefined ? [] : [l10n.t('From {0}', entered['host'])];
}

function mannerWords(entered: Entered): readonly string[] {
  const { protocol, readOnly } = mannerIn(entered);
  return protocol === undefined
    ? []
    : [protocolName(protocol), readOnly ? l10n.t('read-only') : l10n.t('read and write')];
}

/** What one answer says, such as `NFS readOnly`. */
function mannerIn({ manner }: Entered) {
  const [name, access] = (manner ?? '').split(' ');
  return { protocol: protocols.find((one) => one === name), readOnly: access === 'readOnly' };
}

function containerName({ environment, layer, node }: Container, within?: Environment): string {
  if (node !== undefined) {
    return nodeLabel(node, environment, within);
  }
  return environment.name === within?.name ? layer.name : `${environment.title} · ${layer.name}`;
}

function nodeIdsOf({ layer, node }: Container): readonly number[] {
  return (node === undefined ? layer.nodes : [node]).map(({ id }) => id);
}

/** Returns the ID of the only node, if there's one. */
function onlyNode(target: Container): number | undefined {
  const ids = nodeIdsOf(target);
  return ids.length === 1 ? ids[0] : undefined;
}

function targetIn({ target, targets }: MountChoices, entered: Entered): Container | undefined {
  return target ?? partAt(targets, entered['where']);
}

function targetPlace({ environment, layer, node }: Container, path: string): FilePlace {
  return placeOnLayer(environment, layer.id, node?.id, path);
}

function sourceIn({ sources }: MountChoices, entered: Entered): MountSource | undefined {
  if (entered['from'] === otherHost) {
    return { kind: 'host', host: hostAndPath(entered['host'] ?? '').host };
  }
  const container = partAt(sources, entered['from']);
  const nodeId = container && startIn(container).target.nodeId;
  if (container === undefined || nodeId === undefined) {
    return undefined;
  }
  return container.node === undefined
    ? { kind: 'layer', nodeGroup: container.layer.id, nodeId }
    : { kind: 'node', nodeId };
}

function whereQuestion({ targets }: MountChoices): Question {
  const choices = partChoices(targets);
  const prompt = l10n.t('Select the layer or node to mount on');
  // The other questions depend on it, but their number doesn't.
  return { kind: 'choice', key: 'where', prompt, choices, total: 6 };
}

function questionsFor(
  target: Container,
  asking: MountChoices,
  listings: Listings,
  entered: Entered,
): readonly Question[] {
  const path: Question = pathQuestion({
    key: 'path',
    prompt: l10n.t('Select the mount point, or type the path of a new folder'),
    start: startIn(target),
    listings,
    wanted: 'folder',
    ifMissing: l10n.t('Use new folder'),
    problem: mountPathProblem,
  });
  const from: Question = {
    kind: 'choice',
    key: 'from',
    prompt: l10n.t('Select the layer or node that has the data'),
    choices: sourceChoices(asking.sources, target),
  };
  return [path, from, ...sourceQuestions(asking, listings, entered), ...manner(target, asking, entered)];
}

/**
 * Offers whole layers only of the same environment, because the platform identifies them by name alone, and the node itself
 * last, because hardly anyone means it.
 */
function sourceChoices(sources: PartList, target: Container): Choice[] {
  const { environment } = target;
  const host: Choice = {
    label: l10n.t('Another host…'),
    icon: 'globe',
    description: l10n.t('by name or IP address'),
    value: otherHost,
  };
  const isHere = ({ environment: its }: Container) =>
    its.account === environment.account && its.name === environment.name;
  const own = sources.all.findIndex((one) => isHere(one) && one.node !== undefined && one.node.id === onlyNode(target));
  const mayBe = (one: Container) =>
    one.node === undefined
      ? isHere(one) && one.layer.nodes.length > 1 && one.layer.id !== target.layer.id
      : one !== sources.all[own];
  const elsewhere: Choice = { label: l10n.t('Other'), kind: QuickPickItemKind.Separator, value: '' };
  const known = partChoices(sources, (one) => one.environment.account === environment.account && mayBe(one));
  const itself = { label: protocolName('LOCAL'), icon: 'vm', description: containerName(target), value: String(own) };
  return [...known, elsewhere, host, ...(own < 0 ? [] : [itself])];
}

function sourceQuestions(asking: MountChoices, listings: Listings, entered: Entered): readonly Question[] {
  const container = partAt(asking.sources, entered['from'] === otherHost ? '' : entered['from']);
  if (container !== undefined) {
    const prompt = l10n.t('Select the folder to mount from {0}', (container.node ?? container.layer).name);
    const input = mountInputFrom(asking, { ...entered, manner: 'NFS' });
    const start = startIn(container);
    const problem = (sourcePath: string) => input && mountInputProblem({ ...input, sourcePath });
    return [pathQuestion({ key: 'sourcePath', prompt, start, listings, wanted: 'folder', problem, avoidsRoot: true })];
  }
  const host: Question = {
    key: 'host',
    prompt: l10n.t('Host and path of the data, for example {0}', hostExample),
    placeholder: hostExample,
    problem: hostAndPathProblem,
  };
  return [host];
}

function manner(target: Container, asking: MountChoices, entered: Entered): readonly Question[] {
  const source = sourceIn(asking, entered);
  const isSameNode = source !== undefined && source.kind !== 'host' && onlyNode(target) === source.nodeId;
  const folder = nameOf(targetPlace(target, plainPath(entered['path'] ?? '/')));
  return [
    {
      kind: 'choice',
      key: 'manner',
      prompt: l10n.t('Select the protocol and the type of access'),
      choices: mannerChoices(isSameNode ? 'node itself' : (source?.kind ?? 'host')),
    },
    {
      key: 'name',
      prompt: l10n.t('Name for the mount point (empty to use “{0}”)', folder),
      placeholder: folder,
      mayBeEmpty: true,
    },
  ];
}

/** The platform's name is also ours, except for a folder that is mounted on its own node. */
export function protocolName<T extends string | undefined>(protocol: T): T | string {
  return protocol === 'LOCAL' ? l10n.t('Same node') : protocol;
}

/** The protocols that fit, the proposed one first. Containers don't serve WebDAV, and a single node is no cluster. */
const fitting: Readonly<Record<MountSource['kind'] | 'node itself', readonly Protocol[]>> = {
  'node itself': ['LOCAL'],
  node: ['NFS', 'NFS4', 'NFS3'],
  layer: ['NFS', 'NFS4', 'NFS3', 'GLUSTER'],
  host: ['NFS', 'NFS4', 'NFS3', 'GLUSTER', 'WEBDAV'],
};

function mannerChoices(source: keyof typeof fitting): Choice[] {
  const words: Readonly<Record<Protocol, string>> = {
    NFS: l10n.t('the newest version that both sides support'),
    NFS4: l10n.t('single port, with locks and access control lists'),
    NFS3: l10n.t("for servers that don't support newer versions"),
    GLUSTER: l10n.t('for replicated storage clusters'),
    WEBDAV: l10n.t('over HTTP, for servers on the internet'),
    LOCAL: l10n.t('a folder of the node itself, without the network'),
  };
  const row = (one: Protocol, access: string, icon: string, value: string) => ({
    label: `${protocolName(one)} · ${access}`,
    icon,
    description: words[one],
    value: `${one} ${value}`,
  });
  return fitting[source].flatMap((one) => [
    row(one, l10n.t('Read-only'), 'lock', 'readOnly'),
    row(one, l10n.t('Read and write'), 'edit', 'readWrite'),
  ]);
}
