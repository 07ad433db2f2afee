import { InputBoxValidationSeverity, l10n } from 'vscode';
import {
  type Favorite,
  type FavoriteChange,
  type FavoriteOrder,
  favoriteOrders,
  longestFilter,
  type OrderMemory,
} from './favorite';
import { askChoice, askValue } from '../../ui/quickPick';

/** `undefined` where nothing is to be changed. */
export async function askKeyword({ keyword, path }: Favorite): Promise<FavoriteChange | undefined> {
  const entered = await askValue({
    title: l10n.t('Rename Favorite'),
    prompt: l10n.t("Enter a name for the favorite {0}. The file isn't renamed.", path),
    value: keyword,
    validateInput: keywordProblem,
  });
  return entered === undefined || entered.trim() === keyword ? undefined : { keyword: entered.trim() };
}

export function keywordProblem(text: string): string | undefined {
  return text.trim() === '' ? l10n.t('Enter a name.') : undefined;
}

/** `undefined` where nothing is to be changed. */
export async function askFilter({ path, filter = '' }: Favorite): Promise<FavoriteChange | undefined> {
  const entered = await askValue({
    title: l10n.t('Edit Filter'),
    prompt: l10n.t('Regular expression for the names to show in {0} (empty to show all)', path),
    placeHolder: '.*\\.conf',
    value: filter,
    validateInput: filterProblem,
  });
  return entered === undefined || entered === filter ? undefined : { filter: entered === '' ? undefined : entered };
}

/** Only warns about a regular expression that looks wrong, because the platform interprets it in its own way. */
function filterProblem(text: string) {
  if (text.length > longestFilter) {
    return l10n.t('A filter can have at most {0} characters. This one has {1}.', longestFilter, text.length);
  }
  try {
    new RegExp(text);
    return undefined;
  } catch {
    // Not valid in JavaScript, but the platform may accept it.
    return {
      message: l10n.t("This isn't a valid regular expression, so the platform might not show anything."),
      severity: InputBoxValidationSeverity.Warning,
    };
  }
}

/** Returns whether the order was changed. */
export async function askOrder(memory: OrderMemory): Promise<boolean> {
  const names: Readonly<Record<FavoriteOrder, string>> = {
    keyword: l10n.t('By name'),
    newest: l10n.t('Newest first'),
  };
  const now = memory.get();
  const choices = favoriteOrders.map((value) => ({
    label: names[value],
    value,
    ...(value === now ? { description: l10n.t('current') } : {}),
  }));
  const chosen = await askChoice(choices, { placeHolder: l10n.t('Select how to sort favorites') });
  if (chosen === undefined || chosen === now) {
    return false;
  }
  await memory.set(chosen);
  return true;
}
