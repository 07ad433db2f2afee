import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import ts from 'typescript';

/** A TypeScript file. Its path is relative to the project, with slashes. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** An import of a file by another. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Undefined if the names aren't written out, such as in `import * as`: then it may be any of them. */
  readonly names: readonly string[] | undefined;
  /** Whether it is left out of the bundle. */
  readonly isOfTypes: boolean;
  /** Whether it runs only when a line is reached. */
  readonly isLazy: boolean;
}

export function readSources(root: string, folder: string): readonly SourceText[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => sourceText(path, readFileSync(join(root, path), 'utf8')));
}

export function sourceText(path: string, text: string): SourceText {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** The number of lines as `wc -l` counts them. */
export function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

export function eachNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}

/** Returns all imports of the project's own files in a file. */
export function importsOf({ path, tree }: SourceText): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, one: Omit<Import, 'from' | 'to'>): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return;
    found.push({ ...one, from: path, to: `${normalize(join(dirname(path), specifier.text))}.ts` });
  };
  eachNode(tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, clauseOf(node.importClause));
    else if (ts.isExportDeclaration(node))
      add(node.moduleSpecifier, { names: undefined, isOfTypes: node.isTypeOnly, isLazy: false });
    else if (ts.isImportTypeNode(node)) {
      const { argument, qualifier } = node;
      const names = qualifier === undefined ? undefined : [qualifier.getText().split('.')[0] ?? ''];
      add(ts.isLiteralTypeNode(argument) ? argument.literal : undefined, { names, isOfTypes: true, isLazy: false });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], { names: namesOfLazyImport(node), isOfTypes: false, isLazy: true });
    }
  });
  return found;
}

function clauseOf(clause: ts.ImportClause | undefined): Omit<Import, 'from' | 'to'> {
  const bindings = clause?.namedBindings;
  const isOfTypes = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (clause === undefined || bindings === undefined || !ts.isNamedImports(bindings)) {
    return { names: clause === undefined ? [] : undefined, isOfTypes, isLazy: false };
  }
  const { elements } = bindings;
  return {
    names: elements.map(({ name, propertyName }) => (propertyName ?? name).text),
    isOfTypes: isOfTypes || (elements.length > 0 && elements.every((one) => one.isTypeOnly)),
    isLazy: false,
  };
}

/** Names in `const { a } = await import(…)` and `import(…).then(({ a }) => …)`. */
function namesOfLazyImport(call: ts.CallExpression): readonly string[] | undefined {
  const outer = ts.isAwaitExpression(call.parent) ? call.parent.parent : call.parent;
  let pattern: ts.BindingName | undefined;
  if (ts.isVariableDeclaration(outer)) pattern = outer.name;
  if (ts.isPropertyAccessExpression(outer) && outer.name.text === 'then' && ts.isCallExpression(outer.parent)) {
    const [then] = outer.parent.arguments;
    if (then !== undefined && ts.isArrowFunction(then)) pattern = then.parameters[0]?.name;
  }
  if (pattern === undefined || !ts.isObjectBindingPattern(pattern)) return undefined;
  return pattern.elements.map(({ name, propertyName }) => (propertyName ?? name).getText());
}

/** Returns the names that a file exports. */
export function exportsOf({ tree }: SourceText): readonly string[] {
  const names = tree.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : [];
    }
    if (!ts.canHaveModifiers(statement)) return [];
    if (!(ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
    }
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.getText()];
  });
  // Overloads have the same name.
  return [...new Set(names)];
}

export function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));
}
