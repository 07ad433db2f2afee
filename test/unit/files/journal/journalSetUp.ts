import type { FilePlace } from '../../../../src/containers/place';
import { Journal } from '../../../../src/files/journal/journal';
import { type JournalLimits, usualLimits } from '../../../../src/files/journal/policies';

export const fileAt = (path: string, account = 'a'): FilePlace => ({
  ...{ kind: 'file', account, environment: 'shop', path },
  target: { nodeGroup: 'cp', nodeId: 1 },
});

/** Limits that are reached soon. */
export function limitsOf({
  most = 50,
  bytes = usualLimits.policies.save.bytes,
  age = usualLimits.policies.save.age,
  all = usualLimits.bytes,
} = {}): JournalLimits {
  const { policies } = usualLimits;
  const events = { ...policies.restart, age };
  return { policies: { save: { ...policies.save, most, bytes, age }, restart: events, redeploy: events }, bytes: all };
}

/** A window, with what it was told. */
export function openJournal(
  folder: string,
  { hasConsent = () => true, limits = usualLimits, now = Date.now }: Partial<Options> = {},
) {
  const troubles: Trouble[] = [];
  const onTrouble = (trouble: Trouble) => troubles.push(trouble);
  return { journal: new Journal(folder, { hasConsent, onTrouble }, limits, now), troubles };
}

type Trouble = Parameters<ConstructorParameters<typeof Journal>[1]['onTrouble']>[0];

interface Options {
  readonly hasConsent: () => boolean;
  readonly limits: JournalLimits;
  readonly now: () => number;
}

/** Returns the texts after each entry, or why one can't be read. */
export async function textsAfter(journal: Journal, account = 'a'): Promise<(string | undefined)[]> {
  const entries = await journal.entries(account);
  return Promise.all(entries.map(({ after }) => (after ? journal.text(account, after) : Promise.resolve(undefined))));
}
