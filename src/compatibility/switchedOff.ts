import type { PlannedChange } from '../containers/containers';
import { type FactName, type Facts, levelOf } from './facts';

type Endangers = (change: PlannedChange) => boolean;

const longest = 64 * 1024;
const isA =
  (...kinds: readonly PlannedChange['kind'][]): Endangers =>
  ({ kind }) =>
    kinds.includes(kind);
const writes =
  (has: (text: string) => boolean): Endangers =>
  ({ text }) =>
    text !== undefined && has(text);

/** The changes that an unsafe fact endangers. */
const endangered: Readonly<Partial<Record<FactName, Endangers>>> = {
  overwriting: isA('write'),
  append: isA('append'),
  writeLineEnds: writes((text) => text.includes('\r')),
  writeMark: writes((text) => text.startsWith('\uFEFF')),
  writeNonAscii: writes((text) => /[^\0-\x7F]/.test(text)),
  writeLong: writes((text) => text.length > longest),
  deleting: isA('delete'),
  masterOnly: ({ isLayer }) => isLayer,
  oneNode: () => true,
};

/** Returns the fact that makes a change unsafe. */
export function dangerOf(facts: Facts, change: PlannedChange): FactName | undefined {
  return unsafeFacts(facts).find((name) => endangered[name]?.(change) === true);
}

/** Whether a change replaces what exists without a warning, so that Gantry looks at its target first. */
export function replacesTarget({ createOnto, renameOnto, copyOnto }: Facts, { kind }: PlannedChange): boolean {
  return (
    (kind === 'create' && createOnto !== undefined && createOnto !== 'refused') ||
    (kind === 'rename' && renameOnto === 'overwrites') ||
    (kind === 'copy' && copyOnto === 'overwrites')
  );
}

/** Returns the facts because of which something is switched off. */
export function unsafeFacts(facts: Facts): readonly FactName[] {
  const names = Object.keys(endangered).filter((name): name is FactName => name in endangered);
  return names.filter((name) => {
    const word = facts[name];
    return word !== undefined && levelOf(name, word) === 'unsafe';
  });
}
