import ts from 'typescript';
import manifest from '../../package.json';
import {
  beforeEditScheme,
  deployScheme,
  hookScheme,
  logScheme,
  scheme,
  variablesScheme,
  viewIds,
} from '../../src/manifest';
import {
  commandsIn,
  enablementOf,
  holds,
  inOrder,
  itemsIn,
  type MenuItem,
  menuItems,
  optionalWords,
  ownKeys,
  paletteIn,
  rowSources,
  wordsOfRows,
} from '../unit/manifest/menuItems';
import { parseWhen, type Situation } from '../unit/manifest/whenClause';
import type { Sections } from './page';

/** The values of keys of VS Code that make a difference in clauses. The others are on or off. */
const valuesOfVsCode: Readonly<Record<string, readonly (string | boolean)[]>> = {
  resourceScheme: ['file', scheme, hookScheme, variablesScheme, logScheme, deployScheme, beforeEditScheme],
  resource: ['', 'gantry:/shop/cp~66001/srv/a.conf'],
  resourceExtname: ['.conf', '.zip', '.tgz', '.log'],
  resourceFilename: ['a.conf', 'a.zip', 'a.log'],
  resourceDirname: ['/shop/cp~66001/srv'],
  diffEditorOriginalUri: ['', 'gantry:/a#version-1'],
  activeCustomEditorId: ['', 'gantry.binaryFile'],
  scmProvider: ['git', 'gantry'],
  scmResourceGroup: ['', 'edits'],
  focusedView: ['', ...viewIds],
};

/** Everything is there to act on, and nothing is missing. */
const everything: Situation = {
  'gantry.accounts': 'some',
  'gantry.onlyAccount': 'signedIn',
  'gantry.signedOut': 'none',
  'gantry.accessView': 'open',
  'gantry.clipboard': 'filled',
  'gantry.listedEnvironments': 'some',
  'gantry.unlocked': 'some',
  'gantry.layerNodes': 'several',
  'gantry.foldersOnSeveralNodes': ['/shop/cp~66001/srv'],
  'gantry.deployedFolders': ['/shop/cp~66001/srv'],
  'gantry.pinnedProjects': 'some',
  'gantry.containerFolders': 'some',
  'gantry.search': 'ended',
  'gantry.secretValues': 'masked',
  'gantry.logState': 'following',
  'gantry.saveProblem': 'none',
  'gantry.mergeConflicts': 'none',
  resourceSelectedForCompare: true,
  resourceDirname: '/shop/cp~66001/srv',
  resourceExtname: '.conf',
  listFocus: true,
};

const ownSections = ['gantry.files', 'gantry.conflict'];

/** What has an order, a condition, and a name: menu items, keys, and the texts of empty views. */
interface Offer {
  readonly name: string;
  readonly when: string | undefined;
}

/** Returns which command is offered where: on each row, selection, file, and editor, in the palette, and by each key. */
export function menus(): Sections {
  const { keybindings, viewsWelcome } = manifest.contributes;
  // The submenus of rows and files are shown with what they are in.
  const elsewhere = ['view/item/context', 'view/title', 'commandPalette'];
  const inMenus = menuItems
    .filter(([menu]) => !elsewhere.includes(menu) && (!menu.startsWith('gantry.') || ownSections.includes(menu)))
    .map(([menu, items]) => [menu, menu === 'gantry.files' ? commandsIn(menu) : items] as const);
  return new Map([
    ...viewIds.map((view) => [`rows of ${view}`, rowsOf(view)] as const),
    ...viewIds.map((view) => [`title of ${view}`, tableOf(offersIn(itemsIn('view/title')), [{ view }])] as const),
    ...inMenus.map(([menu, items]) => [menu, tableOf(offersIn(items), placesOf(menu))] as const),
    ['palette', paletteTable()] as const,
    [
      'keys',
      tableOf(keybindings.map(toKey), [
        ...viewIds.map((focusedView) => ({ focusedView })),
        { editorTextFocus: true, 'gantry.mergeConflicts': 'some' },
      ]),
    ] as const,
    ...viewIds.map((view) => {
      const texts = viewsWelcome
        .filter((one) => one.view === view)
        .map(({ contents, when }) => ({ name: contents, when }));
      return [`empty view ${view}`, tableOf(texts, [{}, { 'gantry.accounts': 'none' }])] as const;
    }),
  ]);
}

