import { l10n, workspace } from 'vscode';
import { type ContainerNames, locationText, shortLocationText } from '../../containers/locationText';
import { type FilePlace, filePlaceOf, isPathWithin, keyOf } from '../../containers/place';
import { flawSentence } from '../../files/wholeText';
import { fileCount, grouped } from '../../ui/countText';
import { reasonText } from '../../ui/failureMessages';
import { ExpectedError } from '../../ui/expectedError';
import { DeadlineExceeded } from '../../ui/interruptible';
import type { FolderSearch, FoundFile, Skipped, SkipReason } from './folderSearch';
import type { FoundLine } from './matches';
import type { SearchQuery } from './searchQuery';
import { uriOf } from '../../containers/uris';

/** What was found so far, and whether that's everything. */
export function resultsText({
  state,
  matchCount,
  files,
}: Pick<FolderSearch, 'state' | 'matchCount' | 'files'>): string {
  const found =
    matchCount === 0 ? l10n.t('No results') : l10n.t('{0} in {1}', resultCount(matchCount), fileCount(files.length));
  switch (state.kind) {
    case 'running':
      return matchCount === 0 ? l10n.t('Searching…') : l10n.t('{0} – still searching…', found);
    case 'done':
      return `${found}.`;
    case 'canceled':
      return l10n.t('{0} – canceled. Not everything was searched.', found);
    case 'limited':
      return l10n.t('{0} – result limit reached. Use more specific text, or search a subfolder.', found);
    case 'stopped':
      return l10n.t('{0} – stopped: {1}. Not everything was searched.', found, reasonText(shownError(state.error)));
  }
}

/** Why a search stopped, in words for the user. */
export function shownError(error: unknown): unknown {
  return error instanceof DeadlineExceeded
    ? new ExpectedError(l10n.t('the regular expression takes too long to match; use a simpler one'))
    : error;
}

export function resultCount(count: number): string {
  return count === 1 ? l10n.t('1 result') : l10n.t('{0} results', grouped(count));
}

/** The searched folder in the tree's words, for a title. */
export function folderText(folder: FilePlace, names: ContainerNames): string {
  return l10n.t('{0} ({1})', folder.path, shortLocationText(folder, names));
}

/** The same for a sentence, such as "/etc on node 66001 (Load balancer), Saltmarsh Tea". */
export function wholeFolderText(folder: FilePlace, names: ContainerNames): string {
  return l10n.t('{0} on {1}', folder.path, locationText(folder, names));
}

/** A place as seen from the searched folder, which is itself a dot. */
export function relativePath(place: FilePlace, folder: FilePlace): string {
  if (place.path === folder.path) {
    return '.';
  }
  return place.path.slice(folder.path === '/' ? 1 : folder.path.length + 1);
}

