import { l10n, window } from 'vscode';
import { containerPathQuestions, containerQuestion } from '../../containers/containerPrompt';
import type { Environment } from '../../containers/environment';
import { isContainer, partOfRow, startIn } from '../../containers/environmentPart';
import { folderName } from '../../containers/locationText';
import { pathQuestion } from '../../containers/pathPrompt';
import {
  type EnvironmentPlace,
  type FilePlace,
  filePlaceOf,
  isPathWithin,
  isSameContainer,
  parentOrSelf,
} from '../../containers/place';
import { activeFile } from '../../files/tabs';
import type { Services } from '../../services';
import { type Call, selected } from '../../ui/commands/call';
import type { CommandTarget } from '../../trees/sharedElement';
import { askInTurn, type QuestionButton, type TextQuestion } from '../../ui/prompts';
import { askChoice } from '../../ui/quickPick';
import * as v from 'valibot';
import { matcherOf, type SearchQuery } from './searchQuery';
import { folderText, optionsText } from './searchText';

/** Searches, and shows the results. Resolves when the search has ended. */
type Search = (folder: FilePlace, query: SearchQuery) => Promise<void>;

/** Asks what to search for in this folder, starting with an earlier query. */
export async function findIn(
  folder: FilePlace,
  before: SearchQuery,
  { environments }: Services,
  memory: SearchMemory,
  search: Search,
): Promise<void> {
  const query = await askQuery(l10n.t('Find in {0}', folderText(folder, environments)), before);
  if (query !== undefined) {
    await memory.remember(folder, query);
    await search(folder, query);
  }
}

/** Like VS Code's search, starts with what is selected in the editor. */
export function startQuery(last: SearchQuery): SearchQuery {
  const editor = window.activeTextEditor;
  const selection = editor?.selection;
  const isUsable = selection !== undefined && selection.isSingleLine && !selection.isEmpty;
  if (editor === undefined || !isUsable || filePlaceOf(editor.document.uri) === undefined) {
    return last;
  }
  return { ...last, text: editor.document.getText(selection), isRegex: false };
}

type Draft = { -readonly [K in keyof SearchQuery]: SearchQuery[K] };

/**
 * Asks what to search for. Buttons turn options on and off, and lead to the patterns for files, after which the text is
 * asked again. Returns `undefined` if the user cancels.
 */
async function askQuery(title: string, before: SearchQuery): Promise<SearchQuery | undefined> {
  const draft: Draft = { ...before };
  for (;;) {
    const next = { isPatterns: false };
    const editPatterns: QuestionButton = {
      icon: 'filter',
      tooltip: l10n.t('Set Files to Include and Exclude…'),
      press: () => {
        next.isPatterns = true;
        return 'leave';
      },
    };
    const entered = await askInTurn(title, [textQuestion(draft, editPatterns)]);
    if (entered === undefined) {
      return undefined;
    }
    draft.text = entered['text'] ?? '';
    if (!next.isPatterns) {
      return draft;
    }
    // Escape returns to the text.
    const patterns = await askInTurn(title, patternQuestions(draft));
    draft.include = (patterns?.['include'] ?? draft.include).trim();
    draft.exclude = (patterns?.['exclude'] ?? draft.exclude).trim();
  }
}

function textQuestion(draft: Draft, editPatterns: QuestionButton): TextQuestion {
  return {
    key: 'text',
    prompt: () => l10n.t('Enter the text to find. {0}', optionsText(draft)),
    placeholder: l10n.t('Text to find, for example server_name'),
    value: draft.text,
    buttons: [
      option(draft, 'matchCase', { icon: 'case-sensitive', tooltip: l10n.t('Match Case') }),
      option(draft, 'wholeWord', { icon: 'whole-word', tooltip: l10n.t('Match Whole Word') }),
      option(draft, 'isRegex', { icon: 'regex', tooltip: l10n.t('Use Regular Expression') }),
      editPatterns,
    ],
    problem: (text) => expressionProblem({ ...draft, text }),
  };
}

function option(
  draft: Draft,
  key: 'matchCase' | 'wholeWord' | 'isRegex',
  look: Pick<QuestionButton, 'icon' | 'tooltip'>,
): QuestionButton {
  return {
    ...look,
    isOn: () => draft[key],
    press: () => {
      draft[key] = !draft[key];
      return 'stay';
    },
  };
}

function expressionProblem(query: SearchQuery): string | undefined {
  try {
    matcherOf(query);
    return undefined;
  } catch (error) {
    // V8 repeats the expression before the reason: "Invalid regular expression: /(/: Unterminated group".
    const reason = error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : String(error);
    return l10n.t('Invalid regular expression: {0}.', reason);
  }
}

function patternQuestions({ include, exclude }: SearchQuery): readonly TextQuestion[] {
  return [
    {
      ...{ key: 'include', value: include, mayBeEmpty: true },
      prompt: l10n.t('Files to include, separated by commas. Leave empty to search all files.'),
      placeholder: l10n.t('Patterns, for example *.php, conf.d/**'),
    },
    {
      ...{ key: 'exclude', value: exclude, mayBeEmpty: true },
      prompt: l10n.t('Files and folders to exclude, separated by commas.'),
      placeholder: l10n.t('Patterns, for example *.log, cache'),
    },
  ];
}

type PromptServices = Pick<Services, 'accounts' | 'environments' | 'listings' | 'targets' | 'openFolders' | 'features'>;

/** What keybindings pass, because VS Code passes no row with them. */
export const focusedIn = { environments: selected, favorites: 'favorites', explorer: 'explorer' } as const;

