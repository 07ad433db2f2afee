const reset = '\u001b[0m';

/** Colors and styles, in both spellings of a control sequence. */
const style = /^(?:\u001b\[|\u009b)([\d;:]*)m$/;

/**
 * A control sequence; a string for the terminal, such as its title or a link; any other escape sequence, or its first
 * character alone; and every control character except tab and line feed.
 */
const controls = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)',
    '\\u001b[ -/]*[0-Z\\\\^-~]?',
    '[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f-\\u009f]',
  ].join('|'),
  'g',
);

/**
 * Makes untrusted text safe for a terminal: removes sequences that could move the cursor, rename the terminal, write
 * links or to the clipboard, or make it respond. Keeps colors and styles, except hidden text, and resets them at the
 * end.
 */
export function terminalText(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  const shown = lines.replace(controls, (sequence) => styleIn(sequence) ?? '');
  return (shown.includes('\u001b') ? shown + reset : shown).replaceAll('\n', '\r\n');
}

function styleIn(sequence: string): string | undefined {
  const [, parameters] = style.exec(sequence) ?? [];
  return parameters === undefined || parameters.split(/[;:]/).some((one) => Number(one) === hidden)
    ? undefined
    : `\u001b[${parameters}m`;
}

const hidden = 8;
