import { createHmac, randomBytes } from 'node:crypto';
import { isLog, withoutLogins } from '../../containers/secretFiles';
import { maskWith } from '../../files/text';
import { isHarmless } from './secretNames';
import { secretsIn } from './secretSettings';
import { rangesOf } from './secretPatterns';

/** What was replaced: where it is in the text, and where its mask is in the masked one. */
interface Masked {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly mask: string;
}

/**
 * What a language model gets instead of the values of secrets in a text, such as `DB_PASSWORD=masked-by-gantry-4f1d20b3a9c7`.
 * Everything else stays, and so do the number of lines and what is where in a line before a secret.
 */
export interface MaskedText {
  readonly text: string;
  /** In their order. A secret of several lines has one for each line. */
  readonly masked: readonly Masked[];
}

/** Without it, nobody can try which value a mask stands for, or which file a version. */
const ownKey = randomBytes(32);
const keyed = (text: string) => createHmac('sha256', ownKey).update(text).digest('hex');

/** Names a version of a file for a model, in this window. */
export function versionTag(text: string): string {
  return keyed(text).slice(0, 16);
}

export function maskSecrets(path: string, text: string): MaskedText {
  const masked: Masked[] = [];
  const parts: string[] = [];
  let [done, length] = [0, 0];
  for (const [start, end] of together([...secretsIn(path, text), ...loginsIn(path, text)])) {
    if (isHarmless(text, [start, end], path)) {
      continue;
    }
    const secret = text.slice(start, end);
    // The same value has the same mask, so that a model sees that two nodes have the same password.
    const mask = maskWith(keyed(secret.trim()));
    for (const { index, 0: part } of secret.matchAll(/\S(?:[^\r\n]*\S)?/g)) {
      const from = start + index;
      const kept = text.slice(done, from);
      length += kept.length;
      masked.push({ from, to: from + part.length, at: length, mask });
      parts.push(kept, mask);
      length += mask.length;
      done = from + part.length;
    }
  }
  return { text: parts.join('') + text.slice(done), masked };
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Returns what replacements in a masked text are in the original one, or `undefined` if one touches a mask. */
export function inOriginal(
  { masked }: MaskedText,
  replacements: readonly Replacement[],
): readonly Replacement[] | undefined {
  if (replacements.some(({ start, end }) => masked.some(({ at, mask }) => at < end && start < at + mask.length))) {
    return undefined;
  }
  return replacements.map(({ start, end, newText }) => {
    const earlier = masked.filter(({ at, mask }) => at + mask.length <= start);
    const shift = earlier.reduce((sum, { from, to, mask }) => sum + (to - from) - mask.length, 0);
    return { start: start + shift, end: end + shift, newText };
  });
}

/** Whether all that was masked before replacements in the original text still is. */
export function staysMasked(before: MaskedText, after: MaskedText, replacements: readonly Replacement[]): boolean {
  return before.masked.every(({ from, to }) => {
    const earlier = replacements.filter(({ end }) => end <= from);
    const moved = earlier.reduce((sum, { start, end, newText }) => sum + newText.length - (end - start), 0);
    return after.masked.some((one) => one.from <= from + moved && to + moved <= one.to);
  });
}

/** Returns the logins in URLs, and passwords in connection strings. A log may end within one. */
function loginsIn(path: string, text: string): readonly (readonly [number, number])[] {
  const filler = '\uE000';
  const isUnfinished = isLog({ path }) && !text.endsWith('\n');
  const filled = withoutLogins(
    text,
    (login) => (isHarmless(login) ? login : filler.repeat(login.length)),
    isUnfinished,
  );
  return [
    ...rangesOf(/(?<pw>\uE000+)/dg, filled),
    ...rangesOf(
      /[;?&"'][^\S\r\n]*(?:password|pwd(?!=\/))[^\S\r\n]*=[^\S\r\n]*(?:&quot;|\{)?(?<pw>(?<=&quot;)(?:(?!&quot;)[^\n])+|(?<=\{)[^}\n]+|[^\s;&"'<>]+)/dgi,
      text,
    ),
  ];
}

/** Joins the ranges that overlap. */
function together(ranges: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last !== undefined && from < last[1]) {
      last[1] = Math.max(last[1], to);
    } else if (to > from) {
      joined.push([from, to]);
    }
  }
  return joined;
}
