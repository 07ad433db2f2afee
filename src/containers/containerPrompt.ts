import { l10n, Uri, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Entered, Question } from '../ui/prompts';
import { askChoice } from '../ui/quickPick';
import type { Environment } from './environment';
import { type Container, containersIn, isContainer, partOfRow, startIn } from './environmentPart';
import { listContainers, partAt, partChoices, type PartListDeps } from './environmentPartPrompts';
import type { Environments } from './environments';
import type { Listings } from './listings';
import { type PathRules, pathQuestion } from './pathPrompt';
import { type FilePlace, filePlaceOf } from './place';

interface ContainerPromptDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
}

interface ContainerPromptOptions {
  readonly placeHolder: string;
  readonly may?: (container: Container) => boolean;
  /** Likely containers are listed first. */
  readonly isLikely?: (container: Container) => boolean;
}

/** Returns the container of the row that a command was called on, or asks: for the active file, only in its layer. */
export async function containerMeant(
  received: unknown,
  deps: ContainerPromptDeps,
  { placeHolder, may, isLikely = () => false }: ContainerPromptOptions,
): Promise<Container | undefined> {
  const part = await partOfRow(received, deps);
  if (part !== undefined && isContainer(part)) {
    return part;
  }
  // If the row no longer exists, don't use the active file instead.
  const place =
    received instanceof Uri ? filePlaceOf(received) : received === undefined ? activeContainerFile() : undefined;
  const around = place === undefined ? [] : await containersAround(place, deps);
  const [only, ...others] = around;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  around.sort((one, other) => Number(isLikely(other)) - Number(isLikely(one)));
  const list = around.length > 0 ? { all: around, problems: [] } : await listContainers(deps, part?.environment);
  return partAt(list, await askChoice<string>(partChoices(list, may), { placeHolder }));
}

function activeContainerFile(): FilePlace | undefined {
  const uri = window.activeTextEditor?.document.uri;
  return uri && filePlaceOf(uri);
}

/** Returns the layer of a file, and all nodes in it. */
export async function containersInLayerOf(
  place: FilePlace,
  { accounts, environments }: ContainerPromptDeps,
): Promise<Container[]> {
  const layer = place.target.nodeGroup;
  const account = accounts.find(place.account);
  const found = account && (await environments.findLayer(account, { environment: place.environment, layer }));
  return found === undefined ? [] : containersIn(found.environment).filter((one) => one.layer.id === layer);
}

/** Returns the file's node and, if it has several nodes, its layer. */
async function containersAround(place: FilePlace, deps: ContainerPromptDeps): Promise<Container[]> {
  const { nodeId } = place.target;
  const inLayer = await containersInLayerOf(place, deps);
  const [nodes, whole] = [inLayer.filter(({ node }) => node), inLayer.filter(({ node }) => node === undefined)];
  const own = nodes.filter(({ node }) => node?.id === nodeId || (nodeId === undefined && nodes.length === 1));
  return nodes.length === 1 && own.length === 1 ? own : [...own, ...whole];
}

interface ContainerPathDeps extends PartListDeps, Pick<PathRules, 'wanted'> {
  readonly listings: Listings;
  readonly prompt: string;
}

/** Questions for a layer or node, and then for a path in it; `place` returns the answer. */
export async function containerPathQuestions(
  within: Environment | undefined,
  { accounts, environments, listings, prompt, wanted }: ContainerPathDeps,
): Promise<{
  readonly questions: (entered: Entered) => readonly Question[];
  readonly place: (entered: Entered) => FilePlace | undefined;
}> {
  const { question, place } = await containerQuestion(within, { accounts, environments });
  const questions = (entered: Entered) => {
    const start = place(entered);
    return start === undefined
      ? [question]
      : [question, pathQuestion({ key: 'path', prompt, start, listings, wanted })];
  };
  return {
    questions,
    place: (entered) => {
      const start = place(entered);
      return start && { ...start, path: entered['path'] ?? start.path };
    },
  };
}

/** Asks for a layer or node; `place` returns its root. */
export async function containerQuestion(
  within: Environment | undefined,
  deps: PartListDeps,
): Promise<{ readonly question: Question; readonly place: (entered: Entered) => FilePlace | undefined }> {
  const containers = await listContainers(deps, within);
  const choices = partChoices(containers, ({ node, layer }) => node === undefined || layer.nodes.length > 1);
  const prompt = l10n.t('Select the layer or node');
  return {
    question: { kind: 'choice', key: 'where', prompt, choices },
    place: (entered) => {
      const container = partAt(containers, entered['where']);
      return container && startIn(container);
    },
  };
}
