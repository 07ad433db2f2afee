import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../host/folders';

/** What must not change without being noticed, as lines below headings. */
export type Sections = ReadonlyMap<string, readonly string[]>;

/** A line, and the heading that it's below. */
interface Line {
  readonly section: string;
  readonly text: string;
}

export interface Differences {
  readonly gone: readonly Line[];
  readonly added: readonly Line[];
  /** Lines that are below another heading now, such as titles of a test that moved to another file. */
  readonly moved: readonly (Line & { readonly to: string })[];
}

/** More lines of a kind are only counted. */
const mostShown = 25;

export const pathOf = (name: string): string => join('test', 'oracle', `${name}.txt`);

/** Compares a page of the oracle with what is true now. Throws with the differences and with how to accept them. */
export function comparePage(name: string, now: Sections, command = `npm run oracle -- --write ${name}`): void {
  const problem = problemOf(name, differencesOf(readPage(name), now), command);
  if (problem !== undefined) throw new Error(problem);
}

export function readPage(name: string): Sections {
  return parsePage(readFileSync(join(projectFolder, pathOf(name)), 'utf8'));
}

export function writePage(name: string, about: string, sections: Sections): void {
  writeFileSync(join(projectFolder, pathOf(name)), formatPage(about, sections));
}

/** Formats a page: a heading has a line of its own, and what is below it is indented. */
export function formatPage(about: string, sections: Sections): string {
  const lines = [...sections].flatMap(([section, below]) => [section, ...below.map((text) => `  ${text}`)]);
  return [`# ${about}`, ...lines, ''].join('\n');
}

export function parsePage(text: string): Sections {
  const sections = new Map<string, string[]>();
  let below: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('  ')) below.push(line.slice(2));
    else if (line !== '' && !line.startsWith('# ')) sections.set(line, (below = sections.get(line) ?? []));
  }
  return sections;
}

/** Finds lines of one that the other doesn't have. A line may be there several times; the order doesn't count. */
export function differencesOf(before: Sections, now: Sections): Differences {
  const gone = linesMissing(before, now);
  const added = linesMissing(now, before);
  const moved: (Line & { readonly to: string })[] = [];
  const stays = gone.filter((line) => {
    const index = added.findIndex(({ text }) => text === line.text);
    if (index === -1) return true;
    const [to] = added.splice(index, 1);
    moved.push({ ...line, to: to?.section ?? '' });
    return false;
  });
  return { gone: stays, added, moved };
}

function linesMissing(from: Sections, other: Sections): Line[] {
  return [...from].flatMap(([section, below]) => {
    const left = [...(other.get(section) ?? [])];
    return below.flatMap((text) => {
      const index = left.indexOf(text);
      if (index === -1) return [{ section, text }];
      left.splice(index, 1);
      return [];
    });
  });
}

/** Describes the differences, or returns undefined if there are none. */
export function problemOf(name: string, { gone, added, moved }: Differences, command: string): string | undefined {
  if (gone.length + added.length + moved.length === 0) return undefined;
  return [
    `${pathOf(name).replaceAll('\\', '/')} differs from what is true now.`,
    ...group(
      'No longer',
      gone.map(({ section, text }) => `${section}: ${text}`),
    ),
    ...group(
      'New',
      added.map(({ section, text }) => `${section}: ${text}`),
    ),
    ...group(
      'Moved',
      moved.map(({ section, text, to }) => `${section} → ${to}: ${text}`),
    ),
    `If all of this is intended, run \`${command}\`, and commit the page together with the change. The commit says why.`,
  ].join('\n');
}

function group(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - mostShown;
  return [
    `${title} (${lines.length}):`,
    ...lines.slice(0, mostShown).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
