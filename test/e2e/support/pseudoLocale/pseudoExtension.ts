import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifestTexts from '../../../../package.nls.json';
import { sourceTexts } from '../../../unit/words/texts';
import { copyExtension } from '../extensionCopy';
import { pseudoText } from './pseudoText';

/** The name that VS Code uses for its own pseudo-language, too. */
export const pseudoLanguage = 'qps-ploc';

/** Copies the extension into a scratch folder, with all of its texts translated into the pseudo-language. */
export async function createPseudoExtension(): Promise<string> {
  const folder = await copyExtension('pseudo', { l10n: './l10n' });
  await writeJson(join(folder, `package.nls.${pseudoLanguage}.json`), translated(Object.entries(manifestTexts)));
  await mkdir(join(folder, 'l10n'));
  const texts = sourceTexts().map(({ text }) => [text, text] as const);
  await writeJson(join(folder, 'l10n', `bundle.l10n.${pseudoLanguage}.json`), translated(texts));
  return folder;
}

function translated(texts: readonly (readonly [key: string, text: string])[]): object {
  return Object.fromEntries(texts.map(([key, text]) => [key, pseudoText(text)]));
}

async function writeJson(path: string, content: object): Promise<void> {
  await writeFile(path, JSON.stringify(content));
}
