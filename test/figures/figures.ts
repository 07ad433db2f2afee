import type { Sections } from '../oracle/page';
import { lintFigures, mostComplex } from './lintFigures';
import { filesOnPath, type PathRule, pathRules } from './paths';
import type { SourceText } from './sources';
import * as structure from './structure';
import { helperLines, nearDuplicates, testLines } from './testFigures';

export interface Figure {
  readonly name: string;
  /** At commit 1c572ad. */
  readonly before: string;
  readonly now: string;
  readonly goal: string;
  /** A structural figure: less is better, and it may not grow. */
  readonly held?: number;
  /** What was counted. */
  readonly items?: readonly string[];
}

const format = (value: number): string => value.toLocaleString('en-US');
const percent = (part: number, whole: number): number => Math.ceil((100 * part) / whole);

/** A structural figure that counts items. */
function count(name: string, before: string, goal: string, items: readonly string[]): Figure {
  return { name, before, goal, now: format(items.length), held: items.length, items };
}

/** Counts the files below `src/`, and those below `test/` with the titles of all tests. */
export function figuresOf(
  src: readonly SourceText[],
  tests: readonly SourceText[],
  claims: Sections,
): readonly Figure[] {
  const graph = new structure.ImportGraph(src);
  return [
    ...figuresOfSizes(src),
    ...figuresOfStructure(graph, src, tests),
    ...figuresOfPaths(graph),
    ...figuresOfTests(tests, claims),
  ];
}

function figuresOfSizes(src: readonly SourceText[]): readonly Figure[] {
  const { lines, files } = structure.sizesOf(src);
  const lengths = structure.fileLengths(src);
  const short = src.filter(({ text }) => text.split('\n').length <= 50).map(({ path }) => path);
  const flat = structure.largestFolder(src);
  const wiring =
    structure.sizesOf(src.filter(({ path }) => /^src\/(services\/|[^/]+$|features\/\w+\/feature\.ts$)/.test(path)))
      .lines + structure.sizesOf(src.flatMap(creation)).lines;
  return [
    { name: 'lines in src', before: '43,286', now: format(lines), goal: '31,500 to 34,000, and what is new' },
    { name: 'files in src', before: '361', now: format(files), goal: 'about 235' },
    { name: 'median file', before: '107', now: format(structure.median(lengths)), goal: '100 to 130' },
    { name: 'longest file', before: '304', now: format(lengths.at(-1) ?? 0), goal: '350' },
    count('files under 50 lines', '78', '30', short),
    { name: 'largest flat folder', before: '24', now: format(flat), goal: '20', held: flat },
    {
      name: 'wiring, registration, and what is directly in src, lines',
      before: '2,156',
      now: format(wiring),
      goal: '900',
      held: wiring,
    },
  ];
}

/** What builds a feature, in the file that has its name: what else is there is its own code. */
function creation({ path, text }: SourceText): readonly Pick<SourceText, 'text'>[] {
  const [found] = /^src\/features\/(\w+)\/\1\.ts$/.test(path)
    ? (/^export function create[^]*?^\}\n/m.exec(text) ?? [])
    : [];
  return found === undefined ? [] : [{ text: found }];
}

function figuresOfStructure(
  graph: structure.ImportGraph,
  src: readonly SourceText[],
  tests: readonly SourceText[],
): readonly Figure[] {
  const exported = graph.usersOfExports();
  const usedBy = (users: number) =>
    exported.filter((one) => one.users === users).map(({ path, name }) => `${path} ${name}`);
  const share = percent(usedBy(1).length, exported.length);
  const { complex, longest } = lintFigures(src);
  return [
    count('single importers', '93', '25', graph.singleImporters()),
    count('…Deps and the like', '117', '15', structure.depsTypes(src)),
    count('classes made once and never in a test', '64', '15', structure.classesMadeOnce(src, tests)),
    count('exports unused in src outside their file', '152', '0', usedBy(0)),
    {
      name: 'exports used by one other file',
      before: '47 %',
      now: `${share} %`,
      goal: '30 %',
      held: share,
      items: usedBy(1),
    },
    count(`functions above complexity ${mostComplex}`, '27', '10', complex),
    {
      name: 'longest function',
      before: '207',
      now: `${longest.lines} (${longest.where})`,
      goal: '60',
      held: longest.lines,
    },
    count('Pick<', '215', '', structure.textPlaces(/\bPick</g, src)),
    count('untyped `received`', '97', '5', structure.untypedReceived(src)),
    reported(
      'calls with progress',
      '52',
      structure.callsOf(['withProgress', 'withDetachableProgress', 'withCancelableRead'], src),
    ),
    reported('calls of confirm', '', structure.callsOf(['confirm'], src)),
  ];
}

function reported(name: string, before: string, items: readonly string[]): Figure {
  return { name, before, now: format(items.length), goal: '', items };
}

function figuresOfPaths(graph: structure.ImportGraph): readonly Figure[] {
  const onPath = (rule: PathRule) => filesOnPath(graph, rule);
  return [
    count('files on the path of a save', '44', '22', onPath(pathRules.save)),
    count('files on the path of a redeploy', '20', '18', onPath(pathRules.redeploy)),
    count('files on the path of a sign-in', '27', '12', onPath(pathRules.signIn)),
  ];
}

function figuresOfTests(tests: readonly SourceText[], claims: Sections): readonly Figure[] {
  const product = tests.filter(({ path }) => /^test\/(unit|integration|e2e)\/.*\.test\.ts$/.test(path));
  const { imports, hooks, tests: bodies, helpers, functions } = testLines(product);
  const lines = imports + hooks + bodies + helpers;
  return [
    { name: 'product test lines', before: '36,158', now: format(lines), goal: 'about 21,000, and what is new' },
    {
      name: 'share of local helpers in test lines',
      before: '30 %',
      now: `${percent(helpers, lines)} %`,
      goal: '8 %',
      items: helperLines(product),
    },
    {
      name: 'share of local functions and classes in test lines',
      before: '11 %',
      now: `${percent(functions, lines)} %`,
      goal: '',
    },
    count('near-duplicate test titles', '27', '5', nearDuplicates(claims)),
  ];
}
