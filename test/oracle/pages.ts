import { figureNames, limitsOf } from '../bench/budgets';
import { sourceTexts, textsOfManifest } from '../unit/words/texts';
import { claims } from './claims';
import { facts } from './facts';
import { load } from './load';
import { menus } from './menus';
import type { Sections } from './page';

interface Page {
  /** The first line of its file. */
  readonly about: string;
  now(): Sections | Promise<Sections>;
}

/** The pages of the oracle that need no VS Code. */
export const pages = {
  claims: { about: 'Every test title, below its file.', now: claims },
  menus: { about: 'Which command is offered where, and what changes that.', now: menus },
  texts: {
    about: 'Every text in the source and the manifest that users read.',
    now: () => new Map([['texts', texts()]]),
  },
  requests: { about: "The benchmarks' limits: requests, and the others.", now: () => new Map([['limits', limits()]]) },
  load: { about: 'What activation loads.', now: () => load() },
  facts: {
    about: 'What the compatibility check can find, what its report says, and what Gantry does about it.',
    now: facts,
  },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof pages;
export const pageNames = Object.keys(pages) as readonly PageName[];

/** A text counts once, wherever it is: files move, and a text needs to be written only once. */
function texts(): readonly string[] {
  return [
    ...new Set([...sourceTexts(), ...textsOfManifest()].map(({ text }) => JSON.stringify(text).slice(1, -1))),
  ].sort();
}

function limits(): readonly string[] {
  return figureNames.map((name) => {
    const numbers = Object.entries(limitsOf(name)).map(([key, most]) => `${key} ${most}`);
    return `${name}: ${numbers.join(', ')}`;
  });
}
