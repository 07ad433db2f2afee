import type { CheckResult } from '../../src/compatibility/compatibilityStore';
import type { Text } from '../../src/compatibility/fact';
import { dangerOf, factNames, foundFacts, replacesTarget } from '../../src/compatibility/facts';
import { readingFacts } from '../../src/compatibility/readingFacts';
import { writingFacts } from '../../src/compatibility/writingFacts';
import type { PlannedChange } from '../../src/containers/containers';
import { redactedReport, reportText } from '../../src/features/compatibility/report';
import type { Sections } from './page';

/** VS Code's `l10n` without a translation. */
const english: Parameters<Text>[0] = {
  t: (...[text, ...values]: readonly unknown[]) =>
    String(text).replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

const texts = {
  'plain text': 'a\n',
  CRLF: 'a\r\n',
  'byte-order mark': '\uFEFFa',
  'non-ASCII': 'ä',
  '64 KB': 'a'.repeat(65_536),
  'more than 64 KB': 'a'.repeat(65_537),
};
const kinds = ['write', 'append', 'create', 'rename', 'copy', 'delete', 'compareNodes', 'other'] as const;
type Change = Pick<PlannedChange, 'kind' | 'text'> & { readonly what: string };
const changes = kinds.flatMap((kind): readonly Change[] =>
  kind === 'write' || kind === 'append'
    ? Object.entries(texts).map(([name, text]) => ({ kind, text, what: `${kind} ${name}` }))
    : [{ kind, what: kind }],
);
const places = {
  'the only node': { isLayer: false, hasSeveralNodes: false },
  'one of several nodes': { isLayer: false, hasSeveralNodes: true },
  'a layer of one node': { isLayer: true, hasSeveralNodes: false },
  'a layer of several nodes': { isLayer: true, hasSeveralNodes: true },
};

const wordsOf = Object.entries({ ...readingFacts, ...writingFacts }).map(
  ([name, { words }]): readonly [string, readonly string[]] => [name, Object.keys(words)],
);

/** Returns what the compatibility check can find, what the report says of it, and what Gantry does about it. */
export function facts(): Sections {
  const samples = {
    'as expected': sample(() => 0, { hasWritten: true }),
    'mostly otherwise': sample((index) => (index % 5 === 4 ? undefined : 1), {
      hasWritten: true,
      isIncomplete: true,
      leftFolders: 2,
    }),
    'nothing found': sample(() => undefined, { observations: [] }),
  };
  return new Map([
    ['order', [factNames.join(' ')]],
    ...wordsOf.map(([name, words]) => [name, words.flatMap((word) => meaningOf({ [name]: word }))] as const),
    ...Object.entries(samples).flatMap(
      ([title, check]) =>
        [
          [`report, ${title}`, numbered(reportText(check, 'anna, app.example.com', english))],
          [`redacted report, ${title}`, numbered(redactedReport(check, '1.2.3'))],
        ] as const,
    ),
  ]);
}

function meaningOf(found: CheckResult['facts']): readonly string[] {
  return foundFacts(found).flatMap(({ label, word, level, consequence }) => {
    const refused = Object.entries(places).map(([place, at]) => {
      const what = changes.filter((change) => dangerOf(found, { ...change, ...at }) !== undefined);
      return [place, what.length === changes.length ? 'everything' : what.map((one) => one.what).join(', ')] as const;
    });
    const isSame = refused.every(([, what]) => what === refused[0]?.[1]);
    const replaced = kinds.filter((kind) => replacesTarget(found, { kind, isLayer: false }));
    const lines = [
      `${label(english)}: ${level}${level === 'works' ? '' : `: ${consequence(english)}`}`,
      ...(isSame ? [['any node', refused[0]?.[1] ?? ''] as const] : refused).flatMap(([place, what]) =>
        what === '' ? [] : [`refused on ${place}: ${what}`],
      ),
      ...replaced.map((kind) => `looks at the target first: ${kind}`),
    ];
    return lines.map((line) => `${word}: ${line}`);
  });
}

/** A check that found the word at this index of each fact, or the first one. */
function sample(pick: (index: number) => number | undefined, more: Partial<CheckResult>): CheckResult {
  const found = wordsOf.flatMap(([name, words], index) => {
    const nth = pick(index);
    return nth === undefined ? [] : [[name, words[nth] ?? words[0]] as const];
  });
  const observations = [
    { step: 'GetTokens', code: 0, status: 200, shape: '{tokens: empty list}' },
    { step: 'GetEnvs', code: 8, status: 200, shape: '{result: int}' },
    { step: 'Uploader, made-up session', status: 404, failure: 'protocol' },
    { step: 'Read, a missing file', status: 502, shape: 'not JSON' },
    { step: 'Delete' },
  ];
  return {
    checkedAt: 1,
    facts: Object.fromEntries(found),
    observations,
    hasWritten: false,
    isIncomplete: false,
    leftFolders: 0,
    ...more,
  };
}

/** The order of lines in a page doesn't count, so each has its number. */
function numbered(text: string): readonly string[] {
  return text.split('\n').map((line, index) => `${index + 1} ${line}`);
}
