import { l10n, workspace } from 'vscode';
import { type ContainerNames, shortLocationText } from '../../containers/locationText';
import { type FilePlace, filePlaceOf, isPathWithin, keyOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import type { FolderSearch, FoundFile } from './folderSearch';
import type { FoundLine, SearchQuery } from './searchQuery';
import { inOrderOfReasons, resultsText, skipText, wholeFolderText } from './searchText';

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
