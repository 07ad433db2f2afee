import type { JsonObject } from './scalars';
import { fieldOf, isJsonObject, readEnumeration } from './scalars';

const authTypes = { BASIC: 0, TFA: 1 } as const;

/** Whether an answer to a sign-in, successful or refused, says that the account asks for a second factor. */
export function asksForSecondFactor(answer: JsonObject): boolean {
  const config = fieldOf(answer, 'authConfig');
  const types = [fieldOf(answer, 'authType'), isJsonObject(config) ? fieldOf(config, 'type') : undefined];
  const check = fieldOf(answer, 'requiredAuthCheck');
  return (
    types.some((type) => readEnumeration(authTypes, type) === 'TFA') ||
    (isJsonObject(check) && Object.keys(check).length > 0)
  );
}
