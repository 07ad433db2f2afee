import { mayHoldSecrets } from '../../../../src/containers/secretFiles';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Journal, type JournalTrouble } from '../../../../src/files/journal/journal';
import { type JournalLimits, usualLimits } from '../../../../src/files/journal/entry';
import { type Backup, Backups } from '../../../../src/files/saving/backups';
import type { Presence } from '../../../../src/storage/windows';

/** Limits that are reached soon. */
export function limitsOf(
  some: { readonly most?: number; readonly bytes?: number; readonly age?: number; readonly all?: number } = {},
): JournalLimits {
  const { policies } = usualLimits;
  const {
    most = 50,
    bytes = policies.save.limits.bytes,
    age = policies.save.limits.age,
    all = usualLimits.bytes,
  } = some;
  const events = { ...policies.restart, limits: { ...policies.restart.limits, age } };
  const save = { ...policies.save, limits: { ...policies.save.limits, most, bytes, age } };
  return {
    policies: { ...policies, save, restart: events, redeploy: events },
    bytes: all,
  };
}

/** With these, versions are removed all the time, and unfinished texts never. */
export const fewVersions = limitsOf({ most: 4 });

/** A window, with what it was told. */
export function openJournal(
  folder: string,
  {
    presence = closedWindow(randomUUID()),
    hasConsent = () => true,
    isForgotten = () => Promise.resolve(false),
    limits = usualLimits,
    now = Date.now,
  }: Partial<Options> = {},
) {
  const troubles: JournalTrouble[] = [];
  const onTrouble = (trouble: JournalTrouble) => troubles.push(trouble);
  const host = { presence, hasConsent, isForgotten, mayHoldSecrets, onTrouble };
  return { journal: new Journal(folder, host, limits, now), troubles };
}

interface Options {
  readonly presence: Presence;
  readonly hasConsent: () => boolean;
  readonly isForgotten: (account: string) => Promise<boolean>;
  readonly limits: JournalLimits;
  readonly now: () => number;
}

/** A window that the others don't find. */
export function closedWindow(window: string, host = hostname()): Presence {
  return { owner: { window, host }, announce: () => Promise.resolve() };
}

/** The backups of a window. */
export function backupsIn(
  folder: string,
  presence: Presence,
  { cause = 'save', ...options }: Partial<Options> & { readonly cause?: 'save' | 'overwrite' } = {},
): Backups {
  return new Backups(openJournal(folder, { ...options, presence }).journal, cause);
}

/** Returns the backups of all windows with their texts, newest first. */
export async function readBackups(backups: Backups): Promise<readonly Backup[]> {
  return Promise.all((await backups.entries()).map((entry) => backups.read(entry)));
}

/** Returns the texts after each entry, or why one can't be read. */
export async function textsAfter(journal: Journal, account = 'a'): Promise<(string | undefined)[]> {
  const entries = await journal.entries(account);
  return Promise.all(entries.map(({ after }) => (after ? journal.text(account, after) : Promise.resolve(undefined))));
}
