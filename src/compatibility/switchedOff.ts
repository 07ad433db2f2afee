import type { PlannedChange } from '../containers/containers';
import { type FactName, type Facts, levelOf } from './facts';

/** A change, and where it's made. */
interface ChangeAt extends PlannedChange {
  /** Whether its layer has other nodes than the one that it names, or may have. */
  readonly hasSeveralNodes: boolean;
}

type Endangers = (change: ChangeAt, word: string) => boolean;

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
  oneNode: ({ kind, hasSeveralNodes }, word) => (word === 'ignored' ? hasSeveralNodes : kind !== 'compareNodes'),
};

/** Returns the fact that makes a change unsafe. */
export function dangerOf(facts: Facts, change: ChangeAt): FactName | undefined {
  return unsafeFacts(facts).find((name) => endangered[name]?.(change, facts[name] ?? '') === true);
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