/**
 * Returns the folder that a command searches: the one clicked, or the root of the node clicked. Without either, it's the
 * folder that is open in the window, or the one for the active file. Otherwise asks for one.
 * @param usual what to search if no folder is named: that of a file, or all of its container
 */
export async function searchFolder(
  title: string,
  call: Call,
  services: PromptServices,
  usual: 'folder' | 'container',
): Promise<FilePlace | undefined> {
  await services.accounts.demandRead();
  const { tree, favorites } = services.features;
  switch (call.text) {
    case focusedIn.explorer:
      return askBelowOpenFolder(title, services);
    case focusedIn.environments:
      return folderOfRow(title, tree.loaded?.selection()[0], services);
    case focusedIn.favorites: {
      const target = favorites.loaded?.selectedTarget();
      return target === undefined ? askFolder(title, undefined, services) : folderAt(target);
    }
    default:
      return call.isBare ? openFolder(title, services, usual) : folderOfRow(title, call.object, services);
  }
}

async function openFolder(
  title: string,
  services: PromptServices,
  usual: 'folder' | 'container',
): Promise<FilePlace | undefined> {
  const folders = services.openFolders();
  const uri = activeFile();
  const file = uri && filePlaceOf(uri);
  if (folders.length === 0) {
    if (usual === 'container') {
      return file === undefined ? askContainer(title, services) : { ...file, path: '/' };
    }
    return file === undefined ? askFolder(title, undefined, services) : parentOrSelf(file);
  }
  const around = folders.find((one) => file && isSameContainer(one, file) && isPathWithin(file.path, one.path));
  return around ?? askOpenFolder(folders, services);
}

async function folderOfRow(
  title: string,
  row: object | undefined,
  services: PromptServices,
): Promise<FilePlace | undefined> {
  const favorite = services.features.favorites.loaded?.targetOf(row);
  const target = row && (favorite ?? (await services.targets.of(row)));
  if (target !== undefined) {
    return folderAt(target);
  }
  const part = await partOfRow(row, services);
  return part !== undefined && isContainer(part) ? startIn(part) : askFolder(title, part?.environment, services);
}

function folderAt({ place, isFolder }: CommandTarget): FilePlace {
  return isFolder ? place : parentOrSelf(place);
}

/** VS Code doesn't tell which folder has the focus in the Explorer, so asks, starting in the workspace folder. */
async function askBelowOpenFolder(title: string, services: PromptServices): Promise<FilePlace | undefined> {
  const folders = services.openFolders();
  if (folders.length === 0) {
    return askFolder(title, undefined, services);
  }
  const start = await askOpenFolder(folders, services);
  if (start === undefined) {
    return undefined;
  }
  const question = pathQuestion({ ...folderQuestion(), key: 'path', start, listings: services.listings });
  const entered = await askInTurn(title, [question]);
  return entered && { ...start, path: entered['path'] ?? start.path };
}

/** Asks for one of several folders. */
async function askOpenFolder(
  folders: readonly FilePlace[],
  { environments }: PromptServices,
): Promise<FilePlace | undefined> {
  if (folders.length === 1) {
    return folders[0];
  }
  const choices = folders.map((value) => ({ label: folderName(value, environments), icon: 'folder', value }));
  return askChoice<FilePlace>(choices, { placeHolder: l10n.t('Select the workspace folder to search') });
}

async function askFolder(
  title: string,
  within: Environment | undefined,
  services: PromptServices,
): Promise<FilePlace | undefined> {
  const { questions, place } = await containerPathQuestions(within, { ...services, ...folderQuestion() });
  const entered = await askInTurn(title, questions);
  return entered && place(entered);
}

async function askContainer(title: string, services: PromptServices): Promise<FilePlace | undefined> {
  const { question, place } = await containerQuestion(undefined, services);
  const entered = await askInTurn(title, [question]);
  return entered && place(entered);
}

function folderQuestion() {
  return { prompt: l10n.t('Select the folder to search, or type its path'), wanted: 'folder' } as const;
}

const searchQuery = v.object({
  ...{ text: v.string(), include: v.string(), exclude: v.string() },
  ...{ isRegex: v.boolean(), matchCase: v.boolean(), wholeWord: v.boolean() },
});
const kept = v.record(v.string(), v.record(v.string(), searchQuery));

const key = 'gantry.search.queries';

interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

export const emptyQuery: SearchQuery = {
  ...{ text: '', include: '', exclude: '' },
  ...{ isRegex: false, matchCase: false, wholeWord: false },
};

/** Remembers the last search in each environment. */
export class SearchMemory {
  constructor(private readonly memory: Memory) {}

  last({ account, environment }: EnvironmentPlace): SearchQuery {
    return this.all()[account]?.[environment] ?? emptyQuery;
  }

  async remember({ account, environment }: EnvironmentPlace, query: SearchQuery): Promise<void> {
    const all = this.all();
    await this.memory.update(key, { ...all, [account]: { ...all[account], [environment]: query } });
  }

  async forgetAccount(slug: string): Promise<void> {
    const others = Object.entries(this.all()).filter(([account]) => account !== slug);
    await this.memory.update(key, others.length === 0 ? undefined : Object.fromEntries(others));
  }

  /** Ignores data that another version of Gantry stored and this one can't read. */
  private all(): v.InferOutput<typeof kept> {
    const parsed = v.safeParse(kept, this.memory.get(key));
    return parsed.success ? parsed.output : {};
  }
}
