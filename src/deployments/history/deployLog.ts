/** The folder where nodes keep their deployment logs. */
export const nodeLogFolder = '/var/log/jelastic/vcs';
export const nodeLogName = 'vcs_update.log';

const telling =
  /\b(?:error|fatal|fail(?:ed|ure)?|conflicts?|denied|refused|cannot|could not|unable|not found|abort(?:ed|ing)?|overwritten|exception|E\d{6})\b/i;
const mostLines = 6;

/** Picks the log lines that explain a failed deployment. For display only: nothing depends on them. */
export function linesThatMatter(log: string): readonly string[] {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const told = [...new Set(lines.filter((line) => telling.test(line)))];
  return (told.length > 0 ? told : lines.slice(-3)).slice(-mostLines);
}

/** Returns the revision that `svn` reported, if it's the same on every node. */
export function subversionRevision(log: string): string | undefined {
  const said = [...log.matchAll(/^(?:At|Updated to|Checked out) revision (\d+)\.$/gm)].map(([, revision]) => revision);
  return new Set(said).size === 1 ? said[0] : undefined;
}

/** Returns the `svn` revision in the part added to a log; `undefined` if there is none or more than one. */
export function revisionSince(before: string | undefined, after: string | undefined): string | undefined {
  return before === undefined || after?.startsWith(before) !== true
    ? undefined
    : subversionRevision(after.slice(before.length));
}

/** Removes logins from URLs, because some programs print the URL that they were given. */
export function withoutLogins(log: string): string {
  return log.replace(/(\w:\/\/)[^/\s@]+@/g, '$1•••@');
}
