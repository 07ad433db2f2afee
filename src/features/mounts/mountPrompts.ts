import { l10n, QuickPickItemKind } from 'vscode';
import type { Listings } from '../../containers/listings';
import { type FilePlace, nameOf, placeOnLayer } from '../../containers/place';
import {
  absolutePathProblem,
  hostProblem,
  mountPathProblem,
  type MountSource,
  type MountInput,
  plainPath,
  type Protocol,
  protocols,
  mountInputProblem,
} from './mountInput';
import type { Entered, Question } from '../../ui/prompts';
import type { Choice } from '../../ui/quickPick';
import { type Container, startIn } from '../../containers/environmentPart';
import { partAt, partChoices, type PartList } from '../../containers/environmentPartPrompts';
import { pathQuestion } from '../../containers/pathPrompt';

export interface MountPromptDeps {
  /** The layers and nodes of all environments that can be a source. */
  readonly sources: PartList;
  readonly targets: PartList;
  /** Known if the command was invoked on a row. */
  readonly target: Container | undefined;
  readonly listings: Listings;
}

const otherHost = 'host';

/** Returns the questions for a mount, given the answers so far. */
export function mountQuestions(asking: MountPromptDeps): (entered: Entered) => readonly Question[] {
  return (entered) => {
    const target = targetIn(asking, entered);
    const where: Question[] = asking.target === undefined ? [whereQuestion(asking)] : [];
    return target === undefined ? where : [...where, ...questionsFor(target, asking, entered)];
  };
}

/** Returns the entered mount, or `undefined` if an answer is missing. */
export function mountInputFrom(asking: MountPromptDeps, entered: Entered): MountInput | undefined {
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

function targetIn({ target, targets }: MountPromptDeps, entered: Entered): Container | undefined {
  return target ?? partAt(targets, entered['where']);
}

function targetPlace({ environment, layer, node }: Container, path: string): FilePlace {
  return placeOnLayer(environment, layer.id, node?.id, path);
}

function sourceIn({ sources }: MountPromptDeps, entered: Entered): MountSource | undefined {
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

function whereQuestion({ targets }: MountPromptDeps): Question {
  const choices = partChoices(targets);
  return { kind: 'choice', key: 'where', prompt: l10n.t('Select the layer or node to mount on'), choices };
}

function questionsFor(target: Container, asking: MountPromptDeps, entered: Entered): readonly Question[] {
  const { listings, sources } = asking;
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
    choices: sourceChoices(sources, target),
  };
  return [path, from, ...sourceQuestions(asking, entered), ...manner(target, asking, entered)];
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

function sourceQuestions(asking: MountPromptDeps, entered: Entered): readonly Question[] {
  const { sources, listings } = asking;
  const container = partAt(sources, entered['from'] === otherHost ? '' : entered['from']);
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

function manner(target: Container, asking: MountPromptDeps, entered: Entered): readonly Question[] {
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

function protocolChoices(proposed: Protocol): Choice[] {
  const words: Readonly<Record<Protocol, string>> = {
    NFS: l10n.t('the newest version that both sides support'),
    NFS4: l10n.t('single port, with locks and access control lists'),
    NFS3: l10n.t("for servers that don't support newer versions"),
    GLUSTER: l10n.t('for replicated storage clusters'),
    WEBDAV: l10n.t('over HTTP, for servers on the internet'),
    LOCAL: l10n.t('a folder on the same node'),
  };
  const order = [proposed, ...protocols.filter((protocol) => protocol !== proposed)];
  return order.map((protocol) => ({ label: protocol, description: words[protocol], value: protocol }));
}
