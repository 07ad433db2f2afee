import { userTexts } from './texts';

// Prints every text that users read, with its file, so that a person can read them all: npm run texts.
for (const { file, text } of userTexts()) {
  console.log(`${file}\t${text.replaceAll('\n', '\\n')}`);
}
