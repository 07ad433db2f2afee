import fc from 'fast-check';
import {
  loginAt,
  parseGate,
  type sshArguments,
  type SshGate,
  userIdIn,
  usualGate,
} from '../../../../src/features/terminal/sshCommand';

/** What platforms, containers and people could put into a name. Whatever runs `touch` or `>` leaves a file behind. */
const pieces = [
  "'",
  '"',
  '`',
  '\\',
  "'\\''",
  "'; touch canary; '",
  '$(touch canary)',
  '`touch canary`',
  '>canary',
  '${IFS}',
  ';touch canary;',
  '&& touch canary',
  '| touch canary',
  '&',
  '$HOME',
  '*',
  '?',
  '~',
  '!',
  '#',
  '%h',
  '%n',
  '=',
  ',',
  '-',
  '--',
  '-oProxyCommand=touch canary',
  '-F',
  '-p',
  ' ',
  '  ',
  '@',
  'a',
  'b1',
  '.',
  '..',
  'ü',
  '日本',
  '\u202e',
  '’',
  '“',
  '(',
  ')',
  '[',
  '{',
  '\u00a0',
  'e\u0301',
  '😀',
  'gate.example.com',
  '\t',
  '\n',
  '\r',
  '\0',
  '\u001b[2J',
];
/** Half of a character, and separators of lines. */
const rarePieces = ['\ud800', '\u2028', '\u0085', '\u007f'];

const words = (most: number) =>
  fc
    .array(
      fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...pieces) },
        { weight: 1, arbitrary: fc.constantFrom(...rarePieces) },
      ),
      { minLength: 1, maxLength: most },
    )
    .map((found) => found.join(''));

const hosts = fc.constantFrom(
  'gate.example.com',
  'Gate.Example.COM',
  '127.0.0.1',
  'a',
  'x-1.example',
  '127.1',
  '0x7f000001',
  '010.0.0.1',
);
const numbers = fc.oneof(
  { weight: 8, arbitrary: fc.nat() },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(NaN, Infinity, -1, 1e21)) },
);

/** A gate as the settings, a platform's address, or a mistake in Gantry could name it. */
const gates: fc.Arbitrary<SshGate | undefined> = fc.oneof(
  { weight: 4, arbitrary: hosts.map(parseGate) },
  {
    weight: 2,
    arbitrary: fc.tuple(hosts, fc.integer({ min: 0, max: 70_000 })).map(([host, port]) => parseGate(`${host}:${port}`)),
  },
  { weight: 1, arbitrary: words(3).map(parseGate) },
  { weight: 1, arbitrary: words(2).map((word) => usualGate(`app.${word}`)) },
  { weight: 1, arbitrary: fc.record({ host: words(3), port: numbers }) },
  { weight: 1, arbitrary: fc.tuple(hosts, words(2)).map(([host, word]) => ({ host: `${word}${host}`, port: 3022 })) },
);

const logins = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(numbers, numbers).map(([node, user]) => loginAt(node, user)) },
  { weight: 1, arbitrary: words(3).map((text) => loginAt(5, userIdIn(text) ?? -1)) },
  { weight: 1, arbitrary: words(3) },
);

/** Names that a file system takes, whatever is in them. */
const folders = fc.option(
  fc.array(words(4), { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/').replaceAll('\0', '\n')}`),
  { nil: undefined, freq: 5 },
);

/** Generates destinations from a seed. A gate that can't even be parsed is left out. */
export function hostileDestinations(count: number, seed: number): readonly Parameters<typeof sshArguments>[0][] {
  const cases = fc.record({ gate: gates, login: logins, folder: folders });
  return fc
    .sample(cases, { numRuns: count * 2, seed })
    .flatMap(({ gate, login, folder }) => (gate === undefined ? [] : [{ gate, login, folder }]))
    .slice(0, count);
}