/** Editors show documents of each scheme, the Explorer shows files and folders, and Source Control its providers. */
function placesOf(menu: string): readonly Situation[] {
  if (menu === 'gantry.conflict') return [{}];
  if (menu.startsWith('scm/')) return [{ scmProvider: 'git' }, { scmProvider: 'gantry' }];
  const schemes = (valuesOfVsCode['resourceScheme'] ?? []).map((resourceScheme) => ({ resourceScheme }));
  const conflict = { resourceScheme: scheme, textCompareEditorActive: true, 'gantry.saveProblem': 'conflict' };
  if (menu.startsWith('editor/')) return [...schemes, conflict];
  const folder = { resourceScheme: scheme, explorerResourceIsFolder: true };
  const readOnly = { ...folder, explorerResourceReadonly: true };
  return [...schemes, folder, readOnly, { resourceScheme: scheme, resourceExtname: '.zip' }];
}

interface Key {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
  readonly args?: string;
}

function toKey({ command, key, mac, when, args }: Key): Offer {
  const onMac = mac === undefined ? '' : ` (macOS: ${mac})`;
  return { name: `${key} ${command}${args === undefined ? '' : ` ${args}`}${onMac}`, when };
}

/** Returns the offers of a menu in VS Code's order: inline buttons, "navigation", and the other groups. */
function offersIn(items: readonly MenuItem[]): readonly Offer[] {
  return inOrder(items).map(({ command, submenu, when, group = '' }) => {
    const kind = group.startsWith('inline') ? 'inline ' : command === undefined ? 'submenu ' : '';
    const name = [submenu, command].filter((one) => one !== undefined).join(' › ');
    return { name: `${kind}${name.replace(/gantry\./g, '')}`, when: both(enablementOf.get(command ?? ''), when) };
  });
}

function both(...clauses: readonly (string | undefined)[]): string | undefined {
  const given = clauses.filter((clause) => clause !== undefined);
  return given.length === 0 ? undefined : given.map((clause) => `(${clause})`).join(' && ');
}

const namesIn = (offers: readonly Offer[], situation: Situation): readonly string[] =>
  offers.filter(({ when }) => holds(when, situation)).map(({ name }) => name);

/** Returns a line for each place, and one for each value of a key that changes it. */
function tableOf(offers: readonly Offer[], places: readonly Situation[]): readonly string[] {
  return places.flatMap((place) => linesFor((situation) => namesIn(offers, situation), keysOf(offers), place));
}

type Offered = (situation: Situation) => readonly string[];

function linesFor(
  offered: Offered,
  keys: readonly string[],
  place: Situation,
  name = wordsOf(place),
): readonly string[] {
  const situation = { ...everything, ...place };
  const usual = offered(situation);
  const variants = keys.flatMap((key) => (key in place ? [] : valuesOf(key).map((value) => ({ [key]: value }))));
  const changes = variants.flatMap((variant) => {
    const change = changeOf(usual, offered({ ...situation, ...variant }));
    return change === '' ? [] : [`${name} if ${wordsOf(variant)}: ${change}`];
  });
  return usual.length === 0 && changes.length === 0 ? [] : [`${name}: ${usual.join(', ') || 'nothing'}`, ...changes];
}

function keysOf(offers: readonly Offer[]): readonly string[] {
  const keys = offers.flatMap(({ when }) => (when === undefined ? [] : parseWhen(when).keys));
  return [...new Set(keys)].filter((key) => !['view', 'viewItem'].includes(key)).sort();
}

function valuesOf(key: string): readonly (string | boolean | readonly string[])[] {
  const own: readonly (string | readonly string[])[] | undefined = Object.entries(ownKeys).find(
    ([name]) => name === key,
  )?.[1];
  if (own === undefined) return valuesOfVsCode[key] ?? [false, true];
  return own.some((value) => Array.isArray(value)) ? [[], ...own] : own;
}

function wordsOf(situation: Situation): string {
  const words = Object.entries(situation).map(
    ([key, value]) => `${key} = ${Array.isArray(value) ? `[${value.join()}]` : String(value)}`,
  );
  return words.join(', ') || 'usually';
}

function changeOf(before: readonly string[], after: readonly string[]): string {
  const gone = before.filter((name) => !after.includes(name)).map((name) => `− ${name}`);
  const added = after.filter((name) => !before.includes(name)).map((name) => `+ ${name}`);
  return [...gone, ...added].join(', ');
}

/** The rows that get words for what their account lacks. */
const getsLacks = new RegExp(
  rowSources.flatMap((text) => /const withCommands =\s*\/(.+)\/;/.exec(text)?.[1] ?? []).join('|'),
);

