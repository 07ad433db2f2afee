import { l10n } from 'vscode';
import type { Listing } from './listingCache';

/** What may be chosen. */
export interface PathRules {
  readonly wanted: 'folder' | 'any';
  /** What choosing a path is called that is not there yet; left out where it may not be chosen. */
  readonly ifMissing?: string;
  /** Why a path may not be chosen. */
  readonly problem?: (path: string) => string | undefined;
}

/**
 * One row of the prompt, and what choosing it does. Labels of rows that act on what is typed do not repeat it: VS Code moves
 * rows up whose labels match.
 */
export interface PathRow {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly icon?: string;
  readonly act:
    | { readonly kind: 'use'; readonly path: string }
    | { readonly kind: 'enter'; readonly path: string }
    | { readonly kind: 'again' }
    | { readonly kind: 'none' };
}

const mostShown = 500;

/** What is typed, as the folder before the last slash and the beginning of a name after it. */
export function splitPath(typed: string): { readonly folder: string; readonly rest: string } {
  const text = typed.trimStart();
  const path = text.startsWith('/') ? text : `/${text}`;
  const end = path.lastIndexOf('/');
  return {
    folder:
      path
        .slice(0, end)
        .replaceAll(/\/{2,}/g, '/')
        .replace(/\/$/, '') || '/',
    rest: path.slice(end + 1),
  };
}

/** The path that is typed, as rows name it. */
export function typedPath(typed: string): string {
  const { folder, rest } = splitPath(typed);
  return join(folder, rest);
}

/** The rows for what is typed. `found`: what the folder holds, nothing where it is not there, or why it cannot be listed. */
export function pathRows(
  typed: string,
  found: Listing | { readonly error: string } | undefined,
  rules: PathRules,
  problem?: string,
): PathRow[] {
  const { folder, rest } = splitPath(typed);
  const path = join(folder, rest);
  const said: PathRow[] = problem === undefined ? [] : [{ label: problem, act: { kind: 'none' } }];
  if (found === undefined) {
    return [...said, ...missing(path, rules)];
  }
  if ('error' in found) {
    const again = { label: found.error, icon: 'warning', detail: l10n.t('Press Enter to try again.') };
    // What may not be looked into may be wanted all the same.
    return [...said, { ...again, act: { kind: 'again' } }, ...chosen(path, l10n.t('Use it unseen'), rules)];
  }
  const inside = contents(folder, rest, found, rules);
  const here = rest === '' ? [...chosen(folder, l10n.t('Use this folder'), rules), ...above(folder)] : [];
  // Where only what is there may be chosen, nothing need be said while something matches.
  const mayBeNew = rules.ifMissing !== undefined || inside.length === 0;
  const isNew = rest !== '' && !found.has(rest) && mayBeNew;
  return [...said, ...here, ...inside, ...(isNew ? missing(path, rules) : [])];
}

/** A row that chooses the path, where it may be chosen. */
function chosen(path: string, label: string, { problem }: PathRules): PathRow[] {
  return problem?.(path) === undefined ? [{ label, description: path, act: { kind: 'use', path } }] : [];
}

function above(folder: string): PathRow[] {
  const path = folder.slice(0, folder.lastIndexOf('/')) || '/';
  return folder === '/' ? [] : [{ label: '..', icon: 'arrow-up', act: { kind: 'enter', path } }];
}

function missing(path: string, { ifMissing, problem }: PathRules): PathRow[] {
  const reason = problem?.(path);
  if (reason !== undefined) {
    return [{ label: reason, icon: 'warning', act: { kind: 'none' } }];
  }
  return ifMissing === undefined
    ? [{ label: l10n.t('There is nothing'), description: path, icon: 'warning', act: { kind: 'none' } }]
    : [{ label: ifMissing, description: path, icon: 'new-folder', act: { kind: 'use', path } }];
}

function contents(folder: string, rest: string, found: Listing, { wanted }: PathRules): PathRow[] {
  const sought = rest.toLowerCase();
  const matching = [...found.values()]
    .filter(({ name, isDir }) => (isDir || wanted === 'any') && name.toLowerCase().includes(sought))
    .sort((a, b) => rank(a, sought) - rank(b, sought) || a.name.localeCompare(b.name, undefined, { numeric: true }));
  const rows = matching.slice(0, mostShown).map(({ name, isDir }): PathRow => {
    const path = join(folder, name);
    return isDir
      ? { label: name, act: { kind: 'enter', path } }
      : { label: name, icon: 'file', act: { kind: 'use', path } };
  });
  const more = matching.length - rows.length;
  const narrow = l10n.t('{0} more: type the beginning of a name', more);
  return more > 0 ? [...rows, { label: narrow, icon: 'ellipsis', act: { kind: 'none' } }] : rows;
}

/** What was typed whole comes first, then what begins with it; folders before files. */
function rank({ name, isDir }: { name: string; isDir: boolean }, sought: string): number {
  const lower = name.toLowerCase();
  return (lower === sought ? 0 : lower.startsWith(sought) ? 2 : 4) + (isDir ? 0 : 1);
}

function join(folder: string, name: string): string {
  return name === '' ? folder : `${folder === '/' ? '' : folder}/${name}`;
}
