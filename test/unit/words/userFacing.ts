import ts from 'typescript';

/** Properties and arguments that VS Code shows to the user. */
const shownProperties = [
  'title',
  'placeHolder',
  'placeholder',
  'prompt',
  'label',
  'description',
  'detail',
  'tooltip',
  'message',
  'validationMessage',
  'buttonLabel',
  'openLabel',
  'saveLabel',
  'name',
  'what',
  'ifAbsent',
];
const shownVariables = ['message', 'sentence', 'problem', 'reason', 'text', 'title', 'prompt'];
const shownArguments = new Map<string, readonly number[]>(
  Object.entries({
    showInformationMessage: [0, 1, 2, 3, 4],
    showWarningMessage: [0, 1, 2, 3, 4],
    showErrorMessage: [0, 1, 2, 3, 4],
    showInformationItems: [0],
    showFailure: [0, 2, 3, 4],
    setStatusBarMessage: [0],
    withProgress: [0],
    TreeItem: [0],
    row: [1],
    Error: [0],
    askInTurn: [0],
    say: [0],
  }),
);

export interface Finding {
  readonly line: number;
  readonly text: string;
}

export interface Call extends Finding {
  readonly file: string;
  readonly code: string;
  /** The text, if it is a single literal. */
  readonly sentence: string | undefined;
  /** The number of its values, or `undefined` if they are spread. */
  readonly values: number | undefined;
}

/** Finds the calls of `l10n.t` in a source file. */
export function localizedIn(file: string, source: string): readonly Call[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return all(tree).flatMap((node) => {
    if (!ts.isCallExpression(node) || node.expression.getText().replaceAll(/\s/g, '') !== 'l10n.t') {
      return [];
    }
    const [first, ...values] = node.arguments;
    const sentence = first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined;
    const spread = values.some((value) => ts.isSpreadElement(value));
    return [
      { ...placed(tree, node), file, code: node.getText(), sentence, values: spread ? undefined : values.length },
    ];
  });
}

/** Finds untranslated text for users, as far as the syntax shows it. */
export function plainWordsIn(file: string, source: string): readonly Finding[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return all(tree)
    .flatMap(shownBy)
    .flatMap(literalsOf)
    .filter((literal) => hasWords(wordsOf(literal)))
    .map((literal) => placed(tree, literal));
}

/** Finds the texts that are shown in an empty input, which cuts them off. */
export function placeholdersIn(file: string, source: string): readonly string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return all(tree)
    .filter((node) => ts.isPropertyAssignment(node) && /^place[hH]older$/.test(node.name.getText()))
    .flatMap((property) => localizedIn(file, `(${property.getText().replace(/^\w+:/, '')})`))
    .flatMap(({ sentence }) => sentence ?? []);
}

function all(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    found.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return found;
}

function shownBy(node: ts.Node): readonly ts.Expression[] {
  if (ts.isPropertyAssignment(node) && shownProperties.includes(node.name.getText()) && !isOfAFailure(node)) {
    return [node.initializer];
  }
  if (ts.isVariableDeclaration(node) && shownVariables.includes(node.name.getText())) {
    return node.initializer === undefined ? [] : [node.initializer];
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return ts.isPropertyAccessExpression(node.left) && shownProperties.includes(node.left.name.text)
      ? [node.right]
      : [];
  }
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
    return (shownArguments.get(name) ?? []).flatMap((index) => node.arguments?.[index] ?? []);
  }
  return [];
}

/** The text that our own errors pass to `Error` is for the log. The user's message is created where it is shown. */
function isOfAFailure({ parent }: ts.PropertyAssignment): boolean {
  const made = parent.parent;
  return ts.isCallExpression(made) && made.expression.kind === ts.SyntaxKind.SuperKeyword;
}

/** Returns the literals that an expression can have as its value. */
function literalsOf(expression: ts.Expression): readonly (ts.StringLiteralLike | ts.TemplateExpression)[] {
  if (ts.isStringLiteralLike(expression) || ts.isTemplateExpression(expression)) {
    return [expression];
  }
  if (ts.isConditionalExpression(expression)) {
    return [expression.whenTrue, expression.whenFalse].flatMap(literalsOf);
  }
  if (ts.isBinaryExpression(expression)) {
    return [expression.left, expression.right].flatMap(literalsOf);
  }
  return ts.isParenthesizedExpression(expression) ? literalsOf(expression.expression) : [];
}

function wordsOf(literal: ts.StringLiteralLike | ts.TemplateExpression): string {
  return ts.isTemplateExpression(literal)
    ? [literal.head.text, ...literal.templateSpans.map((span) => span.literal.text)].join(' ')
    : literal.text;
}

/** Icons, URLs, dates, and the product's name are the same in every language. A single lowercase word is an ID. */
function hasWords(text: string): boolean {
  const bare = text
    .replace(/\$\([a-z~-]+\)/g, '')
    .replace(/\bhttps?:\/\/\S+|\S+@\S+|\bGantry\b/g, '')
    .trim();
  return /\p{L}{2,}[,;:]?\s+\p{L}/u.test(bare) || /^\p{Lu}\p{Ll}+[….!?]*$/u.test(bare);
}

function placed(tree: ts.SourceFile, node: ts.Node): Finding {
  return { line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: node.getText().slice(0, 80) };
}
