import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

type Path = readonly (string | number)[];

/** Generates a response with up to three changed values, and perhaps changed bytes. */
export function corruptedResponse(answer: unknown): fc.Arbitrary<Uint8Array> {
  const values = fc.array(fc.tuple(fc.nat(), mutation), { minLength: 0, maxLength: 3 });
  return fc.tuple(values, bytesMutation).map(([mutations, damage]) => {
    const changed = mutations.reduce((current, [where, mutate]) => {
      const places = pathsIn(current);
      const place = places[where % places.length] ?? [];
      return changeAt(current, place, mutate);
    }, answer);
    return damage(Buffer.from(toJson(changed)));
  });
}

/** A mutated value as JSON text, because JavaScript can't represent such numbers. */
class Literal {
  constructor(readonly json: string) {}
}

type Mutation = (value: unknown) => unknown;
const removed = Symbol('removed');

const literals = ['1e400', '-1e400', '123456789012345678901234567890', '0.1e-400', '-0', '9007199254740993', '1E5'];

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constant<Mutation>(() => removed),
  fc.constant<Mutation>(() => null),
  fc.jsonValue({ maxDepth: 2 }).map<Mutation>((other) => () => other),
  fc.constantFrom(...literals).map<Mutation>((json) => () => new Literal(json)),
  fc
    .constantFrom<unknown>('', 'true', 'NaN', '0x10', ' 12 ', 'ENABLED(0)', '\uFFFD', '\u0000', -1, 0.5, true, [], {})
    .map<Mutation>((other) => () => other),
  fc.constant<Mutation>((value) => toJson(value)),
  fc.constant<Mutation>((value) => [value]),
  fc.constant<Mutation>((value) => ({ value })),
  fc.constant<Mutation>((value) => ({ result: 0, response: value })),
  fc
    .integer({ min: 100, max: 3_000 })
    .map<Mutation>((depth) => () => new Literal('['.repeat(depth) + ']'.repeat(depth))),
  fc
    .integer({ min: 100, max: 3_000 })
    .map<Mutation>((depth) => () => new Literal('{"response":'.repeat(depth) + '0' + '}'.repeat(depth))),
  fc
    .constantFrom(3, 8, 17, 99, 702, 4035, 8202, 31_337)
    .map<Mutation>((result) => (value) => ({ ...asObject(value), result })),
  fc.constant<Mutation>((value) => withKeys(value, (key) => key.toUpperCase())),
  fc.constant<Mutation>((value) => withKeys(value, (key) => `${key}_`)),
  fc.constant<Mutation>((value) => ({ ...asObject(value), ['__proto__x']: 1, constructor: 1, toString: 1 })),
);

const bytesMutation: fc.Arbitrary<(bytes: Buffer) => Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: fc.constant((bytes: Buffer) => bytes) },
  { weight: 1, arbitrary: fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([at, byte]) => (bytes: Buffer) => {
      const flipped = Buffer.from(bytes);
      if (flipped.length > 0) flipped[at % flipped.length] = byte;
      return flipped;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 20 })).map(([at, more]) => (bytes: Buffer) => {
      const cut = at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, cut), more, bytes.subarray(cut)]);
    }),
  },
  { weight: 1, arbitrary: fc.constant((bytes: Buffer) => Buffer.from(bytes.toString(), 'utf16le')) },
  { weight: 1, arbitrary: fc.constant((bytes: Buffer) => Buffer.concat([Buffer.from('\uFEFF'), bytes])) },
  { weight: 1, arbitrary: fc.constant((bytes: Buffer) => gzipSync(bytes)) },
  { weight: 1, arbitrary: fc.constant((bytes: Buffer) => Buffer.from(`)]}',\n${bytes.toString()}`)) },
  { weight: 1, arbitrary: fc.constant((bytes: Buffer) => Buffer.concat([bytes, bytes])) },
);

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (value instanceof Literal || typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function changeAt(value: unknown, [key, ...rest]: Path, mutate: Mutation): unknown {
  if (key === undefined) return mutate(value);
  if (Array.isArray(value)) {
    return value
      .map((item: unknown, index) => (index === key ? changeAt(item, rest, mutate) : item))
      .filter((item) => item !== removed);
  }
  const entries = Object.entries(asObject(value)).map(([name, inner]): [string, unknown] => [
    name,
    name === key ? changeAt(inner, rest, mutate) : inner,
  ]);
  return Object.fromEntries<unknown>(entries.filter(([, inner]) => inner !== removed));
}

function withKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value;
  return Object.fromEntries<unknown>(Object.entries(asObject(value)).map(([key, inner]) => [rename(key), inner]));
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null && !(value instanceof Literal) ? value : { value };
}

function toJson(value: unknown): string {
  if (value === removed) return '';
  if (value instanceof Literal) return value.json;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${toJson(inner)}`)
    .join(',')}}`;
}
