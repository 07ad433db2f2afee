import ts from 'typescript';
import { linesIn, type SourceText } from './sources';

/** Words that don't say what a test is about. */
const fillers: ReadonlySet<string> = new Set(
  'a an and are as at by for from has have if in into is it its no not of on or so that the them then there they to was were while with without'.split(
    ' ',
  ),
);
const fewestWords = 4;
const leastInCommon = 0.75;

/**
 * Finds pairs of titles that claim nearly the same. The rule: of each test's own title, without those of its suites, words
 * count that are neither fillers nor numbers, in lower case, without the endings of plurals and verbs. Titles with fewer
 * than four of them don't count. Titles of one file with the same words count once, because they are made in a loop, and
 * pairs within a file don't count. Two titles are near duplicates if they share at least three quarters of all words
 * that one of them has.
 */
export function nearDuplicates(claims: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const titles = [...claims].flatMap(([file, below]) => {
    const byWords = new Map(below.map((claim) => [[...wordsOf(claim)].sort().join(' '), claim]));
    return [...byWords.values()].map((claim) => ({ file, claim, words: wordsOf(claim) }));
  });
  const long = titles.filter(({ words }) => words.size >= fewestWords);
  const byWord = new Map<string, number[]>();
  for (const [index, { words }] of long.entries()) {
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), index]);
  }
  return long.flatMap(({ words, file, claim }, index) => {
    const common = new Map<number, number>();
    for (const other of [...words].flatMap((word) => byWord.get(word) ?? [])) {
      if (other > index) common.set(other, (common.get(other) ?? 0) + 1);
    }
    return [...common].flatMap(([other, count]) => {
      const one = long[other];
      if (one === undefined || one.file === file) return [];
      const isNear = count >= leastInCommon * (words.size + one.words.size - count);
      return isNear ? [`${file}: ${claim} | ${one.file}: ${one.claim}`] : [];
    });
  });
}

function wordsOf(claim: string): ReadonlySet<string> {
  const title = claim.split(' › ').at(-1) ?? '';
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const counted = words.filter((word) => !fillers.has(word) && !/^\d+$/.test(word));
  return new Set(counted.map((word) => (word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word)));
}

const hooks = ['before', 'beforeEach', 'after', 'afterEach'];
const cases = ['it', 'itNightly', 'step'];

export interface TestLines {
  readonly imports: number;
  readonly hooks: number;
  readonly tests: number;
  /** All others: what a file declares for its own tests, with the lines around it, and empty lines. */
  readonly helpers: number;
  /** Those of them that are functions and classes. The rest are mostly values, such as tables of cases, and empty lines. */
  readonly functions: number;
}

/** Sorts the lines of test files. */
export function testLines(files: readonly SourceText[]): TestLines {
  const lines = { imports: 0, hooks: 0, tests: 0, functions: 0 };
  for (const { tree } of files) {
    const visit = (node: ts.Node, isInFunction: boolean): void => {
      const kind = kindOf(node);
      const isFunction = !isInFunction && kind === undefined && isFunctionOrClass(node);
      if (isFunction) lines.functions += spanOf(tree, node);
      if (kind === undefined) ts.forEachChild(node, (child) => visit(child, isInFunction || isFunction));
      else lines[kind] += spanOf(tree, node);
    };
    visit(tree, false);
  }
  const all = files.reduce((sum, { text }) => sum + linesIn(text), 0);
  return { ...lines, helpers: all - lines.imports - lines.hooks - lines.tests };
}

/** Returns the files with helpers of their own and how many lines these take, the most first. */
export function helperLines(files: readonly SourceText[]): readonly string[] {
  return files
    .map((file) => ({ ...testLines([file]), path: file.path, all: linesIn(file.text) }))
    .sort((a, b) => b.helpers - a.helpers)
    .map(({ path, helpers, functions, all }) => `${path}: ${helpers} of ${all}, ${functions} in functions and classes`);
}

function kindOf(node: ts.Node): 'imports' | 'hooks' | 'tests' | undefined {
  if (ts.isImportDeclaration(node)) return 'imports';
  if (!ts.isExpressionStatement(node)) return undefined;
  const name = calledName(node.expression) ?? '';
  if (hooks.includes(name)) return 'hooks';
  return cases.includes(name) ? 'tests' : undefined;
}

function isFunctionOrClass(node: ts.Node): boolean {
  if (!ts.isVariableStatement(node)) return ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node);
  const [declared] = node.declarationList.declarations;
  return declared?.initializer !== undefined && ts.isArrowFunction(declared.initializer);
}

/** Returns the name of a call, also of `it(…).timeout(…)` and `describe.skip(…)`. */
function calledName(expression: ts.Expression): string | undefined {
  if (!ts.isCallExpression(expression)) return undefined;
  const { expression: called } = expression;
  if (ts.isIdentifier(called)) return called.text;
  if (!ts.isPropertyAccessExpression(called)) return undefined;
  return ts.isIdentifier(called.expression) ? called.expression.text : calledName(called.expression);
}

function spanOf(tree: ts.SourceFile, node: ts.Node): number {
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  return line(node.getEnd()) - line(node.getStart()) + 1;
}
