import { type Disposable, EventEmitter, l10n, window } from 'vscode';
import * as v from 'valibot';
import { type EnvironmentPlace, type FilePlace, filePlaceOf } from '../../containers/place';
import type { Services } from '../../services';
import { type Memory, StoredRecord } from '../../storage/stores';
import { askInTurn, type TextQuestion } from '../../ui/prompts';
import type { QuestionButton } from '../../ui/quickPick';
import { FolderSearch, type SearchDeps, type SearchScope } from './folderSearch';
import { emptyQuery, matcherOf, type SearchQuery } from './searchQuery';
import type { SearchLimits } from './searchSettings';
import { folderText, optionsTexts } from './searchText';

/** The search whose results the view shows. A new one replaces it. */
export class CurrentSearch implements Disposable {
  private readonly changed = new EventEmitter<void>();
  /** Often fires many times at once. */
  readonly onDidChange = this.changed.event;
  private current: FolderSearch | undefined;

  /** @param limits read at the start of each search */
  constructor(
    private readonly deps: SearchDeps,
    private readonly limits: () => SearchLimits,
  ) {}

  get search(): FolderSearch | undefined {
    return this.current;
  }

  /** Cancels the search under way, and starts this one. Resolves when it has ended. */
  async start(folder: FilePlace, query: SearchQuery): Promise<void> {
    const { largestFile, exclude } = this.limits();
    const scope: SearchScope = { folder, query, largestFile, exclude };
    const search: FolderSearch = new FolderSearch(scope, this.deps, () => {
      if (this.current === search) {
        this.changed.fire();
      }
    });
    this.cancel();
    this.current = search;
    this.changed.fire();
    await search.run();
  }

  cancel(): void {
    this.current?.cancel();
  }

  /** Cancels the search, and drops its results. */
  clear(): void {
    this.cancel();
    this.current = undefined;
    this.changed.fire();
  }

  /** Shows what it finds in a file that has this text now. */
  async noteText(file: FilePlace, text: string): Promise<void> {
    if (this.current?.covers(file) === true) {
      await this.current.refresh(file, text);
    }
  }

  /** Drops what was found in an account that was signed out. */
  forgetAccount(slug: string): void {
    if (this.current?.scope.folder.account === slug) {
      this.clear();
    }
  }

  dispose(): void {
    this.cancel();
    this.changed.dispose();
  }
}

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
    prompt: () => [l10n.t('Enter the text to find.'), ...optionsTexts(draft)].join(' '),
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
      key: 'include',
      value: include,
      mayBeEmpty: true,
      prompt: l10n.t('Files to include, separated by commas. Leave empty to search all files.'),
      placeholder: l10n.t('Patterns, for example *.php, conf.d/**'),
    },
    {
      key: 'exclude',
      value: exclude,
      mayBeEmpty: true,
      prompt: l10n.t('Files and folders to exclude, separated by commas.'),
      placeholder: l10n.t('Patterns, for example *.log, cache'),
    },
  ];
}

const searchQuery = v.object({
  text: v.string(),
  include: v.string(),
  exclude: v.string(),
  isRegex: v.boolean(),
  matchCase: v.boolean(),
  wholeWord: v.boolean(),
});

export type SearchMemory = ReturnType<typeof searchMemory>;

/**
 * The last search in each environment.
 * @param isForgotten whether the account was signed out, which may be while its question was open
 */
export function searchMemory(memory: Memory, isForgotten: (account: string) => boolean) {
  const stored = new StoredRecord(memory, 'gantry.search.queries', v.record(v.string(), searchQuery));
  return {
    last: ({ account, environment }: EnvironmentPlace): SearchQuery => stored.get(account)?.[environment] ?? emptyQuery,
    remember: async ({ account, environment }: EnvironmentPlace, query: SearchQuery): Promise<void> => {
      if (!isForgotten(account)) {
        await stored.set(account, { ...stored.get(account), [environment]: query });
      }
    },
    forgetAccount: (slug: string): Promise<void> => stored.remove((account) => account === slug),
  };
}
