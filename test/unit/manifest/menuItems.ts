import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json';
import { commandIds } from '../../host/commandIds';
import type { ContextKeys } from '../../../src/manifest';
import { operationsByName } from '../../../src/platform/contract';
import { projectFolder } from '../../host/folders';
import { parseWhen, type Situation, type WhenClause } from './whenClause';

export interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

/** Our own keys and their values. The compiler checks the list against the source. */
export const ownKeys = {
  'gantry.accounts': ['unreadable', 'none', 'some'],
  'gantry.onlyAccount': ['none', 'signedIn', 'signedOut'],
  'gantry.signedOut': ['none', 'some'],
  'gantry.accessView': ['open', 'locked'],
  'gantry.clipboard': ['empty', 'filled'],
  'gantry.listedEnvironments': ['unknown', 'none', 'some'],
  'gantry.unlocked': ['none', 'some'],
  'gantry.layerNodes': ['one', 'several'],
  'gantry.foldersOnSeveralNodes': [['/shop/cp~66001/srv']],
  'gantry.foldersWithoutWrite': [['/shop/cp~66001/srv']],
  'gantry.foldersWithoutUpload': [['/shop/cp~66001/srv']],
  'gantry.foldersWithoutUnpackById': [['/shop/cp~66001/srv']],
  'gantry.foldersWithoutUnpackByType': [['/shop/cp~66001/srv']],
  'gantry.foldersWithoutAddFavorite': [['/shop/cp~66001/srv']],
  'gantry.editorLacks': ['', 'noWrite'],
  'gantry.deployedFolders': [['/shop/cp~66001/srv']],
  'gantry.pinnedProjects': ['none', 'some'],
  'gantry.containerFolders': ['none', 'some'],
  'gantry.search': ['none', 'running', 'ended'],
  'gantry.searchLacks': ['', 'noWrite'],
  'gantry.secretValues': ['shown', 'masked'],
  'gantry.logState': ['none', 'following', 'paused'],
  'gantry.saveProblem': ['none', 'conflict', 'pieces'],
  'gantry.mergeConflicts': ['none', 'some'],
  'gantry.saves': ['some'],
  'gantry.redeploys': ['some'],
} as const satisfies { readonly [K in keyof ContextKeys]: readonly ContextKeys[K][] };

/** Keys of VS Code that clauses can use. */
export const keysOfVsCode = [
  'view',
  'viewItem',
  'focusedView',
  'listFocus',
  'inputFocus',
  'listMultiSelection',
  'listDoubleSelection',
  'textInputFocus',
  'resourceSelectedForCompare',
  'resourceScheme',
  'resource',
  'resourceExtname',
  'resourceFilename',
  'explorerResourceIsFolder',
  'explorerResourceReadonly',
  'resourceDirname',
  'isFileSystemResource',
  'scmProvider',
  'scmResourceGroup',
  'editorFocus',
  'editorTextFocus',
  'isInDiffEditor',
  'textCompareEditorActive',
  'diffEditorOriginalUri',
  'activeCustomEditorId',
  'filesExplorerFocus',
  'isWeb',
];

const { menus, commands, viewsWelcome, keybindings, languageModelTools } = manifest.contributes;
export const menuItems: readonly (readonly [string, readonly MenuItem[]])[] = Object.entries(menus);
export const itemsIn = (menu: string): readonly MenuItem[] => menuItems.find(([name]) => name === menu)?.[1] ?? [];
/** Returns the commands of a menu in its order, with those of its submenus, which show only what their parent does. */
export function commandsIn(menu: string): readonly MenuItem[] {
  return inOrder(itemsIn(menu)).flatMap((item) =>
    item.submenu === undefined
      ? [item]
      : commandsIn(item.submenu).map((inner) => ({
          ...inner,
          submenu: item.submenu ?? '',
          ...(item.group === undefined ? {} : { group: item.group }),
          when:
            [item.when, inner.when].flatMap((when) => (when === undefined ? [] : `(${when})`)).join(' && ') || 'true',
        })),
  );
}

/** VS Code shows the group "navigation" first, and sorts the others. */
export function inOrder(items: readonly MenuItem[]): readonly MenuItem[] {
  const place = ({ group = '' }: MenuItem) => group.replace(/^navigation/, '0').replace(/^inline/, '');
  return [...items].sort((a, b) => place(a).localeCompare(place(b), 'en', { numeric: true }));
}

const parsed = new Map<string, WhenClause>();
export function holds(when: string | undefined, situation: Situation): boolean {
  if (when === undefined) return true;
  const clause = parsed.get(when) ?? parseWhen(when);
  parsed.set(when, clause);
  return clause.holds(situation);
}
export const enablementOf: ReadonlyMap<string, string | undefined> = new Map(
  commands.map((command) => [command.command, 'enablement' in command ? command.enablement : undefined]),
);

/** Returns the commands in the palette, without hidden and disabled ones. */
export const paletteIn = (situation: Situation): readonly string[] =>
  commandIds.filter(
    (id) =>
      holds(enablementOf.get(id), situation) &&
      itemsIn('commandPalette').every(({ command, when }) => command !== id || holds(when, situation)),
  );

export const clauses: readonly string[] = [
  ...menuItems.flatMap(([, items]) => items.flatMap(({ when }) => when ?? [])),
  ...viewsWelcome.map(({ when }) => when),
  ...keybindings.map(({ when }) => when),
  ...languageModelTools.map(({ when }) => when),
  ...[...enablementOf.values()].flatMap((enablement) => enablement ?? []),
];

const sourceFolder = join(projectFolder, 'src');
export const sources = readdirSync(sourceFolder, { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(sourceFolder, name), 'utf8') }));
export const rowSources = sources.filter(({ text }) => text.includes('contextValue')).map(({ text }) => text);
/** All words in the source of rows, because clauses can match any of them. */
export const wordsOfRows = [
  // What a row's account may lack.
  ...Object.keys(operationsByName).map((operation) => `no${operation}`),
  ...new Set(rowSources.flatMap((text) => [...text.matchAll(/['`]([\w ${}.]+)['`]/g)].map(([, word]) => word ?? ''))),
];

/** Words that a row has or not, after the word for its kind. */
export const optionalWords = [
  ['environment', 'added', 'production', 'browsable', 'takesProjects'],
  ['layer', 'entered', 'browsable', 'takesProjects', 'noGetContainerEnvVars', 'noRestartServices'],
  ['node', 'unresolved', 'noGetContainerEnvVars', 'noRestartServices'],
  ['file', 'archive', 'configuration', 'log', 'severalNodes', 'deployed'],
  ['folder', 'configuration', 'severalNodes', 'deployed'],
  ['favorite folder', 'filtered', 'lost'],
  ['favorite file', 'lost'],
  ['project', 'listed', 'edited', 'pinned', 'cloneable', 'retry'],
  ['problem', 'unexpected'],
];
/** All values that rows can have for menus. */
export const rowValues = [
  ...wordsOfRows,
  ...optionalWords.flatMap(([kind = '', ...words]) =>
    words.reduce((values, word) => [...values, ...values.map((value) => `${value} ${word}`)], [kind]),
  ),
];
