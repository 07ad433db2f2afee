import type { TokenEntry, TokenTemplateEntry } from '../platform/wire/tokens';
import { missingFrom, neededMethods } from './neededMethods';
import { daysLeft } from './tokenRenewal';

export const customTemplate = 'Custom';

/** The template of a token. Some platforms leave it out of their lists: then the one that permits just the same. */
export function templateOf(
  { tokenTemplate, apiList }: Pick<TokenEntry, 'tokenTemplate' | 'apiList'>,
  templates: readonly TokenTemplateEntry[],
): string | undefined {
  return tokenTemplate ?? templates.find((template) => permitsTheSame(template.apiList, apiList))?.name;
}

/** What of the methods that Gantry needs is permitted before a change and not after it. */
export function lostMethods(before: readonly string[], after: readonly string[]): readonly string[] {
  const needed = [...neededMethods.ofTheContract, ...neededMethods.beyondTheContract];
  const lackedBefore = missingFrom(before, needed);
  return missingFrom(after, needed).filter((method) => !lackedBefore.includes(method));
}

/** How near a token's end is. */
export function isEndingToken(expiresAt: Date | undefined, now: number): 'none' | 'far' | 'soon' | 'past' {
  if (expiresAt === undefined) {
    return 'none';
  }
  if (expiresAt.getTime() <= now) {
    return 'past';
  }
  return daysLeft(expiresAt, now) === undefined ? 'far' : 'soon';
}

/** `environment.file` and what is permitted of it, in the order of the alphabet. */
export function byService(methods: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const services = new Map<string, string[]>();
  for (const method of [...new Set(methods)].sort((one, other) => one.localeCompare(other))) {
    // Platforms spell the same service in more than one way.
    const service = partsOf(method).service.replace(/^(platform\.)?env(ironment)?\./i, 'environment.');
    services.set(service, [...(services.get(service) ?? []), method]);
  }
  return services;
}

export function partsOf(method: string): { readonly service: string; readonly name: string } {
  const end = method.lastIndexOf('.');
  return { service: method.slice(0, Math.max(end, 0)), name: method.slice(end + 1) };
}

function permitsTheSame(one: readonly string[], other: readonly string[]): boolean {
  return missingFrom(one, other).length === 0 && missingFrom(other, one).length === 0;
}
