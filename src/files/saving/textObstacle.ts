import { l10n } from 'vscode';
import { ExpectedError } from '../../ui/expectedError';
import { gainsMasks, hasHalfCharacter } from '../text';

/**
 * Says why a text isn't sent: it gained what agents see instead of a secret, because an agent wrote it or a person pasted it,
 * or it has characters with which it couldn't be read again. Ask before each request that has a text. Bytes may be anything
 * else than a text.
 *
 * @param name what has the text: a file, or anything else that is saved, such as a variable or a project
 */
export function textObstacle(name: string, now: string | Uint8Array, before?: string): string | undefined {
  if (gainsMasks(now, before)) {
    return l10n.t(
      "{0} wasn't saved: it contains masked-by-gantry-…, which agents see instead of a secret. Replace it with the secret.",
      name,
    );
  }
  if (typeof now === 'string' && now.includes('\0')) {
    return l10n.t("{0} wasn't saved: NUL characters aren't allowed. Remove the character.", name);
  }
  return typeof now === 'string' && hasHalfCharacter(now)
    ? l10n.t("{0} wasn't saved: half of a character can't be written as UTF-8. Complete or remove it.", name)
    : undefined;
}

/** Rejects such a text. */
export function ensureWritable(name: string, now: string | Uint8Array, before?: string): void {
  const obstacle = textObstacle(name, now, before);
  if (obstacle !== undefined) {
    throw new ExpectedError(obstacle);
  }
}
