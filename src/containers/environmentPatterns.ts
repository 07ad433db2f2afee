/** What a pattern is compared with: an environment's name, or its display name. */
export interface EnvironmentNames {
  readonly name: string;
  readonly title: string;
}

/**
 * Whether the patterns match the environment. `*` matches any text, and a pattern after `!` makes an exception, by name
 * only, because another environment can have the same display name. The last match decides.
 */
export function isMatched(patterns: readonly string[], { name, title }: EnvironmentNames): boolean {
  const deciding = patterns
    .map((pattern) => pattern.trim())
    .findLast((pattern) =>
      pattern.startsWith('!') ? matches(pattern.slice(1), name) : matches(pattern, name) || matches(pattern, title),
    );
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
  const exception = comparable(`!${names.name}`);
  const kept = patterns.filter((pattern) => comparable(pattern) !== exception);
  return isMatched(kept, names) ? kept : [...kept, names.name];
}

/** Returns the patterns with a change that makes them not match the environment. Other environments can have its display name. */
export function withoutEnvironment(patterns: readonly string[], names: EnvironmentNames): readonly string[] {
  const kept = patterns.filter((pattern) => comparable(pattern) !== comparable(names.name));
  return isMatched(kept, names) ? [...kept, `!${names.name}`] : kept;
}

/** Whether a pattern matches text as a whole. Takes no longer for many asterisks, because a folder can bring its own patterns. */
function matches(pattern: string, text: string): boolean {
  const whole = comparable(text);
  const [start = '', ...parts] = comparable(pattern).split('*');
  const end = parts.pop();
  if (end === undefined) {
    return whole === start;
  }
  if (whole.length < start.length + end.length || !whole.startsWith(start) || !whole.endsWith(end)) {
    return false;
  }
  const middle = whole.slice(start.length, whole.length - end.length);
  let from = 0;
  return parts.every((part) => {
    const at = middle.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** Equal for texts that look equal, apart from case. */
function comparable(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
