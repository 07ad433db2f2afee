import type { PlatformError } from '../platform/errors';

/** What happened, to what, and what to do next, for a person. */
export function sentenceOf(error: PlatformError): string {
  return error.message;
}
