/** What a pattern is compared with: an environment's name, or its display name. */
export interface EnvironmentNames {
  readonly name: string;
  readonly title: string;
}

/** Whether the patterns match the environment. `*` matches any text, and a pattern after `!` makes an exception. The last match decides. */
export function isMatched(patterns: readonly string[], { name, title }: EnvironmentNames): boolean {
  const deciding = patterns
    .map((pattern) => pattern.trim())
    .findLast((pattern) => {
      const matches = expressionOf(pattern.replace(/^!/, ''));
      return matches.test(name) || matches.test(title);
    });
  return deciding?.startsWith('!') === false;
}

/** Where patterns come from. An open folder's settings can protect more environments than the user's, but not fewer. */
export interface PatternSources {
  readonly ofUser: readonly string[];
  readonly ofWorkspace: readonly (readonly string[])[];
}

export function isMatchedBySome({ ofUser, ofWorkspace }: PatternSources, names: EnvironmentNames): boolean {
  return [ofUser, ...ofWorkspace].some((patterns) => isMatched(patterns, names));
}

/** Returns the patterns with a change that makes them match the environment. Changes nothing if they do already. */
export function withEnvironment(patterns: readonly string[], names: EnvironmentNames): readonly string[] {
  if (isMatched(patterns, names)) {
    return patterns;
  }
  const kept = patterns.filter((pattern) => !isFor(pattern, '!', names));
  return isMatched(kept, names) ? kept : [...kept, names.name];
}

/** Returns the patterns with a change that makes them not match the environment. */
export function withoutEnvironment(patterns: readonly string[], names: EnvironmentNames): readonly string[] {
  const kept = patterns.filter((pattern) => !isFor(pattern, '', names));
  return isMatched(kept, names) ? [...kept, `!${names.name}`] : kept;
}

/** Whether a pattern is for this environment only. */
function isFor(pattern: string, sign: '' | '!', { name, title }: EnvironmentNames): boolean {
  return [name, title].some((text) => pattern.trim().toLowerCase() === `${sign}${text}`.toLowerCase());
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`, 'i');
}
