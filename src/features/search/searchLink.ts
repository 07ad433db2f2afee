import type { LinkOptions } from '../../containers/containerLink';
import type { LinkTarget } from '../../trees/links';
import type { SearchElement } from './searchRows';
import type { SearchQuery } from './searchQuery';

/** The query in a link to a folder's search, without what is off or empty. */
export function toLinkOptions({ text, ...others }: SearchQuery): LinkOptions {
  const set = Object.entries(others).filter(([, value]) => value !== '' && value !== false);
  return { find: text, ...Object.fromEntries(set.map(([name, value]) => [name, String(value)])) };
}

/** What a link asks to search for. */
export function queryIn({ find = '', include = '', exclude = '', ...flags }: LinkOptions): SearchQuery {
  const isOn = (flag: 'isRegex' | 'matchCase' | 'wholeWord') => flags[flag] === 'true';
  return {
    ...{ text: find, include, exclude },
    ...{ isRegex: isOn('isRegex'), matchCase: isOn('matchCase'), wholeWord: isOn('wholeWord') },
  };
}

/** Returns what a row's link leads to. */
export function linkTargetOf(element: SearchElement | undefined): LinkTarget | undefined {
  switch (element?.kind) {
    case 'foundFile':
      return { place: element.found.file };
    case 'foundLine':
      return { place: element.file, options: { line: `${element.found.line + 1}` } };
    case 'skipped':
      return { place: element.skipped.place };
    default:
      return undefined;
  }
}
