import { FuzzyScore, matchedUpTo } from './fuzzyScore';
import { letterMask, type NamePart, type NameQuery } from './nameQuery';

/** The names of the files in a folder. */
export interface NamesInFolder {
  /** From the container's root. */
  readonly path: string;
  readonly names: readonly string[];
  /** The letters in each name, from `letterMask`. */
  readonly masks: readonly number[];
}

export interface FoundName {
  readonly folder: string;
  readonly name: string;
  readonly score: number;
}

export interface NameSearchOptions {
  /** The folder that shown paths start in. */
  readonly from: string;
  /** The most results. */
  readonly most: number;
}

// As in VS Code's quick open: the whole path, then names that start with the query, then names with it, then paths.
const isWholePath = 1 << 18;
const startsName = 1 << 17;
const isInName = 1 << 16;

/** Finds the best matches among the names. */
export function searchNames(
  folders: Iterable<NamesInFolder>,
  query: NameQuery,
  { from, most }: NameSearchOptions,
): readonly FoundName[] {
  const parts = query.parts.map((part) => new PartMatch(part));
  const best = new BestMatches(most);
  const start = query.absolutePath === undefined ? relativeStart(from) : 0;
  for (const { path, names, masks } of folders) {
    const shown = path === '/' ? '/'.slice(start) : `${path}/`.slice(start);
    parts.forEach((part) => part.enter(shown));
    for (let index = 0; index < names.length; index += 1) {
      const score = scoreOf(names[index] ?? '', masks[index] ?? 0, parts, best);
      if (score > 0) {
        const name = names[index] ?? '';
        const isWhole =
          query.absolutePath !== undefined && `${path === '/' ? '' : path}/${name}` === query.absolutePath;
        best.add({ folder: path, name, score: isWhole ? score + isWholePath : score });
      }
    }
  }
  return best.inOrder();
}

function relativeStart(from: string): number {
  return from === '/' ? 1 : from.length + 1;
}

function scoreOf(name: string, mask: number, parts: readonly PartMatch[], best: BestMatches): number {
  for (const part of parts) {
    if (!part.isPossible(mask)) {
      return 0;
    }
  }
  const lower = name.toLowerCase();
  // With several parts, a name that one part starts can outweigh a path that holds another.
  const isOnlyNames = parts.length === 1 && best.lowest >= isInName;
  let score = 0;
  for (const part of parts) {
    const found = part.scoreOf(name, lower, mask, isOnlyNames);
    if (found === 0) {
      return 0;
    }
    score += found;
  }
  return score;
}

/** One part of a query, compared with the names of one folder after the other. */
class PartMatch {
  private readonly inFolder: FuzzyScore;
  private readonly score: FuzzyScore;
  private folder = '';
  private folderLower = '';
  private folderMask = 0;
  /** How many characters are found in the folder's path. */
  private matched = 0;
  private isFolderScored = false;

  constructor(private readonly part: NamePart) {
    this.inFolder = new FuzzyScore(part);
    this.score = new FuzzyScore(part);
  }

  enter(folder: string): void {
    this.folder = folder;
    this.folderLower = folder.toLowerCase();
    this.folderMask = letterMask(this.folderLower);
    this.matched = matchedUpTo(this.folderLower, this.part.lower, 0);
    this.isFolderScored = false;
  }

  isPossible(mask: number): boolean {
    return (this.part.mask & ~(mask | this.folderMask)) === 0;
  }

  /** @param isOnlyNames whether there are enough better matches than any of a path */
  scoreOf(name: string, lower: string, mask: number, isOnlyNames: boolean): number {
    const { text, lower: wanted, isPath, mask: wantedMask } = this.part;
    const isName = !isPath && (wantedMask & ~mask) === 0 && matchedUpTo(lower, wanted, 0) === wanted.length;
    if (isName) {
      this.score.clear();
      this.score.read(name, lower);
      const start = lower.startsWith(wanted) ? startsName + Math.round((text.length / name.length) * 100) : isInName;
      return start + this.score.total;
    }
    if (isOnlyNames || matchedUpTo(lower, wanted, this.matched) < wanted.length) {
      return 0;
    }
    if (!this.isFolderScored) {
      this.inFolder.clear();
      this.inFolder.read(this.folder, this.folderLower);
      this.isFolderScored = true;
    }
    if (this.inFolder.isHighest) {
      return this.inFolder.total;
    }
    this.score.copy(this.inFolder);
    this.score.read(name, lower);
    return this.score.total;
  }
}

/** Keeps the best matches. */
class BestMatches {
  private found: FoundName[] = [];
  /** The lowest score that is kept. */
  lowest = 0;

  constructor(private readonly most: number) {}

  add(match: FoundName): void {
    if (match.score < this.lowest) {
      return;
    }
    this.found.push(match);
    if (this.found.length >= 4 * this.most) {
      this.cut();
    }
  }

  inOrder(): readonly FoundName[] {
    this.cut();
    return this.found;
  }

  private cut(): void {
    this.found = this.found.sort(compareMatches).slice(0, this.most);
    this.lowest = this.found.length < this.most ? 0 : (this.found.at(-1)?.score ?? 0);
  }
}

/** Of equal matches, the shorter name comes first, then the shorter path. */
function compareMatches(one: FoundName, other: FoundName): number {
  return (
    other.score - one.score ||
    one.name.length - other.name.length ||
    one.folder.length - other.folder.length ||
    compareTexts(one.name, other.name) ||
    compareTexts(one.folder, other.folder)
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
