import { env, l10n } from 'vscode';
import { sizeText } from '../../ui/sizeText';
import type { TextFlaw } from '../text';

/** Returns a sentence why a text can't be edited. It calls the file "it". */
export function flawSentence(flaw: TextFlaw): string {
  if (typeof flaw === 'object') {
    const sizes = [flaw.returned, flaw.length].map((bytes) => sizeText(bytes, env.language));
    const [returned = '', all = ''] =
      sizes[0] === sizes[1] ? [`${flaw.returned}`, l10n.t('{0} bytes', flaw.length)] : sizes;
    return l10n.t('The platform returned only {0} of {1}. It may limit how much can be read.', returned, all);
  }
  return sentences[flaw]();
}

const sentences: Readonly<Record<Exclude<TextFlaw, object>, () => string>> = {
  bytes: () => l10n.t("It isn't UTF-8 text, and the platform can only return UTF-8 text."),
  replacement: () =>
    l10n.t(
      "It contains the replacement character U+FFFD, which the platform also returns for bytes that aren't UTF-8.",
    ),
  lineEnds: () => l10n.t('It has CRLF line endings, and the platform returns LF instead.'),
  mark: () => l10n.t('It starts with a byte-order mark, which the platform removes.'),
  lineEndsAndMark: () =>
    l10n.t('It has a byte-order mark and CRLF line endings. The platform removes the mark and returns LF.'),
  missing: () =>
    l10n.t(
      "The platform returned less than the whole file. A byte-order mark, CRLF line endings, or bytes that aren't UTF-8 may be missing.",
    ),
  nul: () => l10n.t("It contains NUL bytes, so it's probably a binary file."),
  changing: () => l10n.t('It changed while Gantry was reading it.'),
  growing: () => l10n.t("It's still growing, so the end may be missing."),
  unmeasured: () => l10n.t("The platform doesn't report its actual size, so part of it may be missing."),
};
