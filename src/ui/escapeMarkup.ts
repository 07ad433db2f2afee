/**
 * Breaks up links, with an invisible character, because VS Code turns `[words](command:…)` in a message into a link
 * that runs a command, and file names and platform messages come from others.
 */
export function escapeLinks(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}

/** Breaks up icons, with an invisible character, because VS Code turns `$(name)` in many places into a picture. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}

/** For places where VS Code shows both links and icons: below an input, in the rows of lists, in status items. */
export function escapeMarkup(text: string): string {
  return escapeIcons(escapeLinks(text));
}

/** Puts one of Gantry's icons before a text, whose own links and icons aren't interpreted. */
export function withIcon(icon: string, text: string): string {
  return text === '' ? `$(${icon})` : `$(${icon}) ${escapeMarkup(text)}`;
}
