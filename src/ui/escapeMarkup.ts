import { escapeLinks } from './escapeLinks';

/** Breaks up icons, with an invisible character, because VS Code turns `$(name)` in many places into a picture. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '$\u2060(');
}

/** For places where VS Code shows both links and icons: below an input, in the rows of lists, in status items. */
export function escapeMarkup(text: string): string {
  return escapeIcons(escapeLinks(text));
}

/** A text after an icon of ours. */
export function withIcon(icon: string, text: string): string {
  return text === '' ? `$(${icon})` : `$(${icon}) ${escapeMarkup(text)}`;
}
