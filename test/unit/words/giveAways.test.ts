import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { userTexts } from './texts';

/**
 * Words that often show that a sentence was translated word by word, or isn't how VS Code speaks. A literal use is fine
 * ("There are no interrupted saves."), so a person reads each one and adds its text to `reviewed`.
 */
const giveAways: readonly RegExp[] = [
  /\b(stands?|lies|lie|whoever|whatever|nobody|somebody|no one|nothing else)\b/i,
  /\b(is told|are told|tells? of|what is there|what was|what is|all the same|as it is)\b/i,
  /\b(mend(ed|s)?|heed(s|ed)?|besides|of its own|of their own|in its place|shall|hands? out|anew|anybody|thereby)\b/i,
  /\b(take back|taken back|gives? up|gave up|broken off|makes? again|made again|say where|rather|once more)\b/i,
  /\b(unfold(s|ed|ing)?|no longer be|lose the|good for|may be closed|(?:is|are) no (?!longer)[a-z]+|with an end)\b/i,
  /\b(please|sorry|oops|successfully|cannot|e-mail|cancelled|behaviour|colour)\b|!(?=\s|$)/i,
];

/** Texts with such a word that a person has read and found right. */
const reviewed: readonly string[] = [
  'There are no projects yet. Add one in the Deployments view.',
  'There are no interrupted saves.',
  'Enter text, or a regular expression between slashes. Start with ! to hide lines that match.',
];

describe('words that give translated English away', () => {
  const found = userTexts().filter(({ text }) => giveAways.some((words) => words.test(text)));

  it('are only in texts that a person has reviewed', () => {
    const open = found.filter(({ text }) => !reviewed.includes(text));
    assert.deepEqual(
      open.map(({ file, text }) => `${file}: ${text}`),
      [],
    );
  });

  it('are still in every reviewed text', () => {
    const texts = found.map(({ text }) => text);
    assert.deepEqual(
      reviewed.filter((text) => !texts.includes(text)),
      [],
    );
  });
});
