import { getL10nPseudoLocalized } from '@vscode/l10n-dev';

/** Code, addresses, commands, icons, and places for values stay as they are, as in a translation. */
const kept = /`[^`]*`|https?:\/\/\S+|\(command:[^)]*\)|\$\([\w~-]+\)|\{\d+\}/;
/** A line that is only a link is a button. */
const button = /^\[(.*)\](\(command:[^)]*\))$/;
const leadingIcon = /^\$\([\w~-]+\) /;
const longer = 1.4;

/**
 * Returns an English text as a translation into the pseudo-language: with accents on all letters, between brackets that
 * show whether it's cut off, and 40 % longer.
 */
export function pseudoText(english: string): string {
  return english
    .split('\n')
    .map((line) => {
      const [, label, command] = button.exec(line) ?? [];
      return label === undefined ? bracketed(line) : `[${bracketed(label)}]${command ?? ''}`;
    })
    .join('\n');
}

function bracketed(line: string): string {
  const [icon = ''] = leadingIcon.exec(line) ?? [];
  return line.trim() === '' ? line : `${icon}${lengthened(line.slice(icon.length))}`;
}

function lengthened(line: string): string {
  const accented = line
    .split(new RegExp(`(${kept.source})`))
    .map((part, index) => (index % 2 === 1 ? part : accentedLetters(part)))
    .join('');
  const missing = Math.ceil(line.length * longer) - accented.length - 2;
  return `⟦${accented}${'·'.repeat(Math.max(0, missing))}⟧`;
}

/** Returns the text without brackets, to find it as a part of a longer one. The tool doubles vowels, too. */
export function accentedLetters(text: string): string {
  const { it } = getL10nPseudoLocalized({ it: text });
  return typeof it === 'string' ? it : text;
}
