/** What a pattern is compared with: an environment's name, its display name, or its account and name. */
export interface EnvironmentNames {
  readonly account: string;
  readonly name: string;
  readonly title: string;
}

/**
 * Whether the patterns match the environment. `*` matches any text, and a pattern after `!` makes an exception. The last
 * match decides. An exception never goes by the display name, because another environment can have the same one.
 */
function isMatched(patterns: readonly string[], names: EnvironmentNames): boolean {
  const deciding = patterns
    .map((pattern) => pattern.trim())
    .findLast((pattern) =>
      pattern.startsWith('!')
        ? matchesName(pattern.slice(1), names)
        : matchesName(pattern, names) || matches(pattern, names.title),
    );
  return deciding?.startsWith('!') === false;
}

/** Names contain no slash, so a pattern with one is for a single account. */
function matchesName(pattern: string, names: EnvironmentNames): boolean {
  return matches(pattern, pattern.includes('/') ? inAccount(names) : names.name);
}

/** The name that no other environment has: names are only unique in an account. */
function inAccount({ account, name }: EnvironmentNames): string {
  return `${account}/${name}`;
}

/** Where patterns come from. An open folder's settings can protect more environments than the user's, but not fewer. */
interface PatternSources {
  readonly ofUser: readonly string[];
  readonly ofWorkspace: readonly (readonly string[])[];
}

export function isMatchedBySome({ ofUser, ofWorkspace }: PatternSources, names: EnvironmentNames): boolean {
  return [ofUser, ...ofWorkspace].some((patterns) => isMatched(patterns, names));
}

/** Whether the patterns match the environment under some other display name. */
export function mayMatchSomeTitle({ ofUser, ofWorkspace }: PatternSources, names: EnvironmentNames): boolean {
  return [ofUser, ...ofWorkspace].some((patterns) => {
    const trimmed = patterns.map((pattern) => pattern.trim());
    const exception = trimmed.findLastIndex((one) => one.startsWith('!') && matchesName(one.slice(1), names));
    return trimmed.slice(exception + 1).some((one) => one !== '' && !one.startsWith('!'));
  });
}

/**
 * Returns the patterns with a change that makes them match the environment. Changes nothing if they do already. Adds the
 * name alone, so that a new sign-in or a second account with the same environment doesn't lose the mark.
 */
export function withEnvironment(patterns: readonly string[], names: EnvironmentNames): readonly string[] {
  if (isMatched(patterns, names)) {
    return patterns;
  }
  const kept = without(patterns, [`!${names.name}`, `!${inAccount(names)}`]);
  return isMatched(kept, names) ? kept : [...kept, names.name];
}

/**
 * Returns the patterns with a change that makes them not match the environment, and changes nothing for others.
 * @param isOnly whether no other account has an environment of this name
 */
export function withoutEnvironment(
  patterns: readonly string[],
  names: EnvironmentNames,
  { isOnly }: { readonly isOnly: boolean },
): readonly string[] {
  const kept = without(patterns, [inAccount(names), ...(isOnly ? [names.name] : [])]);
  return isMatched(kept, names) ? [...kept, `!${inAccount(names)}`] : kept;
}

function without(patterns: readonly string[], removed: readonly string[]): readonly string[] {
  const texts = removed.map(comparable);
  return patterns.filter((pattern) => !texts.includes(comparable(pattern)));
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
