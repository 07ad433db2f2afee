import * as v from 'valibot';
import type { PlannedChange } from '../containers/containers';
import type { ChangeAt, Fact, StepResults, Text, Verdict } from './fact';
import { readingFacts } from './readingFacts';
import { writingFacts } from './writingFacts';

/**
 * The table of what can be found out about a platform. A new fact is one entry in it. Only the names of facts and their
 * words are stored, so nothing stored names anyone's files, environments or addresses.
 */
const facts = { ...readingFacts, ...writingFacts };

export type FactName = keyof typeof facts;
/** The facts that a check found out. */
type Facts = { readonly [N in FactName]?: keyof (typeof facts)[N]['words'] | undefined };

export const factNames = Object.keys(facts).filter((name): name is FactName => name in facts);

/** Facts as stored. Leaves out what another version of Gantry called differently. */
export const factsSchema = v.pipe(v.record(v.string(), v.unknown()), v.transform(knownFacts));

export function factsIn(results: StepResults): Facts {
  return knownFacts(Object.fromEntries(factNames.map((name) => [name, facts[name].probe(results)])));
}

function knownFacts(found: Readonly<Record<string, unknown>>): Facts {
  const kept: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(found).filter(isKnown));
  return areFacts(kept) ? kept : {};
}

function areFacts(found: Readonly<Record<string, unknown>>): found is Facts {
  return Object.entries(found).every(isKnown);
}

function isKnown([name, word]: readonly [string, unknown]): boolean {
  return factNames.some((one) => one === name && typeof word === 'string' && Object.hasOwn(facts[one].words, word));
}

interface FoundFact extends Verdict {
  readonly name: FactName;
  readonly label: Text;
  readonly word: string;
}

/** Returns what a check found, in the order of the table. */
export function foundFacts(found: Facts): readonly FoundFact[] {
  return factNames.flatMap((name) => foundFact(found, name) ?? []);
}

function foundFact(found: Facts, name: FactName): FoundFact | undefined {
  const verdict = verdictIn(found, name);
  return verdict && { ...verdict, name, label: facts[name].label, word: found[name] ?? '' };
}

function verdictIn(found: Facts, name: FactName): Verdict | undefined {
  const { words }: Fact<string> = facts[name];
  return words[found[name] ?? ''];
}

/** Whether a check found something that only writing shows. */
export function hasWrittenFacts(found: Facts): boolean {
  return factNames.some((name) => name in writingFacts && found[name] !== undefined);
}

/** Returns the labels of what a check couldn't find out. */
export function missingFacts(found: Facts): readonly Text[] {
  return factNames.flatMap((name) => (found[name] === undefined ? [facts[name].label] : []));
}

/** Returns the facts because of which something is switched off. */
export function unsafeFacts(found: Facts): readonly FoundFact[] {
  return foundFacts(found).filter(({ level }) => level === 'unsafe');
}

/** Returns the fact that makes a change unsafe. Creates nothing for others, because it's asked of each file that is shown. */
export function dangerOf(found: Facts, change: ChangeAt): FoundFact | undefined {
  const name = factNames.find((one) => verdictIn(found, one)?.refuses(change));
  return name && foundFact(found, name);
}

/** Whether a change replaces what exists without a warning, so that Gantry looks at its target first. */
export function replacesTarget(found: Facts, { kind }: PlannedChange): boolean {
  return factNames.some((name) => verdictIn(found, name)?.replaces === kind);
}
