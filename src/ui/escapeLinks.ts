/**
 * VS Code makes links of `[words](command:…)` in a message, which run what they name. Names of files and words of a platform
 * come from others, so what could be taken for a link is broken by a character that nobody sees.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}