/** What a row may lack or be, as far as clauses of the view ask for it. */
function rowsOf(view: string): readonly string[] {
  const offers = offersIn(commandsIn('view/item/context')).filter(({ when }) => isAbout(when, view));
  const offered: Offered = (situation) => namesIn(offers, situation);
  const asked = offers.map(({ when = '' }) => when.replaceAll(String.raw`\b`, ' ')).join(' ');
  const isAsked = (word: string) => new RegExp(String.raw`\b${word}\b`).test(asked);
  const lacks = wordsOfRows.filter((word) => /^no\p{Lu}/u.test(word) && isAsked(word)).sort();
  // There are no rows without an account.
  const keys = keysOf(offers).filter((key) => key !== 'gantry.accounts');
  return rowKinds().flatMap((viewItem) => {
    const lines = linesFor(offered, keys, { view, viewItem }, viewItem);
    if (lines.length === 0) return [];
    const own = optionalWords.find(([kind]) => kind === viewItem)?.slice(1) ?? [];
    const words = new Set([...own, ...(getsLacks.test(viewItem) ? lacks : [])]);
    return [...lines, ...linesWithWords(offered, { view, viewItem }, [...words])];
  });
}

/** Returns what rows can be, without the words that a row has or not: the texts that the source makes context values of. */
function rowKinds(): readonly string[] {
  const kinds = new Set(optionalWords.map(([kind = '']) => kind));
  const optional = new Set(optionalWords.flatMap(([, ...words]) => words));
  const add = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^[a-z]+( [a-z]+)*$/i.test(node.text) && !optional.has(node.text))
      kinds.add(node.text);
    ts.forEachChild(node, add);
  };
  const visit = (node: ts.Node): void => {
    const isContext = ts.isPropertyAssignment(node) && node.name.getText() === 'contextValue';
    if (isContext || (ts.isFunctionDeclaration(node) && node.name?.text === 'entryContext')) add(node);
    else ts.forEachChild(node, visit);
  };
  for (const text of rowSources) visit(ts.createSourceFile('rows.ts', text, ts.ScriptTarget.Latest, true));
  return [...kinds].sort();
}

/** Leaves out offers of other views, so that not every row is tried with them. */
function isAbout(when: string | undefined, view: string): boolean {
  const named = [...(when ?? '').matchAll(/\bview == ([\w.]+)/g)].map(([, name]) => name);
  return named.length === 0 || named.includes(view);
}

/** Returns what each word changes, and two words together if that is more than each alone. */
function linesWithWords(
  offered: Offered,
  place: { view: string; viewItem: string },
  words: readonly string[],
): readonly string[] {
  const withWords = (...some: readonly string[]) =>
    offered({ ...everything, ...place, viewItem: [place.viewItem, ...some].join(' ') });
  const usual = withWords();
  const alone = new Map(words.map((word) => [word, changeOf(usual, withWords(word))]));
  const pairs = words.flatMap((one, index) => words.slice(index + 1).map((other) => [one, other] as const));
  const together = pairs.flatMap(([one, other]) => {
    const change = changeOf(usual, withWords(one, other));
    const expected = new Set(
      [alone.get(one) ?? '', alone.get(other) ?? ''].flatMap((text) => text.split(', ')).filter(Boolean),
    );
    const isSum =
      change
        .split(', ')
        .filter(Boolean)
        .every((part) => expected.delete(part)) && expected.size === 0;
    return isSum ? [] : [`${place.viewItem} with ${one} ${other}: ${change || 'no change'}`];
  });
  const single = [...alone].flatMap(([word, change]) =>
    change === '' ? [] : [`${place.viewItem} with ${word}: ${change}`],
  );
  return [...single, ...together];
}

function paletteTable(): readonly string[] {
  const offers = [
    ...[...enablementOf.values()].map((when) => ({ name: '', when })),
    ...itemsIn('commandPalette').map(({ when }) => ({ name: '', when })),
  ];
  // VS Code sorts the palette by titles, so the order of the manifest says nothing.
  const offered: Offered = (situation) =>
    paletteIn(situation)
      .map((id) => id.replace(/^gantry\./, ''))
      .sort();
  const places: readonly Situation[] = [
    { 'gantry.accounts': 'none', 'gantry.unlocked': 'none', 'gantry.clipboard': 'empty' },
    {},
  ];
  return places.flatMap((place) => linesFor(offered, keysOf(offers), place, wordsOf(place)));
}
