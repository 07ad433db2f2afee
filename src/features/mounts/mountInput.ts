import { isIP } from 'node:net';
import { posix } from 'node:path';
import { l10n, QuickPickItemKind } from 'vscode';
import { type FilePlace, isPathWithin, nameOf, placeOnLayer } from '../../containers/place';
import type { Listings } from '../../containers/listings';
import type { Entered, Question } from '../../ui/prompts';
import type { Choice } from '../../ui/quickPick';
import { type Container, startIn } from '../../containers/environmentPart';
import { partAt, partChoices, type PartList } from '../../containers/environmentPartPrompts';
import { pathQuestion } from '../../containers/pathPrompt';

const protocols = ['NFS', 'NFS4', 'NFS3', 'GLUSTER', 'WEBDAV', 'LOCAL'] as const;
type Protocol = (typeof protocols)[number];

type MountSource =
  | { readonly kind: 'node'; readonly nodeId: number }
  /** The layer's main node, whichever it is, in the same environment. */
  | { readonly kind: 'layer'; readonly nodeGroup: string; readonly nodeId: number }
  | { readonly kind: 'host'; readonly host: string };

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

/** Normalizes `//`, `/./` and a trailing slash. */
export function plainPath(path: string): string {
  return posix.normalize(path.trim()).replace(/(?<=.)\/+$/, '');
}

/** Returns why a path can't be a mount point, before anything is sent. */
export function mountPathProblem(path: string): string | undefined {
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

/** Converts a source to the platform's parameters. */
export function sourceParameters(source: MountSource) {
  switch (source.kind) {
    case 'node':
      return { sourceNodeId: source.nodeId, sourceAddressType: 'IP' } as const;
    case 'layer':
      return {
        sourceNodeId: source.nodeId,
        sourceHost: source.nodeGroup,
        sourceAddressType: 'NODE_GROUP',
      } as const;
    case 'host': {
      const sourceHost = plainHost(source.host);
      return { sourceHost, sourceAddressType: isIP(sourceHost) === 0 ? 'DOMAIN' : 'IP' } as const;
    }
  }
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

/** Removes the brackets of an IPv6 address. */
function plainHost(host: string): string {
  return host.trim().replace(/^\[(.*)\]$/, '$1');
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

/** Returns the questions for a mount, given the answers so far. */
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
  const protocol = protocols.find((one) => one === entered['protocol']);
  if (target === undefined || source === undefined || protocol === undefined) {
    return undefined;
  }
  const name = (entered['name'] ?? '').trim();
  return {
    ...{ place: targetPlace(target, entered['path'] ?? ''), nodeIds: nodeIdsOf(target) },
    ...{ source, sourcePath: entered['sourcePath'] ?? '', protocol },
    readOnly: entered['access'] === 'readOnly',
    name: name === '' ? undefined : name,
  };
}

function nodeIdsOf({ layer, node }: Container): readonly number[] {
  return (node === undefined ? layer.nodes : [node]).map(({ id }) => id);
}

function targetIn({ target, targets }: MountChoices, entered: Entered): Container | undefined {
  return target ?? partAt(targets, entered['where']);
}

function targetPlace({ environment, layer, node }: Container, path: string): FilePlace {
  return placeOnLayer(environment, layer.id, node?.id, path);
}

function sourceIn({ sources }: MountChoices, entered: Entered): MountSource | undefined {
  if (entered['from'] === otherHost) {
    return { kind: 'host', host: entered['host'] ?? '' };
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
  return { kind: 'choice', key: 'where', prompt: l10n.t('Select the layer or node to mount on'), choices };
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

/** Offers whole layers only of the same environment, because the platform identifies them by name alone. */
function sourceChoices(sources: PartList, { environment }: Container): Choice[] {
  const host: Choice = {
    label: l10n.t('Another host…'),
    icon: 'globe',
    description: l10n.t('by name or IP address'),
    value: otherHost,
  };
  const mayBe = ({ node, environment: its, layer }: Container) =>
    node !== undefined ||
    (layer.nodes.length > 1 && its.account === environment.account && its.name === environment.name);
  const elsewhere: Choice = { label: l10n.t('Other'), kind: QuickPickItemKind.Separator, value: '' };
  const known = partChoices(sources, (one) => one.environment.account === environment.account && mayBe(one));
  return [...known, elsewhere, host];
}

function sourceQuestions(asking: MountChoices, listings: Listings, entered: Entered): readonly Question[] {
  const container = partAt(asking.sources, entered['from'] === otherHost ? '' : entered['from']);
  if (container !== undefined) {
    const prompt = l10n.t('Select the folder to mount from {0}', (container.node ?? container.layer).name);
    const input = mountInputFrom(asking, { ...entered, protocol: 'NFS' });
    const problem = (sourcePath: string) => input && mountInputProblem({ ...input, sourcePath });
    return [
      pathQuestion({ key: 'sourcePath', prompt, start: startIn(container), listings, wanted: 'folder', problem }),
    ];
  }
  const host: Question = {
    key: 'host',
    prompt: l10n.t('Host name or IP address, for example storage.example.com'),
    placeholder: 'storage.example.com',
    problem: hostProblem,
  };
  const path: Question = {
    key: 'sourcePath',
    prompt: l10n.t('Path of the data on the host, for example /data'),
    placeholder: '/data',
    problem: absolutePathProblem,
  };
  return [host, path];
}

function manner(target: Container, asking: MountChoices, entered: Entered): readonly Question[] {
  const source = sourceIn(asking, entered);
  const isSameNode =
    source !== undefined && source.kind !== 'host' && nodeIdsOf(target).join() === String(source.nodeId);
  const folder = nameOf(targetPlace(target, plainPath(entered['path'] ?? '/')));
  return [
    {
      kind: 'choice',
      key: 'protocol',
      prompt: l10n.t('Select a protocol'),
      choices: protocolChoices(isSameNode ? 'LOCAL' : 'NFS'),
    },
    {
      kind: 'choice',
      key: 'access',
      prompt: l10n.t('Select the type of access to the data'),
      choices: [
        { label: l10n.t('Read and write'), icon: 'edit', value: 'readWrite' },
        { label: l10n.t('Read-only'), icon: 'lock', value: 'readOnly' },
      ],
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

function protocolChoices(proposed: Protocol): Choice[] {
  const words: Readonly<Record<Protocol, string>> = {
    NFS: l10n.t('the newest version that both sides support'),
    NFS4: l10n.t('single port, with locks and access control lists'),
    NFS3: l10n.t("for servers that don't support newer versions"),
    GLUSTER: l10n.t('for replicated storage clusters'),
    WEBDAV: l10n.t('over HTTP, for servers on the internet'),
    LOCAL: l10n.t('a folder of the node itself, without the network'),
  };
  const order = [proposed, ...protocols.filter((protocol) => protocol !== proposed)];
  return order.map((protocol) => ({ label: protocolName(protocol), description: words[protocol], value: protocol }));
}
