import type { JsonObject } from './scalars';
import { fieldOf, isJsonObject, readEnumeration } from './scalars';

const authTypes = { BASIC: 0, TFA: 1 } as const;

/** Whether a sign-in response, successful or not, says that the account requires two-factor authentication. */
export function asksForSecondFactor(answer: JsonObject): boolean {
  const config = fieldOf(answer, 'authConfig');
  const types = [fieldOf(answer, 'authType'), isJsonObject(config) ? fieldOf(config, 'type') : undefined];
  const check = fieldOf(answer, 'requiredAuthCheck');
  return (
    types.some((type) => readEnumeration(authTypes, type) === 'TFA') ||
    (isJsonObject(check) && Object.keys(check).length > 0)
  );
}