/** The options that are on, because a screen reader doesn't say which buttons are. */
export function optionsTexts({ matchCase, wholeWord, isRegex, include, exclude }: SearchQuery): readonly string[] {
  const options = [
    matchCase ? l10n.t('match case') : undefined,
    wholeWord ? l10n.t('whole word') : undefined,
    isRegex ? l10n.t('regular expression') : undefined,
  ].filter((option) => option !== undefined);
  const sentences = [
    options.length === 0 ? undefined : l10n.t('Options: {0}.', options.join(', ')),
    include === '' ? undefined : l10n.t('Include: {0}.', include),
    exclude === '' ? undefined : l10n.t('Exclude: {0}.', exclude),
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

/** In the order in which they are counted and listed: the surprising ones first. */
const reasons = ['unreadable', 'cut', 'slow', 'tooLarge', 'binary', 'link', 'special', 'excluded'] as const;

export function inOrderOfReasons(skipped: readonly Skipped[]): readonly Skipped[] {
  return [...skipped].sort(
    (one, other) =>
      reasons.indexOf(one.reason) - reasons.indexOf(other.reason) || (one.place.path < other.place.path ? -1 : 1),
  );
}

/** Counts what wasn't searched by reason, such as "3 binary files, 1 excluded folder". */
export function skippedCounts(skipped: readonly Skipped[]): string {
  const counts = reasons.flatMap((reason) =>
    [true, false].flatMap((isFolder) => {
      const count = skipped.filter((one) => one.reason === reason && one.isFolder === isFolder).length;
      return count === 0 ? [] : [countText(reason, { count, isFolder })];
    }),
  );
  return counts.join(', ');
}

function countText(
  reason: SkipReason,
  { count, isFolder }: { readonly count: number; readonly isFolder: boolean },
): string {
  const [one, several] = (isFolder ? folderCounts[reason] : undefined) ?? fileCounts[reason];
  return count === 1 ? one() : several(grouped(count));
}

type Counts = readonly [one: () => string, several: (count: string) => string];

const fileCounts: Readonly<Record<SkipReason, Counts>> = {
  unreadable: [() => l10n.t('1 unreadable file'), (count) => l10n.t('{0} unreadable files', count)],
  cut: [() => l10n.t('the end of 1 file'), (count) => l10n.t('the ends of {0} files', count)],
  slow: [() => l10n.t('1 file that timed out'), (count) => l10n.t('{0} files that timed out', count)],
  tooLarge: [() => l10n.t('1 large file'), (count) => l10n.t('{0} large files', count)],
  binary: [() => l10n.t('1 binary file'), (count) => l10n.t('{0} binary files', count)],
  link: [() => l10n.t('1 symbolic link'), (count) => l10n.t('{0} symbolic links', count)],
  special: [() => l10n.t('1 special file'), (count) => l10n.t('{0} special files', count)],
  excluded: [() => l10n.t('1 excluded file'), (count) => l10n.t('{0} excluded files', count)],
};

const folderCounts: Readonly<Partial<Record<SkipReason, Counts>>> = {
  unreadable: [() => l10n.t('1 unreadable folder'), (count) => l10n.t('{0} unreadable folders', count)],
  excluded: [() => l10n.t('1 excluded folder'), (count) => l10n.t('{0} excluded folders', count)],
};

/** Why one file or folder wasn't searched. */
export function skipText(skipped: Skipped): string {
  switch (skipped.reason) {
    case 'unreadable':
      return reasonText(skipped.error);
    case 'cut':
      return flawSentence(skipped.cut);
    case 'slow':
      return l10n.t('takes too long to search with this regular expression');
    case 'tooLarge':
      return l10n.t('too large');
    case 'binary':
      return l10n.t('binary');
    case 'link':
      return l10n.t('symbolic link');
    case 'special':
      return l10n.t('special file');
    case 'excluded':
      return skipped.isFolder ? l10n.t('excluded folder') : l10n.t('excluded file');
  }
}

/** The results in the format of VS Code's search editors. */
export function searchEditorText(search: FolderSearch, names: ContainerNames): string {
  const { scope, files, skipped } = search;
  const left = inOrderOfReasons(skipped).map((one) => `  ${one.place.path}: ${skipText(one)}`);
  const parts = [
    headerOf(scope.query).join('\n'),
    [wholeFolderText(scope.folder, names), resultsText(search)].join('\n'),
    ...files.map((found) => `${titleOf(found.file, names)}:\n${linesOf(found).join('\n')}`),
    ...(left.length === 0 ? [] : [[l10n.t('Not searched'), ...left].join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What is found in these files, for the clipboard. */
export function copiedText(files: readonly Pick<FoundFile, 'file' | 'lines'>[]): string {
  return files.map(({ file, lines }) => [file.path, ...linesOf({ lines })].join('\n')).join('\n\n');
}

/** VS Code itself reads these words, so they aren't translated. */
function headerOf({ text, matchCase, wholeWord, isRegex, include, exclude }: SearchQuery): readonly string[] {
  const flags = [matchCase && 'CaseSensitive', wholeWord && 'WordMatch', isRegex && 'RegExp'].filter(Boolean);
  return [
    `# Query: ${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
    ...(flags.length === 0 ? [] : [`# Flags: ${flags.join(' ')}`]),
    ...(include === '' ? [] : [`# Including: ${include}`]),
    ...(exclude === '' ? [] : [`# Excluding: ${exclude}`]),
  ];
}

function linesOf({ lines }: Pick<FoundFile, 'lines'>): readonly string[] {
  return lines.map(({ line, preview, previewStart }: FoundLine) => {
    // VS Code's own words for this.
    const lead = previewStart > 0 ? `⟪ ${previewStart} characters skipped ⟫` : '';
    return `  ${line + 1}: ${lead}${preview}`;
  });
}

/**
 * VS Code makes links of paths in workspace folders. Any other path says where the file is, because VS Code would look
 * for a bare one on this computer.
 */
function titleOf(file: FilePlace, names: ContainerNames): string {
  for (const { uri, name } of workspace.workspaceFolders ?? []) {
    const folder = filePlaceOf(uri);
    if (folder !== undefined && isPathWithin(keyOf(file), keyOf(folder))) {
      return `${name} • ${uriOf(file).path.slice(uri.path.replace(/\/$/, '').length + 1)}`;
    }
  }
  return `${shortLocationText(file, names)}:${file.path}`;
}
