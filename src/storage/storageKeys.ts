import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Memento, SecretStorage } from 'vscode';

// These entries also determine which features to load when a window opens.

/** The secret that contains the accounts. */
export const accountsKey = 'gantry.accounts';
/** The projects that were seen or used on this computer. */
export const knownProjectsKey = 'gantry.projects';
/** The platforms that were seen to deploy the commit in a project's settings. */
export const pinningPlatformsKey = 'gantry.pinningPlatforms';
/** The subfolder of Gantry's storage with the places of scratch folders of compatibility checks. */
export const scratchFolders = 'scratchFolders';
/** The subfolder with what texts were before they changed. In it, each account has one. */
export const journalFolder = 'journal';
/** The extension of an unfinished entry's file. Each has its own file, so it can be replaced or removed in one step. */
export const unfinishedEnding = '.entry';
/** Begins the name of such a file for a replacement in files. */
export const replacementPrefix = 'replace-';

/** The subfolder with the result of each account's compatibility check. */
export const compatibilityFolder = 'compatibility';
/** Subfolders for projects, in which each account has a folder, too. */
export type ProjectFolder = 'drafts' | 'projects' | 'redeploys';
const projectFolders: readonly ProjectFolder[] = ['drafts', 'projects', 'redeploys'];

/** The subfolder with a file for each account that was signed out. */
export const signedOutFolder = 'signed-out';
/** The subfolder with a file for each account whose sign-out has begun, until nothing of it is left on this computer. */
export const signingOutFolder = 'signing-out';
/** For this many milliseconds, another window may be about to remove the account from the secret. */
const signingOutTakes = 60_000;

/**
 * Goes on with sign-outs that were cut short, because their windows were closed: marks these accounts as signed out, and
 * removes their folders.
 *
 * @param signedIn their markers may be older than the sign-in, because each computer has its own
 * @param forget called with the accounts of which something else may be left
 */
export async function endSignOuts(
  storageFolder: string,
  signedIn: readonly string[],
  forget: (slug: string) => void,
): Promise<void> {
  const markers = join(storageFolder, signedOutFolder);
  const begun = join(storageFolder, signingOutFolder);
  const left: string[] = [];
  for (const slug of await slugsIn(begun)) {
    const [file, marker] = [fileOf(begun, slug), fileOf(markers, slug)];
    if (!signedIn.includes(slug)) {
      await mkdir(markers, { recursive: true, mode: 0o700 });
      try {
        // It may have been marked, of which other windows know, before its window was closed.
        if ((await timeIn(marker)) < (await timeIn(file))) {
          await copyFile(file, marker);
        }
        left.push(slug);
      } catch (error) {
        // Another window may have ended it, or signed in again.
        if (existsSync(file)) throw error;
      }
    } else if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > signingOutTakes) {
      // If VS Code lost the secret later, that would look like a sign-out.
      await rm(file, { force: true });
    }
  }
  const signedOut = (await slugsIn(markers)).filter((slug) => !signedIn.includes(slug));
  const perAccount = [journalFolder, scratchFolders, ...projectFolders].map((name) => join(storageFolder, name));
  for (const slug of signedOut) {
    const paths = [
      ...perAccount.map((folder) => join(folder, slug)),
      fileOf(join(storageFolder, compatibilityFolder), slug),
    ];
    await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })));
  }
  left.forEach(forget);
}

/** Returns the time of a sign-out, in milliseconds since the epoch. */
async function timeIn(file: string): Promise<number> {
  return existsSync(file) ? Number(await readFile(file, 'utf8')) : -Infinity;
}

/** Returns the accounts that have a file in a folder. */
async function slugsIn(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).flatMap((name) => (name.endsWith('.json') ? name.slice(0, -'.json'.length) : []));
}

function fileOf(folder: string, slug: string): string {
  return join(folder, `${slug}.json`);
}

/** Whether there's a text to offer, or a scratch folder to remove. */
export async function isAnythingLeft(storageFolder: string): Promise<boolean> {
  const journal = join(storageFolder, journalFolder);
  try {
    const accounts = await namesIn(journal);
    const entries = await Promise.all(accounts.map((slug) => namesIn(join(journal, slug))));
    const scratch = await namesIn(join(storageFolder, scratchFolders), { recursive: true });
    // A replacement is undone only if the person asks for it.
    const offered = entries.flat().filter((name) => !name.startsWith(replacementPrefix));
    return [...offered, ...scratch].some((name) => [unfinishedEnding, '.json'].includes(extname(name)));
  } catch {
    // What exists and can't be read may contain something.
    return true;
  }
}

async function namesIn(folder: string, options: { readonly recursive?: boolean } = {}): Promise<readonly string[]> {
  // Other programs may leave files in a folder of folders.
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdir(folder, options) : [];
}

/** When any window last signed out of an account, or in again, in milliseconds since the epoch. */
export async function lastSignOut(storageFolder: string): Promise<number> {
  // The first sign-out creates the folder.
  return stat(join(storageFolder, signedOutFolder)).then(
    ({ mtimeMs }) => mtimeMs,
    () => -Infinity,
  );
}

export async function isAnyAccountStored(secrets: SecretStorage): Promise<boolean> {
  // A keychain that can't be read may hold some.
  return (await secrets.get(accountsKey).then(undefined, () => 'unknown')) !== undefined;
}

/** Whether any account was stored when Gantry last ran, so that VS Code must still have it. */
export const storedAccountsKey = 'gantry.storedAccounts';

export function areAccountsExpected(state: Memento): boolean {
  return state.get<number>(storedAccountsKey, 0) > 0;
}

export function isAnyProjectKnown(state: Memento): boolean {
  return state.get<readonly unknown[]>(knownProjectsKey, []).length > 0;
}
