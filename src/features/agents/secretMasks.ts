import { createHash, createHmac, randomBytes } from 'node:crypto';
import { withoutLogins } from '../../containers/secretFiles';
import { isHarmless, secretsIn } from './secretSettings';

/**
 * What a language model gets instead of the values of secrets in a text, such as `DB_PASSWORD=masked-by-gantry-4f1d20b3a9c7`.
 * Everything else stays, and so do the number of lines and what is where in a line before a secret.
 */
export interface MaskedText {
  readonly text: string;
  /** The values that were replaced, each once. */
  readonly secrets: readonly string[];
}

/** Without it, nobody can try which value a mask stands for, or which file a version. */
const ownKey = randomBytes(32);
const start = 'masked-by-gantry-';
const anyMask = new RegExp(`${start}([0-9a-f]{6})([0-9a-f]{6})`, 'g');
const proofOf = (id: string) => createHash('sha256').update(`${start}${id}`).digest('hex').slice(0, 6);

/** The same value has the same mask, so that a model sees that two nodes have the same password. */
function maskOf(secret: string): string {
  const id = createHmac('sha256', ownKey).update(secret).digest('hex').slice(0, 6);
  return `${start}${id}${proofOf(id)}`;
}

/** Names a version of a file for a model, in this window. */
export function versionTag(text: string): string {
  return createHmac('sha256', ownKey).update(text).digest('hex').slice(0, 16);
}

/** Counts the masks, also those of earlier windows. What only looks like one has no valid proof. */
export function countMasks(text: string): number {
  return [...text.matchAll(anyMask)].filter(([, id = '', proof]) => proof === proofOf(id)).length;
}

export function maskSecrets(path: string, text: string): MaskedText {
  const secrets = new Set<string>();
  const mask = (secret: string): string => {
    if (countMasks(secret) > 0 || isHarmless(secret)) {
      return secret;
    }
    secrets.add(secret);
    return maskOf(secret);
  };
  const parts: string[] = [];
  let done = 0;
  for (const [from, to] of secretsIn(path, text)) {
    if (to <= done) {
      continue;
    }
    const begin = Math.max(from, done);
    const secret = text.slice(begin, to);
    if (secret.trim() !== '') {
      const whole = mask(secret.trim());
      // Each line keeps its place.
      parts.push(
        text.slice(done, begin),
        secret.replace(/\S(?:[^\r\n]*\S)?/g, () => whole),
      );
      done = to;
      for (const line of secret.split(/\r?\n/)) {
        secrets.add(line.trim());
      }
    }
  }
  const masked = withoutLogins(parts.join('') + text.slice(done), mask).replace(
    /(?<=[;?&"'][^\S\r\n]*(?:password|pwd)[^\S\r\n]*=[^\S\r\n]*)[^\s;&"'<>]+/gi,
    mask,
  );
  secrets.delete('');
  return { text: masked, secrets: [...secrets] };
}
