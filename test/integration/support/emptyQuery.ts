import type { SearchQuery } from '../../../src/features/search/searchQuery';

/** A search for nothing, to which tests add what they search for. */
export const emptyQuery: SearchQuery = {
  ...{ text: '', include: '', exclude: '' },
  ...{ isRegex: false, matchCase: false, wholeWord: false },
};
