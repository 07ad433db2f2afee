import ts from 'typescript';

/** A text in a source file. */
export interface TextInSource {
  readonly line: number;
  readonly parts: Parts;
}

/** The fixed parts of a text, without the values between them. */
export type Parts = readonly string[];

/** So many characters in a row show that a test is about a text, or so large a share of what the test waits for. */
const muchInCommon = 16;
const leastShare = 2 / 3;
/** Shorter texts are often parts of others by chance. */
const shortest = 6;

/** Titles of tests are sentences of their own. */
const titled = ['describe', 'it', 'step'];

/** Returns the texts in a TypeScript file: strings, templates, and the fixed parts of regular expressions. */
export function textsOfSource(source: string): readonly TextInSource[] {
  const tree = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true);
  const found: TextInSource[] = [];
  const visit = (node: ts.Node): void => {
    const parts = partsOf(node).filter((part) => part !== '');
    if (parts.length > 0) found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, parts });
    if (ts.isCallExpression(node) && titled.includes(node.expression.getText())) node.arguments.slice(1).forEach(visit);
    else if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function partsOf(node: ts.Node): Parts {
  // `{0}` is the place of a value in a translatable text.
  if (ts.isStringLiteralLike(node)) return node.text.split(/\{\d+\}/);
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  if (ts.isRegularExpressionLiteral(node)) return fixedPartsOf(node.text);
  return [];
}

const quantifier = String.raw`(?:[*+?]|\{[\d,]+\})`;
/** A part of a regular expression that matches several texts, or else a character, which may be escaped. */
const expressionPart = new RegExp(
  String.raw`((?:\\[A-Za-z]|\[(?:\\.|[^\]])*\]|\.)${quantifier}*|(?:\\.|.)${quantifier}+|[()|^$])|\\?(.)`,
  'g',
);

/** Returns the parts of a regular expression that match only themselves. */
function fixedPartsOf(literal: string): Parts {
  const parts = [...literal.slice(1, literal.lastIndexOf('/')).matchAll(expressionPart)];
  return parts
    .map(([, special, character]) => (special === undefined ? character : '\0'))
    .join('')
    .split('\0');
}

/** A text that a test waits for, and the text that it was before a change. */
export interface StaleText extends TextInSource {
  readonly was: Parts;
}

/**
 * Returns the texts of a test that have a longer part in common with a removed text than with any current one: the test
 * may wait for words that are no longer shown.
 */
export function staleTexts(
  tested: readonly TextInSource[],
  removed: readonly Parts[],
  current: readonly Parts[],
): readonly StaleText[] {
  return tested.flatMap((text) => {
    const [best] = removed
      .map((was) => ({ was, common: inCommon(text.parts, was) }))
      .filter(({ common }) => common >= muchInCommon || common >= leastShare * longestOf(text.parts))
      .sort((one, other) => other.common - one.common);
    if (best === undefined) return [];
    return current.some((parts) => inCommon(text.parts, parts) >= best.common) ? [] : [{ ...text, was: best.was }];
  });
}

/** Returns whether a test has a part of one of the texts, or one of the texts is a part of what the test has. */
export function mentions(tested: readonly TextInSource[], texts: readonly Parts[]): boolean {
  // A single word may be anything, such as the name of a kind or of an operation.
  const long = (parts: Parts): Parts => parts.filter((part) => part.length > shortest && /\S \S/.test(part));
  const words = texts.flatMap(long);
  const isMentioned = (part: string): boolean => words.some((word) => word.includes(part) || part.includes(word));
  return tested.some(({ parts }) => long(parts).some(isMentioned));
}

/** Returns the length of the longest string that a part of each has in common. */
function inCommon(some: Parts, others: Parts): number {
  return Math.max(0, ...some.flatMap((one) => others.map((other) => longestCommon(one, other))));
}

function longestCommon(one: string, other: string): number {
  let longest = 0;
  for (let start = 0; start + longest < one.length; start += 1) {
    while (start + longest < one.length && other.includes(one.slice(start, start + longest + 1))) longest += 1;
  }
  return longest;
}

function longestOf(parts: Parts): number {
  return Math.max(shortest, ...parts.map(({ length }) => length));
}
