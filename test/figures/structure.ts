import { dirname } from 'node:path/posix';
import ts from 'typescript';
import { eachNode, exportsOf, type Import, importsOf, linesIn, type SourceText } from './sources';

export interface Sizes {
  readonly lines: number;
  readonly files: number;
}

export function sizesOf(files: readonly Pick<SourceText, 'text'>[]): Sizes {
  return { lines: files.reduce((sum, { text }) => sum + linesIn(text), 0), files: files.length };
}

/** Returns the sizes of the folders directly below `src/`, and of the files there. */
export function sizesByFolder(files: readonly SourceText[]): ReadonlyMap<string, Sizes> {
  const folderOf = ({ path }: SourceText) => path.split('/')[1] ?? '';
  const folders = [...new Set(files.map(folderOf))].sort();
  return new Map(folders.map((folder) => [folder, sizesOf(files.filter((file) => folderOf(file) === folder))]));
}

export function fileLengths(files: readonly SourceText[]): readonly number[] {
  return files.map(({ text }) => linesIn(text)).sort((one, other) => one - other);
}

export function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The most files that lie directly in one folder. */
export function largestFolder(files: readonly SourceText[]): number {
  return Math.max(0, ...counted(files.map(({ path }) => dirname(path))).values());
}

/** Which file imports which, and the names that it takes. Type imports count: a reader follows them, too. */
export class ImportGraph {
  readonly imports: readonly Import[];
  private readonly exported: ReadonlyMap<string, readonly string[]>;

  constructor(files: readonly SourceText[]) {
    this.exported = new Map(files.map((file) => [file.path, exportsOf(file)]));
    this.imports = files.flatMap(importsOf).filter(({ from, to }) => from !== to && this.exported.has(to));
  }

  get files(): readonly string[] {
    return [...this.exported.keys()];
  }

  importersOf(path: string): ReadonlySet<string> {
    return new Set(this.imports.filter(({ to }) => to === path).map(({ from }) => from));
  }

  /** Files that exactly one other file imports. */
  singleImporters(): readonly string[] {
    return [...this.exported.keys()].filter((path) => this.importersOf(path).size === 1);
  }

  /** How many other files use each export. An import without names may use any. */
  usersOfExports(): readonly { readonly path: string; readonly name: string; readonly users: number }[] {
    const users = new Map<string, Set<string>>();
    for (const { from, to, names = this.exported.get(to) ?? [] } of this.imports) {
      for (const name of names) {
        const key = `${to} ${name}`;
        users.set(key, (users.get(key) ?? new Set()).add(from));
      }
    }
    return [...this.exported].flatMap(([path, names]) =>
      names.map((name) => ({ path, name, users: users.get(`${path} ${name}`)?.size ?? 0 })),
    );
  }
}

/** Bags of dependencies: types whose name ends with `Deps` or `Parts`, and types that add something to the services. */
export function depsTypes(files: readonly SourceText[]): readonly string[] {
  return namesOf(files, (node) =>
    (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
    (/(Deps|Parts)$/.test(node.name.text) || addsToServices(node))
      ? node.name.text
      : undefined,
  );
}

function addsToServices(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): boolean {
  const added = ts.isInterfaceDeclaration(node)
    ? (node.heritageClauses ?? []).flatMap(({ types }) => [...types])
    : ts.isIntersectionTypeNode(node.type)
      ? node.type.types
      : [];
  return added.some((type) => /^(Services$|Levels\[)/.test(type.getText()));
}

/** Classes that the product makes in one place, and tests in none: functions would do. */
export function classesMadeOnce(files: readonly SourceText[], tests: readonly SourceText[]): readonly string[] {
  const made = (some: readonly SourceText[]) =>
    counted(namesOf(some, (node) => (ts.isNewExpression(node) ? node.expression.getText() : undefined)));
  const inProduct = made(files);
  const inTests = made(tests);
  const bases = new Set(
    namesOf(files, (node) =>
      ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ExtendsKeyword
        ? node.types[0]?.expression.getText()
        : undefined,
    ),
  );
  return namesOf(files, (node) => (ts.isClassDeclaration(node) ? node.name?.text : undefined)).filter(
    (name) => inProduct.get(name) === 1 && !inTests.has(name) && !bases.has(name),
  );
}

/** Parameters named `received` whose type is `unknown`, a list of it, or not written. */
export function untypedReceived(files: readonly SourceText[]): readonly string[] {
  return placesOf(files, (node) => ts.isParameter(node) && node.name.getText() === 'received' && isUnknown(node.type));
}

function isUnknown(type: ts.TypeNode | undefined): boolean {
  return type === undefined || /\bunknown\b/.test(type.getText());
}

/** Where a text is in the files. */
export function textPlaces(pattern: RegExp, files: readonly SourceText[]): readonly string[] {
  return files.flatMap(({ path, text, tree }) =>
    [...text.matchAll(pattern)].map(({ index }) => `${path}:${tree.getLineAndCharacterOfPosition(index).line + 1}`),
  );
}

/** Calls of functions by their bare names. */
export function callsOf(names: readonly string[], files: readonly SourceText[]): readonly string[] {
  return placesOf(files, (node) => ts.isCallExpression(node) && names.includes(node.expression.getText()));
}

function placesOf(files: readonly SourceText[], isOne: (node: ts.Node) => boolean): readonly string[] {
  const found: string[] = [];
  for (const { path, tree } of files) {
    eachNode(tree, (node) => {
      if (isOne(node)) found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    });
  }
  return found;
}

function namesOf(files: readonly SourceText[], nameOf: (node: ts.Node) => string | undefined): readonly string[] {
  const found: string[] = [];
  for (const { tree } of files) {
    eachNode(tree, (node) => {
      const name = nameOf(node);
      if (name !== undefined) found.push(name);
    });
  }
  return found;
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
