import { l10n, Range, ThemeIcon, type TreeItem, TreeItemCollapsibleState, type TreeItemLabel } from 'vscode';
import { type FilePlace, keyOf, nameOf, parentOrSelf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { row } from '../../trees/row';
import { sharedKinds } from '../../trees/sharedRows';
import type { FoundLine, TextRange } from './matches';
import { relativePath, resultCount, skippedCounts, skipText } from './searchText';
import type { ProblemElement } from '../../trees/sharedElement';
import type { FoundFile, Skipped } from './folderSearch';

/** The rows of the Search Results view. */
export type SearchElement =
  | FoundFileElement
  | FoundLineElement
  | NotSearchedElement
  | SkippedElement
  /** Shown first if the search couldn't go on. */
  | ProblemElement;

export interface FoundFileElement {
  readonly kind: 'foundFile';
  readonly found: FoundFile;
  /** The searched folder. */
  readonly folder: FilePlace;
  readonly isUnfolded: boolean;
}

export interface FoundLineElement {
  readonly kind: 'foundLine';
  readonly file: FilePlace;
  readonly found: FoundLine;
}

/** Leads to everything that wasn't searched. */
interface NotSearchedElement {
  readonly kind: 'notSearched';
  readonly skipped: readonly Skipped[];
  readonly folder: FilePlace;
}

interface SkippedElement {
  readonly kind: 'skipped';
  readonly skipped: Skipped;
  readonly folder: FilePlace;
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** A row's ID stays the same when the view refreshes, so that VS Code keeps the selection and what is expanded. */
export function searchRow(element: SearchElement): TreeItem {
  switch (element.kind) {
    case 'foundFile':
      return fileRow(element);
    case 'foundLine':
      return lineRow(element);
    case 'notSearched':
      return notSearchedRow(element);
    case 'skipped':
      return skippedRow(element);
    case 'problem':
      return sharedKinds.problem.row(element);
  }
}

function fileRow({ found, folder, isUnfolded }: FoundFileElement): TreeItem {
  const { file, matchCount } = found;
  const path = relativePath(parentOrSelf(file), folder);
  const where = path === '.' ? [] : [path];
  const name = nameOf(file);
  return row(`foundFile ${keyOf(file)}`, name, isUnfolded ? Expanded : Collapsed, {
    description: [...where, `${matchCount}`].join(' · '),
    resourceUri: uriOf(file),
    iconPath: ThemeIcon.File,
    tooltip: file.path,
    contextValue: 'foundFile',
    accessibilityInformation: { label: [name, ...where, resultCount(matchCount)].join(', ') },
  });
}

function lineRow({ file, found }: FoundLineElement): TreeItem {
  const number = found.line + 1;
  const { text, highlights } = labelOf(found);
  const label: TreeItemLabel = { label: text, highlights };
  const item = row(`foundLine ${found.line} ${keyOf(file)}`, text, None, {
    tooltip: l10n.t('Line {0}: {1}', number, found.preview.trim()),
    contextValue: 'foundLine',
    command: {
      command: 'vscode.open',
      title: l10n.t('Open'),
      arguments: [uriOf(file), { selection: rangeIn(found), preview: true }],
    },
    accessibilityInformation: { label: l10n.t('Line {0}: {1}', number, found.preview.trim()) },
  });
  return Object.assign(item, { label });
}

/** The line's number and its text without what it's indented by. */
function labelOf({ line, preview, previewStart, ranges }: FoundLine): {
  readonly text: string;
  readonly highlights: [number, number][];
} {
  const shown = preview.trimStart();
  const lead = `${line + 1}: ${previewStart > 0 ? '…' : ''}`;
  const offset = lead.length - previewStart - (preview.length - shown.length);
  const end = lead.length + shown.length;
  const highlights = ranges.flatMap((range): [number, number][] => {
    const from = Math.max(lead.length, range.start.column + offset);
    const to = Math.min(end, range.end.line > range.start.line ? end : range.end.column + offset);
    return from < to ? [[from, to]] : [];
  });
  return { text: `${lead}${shown}`, highlights };
}

/** What an editor selects to show the line: its first match. */
function rangeIn({ line, ranges: [first] }: FoundLine): Range {
  const { start, end }: TextRange = first ?? { start: { line, column: 0 }, end: { line, column: 0 } };
  return new Range(start.line, start.column, end.line, end.column);
}

function notSearchedRow({ skipped }: NotSearchedElement): TreeItem {
  return row('notSearched', l10n.t('Not searched'), Collapsed, {
    description: skippedCounts(skipped),
    iconPath: new ThemeIcon('info'),
    tooltip: l10n.t("Expand to see what wasn't searched, and why."),
    contextValue: 'notSearched',
  });
}

function skippedRow({ skipped, folder }: SkippedElement): TreeItem {
  const { place, isFolder } = skipped;
  const uri = uriOf(place);
  const isFile = !isFolder && skipped.reason !== 'special';
  return row(`skipped ${keyOf(place)}`, relativePath(place, folder), None, {
    description: skipText(skipped),
    iconPath: new ThemeIcon(isFolder ? 'folder' : 'file'),
    tooltip: `${place.path}\n${skipText(skipped)}`,
    contextValue: isFolder ? 'skippedFolder' : 'skippedFile',
    ...(isFile ? { command: { command: 'vscode.open', title: l10n.t('Open'), arguments: [uri] } } : {}),
  });
}
