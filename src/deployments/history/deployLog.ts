/** Where a node keeps what its deployments said. */
export const nodeLogFolder = '/var/log/jelastic/vcs';
export const nodeLogName = 'vcs_update.log';

const telling =
  /\b(?:error|fatal|fail(?:ed|ure)?|conflicts?|denied|refused|cannot|could not|unable|not found|abort(?:ed|ing)?|overwritten|exception|E\d{6})\b/i;
const mostLines = 6;

/** The lines of a log that a person looks for first when a deployment failed: only for showing, nothing is decided by them. */
export function linesThatMatter(log: string): readonly string[] {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const told = [...new Set(lines.filter((line) => telling.test(line)))];
  return (told.length > 0 ? told : lines.slice(-3)).slice(-mostLines);
}

/** The revision that `svn` said it came to, if it said the same on every node. */
export function subversionRevision(log: string): string | undefined {
  const said = [...log.matchAll(/^(?:At|Updated to|Checked out) revision (\d+)\.$/gm)].map(([, revision]) => revision);
  return new Set(said).size === 1 ? said[0] : undefined;
}

/** The revision that `svn` said it came to in what was added to a log; `undefined` where nothing tells, or two things. */
export function revisionSince(before: string | undefined, after: string | undefined): string | undefined {
  return before === undefined || after?.startsWith(before) !== true
    ? undefined
    : subversionRevision(after.slice(before.length));
}

/** Some programs repeat the address they were given, with the login in it. */
export function withoutLogins(log: string): string {
  return log.replace(/(\w:\/\/)[^/\s@]+@/g, '$1•••@');
}
