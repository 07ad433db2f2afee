/**
 * Breaks up links, with an invisible character, because VS Code turns `[words](command:…)` in a message into a link
 * that runs a command, and file names and platform messages come from others.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}
